"""A curriculum from runs and reference traces to a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.catalog import Catalog
from harness.integrations.exports.curriculum.data_card import LedgerEntry, data_card
from harness.integrations.exports.curriculum.demonstration_lessons import DemonstrationTeacher, are_demonstrations
from harness.integrations.exports.curriculum.form_lessons import FormTeacher, turn_lessons
from harness.integrations.exports.curriculum.intents import NOT_READ, IntentWriter, with_reasons
from harness.integrations.exports.curriculum.lesson import COLUMNS, STAGES, Lesson
from harness.integrations.exports.curriculum.parts import PARTS, DividedLessons, Division, divided
from harness.integrations.exports.curriculum.site_lessons import SiteTeacher, Taught
from harness.integrations.exports.examples import Spool
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.integrations.exports.site_walks import SITE_TASKS, Browsers, ChosenTraces, SiteWalks
from harness.kit.files.installation import BUNDLED_TASKS
from harness.kit.files.writing import write_bytes, write_json
from harness.kit.rows import CannotExport, lines_to, tables_to
from harness.records.config import ActionSetName
from harness.solvers.models.recipe import Recipe

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
