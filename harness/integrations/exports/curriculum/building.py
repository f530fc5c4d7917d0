"""A curriculum from runs and reference traces to a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.catalog import Catalog
from harness.integrations.exports.curriculum.demonstration_lessons import DemonstrationTeacher, are_demonstrations
from harness.integrations.exports.curriculum.form_lessons import FormTeacher, turn_lessons
from harness.integrations.exports.curriculum.intents import NOT_READ, IntentWriter, with_reasons
from harness.integrations.exports.curriculum.lesson import COLUMNS, STAGES, Lesson
from harness.integrations.exports.curriculum.parts import PARTS, DividedLessons, Division, divided
from harness.integrations.exports.curriculum.site_lessons import SiteTeacher, Taught
from harness.integrations.exports.example_pages import COUNTED_AS
from harness.integrations.exports.examples import Spool
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.site_walks import Browsers, ChosenTraces, SiteWalks
from harness.kit.files.installation import BUNDLED_TASKS, SITE_TASKS
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.rows import CannotExport, lines_to, tables_to
from harness.kit.text import counted, markdown_table
from harness.models.tokens.counting import tokens_for
from harness.records.config import ActionSetName
from harness.solvers.models.recipe import Recipe

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


DATA_CARD, TASKS, LEDGER = "README.md", "tasks.json", "ledger.jsonl"


@dataclass(frozen=True)
class CurriculumPlan:
    """What a curriculum is made of, and how.

    Attributes:
        folders: Folders of tasks on websites whose reference traces are done, and demonstrations in Mind2Web's form.
        traces: Which of them.
        sites: How a model is asked about websites.
        actions: The set of actions that it is offered on websites.
        forms: How it is asked about forms.
        division: Of the tasks.
        form: Of the files: ``jsonl`` or ``parquet``.
        intents: Writes the reasons of steps on websites; None for rules.
    """

    folders: Sequence[Path]
    traces: ChosenTraces
    sites: Recipe
    actions: ActionSetName
    forms: Recipe
    division: Division
    form: str = "jsonl"
    intents: IntentWriter | None = None


class Curriculum:
    """Collects lessons.

    Attributes:
        lessons: So far.
        left_out: Reason -> how many lessons, episodes or traces are missing for it.
    """

    def __init__(self, plan: CurriculumPlan, browsers: Browsers) -> None:
        """Collect by a plan, with browsers."""
        self.lessons: list[Lesson] = []
        self.left_out: Counter[str] = Counter()
        self._ledger: list[LedgerEntry] = []
        self._plan = plan
        self._browsers = browsers

    def add_traces(self) -> None:
        """Take in the reference traces and the demonstrations.

        Raises:
            CatalogError, DemonstrationError, ServerRefused, NoBrowser: as their messages say.
            KeyboardInterrupt: it was interrupted.
        """
        for folder in self._plan.folders:
            if are_demonstrations(folder):
                teacher = DemonstrationTeacher(self._plan.sites, self._plan.actions)
                for each in teacher.teach(folder):
                    self.lessons += self._reasoned(each.taught)
                self.left_out += teacher.left_out
                continue
            pages = replace(self._browsers.pages, tasks_dir=folder)
            browsers = replace(self._browsers, pages=pages)
            self._walk(browsers, licences_of(folder, pages.overlay), lambda walks: walks.traces(self._plan.traces))

    def add_episodes(self, judged: Iterable[tuple[ExportedEpisode, str]]) -> None:
        """Take in episodes that are worth learning from: models' by their own words, others by doing them again.

        Args:
            judged: Each with why it is not worth it; nothing if it is.

        Raises:
            NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
        """
        pages = self._browsers.pages
        on_sites = replace(self._browsers, pages=replace(pages, tasks_dir=pages.tasks_dir or SITE_TASKS))
        licences = licences_of(pages.tasks_dir or BUNDLED_TASKS, pages.overlay)
        licences |= licences_of(pages.tasks_dir or SITE_TASKS, pages.overlay)
        sites: list[ExportedEpisode] = []
        forms: list[ExportedEpisode] = []
        for each, why in judged:
            self._ledger.append(LedgerEntry.of(each, why))
            if why:
                self.left_out[why] += 1
            elif each.episode.turns:
                self.lessons += turn_lessons(each, licences, self.left_out)
            elif each.episode.steps:
                (forms if each.source.config.kind == "form" else sites).append(each)
        if sites:
            self._walk(on_sites, licences, lambda walks: walks.episodes(sites))
        if forms:
            teacher = FormTeacher(self._plan.forms, licences)
            self.lessons += teacher.teach(forms, self._browsers)
            self.left_out += teacher.left_out

    def _walk(self, browsers: Browsers, licences: Mapping[str, str], go: Callable[[SiteWalks[Taught]], None]) -> None:
        with Spool() as spool:

            def take(place: int, name: str, taught: Taught) -> bool:
                self.left_out.update(taught.left_out)
                if taught.why:
                    self.left_out[f"{name}: {taught.why}"] += 1
                spool.put(place, [lesson.to_json() for lesson in self._reasoned(taught)])
                return not taught.why

            walks = SiteWalks(SiteTeacher(self._plan.sites, self._plan.actions, licences), take, browsers)
            go(walks)
            self.left_out += walks.left_out
            self.lessons += map(Lesson.from_json, spool.rows(range(walks.count)))

    def _reasoned(self, taught: Taught) -> Sequence[Lesson]:
        """The lessons of a task, with the reasons of a model if one is to write them."""
        if self._plan.intents is None or not taught.steps:
            return taught.lessons
        reasons = self._plan.intents.reasons(taught.goal, taught.steps)
        if reasons is None:
            self.left_out[NOT_READ] += 1
            return taught.lessons
        return with_reasons(taught.lessons, {step.reason: own for step, own in zip(taught.steps, reasons, strict=True)})

    def write(self, folder: Path) -> DividedLessons:
        """Write the folder: a table for each stage and part, which task is in which part, and the data card.

        Args:
            folder: A new one.

        Raises:
            CannotExport: there is such a folder, or it cannot be written.
        """
        if folder.exists():
            raise CannotExport(f"{folder} exists; name another folder, or remove it")
        found = divided(self.lessons, self._plan.division)
        found = replace(found, left_out=self.left_out + found.left_out)
        places = [(stage, part) for stage in STAGES for part in PARTS]
        rows = {
            f"{stage}/{part}": [lesson for lesson in found.of[part] if lesson.stage == stage] for stage, part in places
        }
        filled = {name: lessons for name, lessons in rows.items() if lessons}
        with tables_to(folder, self._plan.form, dict.fromkeys(filled, COLUMNS)) as sinks:
            for name, lessons in filled.items():
                for lesson in lessons:
                    sinks[name].write(lesson.row())
        named = {part: [task for task, its in found.tasks.items() if its == part] for part in PARTS}
        write_json(folder / TASKS, named)
        with lines_to(folder / LEDGER) as ledger:
            for entry in self._ledger:
                ledger.write(entry.row(found))
        by = self._plan.intents.name if self._plan.intents else ""
        write_bytes(folder / DATA_CARD, data_card(found, self._plan.form, by).encode())
        return found


def licences_of(folder: Path, overlay: Path | None) -> dict[str, str]:
    """Task -> the licence of its content, of a folder of tasks; empty where nobody said.

    Raises:
        CatalogError: it cannot be used.
    """
    catalog = Catalog(folder, overlay)
    return {name: catalog.facts(name).licence for name in catalog.names()}
