"""An export from runs to files: examples, pairs, tables and features."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeAlias, TypedDict

from harness.catalog.splits import DEFAULT as TRAIN
from harness.integrations.exports.adp_document import adp_document
from harness.integrations.exports.atif_document import atif_document
from harness.integrations.exports.chat import PictureFile, pictures_of
from harness.integrations.exports.curriculum.building import Curriculum, CurriculumPlan
from harness.integrations.exports.demonstration_export import DemonstrationChoice, DemonstrationExport
from harness.integrations.exports.example_pages import ExampleStyle, shown
from harness.integrations.exports.examples import examples
from harness.integrations.exports.exported_runs import (
    ORACLE,
    ExportChoice,
    ExportedEpisode,
    ExportedRun,
    ExportSummary,
    episodes_of,
)
from harness.integrations.exports.features import dump
from harness.integrations.exports.inspect_log import ENDING, InspectLog
from harness.integrations.exports.preferences import pairs
from harness.integrations.exports.run_tables import TABLES
from harness.integrations.exports.site_walks import Browsers
from harness.kit.files.writing import path_name, write_json
from harness.kit.registry import Registry, registry
from harness.kit.rows import CannotExport, datasets_folder, lines_to, tables_to, whole
from harness.kit.text import counted
from harness.run.page_source import PageSource
from harness.run.progress import Mode
from harness.solvers.models.recipe import Recipe

MIND2WEB = "mind2web"
GOOD = 1.0
"""The score from which an episode is an example to learn from, unless another is asked for."""
_DATASET = """# Episodes of agents on forms and websites

Tables of recorded runs: `episodes`, `fields` (answers, of forms), `steps` (actions) and `turns` (what a model was asked
and said), one row each. Every row begins with the run, the solver and the task that it belongs to. Load one with
`datasets.load_dataset(FOLDER, "steps")`.

**These tables hold labels of tasks.** `held_out` is true for all that is not of the tasks' own split `train`: a model
that has learnt from it must not be evaluated on it, and whoever publishes it lets others learn from it."""


class BrowserUse(TypedDict):
    """How pages are opened again.

    Attributes:
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.
    """

    pages: PageSource
    workers: int
    mode: Mode | None


@dataclass(frozen=True)
class WantedExport:
    """What is exported, and how.

    Attributes:
        format: A name of ``FORMATS``.
        out: The file, or the folder of tables; None for standard output.
        choice: Of episodes.
        recipe: How the pages of episodes without a model are shown.
        browsers: What opens these pages again.
        demonstrations: What is demonstrated, in the form of Mind2Web.
    """

    format: str | None
    out: Path | None
    choice: ExportChoice
    recipe: Recipe
    browsers: BrowserUse
    demonstrations: DemonstrationChoice


Writer: TypeAlias = Callable[[WantedExport, Sequence[ExportedRun], ExportSummary], None]
"""Writes the runs to what is wanted, and tells the summary; arguments and errors as for ``write``."""
FORMATS: Registry[Writer] = registry("exports")


def write(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Write what is wanted in its format, if it has one.

    Args:
        wanted: What and how.
        sources: The runs.
        summary: Told what was written.

    Raises:
        CannotExport, NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    if wanted.format:
        FORMATS[wanted.format](wanted, sources, summary)


def write_features(wanted: WantedExport, sources: Sequence[ExportedRun], folder: Path, summary: ExportSummary) -> None:
    """Dump picture, HTML and actions of every field; arguments and errors as for ``write``."""
    chosen = list(episodes_of(sources, wanted.choice))
    left_out: Counter[str] = Counter()
    count = dump(chosen, folder, left_out, **wanted.browsers)
    summary.rows(
        ("field with features", "fields with features"),
        count,
        [each.episode.split for each in chosen if each.held_out],
        left_out,
    )


def write_curriculum(
    wanted: WantedExport, plan: CurriculumPlan, sources: Sequence[ExportedRun], folder: Path, summary: ExportSummary
) -> None:
    """Write lessons in three stages, of reference traces and of the chosen episodes; errors as for ``write``."""
    curriculum = Curriculum(plan, Browsers(**wanted.browsers))
    curriculum.add_traces()
    curriculum.add_episodes(_judged(wanted, sources))
    made = curriculum.write(folder)
    learnt = made.of["train"]
    held_out = [lesson.where.split for lesson in learnt if lesson.where.split != TRAIN]
    summary.rows(("lesson to learn from", "lessons to learn from"), len(learnt), held_out, made.left_out)
    summary.rows(("lesson for tests", "lessons for tests"), len(made.of["test"]), [], {})


def write_examples(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Examples to learn from: conversations of good episodes."""
    out = wanted.out
    without: list[ExportedEpisode] = []
    left_out: Counter[str] = Counter()

    def with_turns() -> Iterator[ExportedEpisode]:
        for each in _good(wanted, sources, left_out):
            if each.episode.turns:
                yield each
            elif each.episode.steps:
                without.append(each)

    style = ExampleStyle(wanted.recipe, (out.parent if out else Path()) / "images")
    with _counted(("example", "examples"), out, summary, left_out) as write:
        for row in examples(with_turns(), out, left_out):
            write(row)
        if without:
            for row in shown(without, style, left_out, **wanted.browsers):
                write(row)


def _judged(wanted: WantedExport, sources: Sequence[ExportedRun]) -> Iterator[tuple[ExportedEpisode, str]]:
    """The chosen episodes, each with why it is not to be learnt from; nothing for one that is."""
    least = wanted.choice.min_score
    for each in episodes_of(sources, replace(wanted.choice, min_score=None)):
        score = each.score.score
        if score is None:
            yield each, "an episode without a score"
        elif score < (GOOD if least is None else least) and (least is not None or each.source.solver != ORACLE):
            hint = "" if least is not None else " (--min-score X takes others)"
            yield each, f"an episode with a score below {GOOD if least is None else least:g}{hint}"
        else:
            yield each, ""


def _good(wanted: WantedExport, sources: Sequence[ExportedRun], left_out: Counter[str]) -> Iterator[ExportedEpisode]:
    """The chosen episodes that are to be learnt from; the others are counted by reason."""
    for each, why in _judged(wanted, sources):
        if why:
            left_out[why] += 1
        else:
            yield each


def write_demonstrations(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """What traces and runs did on websites, in the form of Mind2Web."""
    if wanted.out is None:
        raise CannotExport("demonstrations are written into a file: name it with --out")
    export = DemonstrationExport(wanted.out, wanted.demonstrations, Browsers(**wanted.browsers))
    if sources:
        export.episodes(_good(wanted, sources, export.left_out))
    else:
        export.traces()
    held_out = {split for split in export.splits if split != TRAIN}
    summary.rows(("demonstration", "demonstrations"), export.count, held_out, export.left_out)
    if export.count:
        summary.note(f"{counted(export.steps, 'step')} in them")


def write_pairs(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Pairs of a better and a worse answer."""
    left_out: Counter[str] = Counter()
    with _counted(("pair", "pairs"), wanted.out, summary, left_out) as write:
        for row in pairs(episodes_of(sources, wanted.choice), wanted.out, left_out):
            write(row)


def write_tables(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Tables of episodes, fields, steps and turns, as lines of JSON or as Parquet."""
    if wanted.out is None or wanted.format is None:
        raise CannotExport("tables are written into a folder: name it with --out")
    counts: Counter[str] = Counter()
    held_out: set[str] = set()
    with tables_to(wanted.out, wanted.format, {table.name: table.columns for table in TABLES}) as sinks:
        for each in episodes_of(sources, wanted.choice):
            if each.held_out:
                held_out.add(each.episode.split)
            for table in TABLES:
                for row in table.rows(each):
                    sinks[table.name].write(row)
                    counts[table.name] += 1
    for table in TABLES:
        summary.rows((f"row of {table.name}", f"rows of {table.name}"), counts[table.name], held_out, {})


def write_atif(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Trajectories in the form ATIF."""
    if wanted.out is None:
        raise CannotExport("trajectories are written into a folder: name it with --out")
    held_out: set[str] = set()
    count = 0
    for each in episodes_of(sources, wanted.choice):
        episode = each.episode
        file = wanted.out / path_name(each.source.name) / path_name(episode.task) / f"{episode.index}.json"
        with whole(file) as temporary:
            write_json(temporary, atif_document(each, _beside(each.source, file.parent / "images")))
        count += 1
        if each.held_out:
            held_out.add(episode.split)
    summary.rows(("trajectory", "trajectories"), count, held_out, {})


def _beside(source: ExportedRun, folder: Path) -> PictureFile:
    """Puts pictures into a folder beside what names them: Harbor's viewer shows no others."""

    def put(name: str) -> str:
        there, here = source.run.image_file(name), folder / f"{name}.png"
        if there.exists() and not here.exists():
            folder.mkdir(exist_ok=True)
            try:
                here.hardlink_to(there)
            except OSError:  # on another file system
                shutil.copyfile(there, here)
        return f"{folder.name}/{here.name}"

    return put


def write_adp(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Trajectories in the form ADP."""
    count = 0
    held_out: set[str] = set()
    with lines_to(wanted.out) as sink:
        for each in episodes_of(sources, wanted.choice):
            sink.write(adp_document(each, pictures_of(each.source, wanted.out)))
            count += 1
            if each.held_out:
                held_out.add(each.episode.split)
    summary.rows(("trajectory", "trajectories"), count, held_out, {})


def write_inspect(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """A log that Inspect shows."""
    if wanted.out is None:
        raise CannotExport("logs are written into a folder: name it with --out")
    held_out: set[str] = set()
    count = 0
    for source in sources:
        with (
            whole(wanted.out / f"{path_name(source.name)}{ENDING}") as temporary,
            closing(InspectLog(temporary, source)) as log,
        ):
            for each in episodes_of([source], wanted.choice):
                log.add(each)
                if each.held_out:
                    held_out.add(each.episode.split)
            count += log.count
    summary.rows(("sample", "samples"), count, held_out, {})


def write_datasets(wanted: WantedExport, sources: Sequence[ExportedRun], summary: ExportSummary) -> None:
    """Tables that Hugging Face's ``datasets`` loads."""
    if wanted.out is None:
        raise CannotExport("a folder for datasets is written: name it with --out")
    splits = {each.episode.split for each in episodes_of(sources, wanted.choice)}
    columns = {table.name: table.columns for table in TABLES}
    runs = "\n".join(
        f"- `{each.name}`: {each.solver}, tasks {each.config.split or 'of all splits'}" for each in sources
    )
    with datasets_folder(wanted.out, columns, splits, f"{_DATASET}\n\n## Runs\n\n{runs}") as tables:
        for each in episodes_of(sources, wanted.choice):
            for table in TABLES:
                for row in table.rows(each):
                    tables.write(table.name, each.episode.split, row)
    held_out = splits - {TRAIN}
    for table in TABLES:
        summary.rows((f"row of {table.name}", f"rows of {table.name}"), tables.of(table.name), held_out, {})


@contextmanager
def _counted(
    what: tuple[str, str], out: Path | None, summary: ExportSummary, left_out: Mapping[str, int]
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A context for writing lines, which are counted."""
    count = 0
    held_out: set[str] = set()
    with lines_to(out) as sink:

        def write(row: Mapping[str, Any]) -> None:
            nonlocal count
            count += 1
            if row["held_out"]:
                held_out.add(row["split"])
            sink.write(row)

        yield write
    summary.rows(what, count, held_out, left_out)
