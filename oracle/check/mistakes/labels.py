"""Labels that their field cannot hold: no option, what one shows, several joined by a comma, a date of a spreadsheet's.

Pure: pages and their labels in, mistakes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal

from harness.browser.form.fields import Field, Option
from harness.catalog.kinds import CHOICES
from harness.catalog.labels import match_option, number, ticked
from harness.catalog.task import ANSWER
from harness.kit.text import closest_name
from harness.scoring.answers.columns import Answer
from oracle.check.mistakes.mistake import Kind, Mistake, SeenPage, explanation
from oracle.check.mistakes.notation import NOTATIONS, as_dates, dates_of, meant, takes

_JOINED = re.compile(r"\s*[,;/\n]\s*")


@dataclass(frozen=True)
class _Fault:
    """Why a label does not fit into its field, and what to do."""

    kind: Kind
    what: str
    remedy: str
    possible: tuple[str, ...]


def label_mistakes(task: str, pages: Iterable[SeenPage], explanations: Mapping[str, str]) -> Iterator[Mistake]:
    """The labels of scored fields that their field cannot hold, one for each row.

    Args:
        task: The task's name.
        pages: Its pages.
        explanations: Field, or a glob of fields -> why the workers' answer cannot be entered.
    """
    for page in pages:
        fields = {field.name: field for field in page.fields}
        for answer in page.answers:
            field = fields.get(answer.name)
            if field is None or not answer.scored or field.kind != answer.kind:
                continue
            for row, label in page.labels(answer):
                if fault := _fault(label, field, _column(answer)):
                    yield Mistake(
                        task=task,
                        kind=fault.kind,
                        what=fault.what,
                        remedy=fault.remedy,
                        field=field.name,
                        rows=(row,),
                        wanted=label,
                        possible=fault.possible,
                        explained=explanation(field.name, explanations),
                    )


def _column(answer: Answer) -> str:
    columns = [ANSWER + column for column in answer.source.columns]
    return columns[0] if len(columns) == 1 else f"{columns[0]} and the columns beside it"


def _fault(label: str, field: Field, column: str) -> _Fault | None:
    """Why a label cannot stand in a field; None if it can, or if the field holds any text."""
    if field.kind == "text":
        return _of_typed(label, field, column)
    if field.kind == "range" and field.scale:
        return _of_range(label, field, column)
    if field.kind not in CHOICES or not any(field.values):
        return None
    if field.kind == "checkbox" or field.multiple:
        return _of_several(label, field, column)
    return _of_one(label, field, column)


def _of_typed(label: str, field: Field, column: str) -> _Fault | None:
    if takes(field.type, label):
        return None
    what = f"an input of type {field.type} takes {NOTATIONS[field.type].named}, and the label is written otherwise"
    values = meant(field.type, label)
    return _Fault("other notation", what, _rewrite(values, column), ())


def _rewrite(values: Sequence[str], column: str) -> str:
    if not values:
        return f"Correct the label in {column}, or make the field one for any text"
    written = " or ".join(map(repr, values)) + (", whichever is meant," if len(values) > 1 else "")
    return f"Write {written} in {column}, and keep the column as text in the spreadsheet"


def _of_range(label: str, field: Field, column: str) -> _Fault | None:
    low, high, step = field.scale or (0, 0, 0)
    value = number(label)
    if value is not None and Decimal(str(low)) <= value <= Decimal(str(high)):
        return None
    steps = f" in steps of {step:g}" if step else ""
    what = "the slider does not go so far" if value is not None else "the label of a slider has to be a number"
    if value is None and (values := meant("number", label)):
        remedy = f"Write {' or '.join(map(repr, values))} in {column}"
    else:
        remedy = f"Correct the label in {column}, or the min and max of the slider"
    return _Fault("beyond the range", what, remedy, (f"{low:g} to {high:g}{steps}",))


def _of_one(label: str, field: Field, column: str) -> _Fault | None:
    if match_option(label, field.values) is not None:
        return None
    if (shown := _by_text(label, field.options)) is not None:
        return _shown(shown, field, column)
    if field.open and set(label.split("|")).isdisjoint(field.values):
        return None
    if fault := _of_spreadsheet(label, field, column):
        return fault
    parts = _values(_JOINED.split(label.replace("|", ",")), field.options)
    if len(parts) > 1:
        what = f"the label is several values, and a {_name(field)} takes one"
        remedy = f"Keep one of them in {column}, or make the options checkboxes"
        return _Fault("joined otherwise", what, remedy, _offered(field))
    return _no_option(label, field, column)


def _of_several(label: str, field: Field, column: str) -> _Fault | None:
    strays = [part for part in ticked(label, field.values) if part not in field.values]
    if len(strays) <= int(field.open):
        return None
    whole = _values(_JOINED.split(label), field.options)
    if len(whole) > 1:
        what = "the values are joined otherwise than by a bar"
        return _Fault("joined otherwise", what, f"Write {'|'.join(whole)!r} in {column}", _offered(field))
    if len(strays) == 1 and strays[0] == label and (fault := _of_spreadsheet(label, field, column)):
        return fault
    by_text = [text for stray in strays if (text := _by_text(stray, field.options)) is not None]
    if len(by_text) == len(strays):
        return _shown("|".join(by_text), field, column)
    return _no_option(min(strays), field, column)


def _of_spreadsheet(label: str, field: Field, column: str) -> _Fault | None:
    """An option that a spreadsheet wrote anew: ``1-2`` as a date, ``1.5`` with a comma."""
    offered, days = _offered(field), as_dates(label)
    found = [option for option in offered if days & dates_of(option)] if days else []
    found = found or [option for value in meant("number", label) if (option := match_option(value, offered))]
    if not found:
        return None
    what = f"the {_name(field)} has no such option, and a spreadsheet seems to have written the label anew"
    return _Fault("other notation", what, _rewrite(found, column), offered)


def _shown(values: str, field: Field, column: str) -> _Fault:
    what = "the label is what an option shows, not its value"
    return _Fault("shown text", what, f"Write {values!r} in {column}", _offered(field))


def _no_option(stray: str, field: Field, column: str) -> _Fault:
    possible = _offered(field)
    near = closest_name(stray, possible)
    if field.kind == "checkbox" and len(possible) == 1:
        possible = (*dict.fromkeys((*possible, "on", "True", "off", "False")), "")
    what = f"the {_name(field)} has no such option"
    hint = f" (perhaps {near!r} is meant)" if near else ""
    return _Fault("no option", what, f"Correct the label in {column}{hint}, or give the page this option", possible)


def _offered(field: Field) -> tuple[str, ...]:
    """The values that a worker can choose; an empty one asks for a choice."""
    return tuple(dict.fromkeys(filter(None, field.values)))


def _name(field: Field) -> str:
    names = {"radio": "radio group", "select": "list", "checkbox": "group of checkboxes"}
    return "checkbox" if field.kind == "checkbox" and len(field.values) == 1 else names[field.kind]


def _values(parts: Sequence[str], options: Sequence[Option]) -> list[str]:
    """The options' values that several parts of a label mean; empty if one of them means none."""
    values = [option.value for option in options]
    found = [match_option(part, values) or _by_text(part, options) for part in parts if part.strip()]
    return [value for value in found if value is not None] if None not in found else []


def _by_text(label: str, options: Sequence[Option]) -> str | None:
    """The value of the option that shows a text; None if none does."""
    wanted = " ".join(label.split()).casefold()
    for option in options:
        if wanted and " ".join(option.text.split()).casefold() == wanted:
            return option.value
    return None
