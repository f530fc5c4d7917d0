"""The tables of a report as files: Markdown to paste, LaTeX for a paper, CSV for a program."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.files.writing import write_bytes
from harness.reports.escapes import csv_text, latex, markdown
from harness.reports.wording import count, interval, percent, points
from harness.text.numbers import NOTHING

Numbers = Mapping[str, Any]
Form = Literal["words", "count", "share", "estimate", "gap"]

DIFFER = (
    "NOT COMPARABLE: the results have different comparability ids. They were measured on other tasks, instances or "
    "fields, or by other rules; do not read one against the other."
)
_MEASURES: Sequence[tuple[str, str, Form]] = (
    ("score", "score", "estimate"),
    ("of_ceiling", "of ceiling", "estimate"),
    ("ceiling", "ceiling", "share"),
    ("do_nothing", "floor: do nothing", "share"),
    ("constant", "floor: constant", "share"),
    ("copy", "floor: copy", "share"),
    ("untied", "untied", "share"),
    ("skill_over_do_nothing", "skill over do nothing", "share"),
    ("skill_over_constant", "skill over constant", "share"),
    ("own_left_out", "score beside workers", "estimate"),
    ("crowd", "workers", "estimate"),
    ("gap", "gap", "gap"),
)
"""Key of a group of ``harness.analysis.numbers``, heading, how it is shown."""
_IN_CSV_ALONE = frozenset({"untied", "skill_over_do_nothing", "skill_over_constant"})
"""A page has room for so many columns."""
_SHARED = ("ceiling", "do_nothing", "constant")
"""Measures that belong to instances: the same for all results that can be compared."""
_COUNTS = ("tasks", "instances", "fields", "episodes")
_GROUPS = (
    ("splits", "split", "Scores by split, means over tasks"),
    ("tasks", "task", "Scores by task, means over instances"),
    ("kinds", "kind", "Scores by kind of field, means over fields"),
)


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Attributes:
        heading: Its words.
        form: What its cells hold: a text, a number, or an ``Estimate`` as JSON.
    """

    heading: str
    form: Form = "words"

    def shown(self, cell: Any) -> str:
        """A cell as people read it: scores in per cent, estimates with their interval."""
        if self.form == "words":
            return str(cell)
        if cell is None:
            return NOTHING
        if self.form == "count":
            return count(cell)
        if self.form == "share":
            return percent(cell)
        write: Callable[[float | None], str] = points if self.form == "gap" else percent
        limits = interval(cell, write)
        return write(cell["value"]) if limits == NOTHING else f"{write(cell['value'])} ({limits})"


@dataclass(frozen=True)
class Table:
    """A table for people.

    Attributes:
        caption: What it holds.
        columns: Its columns; the first names the rows.
        rows: A cell for each column.
        notes: What must be read with it, the comparability ids among it.
    """

    caption: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    notes: Sequence[str]

    def text(self) -> list[list[str]]:
        """The cells as people read them."""
        return [[column.shown(cell) for column, cell in zip(self.columns, row, strict=True)] for row in self.rows]


def write_tables(folder: Path, named: Mapping[str, Numbers]) -> list[Path]:
    """Write all tables: ``overall``, ``splits``, ``tasks`` and ``kinds``, each as ``.md``, ``.tex`` and ``.csv``.

    Args:
        folder: Made if need be; files of these names are replaced.
        named: Name of a result -> its numbers, as ``harness.analysis.numbers.numbers`` gives them; at least one.

    Returns:
        The files.

    Raises:
        OSError: one cannot be written.
    """
    tables = {"overall": overall_table(named), **{key: group_table(named, key) for key, _, _ in _GROUPS}}
    files = {}
    for name, table in tables.items():
        files[f"{name}.md"] = as_markdown(table)
        files[f"{name}.tex"] = as_latex(table, label=name)
        files[f"{name}.csv"] = as_csv(list(records(named, name)))
    for name, text in files.items():
        write_bytes(folder / name, text.encode("utf-8", "backslashreplace"))
    return [folder / name for name in files]


def overall_table(named: Mapping[str, Numbers]) -> Table:
    """The headline of each result, a row a result; the other means and the skills stand in the CSV file alone."""
    overall = [numbers["overall"] for numbers in named.values()]
    several = any(numbers["between_seeds"] for numbers in named.values())
    chosen = [
        (key, heading, form)
        for key, heading, form in _MEASURES
        if key not in _IN_CSV_ALONE and any(_is_known(each[key], form) for each in overall)
    ]
    columns = [
        Column("result"),
        *(Column(heading, form) for _, heading, form in chosen),
        *([Column("SD between seeds", "share")] if several else []),
        Column("tasks", "count"),
        Column("instances", "count"),
        Column("comparability id"),
    ]
    rows = [
        [
            name,
            *(numbers["overall"][key] for key, _, _ in chosen),
            *([(numbers["between_seeds"] or {}).get("standard_deviation")] if several else []),
            numbers["overall"]["tasks"],
            numbers["overall"]["instances"],
            numbers["comparability_id"],
        ]
        for name, numbers in named.items()
    ]
    return Table("Scores, means over tasks", columns, rows, notes(named))


def group_table(named: Mapping[str, Numbers], which: str) -> Table:
    """The scores by split, task or kind, a row a group, the results side by side.

    Args:
        named: As for ``write_tables``.
        which: ``splits``, ``tasks`` or ``kinds``.
    """
    heading, caption = next((heading, caption) for key, heading, caption in _GROUPS if key == which)
    counted = "tasks" if which == "splits" else "instances" if which == "tasks" else "fields"
    groups = sorted({group for numbers in named.values() for group in numbers[which]})
    first = next(iter(named.values()))
    alike = len(_idents(named)) == 1
    shared: list[tuple[str, str, Form]] = [(counted, counted, "count")]
    shared += [measure for measure in _MEASURES if measure[0] in _SHARED]
    columns = [
        Column(heading),
        *((Column(words, form) for _, words, form in shared) if alike else ()),
        *(
            Column(name if alike else f"{name} [{numbers['comparability_id']}]", "estimate")
            for name, numbers in named.items()
        ),
    ]
    rows = [
        [
            group,
            *((first[which].get(group, {}).get(key) for key, _, _ in shared) if alike else ()),
            *(numbers[which].get(group, {}).get("score") for numbers in named.values()),
        ]
        for group in groups
    ]
    return Table(caption, columns, rows, notes(named))


def notes(named: Mapping[str, Numbers]) -> list[str]:
    """What must stand under each table: what may be compared, and what is not complete."""
    said = []
    if len(_idents(named)) == 1:
        first = next(iter(named.values()))
        said.append(f"Profile {first['profile']}, comparability id {first['comparability_id']}.")
    else:
        said.append(DIFFER)
        said += [
            f"{name}: profile {numbers['profile']}, comparability id {numbers['comparability_id']}."
            for name, numbers in named.items()
        ]
    for name, numbers in named.items():
        if numbers["bounds"]:
            low, high = map(percent, numbers["bounds"])
            said.append(f"{name} is INCOMPLETE: instances without a score allow any headline from {low} to {high}.")
    levels = " and ".join(f"{100 * each:g}" for each in sorted({numbers["level"] for numbers in named.values()}))
    said.append(f"Scores in per cent, with {levels} % intervals in brackets. {NOTHING}: nothing could be measured.")
    return said


def records(named: Mapping[str, Numbers], which: str) -> Iterator[dict[str, Any]]:
    """The numbers of a table for a program: a record for each result and group, as they were measured.

    Args:
        named: As for ``write_tables``.
        which: ``overall``, ``splits``, ``tasks`` or ``kinds``.

    Yields:
        ``result``, ``profile``, ``comparability_id``, ``comparable`` (whether all results have one id), the group's
        name, and its numbers: of an estimate ``score`` also ``score_low`` and ``score_high``. Scores are from 0 to 1.
    """
    comparable = "yes" if len(_idents(named)) == 1 else "no"
    heading = next((heading for key, heading, _ in _GROUPS if key == which), None)
    for name, numbers in named.items():
        head = {
            "result": name,
            "profile": numbers["profile"],
            "comparability_id": numbers["comparability_id"],
            "comparable": comparable,
        }
        if heading is None:
            seeds = (numbers["between_seeds"] or {}).get("standard_deviation")
            yield {
                **head,
                **_flat(numbers["overall"]),
                **_estimate("mean_over_instances", numbers["instances_mean"]["score"]),
                **_estimate("mean_over_fields", numbers["fields_mean"]["score"]),
                "between_seeds": seeds,
                **dict(zip(("least", "most"), numbers["bounds"] or (None, None), strict=True)),
            }
            continue
        for group, values in sorted(numbers[which].items()):
            split = {"split": values["split"]} if which == "tasks" else {}
            yield {**head, heading: group, **split, **_flat(values)}


def as_markdown(table: Table) -> str:
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


def as_latex(table: Table, label: str) -> str:
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


def as_csv(rows: Sequence[Mapping[str, Any]]) -> str:
    """Records as a CSV file (RFC 4180), numbers in full; what is not known is empty. Texts: see ``csv_text``."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(names)
    for row in rows:
        cells = (row.get(name) for name in names)
        writer.writerow([csv_text(cell) if isinstance(cell, str) else cell for cell in cells])
    return file.getvalue()


def _idents(named: Mapping[str, Numbers]) -> set[str]:
    return {numbers["comparability_id"] for numbers in named.values()}


def _is_known(cell: Any, form: Form) -> bool:
    return cell is not None and (form not in {"estimate", "gap"} or cell["value"] is not None)


def _flat(group: Numbers) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, _, form in _MEASURES:
        found |= _estimate(key, group[key]) if form in {"estimate", "gap"} else {key: group[key]}
    return {**found, **{key: group[key] for key in _COUNTS}}


def _estimate(name: str, estimate: Numbers | None) -> dict[str, float | None]:
    parts = (("", "value"), ("_low", "low"), ("_high", "high"))
    return {f"{name}{suffix}": estimate[part] if estimate else None for suffix, part in parts}


def _line(cells: Any) -> str:
    return f"| {' | '.join(cells)} |"
