"""The tables of a report as files: Markdown to paste, LaTeX for a paper, CSV for a program."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from harness.analysis.aggregation import PartName
from harness.analysis.result_numbers import GroupNumbers, ResultNumbers
from harness.kit.files.writing import write_bytes
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING
from harness.reports.escapes import csv_text, latex, markdown
from harness.reports.wording import count, ended_by_error, interval, percent, points, told_of_work

Form: TypeAlias = Literal["words", "count", "share", "estimate", "gap"]
Value: TypeAlias = str | float | None
"""What a CSV file holds."""
Cell: TypeAlias = Value | Estimate

DIFFER = (
    "NOT COMPARABLE: the results have different comparability ids. They were measured on other tasks, instances or "
    "fields, or by other rules; do not read one against the other."
)


class _Measure(NamedTuple):
    """A number of a group: its key in CSV files, its heading, how it is shown, and where it stands."""

    key: str
    heading: str
    form: Form
    of: Callable[[GroupNumbers], Cell]


class _GroupTable(NamedTuple):
    """What is said of a table with a row for each split, task or kind: heading, caption, what is counted in each."""

    heading: str
    caption: str
    counted: str


_SHARED = (
    _Measure("ceiling", "ceiling", "share", attrgetter("means.ceiling")),
    _Measure("do_nothing", "floor: do nothing", "share", attrgetter("means.do_nothing")),
    _Measure("constant", "floor: constant", "share", attrgetter("means.constant")),
)
"""Measures that belong to instances: the same for all results that can be compared."""
_SCORE = _Measure("score", "score", "estimate", attrgetter("estimates.score"))
_MEASURES = (
    _SCORE,
    _Measure("of_ceiling", "of ceiling", "estimate", attrgetter("estimates.of_ceiling")),
    *_SHARED,
    _Measure("copy", "floor: copy", "share", attrgetter("means.copy")),
    _Measure("untied", "untied", "share", attrgetter("means.untied")),
    _Measure("skill_over_do_nothing", "skill over do nothing", "share", attrgetter("means.skill_over_do_nothing")),
    _Measure("skill_over_constant", "skill over constant", "share", attrgetter("means.skill_over_constant")),
    _Measure("own_left_out", "score beside workers", "estimate", attrgetter("estimates.own_left_out")),
    _Measure("crowd", "workers", "estimate", attrgetter("estimates.crowd")),
    _Measure("gap", "gap", "gap", attrgetter("estimates.gap")),
)
_IN_CSV_ALONE = frozenset({"untied", "skill_over_do_nothing", "skill_over_constant"})
"""A page has room for so many columns."""
_COUNTS = ("tasks", "instances", "fields", "episodes")
_GROUP_TABLES: Mapping[PartName, _GroupTable] = {
    "splits": _GroupTable("split", "Scores by split, means over tasks", "tasks"),
    "tasks": _GroupTable("task", "Scores by task, means over instances", "instances"),
    "kinds": _GroupTable("kind", "Scores by kind of field, means over fields", "fields"),
}


@dataclass(frozen=True)
class PrintedColumn:
    """A column of a table.

    Attributes:
        heading: Its words.
        form: What its cells hold: a text, a number, or an estimate.
    """

    heading: str
    form: Form = "words"

    def shown(self, cell: Cell) -> str:
        """A cell as people read it: scores in per cent, estimates with their interval."""
        if isinstance(cell, str):
            return cell
        if cell is None:
            return NOTHING
        if isinstance(cell, Estimate):
            write = points if self.form == "gap" else percent
            limits = interval(cell, write)
            return write(cell.value) if limits == NOTHING else f"{write(cell.value)} ({limits})"
        return count(cell) if self.form == "count" else percent(cell)


@dataclass(frozen=True)
class PrintedTable:
    """A table for people.

    Attributes:
        caption: What it holds.
        columns: Its columns; the first names the rows.
        rows: A cell for each column.
        notes: What must be read with it, the comparability ids among it.
    """

    caption: str
    columns: Sequence[PrintedColumn]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[str]

    def text(self) -> list[list[str]]:
        """The cells as people read them."""
        return [[column.shown(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]


def write_tables(folder: Path, named: Mapping[str, ResultNumbers]) -> list[Path]:
    """Write all tables: ``overall``, ``splits``, ``tasks`` and ``kinds``, each as ``.md``, ``.tex`` and ``.csv``.

    Args:
        folder: Made if need be; files of these names are replaced.
        named: Name of a result -> its numbers; at least one.

    Returns:
        The files.

    Raises:
        OSError: one cannot be written.
    """
    tables = {"overall": (overall_table(named), overall_records(named))}
    tables |= {part: (group_table(named, part), group_records(named, part)) for part in _GROUP_TABLES}
    files = {}
    for name, (table, records) in tables.items():
        files[f"{name}.md"] = as_markdown(table)
        files[f"{name}.tex"] = as_latex(table, label=name)
        files[f"{name}.csv"] = as_csv(list(records))
    for name, text in files.items():
        write_bytes(folder / name, text.encode("utf-8", "backslashreplace"))
    return [folder / name for name in files]


def overall_table(named: Mapping[str, ResultNumbers]) -> PrintedTable:
    """The headline of each result, a row a result; the other means and the skills stand in the CSV file alone."""
    several = any(numbers.between_seeds for numbers in named.values())
    chosen = [
        measure
        for measure in _MEASURES
        if measure.key not in _IN_CSV_ALONE
        and any(_is_known(measure.of(numbers.groups.overall)) for numbers in named.values())
    ]
    columns = [
        PrintedColumn("result"),
        *(PrintedColumn(measure.heading, measure.form) for measure in chosen),
        *([PrintedColumn("SD between seeds", "share")] if several else []),
        PrintedColumn("episodes ended by an error", "count"),
        PrintedColumn("tasks", "count"),
        PrintedColumn("instances", "count"),
        PrintedColumn("comparability id"),
    ]
    rows = [
        [
            name,
            *(measure.of(numbers.groups.overall) for measure in chosen),
            *([_between_seeds(numbers)] if several else []),
            ended_by_error(numbers.outcomes),
            numbers.groups.overall.sizes.tasks,
            numbers.groups.overall.sizes.instances,
            numbers.comparability_id,
        ]
        for name, numbers in named.items()
    ]
    return PrintedTable("Scores, means over tasks", columns, rows, notes(named))


def group_table(named: Mapping[str, ResultNumbers], which: PartName) -> PrintedTable:
    """The scores by split, task or kind, a row a group, the results side by side.

    Args:
        named: As for ``write_tables``.
        which: Whose groups.
    """
    about = _GROUP_TABLES[which]
    found = [numbers.groups.parts(which) for numbers in named.values()]
    alike = len(_idents(named)) == 1
    shared: list[_Measure] = []
    if alike:
        shared = [_Measure(about.counted, about.counted, "count", attrgetter(f"sizes.{about.counted}")), *_SHARED]
    columns = [
        PrintedColumn(about.heading),
        *(PrintedColumn(measure.heading, measure.form) for measure in shared),
        *(
            PrintedColumn(name if alike else f"{name} [{numbers.comparability_id}]", "estimate")
            for name, numbers in named.items()
        ),
    ]
    rows = [
        [
            name,
            *(_cell(measure, found[0].get(name)) for measure in shared),
            *(_cell(_SCORE, groups.get(name)) for groups in found),
        ]
        for name in sorted({name for groups in found for name in groups})
    ]
    return PrintedTable(about.caption, columns, rows, notes(named))


def _cell(measure: _Measure, group: GroupNumbers | None) -> Cell:
    return measure.of(group) if group else None


def notes(named: Mapping[str, ResultNumbers]) -> list[str]:
    """What must stand under each table: what may be compared, and what is not complete."""
    said = []
    if len(_idents(named)) == 1:
        first = next(iter(named.values()))
        said.append(f"Profile {first.profile}, comparability id {first.comparability_id}.")
    else:
        said.append(DIFFER)
        said += [
            f"{name}: profile {numbers.profile}, comparability id {numbers.comparability_id}."
            for name, numbers in named.items()
        ]
    for name, numbers in named.items():
        if told := told_of_work(numbers.asked_work):
            said.append(f"{name}: {told}.")
        if numbers.bounds:
            low, high = map(percent, numbers.bounds)
            said.append(f"{name} is INCOMPLETE: instances without a score allow any headline from {low} to {high}.")
    levels = " and ".join(f"{100 * each:g}" for each in sorted({numbers.level for numbers in named.values()}))
    said.append(f"Scores in per cent, with {levels} % intervals in brackets. {NOTHING}: nothing could be measured.")
    return said


def overall_records(named: Mapping[str, ResultNumbers]) -> Iterator[dict[str, Value]]:
    """The headline and the other means for a program: a record for each result, as they were measured.

    Args:
        named: As for ``write_tables``.

    Yields:
        ``result``, ``profile``, ``comparability_id``, ``comparable`` (whether all results have one id), and its
        numbers: of an estimate ``score`` also ``score_low`` and ``score_high``. Scores are from 0 to 1.
    """
    for name, numbers in named.items():
        least, most = numbers.bounds or (None, None)
        yield {
            **_head(named, name),
            **_flat(numbers.groups.overall),
            **_limits("mean_over_instances", numbers.groups.instances.estimates.score),
            **_limits("mean_over_fields", numbers.groups.fields.estimates.score),
            "between_seeds": _between_seeds(numbers),
            "least": least,
            "most": most,
            "ended_by_error": ended_by_error(numbers.outcomes),
        }


def group_records(named: Mapping[str, ResultNumbers], which: PartName) -> Iterator[dict[str, Value]]:
    """The numbers of the groups for a program: a record for each result and group, as ``overall_records``.

    Args:
        named: As for ``write_tables``.
        which: Whose groups; their names stand under the heading of their table.
    """
    heading = _GROUP_TABLES[which].heading
    for name, numbers in named.items():
        for group, values in sorted(numbers.groups.parts(which).items()):
            split = {"split": numbers.split_of[group]} if which == "tasks" else {}
            yield {**_head(named, name), heading: group, **split, **_flat(values)}


def as_markdown(table: PrintedTable) -> str:
    """A table of GitHub's Markdown, with its caption above and its notes below."""
    columns = table.columns
    lines = [
        f"**{markdown(table.caption)}**",
        "",
        _line(markdown(column.heading) for column in columns),
        _line("---" if column.form == "words" else "---:" for column in columns),
        *(_line(map(markdown, row)) for row in table.text()),
        "",
        *(f"- {f'**{markdown(note)}**' if note == DIFFER else markdown(note)}" for note in table.notes),
    ]
    return "\n".join(lines) + "\n"


def as_latex(table: PrintedTable, label: str) -> str:
    r"""A table for LaTeX with the packages ``booktabs`` and ``longtable``, which breaks it at the end of a page.

    Args:
        table: The table.
        label: The end of its label, ``tab:<label>``.
    """
    form = "".join("l" if column.form == "words" else "r" for column in table.columns)
    head = " & ".join(latex(column.heading) for column in table.columns)
    noted = " ".join(map(latex, table.notes))
    lines = [
        r"% \usepackage{booktabs,longtable}",
        rf"\begin{{longtable}}{{@{{}}{form}@{{}}}}",
        rf"\caption{{{latex(table.caption)}. {noted}}}\label{{tab:{label}}}\\",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        r"\endfirsthead",
        r"\toprule",
        rf"{head} \\",
        r"\midrule",
        r"\endhead",
        r"\bottomrule",
        r"\endlastfoot",
        *(rf"{' & '.join(map(latex, row))} \\" for row in table.text()),
        r"\end{longtable}",
    ]
    return "\n".join(lines) + "\n"


def as_csv(rows: Sequence[Mapping[str, Value]]) -> str:
    """Records as a CSV file (RFC 4180), numbers in full; what is not known is empty. Texts: see ``csv_text``."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(names)
    for row in rows:
        cells = (row.get(name) for name in names)
        writer.writerow([csv_text(cell) if isinstance(cell, str) else cell for cell in cells])
    return file.getvalue()


def _idents(named: Mapping[str, ResultNumbers]) -> set[str]:
    return {numbers.comparability_id for numbers in named.values()}


def _is_known(cell: Cell) -> bool:
    return cell is not None and not (isinstance(cell, Estimate) and cell.value is None)


def _between_seeds(numbers: ResultNumbers) -> float | None:
    return numbers.between_seeds.standard_deviation if numbers.between_seeds else None


def _head(named: Mapping[str, ResultNumbers], name: str) -> dict[str, Value]:
    return {
        "result": name,
        "profile": named[name].profile,
        "comparability_id": named[name].comparability_id,
        "comparable": "yes" if len(_idents(named)) == 1 else "no",
    }


def _flat(group: GroupNumbers) -> dict[str, Value]:
    found: dict[str, Value] = {}
    for measure in _MEASURES:
        cell = measure.of(group)
        found |= _limits(measure.key, cell) if isinstance(cell, Estimate) else {measure.key: cell}
    return {**found, **{name: getattr(group.sizes, name) for name in _COUNTS}}


def _limits(name: str, estimate: Estimate) -> dict[str, Value]:
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


def _line(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
