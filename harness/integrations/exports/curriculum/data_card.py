"""The data card of a curriculum: what is in it, how long it is, from where, under which licences, how it is loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from harness.integrations.exports.curriculum.lesson import STAGES, Lesson
from harness.integrations.exports.curriculum.parts import PARTS, DividedLessons
from harness.integrations.exports.example_pages import COUNTED_AS
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.kit.text import counted, markdown_table
from harness.models.tokens.counting import tokens_for

NOTHING_LEFT = "none of its steps is a lesson (README.md counts why)"


@dataclass(frozen=True)
class LedgerEntry:
    """An episode that was looked at.

    Attributes:
        run: The run's name.
        solver: Whose episode it is.
        task: Its task.
        index: Of the instance.
        score: Of the episode; None if unknown.
        why: Why it is not worth learning from; empty if it is.
    """

    run: str
    solver: str
    task: str
    index: int
    score: float | None
    why: str

    @classmethod
    def of(cls, each: ExportedEpisode, why: str) -> LedgerEntry:
        """An episode, and why it is not worth learning from."""
        episode = each.episode
        return cls(each.source.name, each.source.solver, episode.task, episode.index, each.score.score, why)

    def row(self, found: DividedLessons) -> dict[str, Any]:
        """A row: the entry, with how many lessons of each part came of it.

        Args:
            found: All lessons that were written.
        """
        own = (self.run, self.task, self.index)
        came: dict[str, int] = {
            part: sum((each.where.source, each.where.task, each.where.index) == own for each in found.of[part])
            for part in PARTS
        }
        why = self.why or ("" if any(came.values()) else NOTHING_LEFT)
        told = {name: getattr(self, name) for name in ("run", "solver", "task", "index", "score")}
        return {**told, "kept": not why, "why": why, **came}


NOT_SAID = "not said"
_ABOUT = """# A curriculum of lessons on websites and forms

Lessons in three stages after AutoWebGLM (section 2.3): `recognition` (what is this element, where does it lead),
`simple` (one step that is asked for in words), `complex` (the steps of whole tasks, each with what was done before and
a reason). Rules wrote questions, instructions and reasons, unless the source is a model's run, whose words are its own;
what is answered was seen in a browser while recorded work was done once more. Each row has `messages`, of which the
last is to be learnt, and where it comes from."""
_DIVIDED = """Tasks are whole in one part, each lesson stands there once, and no lesson of `train` asks and answers
what one of `test` does. **A model that has learnt from `train` is to be evaluated on the tasks that `tasks.json` calls
`test`, and on no others of these.** Pages of one website look alike: such tasks tell whether a site's tasks were
learnt, and not whether websites were. `held_out` is true for what is not of its task set's own `train` split."""


def data_card(lessons: DividedLessons, form: str, intents_by: str = "") -> str:
    """The card, as ``README.md`` of the folder, with what Hugging Face's ``datasets`` reads at its head.

    Args:
        lessons: What is in the folder.
        form: ``jsonl`` or ``parquet``.
        intents_by: The model that wrote the reasons of steps on websites; empty where rules did.
    """
    both = [lesson for part in PARTS for lesson in lessons.of[part]]
    foreign = sum(lesson.where.split != "train" for lesson in lessons.of["train"])
    own = f"{counted(foreign, 'lesson')} of `train` held out by the task set: {_WARNED}"
    blocks = [
        _head(lessons, form),
        _ABOUT,
        *([f"The reasons of steps on websites were written by the model `{intents_by}`."] if intents_by else []),
        "## How many and how long",
        _lengths(lessons),
        f"Tokens are counted by {tokens_for(COUNTED_AS).name}: half of the lessons have no more than the first number, "
        "and none more than the second.",
        "## Parts",
        _DIVIDED,
        *([own] if foreign else []),
        _tasks(lessons),
        "## Sources and licences",
        _counts(both, "source", lambda lesson: f"{lesson.where.source}: {lesson.where.group}"),
        _counts(both, "licence of the task's content", lambda lesson: lesson.where.licence or NOT_SAID),
        "## Left out",
        "\n".join(f"- {times} x {reason}" for reason, times in sorted(lessons.left_out.items())) or "Nothing.",
    ]
    return "\n\n".join(blocks) + "\n"


_WARNED = "a model that has learnt from them has no place on its leaderboard."


def _head(lessons: DividedLessons, form: str) -> str:
    lines = ["---", "configs:"]
    for stage in STAGES:
        parts = [part for part in PARTS if any(lesson.stage == stage for lesson in lessons.of[part])]
        if parts:
            lines += [f"- config_name: {stage}", "  data_files:"]
            lines += [f"  - split: {part}\n    path: {stage}/{part}.{form}" for part in parts]
    return "\n".join([*lines, "---"])


def _lengths(lessons: DividedLessons) -> str:
    tokens = tokens_for(COUNTED_AS)
    rows = [["stage", "part", "lessons", "tasks", "prompt tokens", "answer tokens"]]
    for stage in STAGES:
        for part in PARTS:
            here = [lesson for lesson in lessons.of[part] if lesson.stage == stage]
            asked = [sum(tokens.text(content) for _, content in lesson.prompt) for lesson in here]
            answered = [tokens.text(lesson.answer) for lesson in here]
            tasks = len({lesson.where.task for lesson in here})
            rows.append([stage, part, f"{len(here):,}", f"{tasks:,}", _spread(asked), _spread(answered)])
    return markdown_table(rows)


def _spread(lengths: Sequence[int]) -> str:
    return f"{sorted(lengths)[(len(lengths) - 1) // 2]:,} / {max(lengths):,}" if lengths else "–"


def _tasks(lessons: DividedLessons) -> str:
    count = Counter(lessons.tasks.values())
    return "\n".join(f"- `{part}`: {counted(count[part], 'task')}" for part in PARTS)


def _counts(lessons: Sequence[Lesson], what: str, of: Callable[[Lesson], str]) -> str:
    found = Counter(map(of, lessons))
    return markdown_table([[what, "lessons"], *([name, f"{count:,}"] for name, count in sorted(found.items()))])
