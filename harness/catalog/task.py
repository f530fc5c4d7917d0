"""A task and its instances, read from the files of one folder."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from harness.catalog.csv_table import CsvTable, UnreadableTable, read_table
from harness.catalog.facts import Facts, TaskFacts
from harness.catalog.kinds import FORM, KindName
from harness.catalog.problems import Problem, decode
from harness.catalog.site_facts import SiteFacts
from harness.catalog.site_reading import filled, filled_site, json_cell, origin_of, variables_of
from harness.catalog.template import placeholders, variables
from harness.catalog.trace import TRACE, Trace, read_trace
from harness.kit.files.inside import ForeignFile, read_inside
from harness.kit.text import closest_name, counted

TEMPLATE, TABLE, FACTS = "template.html", "batch.csv", "task.json"
ITSELF = "Put the file itself into the folder of the task"
"""The remedy for a file of a task that is none of its own."""
ANSWER = "Answer."
_NO_ANSWERS = f"no column holds labels: no name begins with {ANSWER!r}"
FILES = (TEMPLATE, TABLE, FACTS)
_STATUS, _REJECTED, _WAITS, _REJECT = "AssignmentStatus", "rejected", "submitted", "Reject"
_INPUT = "Input."
"""Before the names of inputs in the results files of AMT and Turkle."""
_QUOTES = "\"'\u201c\u201d\u2018\u2019"
MEDIA = "media"
"""The folder, in that of a task, of the pictures, sounds and films that its page shows as ``media/NAME``."""
_DESCRIBING = ("Title", "Description")
"""Columns of AMT's tables that say what workers saw in the list of tasks, the same in every row."""
_COLLECT = "`turkbench tasks collect`"
_LINE_END = re.compile(r"\r\n?")
_ID_DIGITS = 12


@dataclass(frozen=True)
class Instance:
    """One page of a task: the rows of the table that fill the template with the same values.

    Attributes:
        task: The name of its task.
        index: Its place in the file, from 0, by first occurrence.
        id: 12 hex digits, a hash of the inputs: stays when rows are added or moved.
        inputs: Template variable -> value.
        labels: Answer column, without its leading "Answer." -> the cells as written, blank ones too, one
            for each row (each worker).
        rows: The rows of the file that it was made from, as a spreadsheet numbers them: the header is row 1.
        aliases: The row numbers that the original TurkingBench code gives it: it counts, from 0, the distinct
            combinations of all columns that are not answers, so that one instance can have several.
        further_seed: On a bundled website by how much its seed is further than the task's; see ``Task.on_seeds``.
    """

    task: str
    index: int
    id: str
    inputs: Mapping[str, str]
    labels: Mapping[str, tuple[str, ...]]
    rows: tuple[int, ...]
    aliases: tuple[int, ...]
    further_seed: int = 0

    @property
    def labelled(self) -> int:
        """How many workers labelled it: the rows in which a cell of an answer column is not blank."""
        return sum(any(cell.strip() for cell in row) for row in zip(*self.labels.values(), strict=True))


@dataclass(frozen=True)
class Task:
    """A task.

    Attributes:
        name: The name of its folder.
        folder: Where it is.
        template: The text of template.html.
        variables: The variables of the template that are columns, in order of first occurrence; without a
            table, the names that the template asks a value for.
        columns: The answer columns, without their leading "Answer.", in file order.
        facts: What task.json and the overlay say; title and description fall back on the table's own columns.
        split: The split it is in.
        instances: In file order; empty without a table.
        evaluable: Whether there is a table. Without one a form can be looked at, not evaluated.
        site: What a task on a website is, its variables and all; None of a form.
        trace: How a website's goal was reached once, likewise; None of a form, and where there is none.
        kind: Which kind of task it is.
    """

    name: str
    folder: Path
    template: str
    variables: tuple[str, ...]
    columns: tuple[str, ...]
    facts: Facts
    split: str
    instances: tuple[Instance, ...]
    evaluable: bool
    site: SiteFacts | None = None
    trace: Trace | None = None
    kind: KindName = FORM

    def site_of(self, instance: Instance) -> SiteFacts:
        """What is to be done on a website in one of its instances.

        Raises:
            ValueError: it is a form.
        """
        if self.site is None:
            raise ValueError(f"{self.name!r} is a form, not a task on a website")
        facts = filled_site(self.site, instance.inputs)
        facts = replace(facts, seed=facts.seed + instance.further_seed)
        if facts.reference_length is None and self.trace:
            return replace(facts, reference_length=len(self.trace.steps))
        return facts

    def on_seeds(self, count: int) -> Task:
        """The task with each row on several seeds of its bundled website, from the task's own on.

        Those on its own seed come first, and are what they are without others.

        Args:
            count: How many seeds.

        Returns:
            The task with ``count`` times as many instances; itself if it is on no bundled website.
        """
        if self.site is None or not self.site.site:
            return self
        rows = self.instances
        further = tuple(
            replace(
                each,
                index=seed * len(rows) + each.index,
                id=_instance_id({"row": each.id, "seed": str(seed)}),
                further_seed=seed,
            )
            for seed in range(1, count)
            for each in rows
        )
        return replace(self, instances=(*rows, *further))

    def trace_of(self, instance: Instance) -> Trace | None:
        """How one of its instances was done once; None if there is no trace."""
        return filled(self.trace, instance.inputs) if self.trace else None

    @property
    def pages(self) -> tuple[Instance, ...]:
        """What can be shown of it: its instances; of a task without a table one page, with empty values."""
        if self.evaluable:
            return self.instances
        empty = dict.fromkeys(self.variables, "")
        return (Instance(self.name, 0, _instance_id(empty), empty, {}, (), ()),)


def media_files(folder: Path) -> list[Path]:
    """The pictures, sounds and films in the folder of a task, by name; none of them is a link."""
    media = folder / MEDIA
    if not media.is_dir() or media.is_symlink():
        return []
    return sorted(file for file in media.iterdir() if file.is_file() and not file.is_symlink())


def read_task(
    folder: Path, facts: Facts, split: str, said: TaskFacts | None = None
) -> tuple[Task | None, list[Problem]]:
    """Read a task from its folder.

    Args:
        folder: The folder; its name is the task's.
        facts: What task.json and the overlay say.
        split: The split that the task is in.
        said: What task.json itself says, of which its kind is taken; None for a form.

    Returns:
        The task, or None if its files cannot be used, and everything that is wrong with them.
    """
    if said and said.kind == "site":
        return _read_site_task(folder, facts, split, said)
    kind = said.kind if said else FORM
    problems: list[Problem] = []
    template = _read_template(folder, problems)
    table = _read_columns(folder, problems)
    if template is None or problems:
        return None, problems
    if table is None:
        task = Task(
            folder.name, folder, template, variables(template), (), facts, split, (), evaluable=False, kind=kind
        )
        return task, problems
    problems += _missing_columns(folder, template, table.header)
    if problems:
        return None, problems
    inputs = tuple(name for name in placeholders(template) if name in table.header)
    if _STATUS not in inputs:
        table, rejected = _without_rejected(folder, table)
        problems += rejected
    if not table.rows:
        return None, problems
    # A column that the template shows is an input, whatever it is called: one task's answers can be
    # another's inputs.
    answers = tuple(name for name in table.header if name.startswith(ANSWER) and name not in inputs)
    columns = tuple(name.removeprefix(ANSWER) for name in answers)
    instances = tuple(_instances(folder.name, table, inputs, answers))
    task = Task(
        folder.name,
        folder,
        template,
        inputs,
        columns,
        _described(facts, table),
        split,
        instances,
        evaluable=True,
        kind=kind,
    )
    problems += [*_misspelt_answers(folder, table.header, inputs), *_no_answers(folder, table.header, inputs)]
    return task, [*problems, *_unknown_columns(folder, facts, columns)]


def _read_site_task(folder: Path, facts: Facts, split: str, said: TaskFacts) -> tuple[Task | None, list[Problem]]:
    problems: list[Problem] = []
    table, site = _read_columns(folder, problems), said.site
    if site is None:  # what is wrong with it is told where task.json is read
        return None, problems
    trace, found = read_trace(folder, len(site.evaluators.key_nodes))
    problems += found
    inputs = variables_of(site, trace)
    header = table.header if table else ()
    problems += [_missing_variable(folder, name, header) for name in inputs if name not in header]
    problems += _no_json(folder, site.json_variables, inputs, table)
    if problems:
        return None, problems
    if table:
        facts, instances = _described(facts, table), tuple(_instances(folder.name, table, inputs, ()))
    else:
        instances = (Instance(folder.name, 0, _instance_id({}), {}, {}, (), ()),)
    task = Task(
        folder.name,
        folder,
        "",
        inputs,
        (),
        facts,
        split,
        instances,
        evaluable=True,
        site=site,
        trace=trace,
        kind=said.kind,
    )
    if problems := _outside_starts(task):
        return None, problems
    return task, []


def _missing_variable(folder: Path, name: str, header: Sequence[str]) -> Problem:
    near = closest_name(name.lower(), [column.lower() for column in header], cutoff=0.8)
    like = next((f"; there is {column!r}" for column in header if column.lower() == near), "")
    what = f"the variable ${{{name}}} of {FACTS} or {TRACE} has no column{like}"
    return Problem(folder.name, folder / TABLE, None, name, what, f"Add a column {name}, or correct the variable")


def _no_json(folder: Path, names: Sequence[str], inputs: Sequence[str], table: CsvTable | None) -> list[Problem]:
    """A problem for each JSON variable that is none, and for each of their cells that holds no JSON."""
    found = []
    for name in names:
        if name not in inputs:
            what = f"{name!r} is no variable of {FACTS} or {TRACE}"
            found.append(
                Problem(folder.name, folder / FACTS, None, "json_variables", what, "Correct or remove the name")
            )
            continue
        if table is None or name not in table.header:
            continue  # which is a problem of its own
        at = table.header.index(name)
        for number, cell in zip(table.numbers, (row[at] for row in table.rows), strict=True):
            try:
                json_cell(cell)
            except ValueError:
                what, remedy = f"{cell!r} is no JSON", "Write a number, true, false, null, or a text in quotation marks"
                found.append(Problem(folder.name, folder / TABLE, number, name, what, remedy))
    return found


def _outside_starts(task: Task) -> list[Problem]:
    """A problem for each instance whose start lies where the task may not go; such a row cannot be played."""
    found = []
    for instance in task.instances:
        facts = task.site_of(instance)
        if origin_of(facts.start) not in facts.origins:
            what = f"the start {facts.start!r} is outside the origins {', '.join(facts.origins)}"
            row = instance.rows[0] if instance.rows else None
            found.append(Problem(task.name, task.folder / TABLE, row, None, what, "Correct the row, or add its origin"))
    return found


def _read_template(folder: Path, problems: list[Problem]) -> str | None:
    file = folder / TEMPLATE

    def wrong(row: int | None, what: str, remedy: str) -> None:
        problems.append(Problem(folder.name, file, row, None, what, remedy))

    try:
        data = read_inside(folder, TEMPLATE)
    except FileNotFoundError:
        wrong(None, "there is no template", "Add the page of the task under this name, or remove the folder")
        return None
    except ForeignFile as error:
        wrong(None, f"the template is not read: {error}", ITSELF)
        return None
    except OSError as error:
        wrong(None, f"the template cannot be read: {error.strerror}", "Check the file and its permissions")
        return None
    try:
        text = decode(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        wrong(line, f"byte 0x{data[error.start]:02X} is not UTF-8", "Save the file as UTF-8")
        return None
    if not text.strip():
        wrong(None, "the file is empty", "Write the page of the task into it")
        return None
    return text


def _read_columns(folder: Path, problems: list[Problem]) -> CsvTable | None:
    file = folder / TABLE
    try:
        return read_table(read_inside(folder, TABLE))
    except FileNotFoundError:
        return None
    except ForeignFile as error:
        problems.append(Problem(folder.name, file, None, None, f"the table is not read: {error}", ITSELF))
    except OSError as error:
        what = f"the table cannot be read: {error.strerror}"
        problems.append(Problem(folder.name, file, None, None, what, "Check the file and its permissions"))
    except UnreadableTable as error:
        problems += [
            Problem(folder.name, file, fault.row, fault.column, fault.what, fault.remedy) for fault in error.faults
        ]
    return None


def _missing_columns(folder: Path, template: str, header: Sequence[str]) -> list[Problem]:
    problems = []
    for name in variables(template):
        if name not in header:
            line = template.count("\n", 0, template.index(f"${{{name}}}")) + 1
            what = f"the variable ${{{name}}} (line {line} of {TEMPLATE}) has no column"
            if _INPUT + name in header:
                what += f", and the table is a results file, as AMT and Turkle write them: it has {_INPUT}{name}"
                remedy = f"Make tasks with labels of it by {_COLLECT}, or remove {_INPUT!r} from the names"
            elif (last := re.split(r"[.\s]", name)[-1]) in header and last != name:
                what += f"; there is {last!r}, and it looks like a template of another language"
                remedy = f"Write ${{{last}}}"
            else:
                near = closest_name(name.lower(), [column.lower() for column in header], cutoff=0.8)
                what += next((f"; there is {column!r}" for column in header if column.lower() == near), "")
                remedy = f"Add a column {name}, correct the variable, or write &#36;{{{name}}} if it is text"
            problems.append(Problem(folder.name, folder / TABLE, None, name, what, remedy))
    return problems


def is_rejected(row: Mapping[str, str]) -> bool:
    """Whether a row of a table is what its requester did not take, by AMT's columns: it is nobody's answer.

    One that still waits is rejected by what its requester wrote beside it, for AMT to read.
    """
    status = row.get(_STATUS, "").strip().lower()
    return status == _REJECTED or (status == _WAITS and bool(row.get(_REJECT, "").strip()))


def _without_rejected(folder: Path, table: CsvTable) -> tuple[CsvTable, list[Problem]]:
    """A table without its rejected rows, and what is said of them."""
    if _STATUS not in table.header:
        return table, []
    rows = [dict(zip(table.header, row, strict=True)) for row in table.rows]
    kept = [number for number, row in enumerate(rows) if not is_rejected(row)]
    left_out = len(table.rows) - len(kept)
    if not left_out:
        return table, []
    what = f"{counted(left_out, 'row')} that the requester rejected {'does' if left_out == 1 else 'do'} not count"
    remedy = f"Remove {'it' if left_out == 1 else 'them'}, or the column if they do count"
    problem = Problem(folder.name, folder / TABLE, None, _STATUS, what, remedy)
    cells = tuple(table.rows[number] for number in kept)
    return CsvTable(table.header, cells, tuple(table.numbers[number] for number in kept)), [problem]


def _misspelt_answers(folder: Path, header: Sequence[str], inputs: Sequence[str]) -> list[Problem]:
    """A problem for each column whose name would begin as those of labels do, but for blanks, quotes or case."""
    found = []
    for name in header:
        bare = name.strip().strip(_QUOTES).strip()
        if name in inputs or name.startswith(ANSWER) or not bare.casefold().startswith(ANSWER.casefold()):
            continue
        what = f"the name {name!r} does not begin with {ANSWER!r} to the letter, so that the column holds no labels"
        found.append(Problem(folder.name, folder / TABLE, None, name, what, f"Write {ANSWER}{bare[len(ANSWER) :]}"))
    return found


def _no_answers(folder: Path, header: Sequence[str], inputs: Sequence[str]) -> list[Problem]:
    if any(name.startswith(ANSWER) for name in header) or _misspelt_answers(folder, header, inputs):
        return []
    rest = [name for name in header if name not in {*inputs, *_DESCRIBING}]
    remedy = f"Add a column {ANSWER}<field> for each field of the page"
    if rest:
        example = f"e.g. {ANSWER}{rest[-1]} (columns that the page does not show: {', '.join(map(repr, rest))})"
        remedy = f"Write {ANSWER} before the name of each column that does, {example}"
    return [Problem(folder.name, folder / TABLE, None, None, _NO_ANSWERS, remedy, is_remark=True)]


def _unknown_columns(folder: Path, facts: Facts, columns: Sequence[str]) -> list[Problem]:
    what = "renames names a column that is not there"
    return [
        Problem(folder.name, folder / TABLE, None, column, what, "Correct renames in task.json or the overlay")
        for column in facts.renames
        if column not in columns
    ]


def _described(facts: Facts, table: CsvTable) -> Facts:
    first = dict(zip(table.header, table.rows[0], strict=True))
    title, description = (first.get(column, "").strip() for column in _DESCRIBING)
    return replace(facts, title=facts.title or title, description=facts.description or description)


def _instances(name: str, table: CsvTable, inputs: Sequence[str], answers: Sequence[str]) -> list[Instance]:
    """Group the rows by the values that the template shows: equal pages are one instance."""
    at = {column: number for number, column in enumerate(table.header)}
    shown = [at[column] for column in inputs]
    # The original code's key, which knows nothing of templates.
    keyed = [number for column, number in at.items() if not column.startswith(ANSWER)]
    groups: dict[tuple[str, ...], list[int]] = {}
    alias_of: dict[tuple[str, ...], int] = {}
    aliases: list[int] = []
    for number, row in enumerate(table.rows):
        # Browsers take each line end for one and the same.
        values = tuple(_LINE_END.sub("\n", row[column]) if "\r" in row[column] else row[column] for column in shown)
        groups.setdefault(values, []).append(number)
        aliases.append(alias_of.setdefault(tuple(row[column] for column in keyed), len(alias_of)))
    labelled = [(answer.removeprefix(ANSWER), at[answer]) for answer in answers]
    # What workers say repeats: one object for equal labels takes half of the memory.
    shared: dict[tuple[str, ...], tuple[str, ...]] = {}
    instances = []
    for index, numbers in enumerate(groups.values()):
        rows = [table.rows[number] for number in numbers]
        filled = {name: rows[0][column] for name, column in zip(inputs, shown, strict=True)}
        said = ((name, tuple([row[column] for row in rows])) for name, column in labelled)
        labels = {name: shared.setdefault(cells, cells) for name, cells in said}
        instances.append(
            Instance(
                task=name,
                index=index,
                id=_instance_id(filled),
                inputs=filled,
                labels=labels,
                rows=tuple(table.numbers[number] for number in numbers),
                aliases=tuple(sorted({aliases[number] for number in numbers})),
            )
        )
    return instances


def _instance_id(inputs: Mapping[str, str]) -> str:
    text = json.dumps(inputs, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:_ID_DIGITS]
