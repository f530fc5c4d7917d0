"""A small split of a task set, chosen and pinned by instance ids.

The split is a first look that takes minutes, balanced over kinds of fields and difficulty. It is made from the files
alone, without a browser and without chance, so that the same files always give the same split:

1. Left out are tasks with a content warning or without a table, instances without labels, and pages that show remote
   pictures, videos or frames. Of tasks that are equal byte for byte the one outside the training split stays.
2. Of each task, the first twelve instances by id are described: by the kind that most of their scored fields have; by
   what the most frequent answers of the other instances would score, in three steps (a page that they mostly get right
   is easy); and by how many fields they have, in three steps.
3. Each task gives its first instance. Then one instance after the other is taken, always the one whose description is
   rarest so far among what was chosen, the square of the number that its task has given already added; of equals the
   first by name and id.

Which fields a page has is read from the template and the values (`harness.datasets.controls`,
`harness.scoring.answers.scripted`). It decides what is chosen, never what is scored.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from harness.browser.form.fields import Field
from harness.catalog import Catalog
from harness.catalog.mirror.references import MEDIA_KINDS, references
from harness.catalog.problems import MalformedTask
from harness.catalog.splits import DEFAULT
from harness.catalog.task import Instance, Task
from harness.catalog.template.instantiation import instantiate
from harness.datasets.controls import declared_fields
from harness.scoring.answers.baselines import ConstantAnswers
from harness.scoring.answers.columns import Answer, AnswerColumns, is_answered
from harness.scoring.metrics import PROFILES

SIZE = 200
_DESCRIBED = 12
"""Instances of a task that are looked at: enough to choose from."""
_STEPS = ("few", "some", "many")
_HARD, _EASY = 1 / 3, 2 / 3
_SOME_FIELDS, _MANY_FIELDS = 4, 12


@dataclass(frozen=True)
class Candidate:
    """An instance that could be chosen.

    Attributes:
        task: Its task.
        split: The task's split.
        id: Its id.
        kind: The most frequent kind of its scored fields.
        difficulty: ``hard``, ``medium`` or ``easy``.
        fields: ``few``, ``some`` or ``many``.
    """

    task: str
    split: str
    id: str
    kind: str
    difficulty: str
    fields: str

    @property
    def group(self) -> tuple[str, str, str]:
        """What the split is balanced over."""
        return self.kind, self.difficulty, self.fields


def candidates(catalog: Catalog) -> Iterator[Candidate]:
    """Describe the instances of a task set that the split could hold, task by task."""
    twins = {
        name
        for group in catalog.duplicates()
        for name in sorted(group, key=lambda each: (catalog.split_of(each) == DEFAULT, each))[1:]
    }
    for name in catalog.names():
        if name in twins or catalog.facts(name).content_warning:
            continue
        try:
            yield from _of_task(catalog.task(name))
        except MalformedTask:
            continue


def _of_task(task: Task) -> Iterator[Candidate]:
    labelled = sorted((each for each in task.instances if is_answered(each)), key=lambda each: each.id)
    columns = AnswerColumns(task)
    constants = ConstantAnswers(columns)
    for instance in labelled[:_DESCRIBED]:
        if any(each.kind in MEDIA_KINDS for each in references(instantiate(task.template, instance.inputs))):
            continue
        answers = [each for each in columns.answers(instance, list(_fields(task, instance))) if each.scored]
        if answers:
            kinds = Counter(answer.kind for answer in answers)
            floor = _floor(constants, instance, answers)
            yield Candidate(
                task=task.name,
                split=task.split,
                id=instance.id,
                kind=min(kinds, key=lambda kind: (-kinds[kind], kind)),
                difficulty="hard" if floor < _HARD else "medium" if floor < _EASY else "easy",
                fields=_STEPS[(len(answers) > _SOME_FIELDS) + (len(answers) > _MANY_FIELDS)],
            )


def _fields(task: Task, instance: Instance) -> Iterator[Field]:
    yield from declared_fields(task.template)
    for value in instance.inputs.values():
        yield from declared_fields(value) if "<" in value else ()


def _floor(constants: ConstantAnswers, instance: Instance, answers: Sequence[Answer]) -> float:
    """What the most frequent answers of the other instances score."""
    profile = PROFILES["standard"]
    points = []
    for answer in answers:
        guess = constants.answer(instance, answer) or ()
        score = profile.score_field(answer.kind, answer.options, answer.labels, guess)
        if score:
            points.append(score.score)
    return sum(points) / len(points) if points else 0.0


def choose(found: Iterable[Candidate], size: int = SIZE) -> list[Candidate]:
    """Choose among candidates; see the module.

    Args:
        found: The candidates.
        size: How many are wanted. There are more if there are more tasks, and fewer if there are no more candidates.
    """
    by_task: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in found:
        by_task[candidate.task].append(candidate)
    chosen = [of_task[0] for of_task in by_task.values()]
    taken = Counter(candidate.task for candidate in chosen)
    have = Counter(candidate.group for candidate in chosen)
    rest = [candidate for of_task in by_task.values() for candidate in of_task[1:]]
    while rest and len(chosen) < size:
        best = min(rest, key=lambda each: (have[each.group] + taken[each.task] ** 2, each.group, each.task, each.id))
        rest.remove(best)
        chosen.append(best)
        taken[best.task] += 1
        have[best.group] += 1
    return sorted(chosen, key=lambda each: (each.task, each.id))


def as_json(chosen: Sequence[Candidate], description: str) -> str:
    """The file of a pinned split (`harness.catalog.splits`), a task a line."""
    by_task: dict[str, list[str]] = defaultdict(list)
    for candidate in chosen:
        by_task[candidate.task].append(candidate.id)
    lines = [f"    {_text(name)}: {_text(ids)}" for name, ids in by_task.items()]
    return "\n".join(
        ["{", f'  "description": {_text(description)},', '  "tasks": {', ",\n".join(lines), "  }", "}", ""]
    )


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
