"""Columns that look like answers and are none, found by rule from the labels of a whole task.

What the page itself writes, whoever works on it, is no answer: time stamps, ids of the platform, measurements, inputs
that are sent back, examples that are filled in beforehand. What no rule finds, an overlay can declare.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from html import unescape
from itertools import islice

from harness.browser.form.fields import Field
from harness.catalog.labels import clean, is_blank, number
from harness.catalog.task import Instance, Task

_BOOKKEEPING = frozenset({"assignmentid", "hitid", "workerid", "turksubmitto"})
_ISO_DATE = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d")
_SCRIPT_DATE = re.compile(r"[A-Z][a-z]{2},? .*\d{4}.* \d\d:\d\d:\d\d")
# Seconds, or milliseconds, from 2005 to 2040: a clock's count and hardly anybody's answer.
_EPOCHS = ((1_104_537_600, 2_208_988_800), (1_104_537_600_000, 2_208_988_800_000))
# Below this many rows a column that never varies, or always does, may do so by chance.
_ENOUGH_ROWS = 20
# Pages write lists of an input anew, with other quotes and spaces.
_PUNCTUATION = re.compile(r"[\s'\"\\]+")
_FILLED_IN = frozenset({"text", "textarea", "radio", "checkbox"})
"""Kinds that are empty unless the page fills them in; an untouched select or range sends something anyway."""


class ColumnRules:
    """The answer columns of one task, judged over all of its rows.

    Attributes:
        task: The task.
    """

    def __init__(self, task: Task) -> None:
        self.task = task
        self._machine_made: dict[str, str | None] = {}
        self._taken: dict[str, bool] = {}

    @cached_property
    def cells(self) -> Mapping[str, frozenset[str]]:
        """Answer column -> its different cells, blank ones too."""
        columns: dict[str, set[str]] = {column: set() for column in self.task.columns}
        for instance in self.task.instances:
            for column, cells in instance.labels.items():
                columns[column].update(cells)
        return {column: frozenset(cells) for column, cells in columns.items()}

    @cached_property
    def labelled(self) -> frozenset[str]:
        """Columns in which at least one worker of the task wrote something."""
        return frozenset(column for column, cells in self.cells.items() if not all(map(is_blank, cells)))

    @cached_property
    def echoes(self) -> Mapping[str, str]:
        """Columns that repeat an input in every row that has them -> that input; "" if they join several with ``|``."""
        found = {}
        for column in self.labelled:
            echo = self._echo(column)
            if echo is not None:
                found[column] = echo
        return found

    def _echo(self, column: str) -> str | None:
        candidates = set(self.task.variables)
        joined = True
        for instance in self.task.instances:
            cells = _cells(instance, column)
            if cells:
                candidates = {each for each in candidates if {_bare(instance.inputs[each])} == cells}
                joined = joined and len(cells) == 1 and _joins_inputs(cells.pop(), instance)
            if not candidates and not joined:
                return None
        return min(candidates) if candidates else ""

    def reason(self, column: str, field: Field | None, instance: Instance) -> str | None:
        """Why what stands in a field is no worker's answer; None if it may be one.

        Args:
            column: The field's column.
            field: The field; None if it comes later.
            instance: Whose page it is on.
        """
        if field is None or field.kind == "hidden":
            return self._of_hidden(column)
        if not field.initial or field.kind not in _FILLED_IN:
            return None
        labels = _cells(instance, column)
        if labels and labels != {_bare("|".join(field.initial))}:
            return None
        if not self._is_often_labelled(column):
            return None
        if column in self.echoes:
            return self._repeats(column)
        if column in self.unchanging:
            return "prefilled, and changed by no worker"
        return "prefilled from the table, and changed by no worker" if self._is_taken(column) else None

    def _is_often_labelled(self, column: str) -> bool:
        cells = (cell for instance in self.task.instances for cell in instance.labels[column] if not is_blank(cell))
        return sum(1 for _ in islice(cells, _ENOUGH_ROWS)) == _ENOUGH_ROWS

    def _is_taken(self, column: str) -> bool:
        """Whether each cell of a column, blank ones apart, is a part of one of its page's inputs."""
        if column not in self._taken:
            self._taken[column] = all(_holds(instance, column) for instance in self.task.instances)
        return self._taken[column]

    @cached_property
    def unchanging(self) -> frozenset[str]:
        """Columns that say the same in each row in which a worker answered anything."""
        suspects = [column for column in self.labelled if sum(not is_blank(cell) for cell in self.cells[column]) == 1]
        for instance in self.task.instances:
            for place in range(len(instance.rows)):
                if any(not is_blank(cells[place]) for cells in instance.labels.values()):
                    suspects = [column for column in suspects if not is_blank(instance.labels[column][place])]
        return frozenset(suspects)

    def _of_hidden(self, column: str) -> str | None:
        if column not in self._machine_made:
            self._machine_made[column] = self._judge_hidden(column)
        return self._machine_made[column]

    def _judge_hidden(self, column: str) -> str | None:
        if re.sub(r"[^a-z]", "", column.lower()) in _BOOKKEEPING:
            return "bookkeeping of the platform"
        if column in self.echoes:
            return self._repeats(column)
        cells = [
            cell.strip() for instance in self.task.instances for cell in instance.labels[column] if not is_blank(cell)
        ]
        if cells and all(map(_is_time, cells)):
            return "a time stamp"
        if len(cells) < _ENOUGH_ROWS:
            return None
        distinct = len(set(cells))
        if distinct == 1:
            return "the same in every row of the task"
        numbers = [number(cell) for cell in cells]
        fractions = sum(each is not None and each != each.to_integral_value() for each in numbers)
        if None not in numbers and fractions > 0.8 * len(cells) and distinct > 0.9 * len(cells):
            return "a measurement by the page, different for nearly every worker"
        return None

    def _repeats(self, column: str) -> str:
        echo = self.echoes[column]
        return f"repeats the input {echo!r}" if echo else "repeats several inputs"


def _bare(text: str) -> str:
    """A text as it is compared with an input: character references resolved, without white space and quotes."""
    return _PUNCTUATION.sub("", unescape(clean(text)))


def _cells(instance: Instance, column: str) -> set[str]:
    """The different cells of a column that are not blank, as ``_bare`` gives them."""
    return {_once(_bare(cell)) for cell in set(instance.labels[column]) if not is_blank(cell)}


def _once(text: str) -> str:
    """A text that a script wrote several times over, once: at every refused attempt to submit it adds a control."""
    first, _, rest = text.partition("|")
    return first if rest and set(rest.split("|")) == {first} else text


def _holds(instance: Instance, column: str) -> bool:
    cells = _cells(instance, column)
    inputs = [_bare(value) for value in instance.inputs.values()] if cells else []
    return all(any(cell in value for value in inputs) for cell in cells)


def _joins_inputs(cell: str, instance: Instance) -> bool:
    """Whether a cell is several inputs joined by ``|``, as the platform records hidden controls of one name."""
    if "|" not in cell:
        return False
    inputs = {_bare(value) for value in instance.inputs.values()}
    return all(part in inputs for part in cell.split("|"))


def _is_time(cell: str) -> bool:
    if _ISO_DATE.match(cell) or _SCRIPT_DATE.match(cell):
        return True
    value = number(cell)
    return value is not None and any(low <= value <= high for low, high in _EPOCHS)
