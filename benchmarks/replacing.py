"""How often the answer "may it replace a worker?" is wrong, on made tasks of which the truth is known.

A made agent is worse than a worker by exactly as much as is allowed: each yes is then a false one. Another is as good
as a worker: each yes is right. docs/notes/replacing.md shows and explains the tables.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

import numpy as np

from harness.analysis.episode_pass import pass_over
from harness.analysis.replacement.answers import AnsweredField, AnsweredItem, answered_field
from harness.analysis.replacement.decisions import MIN_ITEMS, WorkerNames, field_decisions, task_decision
from harness.analysis.replacement.routing import route
from harness.analysis.replacement.sequential import looks_up_to, spent_levels
from harness.kit.text import aligned
from harness.records.directory import RunDirectory
from harness.records.episode import FieldRecord
from harness.scoring.leave_one_out import own_answers, values_of, workers_of
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore

TASKS = 200
"""Made tasks of each row."""
EPSILON = 0.1
REDRAWS = 200
_PROFILE = PROFILES["standard"]
_CALIBRATION = 4_000
Random = np.random.Generator
Field = Callable[[Random, float, int], tuple[str, tuple[str, ...], list[str], str]]
"""From chance, how good the agent is and the number of workers: kind, options, labels, and what the agent sent."""


@dataclass(frozen=True)
class MadeTask:
    """A shape of tasks.

    Attributes:
        field: Makes the answers to a field.
        fields: Fields of an item.
        workers: Workers of an item.
        worst: How good the worst agent is.
        equal: How good an agent is that does as a worker does.
    """

    field: Field
    fields: int
    workers: int
    worst: float
    equal: float


def _choice(
    options: tuple[str, ...], worker: float, random: Random, agent: float, workers: int
) -> tuple[str, tuple[str, ...], list[str], str]:
    truth = options[random.integers(len(options))]

    def answer(right: float) -> str:
        return truth if random.random() < right else options[random.integers(len(options))]

    return "radio", options, [answer(worker) for _ in range(workers)], answer(agent)


def _number(worker: float, random: Random, agent: float, workers: int) -> tuple[str, tuple[str, ...], list[str], str]:
    truth = random.uniform(20, 80)

    def answer(spread: float) -> str:
        return str(round(float(np.clip(random.normal(truth, spread), 0, 100))))

    return "range", ("0", "100"), [answer(worker) for _ in range(workers)], answer(worker + 40 * (1 - agent))


def _text(worker: float, random: Random, agent: float, workers: int) -> tuple[str, tuple[str, ...], list[str], str]:
    truth = [f"word{number}" for number in random.integers(1000, size=4)]

    def answer(right: float) -> str:
        return " ".join(word if random.random() < right else f"word{random.integers(1000)}" for word in truth)

    return "text", (), [answer(worker) for _ in range(workers)], answer(agent)


SHAPES: Mapping[str, MadeTask] = {
    "one choice of three, 3 workers": MadeTask(partial(_choice, ("a", "b", "c"), 0.8), 1, 3, 0.0, 0.8),
    "five of yes or no, 5 workers": MadeTask(partial(_choice, ("yes", "no"), 0.9), 5, 5, 0.0, 0.9),
    "a slider, 3 workers": MadeTask(partial(_number, 8.0), 1, 3, 0.0, 1.0),
    "a short text, 4 workers": MadeTask(partial(_text, 0.8), 1, 4, 0.0, 0.8),
}


def measure() -> Iterator[list[list[str]]]:
    """The tables: one look at made tasks; several looks; worker ids; routing."""
    yield list(_one_look())
    yield list(_several_looks())
    yield list(_with_ids())
    yield list(_routing())


def made_items(shape: MadeTask, agent: float, count: int, random: Random) -> list[AnsweredItem]:
    """Items of a made task."""
    return [
        _item(number, [_field(shape, f"q{place}", agent, random) for place in range(shape.fields)], shape.workers)
        for number in range(count)
    ]


def _field(shape: MadeTask, name: str, agent: float, random: Random) -> AnsweredField:
    kind, options, labels, sent = shape.field(random, agent, shape.workers)
    record = FieldRecord(name, kind, options, tuple(labels), "scored", True, True, (sent,), (), ())
    score = _PROFILE.score_field(kind, options, record.labels, record.sent)
    return answered_field(_PROFILE, record, range(shape.workers), score)


def _item(number: int, fields: Sequence[AnsweredField], workers: int) -> AnsweredItem:
    return AnsweredItem("Made", number, str(number), Path(), tuple(fields), workers, workers, {}, None, 0.0)


def as_bad_as_allowed(shape: MadeTask, by: Callable[[AnsweredField], float]) -> float:
    """How good an agent is that is worse than a worker by just as much as is allowed."""
    low, high = shape.worst, shape.equal
    for _ in range(9):
        middle = (low + high) / 2
        random = np.random.default_rng(7)
        mean = np.mean([by(_field(shape, "q", middle, random)) for _ in range(_CALIBRATION)])
        low, high = (middle, high) if mean < -EPSILON else (low, middle)
    return low  # on the side of an agent that is a little worse


def _in_score(answer: AnsweredField) -> float:
    return answer.beside_crowd or 0.0


def _in_wins(answer: AnsweredField) -> float:
    return float(
        np.mean([float(pair.agent >= pair.worker) - float(pair.worker >= pair.agent) for pair in answer.pairs])
    )


def _one_look() -> Iterator[list[str]]:
    yield ["one look: shape", "items", "false yes, %", "yes if as good, %", "no if worst, %"]
    for name, shape in SHAPES.items():
        bad = as_bad_as_allowed(shape, _in_score)
        for count in (30, 100):
            cells = []
            for agent, wanted in ((bad, "yes"), (shape.equal, "yes"), (shape.worst, "no")):
                random = np.random.default_rng(count)
                told = [
                    [
                        each.answer == wanted
                        for each in field_decisions(made_items(shape, agent, count, random), {}, EPSILON)
                    ]
                    for _ in range(TASKS)
                ]
                # Of a task any false yes counts; what is right is counted by field.
                cells.append(f"{100 * (np.mean([any(each) for each in told]) if agent == bad else np.mean(told)):.1f}")
            yield [name, str(count), *cells]


def _several_looks() -> Iterator[list[str]]:
    yield ["looks at 10, 20 ... 160: shape", "agent", "yes, %", "no, %", "items on average"]
    sizes = looks_up_to(160, 10)
    levels = spent_levels(sizes, 0.05)
    for name in ("one choice of three, 3 workers", "five of yes or no, 5 workers"):
        shape = SHAPES[name]
        for whose, agent in (
            ("just too bad", as_bad_as_allowed(shape, _in_score)),
            ("as good", shape.equal),
            ("worst", shape.worst),
        ):
            random = np.random.default_rng(3)
            yes = no = items_used = 0
            for _ in range(TASKS):
                items = made_items(shape, agent, sizes[-1], random)
                made: dict[str, str] = {}
                for size, level in zip(sizes, levels, strict=True):
                    for each in field_decisions(items[:size], {}, EPSILON, level):
                        if each.answer != "not yet known":
                            made.setdefault(each.name, each.answer)
                    if len(made) == shape.fields:
                        break
                items_used += size
                yes += "yes" in made.values()
                no += "no" in made.values()
            yield [name, whose, f"{100 * yes / TASKS:.1f}", f"{100 * no / TASKS:.1f}", f"{items_used / TASKS:.0f}"]


def _with_ids() -> Iterator[list[str]]:
    yield ["worker ids, 6 workers: items", "agent", "yes, %", "by Student's test, %", "no, %"]
    shape = MadeTask(partial(_choice, ("a", "b", "c"), 0.8), 1, 6, 0.0, 0.8)
    for count in (30, 60, 120):
        names: WorkerNames = {("Made", str(number)): [f"w{row}" for row in range(6)] for number in range(count)}
        for whose, agent in (
            ("just too bad", as_bad_as_allowed(shape, _in_wins)),
            ("as good", shape.equal),
            ("worst", shape.worst),
        ):
            random = np.random.default_rng(count)
            found = [field_decisions(made_items(shape, agent, count, random), names, EPSILON)[0] for _ in range(TASKS)]
            student = [each.annotators is not None and each.annotators.winning_rate_student >= 0.5 for each in found]
            shares = ([each.answer == "yes" for each in found], student, [each.answer == "no" for each in found])
            yield [str(count), whose, *(f"{100 * np.mean(share):.1f}" for share in shares)]


def _routing() -> Iterator[list[str]]:
    yield ["routing, error wanted 10 %: signals", "labels", "error above, %", "to people, %", "error by lot, %"]
    for name, signals, strength in (("one strong", 1, 2.0), ("three weak", 3, 0.5), ("six that say nothing", 6, 0.0)):
        for count in (60, 200):
            random = np.random.default_rng(count)
            above = people = lot = 0.0
            for _ in range(REDRAWS):
                items, wrong = _signalled(signals, strength, count, random)
                found = route(items, 0.1)
                assert found is not None
                kept = [item.index for item in found.to_agent if item.index >= count]
                others = len(items) - count
                above += wrong[kept].sum() / others > 0.1
                people += 1 - len(kept) / others
                lot += wrong[count:].mean() * len(kept) / others
            yield [name, str(count), *(f"{100 * each / REDRAWS:.1f}" for each in (above, people, lot))]


def _signalled(
    signals: int, strength: float, count: int, random: Random
) -> tuple[list[AnsweredItem], np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Items with signals, the first of them with labels; and which answers are wrong."""
    size = count + 1_000
    values = random.normal(size=(size, signals))
    chance = 1 / (1 + np.exp(2.0 - strength * values.sum(axis=1) / signals**0.5))
    wrong = (random.random(size) < chance).astype(np.float64)
    items = []
    for number in range(size):
        known = number < count
        asked = AnsweredField("q", "radio", (), (), (), 1 - wrong[number] if known else None, 1.0 if known else None)
        told = {f"signal {place}": float(np.exp(values[number, place])) for place in range(signals)}
        items.append(AnsweredItem("Made", number, str(number), Path(), (asked,), 3, 3, told, None, 0.0))
    return items, wrong


AGENTS: Mapping[str, float] = {
    "oracle": EPSILON,
    "a worker": EPSILON,
    "a worker, nothing allowed": 0.0,
    "constant": EPSILON,
    "random": EPSILON,
}
"""Made agents that answer with nothing but labels -> how much worse they may be."""


@dataclass
class LabelAgents:
    """Takes down what made agents would have answered in the episodes of a run, whoever its solver was."""

    items: dict[str, list[AnsweredItem]] = field(default_factory=lambda: {name: [] for name in AGENTS})

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""
        episode = score.episode
        workers = workers_of(episode.fields)
        if len(workers) < 2 or not score.fields:
            return
        random = np.random.default_rng(int(episode.id, 16))
        chosen = int(workers[random.integers(len(workers))])
        for name, items in self.items.items():
            held_out = name.startswith("a worker")
            left = tuple(range(len(workers) - held_out))
            fields = []
            for scored in score.fields:
                labels = tuple(
                    scored.record.labels[row] if row < len(scored.record.labels) else ""
                    for row in workers
                    if not held_out or row != chosen
                )
                record = replace(scored.record, labels=labels)
                record = replace(record, sent=_sent(name, scored.record, record, chosen, random))
                fields.append(
                    answered_field(
                        _PROFILE, record, left, _PROFILE.score_field(record.kind, record.options, labels, record.sent)
                    )
                )
            items.append(
                AnsweredItem(
                    episode.task, episode.index, episode.id, Path(), tuple(fields), len(left), len(left), {}, None, 0.0
                )
            )

    def merge(self, other: LabelAgents) -> None:
        """Take in what another has seen."""
        for name, items in other.items.items():
            self.items[name] += items


def _sent(agent: str, asked: FieldRecord, record: FieldRecord, chosen: int, random: Random) -> tuple[str, ...]:
    if agent.startswith("a worker"):
        return own_answers(asked, [chosen])[chosen]
    if agent == "constant":
        return asked.constant
    if agent == "random":
        return (asked.options[random.integers(len(asked.options))],) if asked.options else ("word",)
    given = {values_of(label, record.kind, record.options) for label in record.labels}
    scores = {
        values: _PROFILE.score_field(record.kind, record.options, record.labels, values) for values in sorted(given)
    }
    return max(scores, key=lambda values: score.score if (score := scores[values]) else 0.0)


def on_labels(folder: Path) -> list[list[str]]:
    """Of a run with labels of people, in how many tasks each made agent may take a worker's place."""
    visitor = LabelAgents()
    pass_over(RunDirectory(folder), _PROFILE, [visitor])
    rows = [["agent", "tasks with 30 items or more", "yes", "not yet known", "no", "fields", "yes, %", "no, %"]]
    for name, allowed in AGENTS.items():
        of_task: dict[str, list[AnsweredItem]] = {}
        for item in visitor.items[name]:
            of_task.setdefault(item.task, []).append(item)
        kept = {
            task: items
            for task, items in of_task.items()
            if sum(any(each.pairs for each in item.fields) for item in items) >= MIN_ITEMS
        }
        answers = [task_decision(task, items, {}, allowed).answer for task, items in kept.items()]
        fields = [each.answer for items in kept.values() for each in field_decisions(items, {}, allowed)]
        counts = [str(answers.count(answer)) for answer in ("yes", "not yet known", "no")]
        shares = [f"{100 * fields.count(answer) / max(1, len(fields)):.1f}" for answer in ("yes", "no")]
        rows.append([name, str(len(kept)), *counts, str(len(fields)), *shares])
    return rows


def main() -> None:
    """Print the tables; with a run directory the one of its labels."""
    parse = argparse.ArgumentParser(
        prog="python -m benchmarks.replacing", description=(__doc__ or "").partition("\n")[0]
    )
    parse.add_argument("run", type=Path, nargs="?", metavar="RUN", help="a run whose labels people gave")
    run = parse.parse_args().run
    for table in [on_labels(run)] if run else measure():
        print(aligned(table), flush=True)
        print(flush=True)


if __name__ == "__main__":
    main()
