"""Items that a page shows one after another, whose answers it gathers and writes together when the last is answered."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from harness.browser.form.fields import Field
from harness.catalog.kinds import VOTES
from harness.catalog.labels import match_option
from harness.episode.library import fill
from oracle.field_goal import FieldGoal
from oracle.form import Form
from oracle.page_input import PageInput, Pressable

_ONWARDS = ("next", "continue", "proceed", "save", "ok", "done", "finish", "forward", ">", "›", "»", "→")
MAX_STEPS = 120


class Stepwise:
    """Answers each item as the worker's records say, and goes on to the next."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        for goal in form.unwritten().values():
            for target in goal.targets[:1]:
                records = records_in(target)
                choices = [field for field in form.fields if _is_free(form, field)]
                if records and choices and self._answer(form, goal, records, choices):
                    return True
        return False

    def _answer(self, form: Form, goal: FieldGoal, records: list[dict[str, str]], choices: list[Field]) -> bool:
        columns = {field.name: key for field in choices if (key := _column(records, field))}
        page_input = PageInput(form.act, form.probe)
        onwards = next(filter(leads_on, page_input.pressables()), None)
        if not columns or onwards is None:
            return False
        for record in _shifted(records, choices, columns)[:MAX_STEPS]:
            if goal.name not in form.unwritten():
                return True
            for field in form.fields:
                if field.name in columns and field.visible:
                    value = match_option(record[columns[field.name]], field.values)
                    if value is not None and (value,) != field.initial:
                        fill(form.act, field, (value,))
            if not page_input.press(onwards.number):
                break
            form.look()
        # The page may want to be told once more that there is nothing left.
        if goal.name in form.unwritten() and page_input.press(onwards.number):
            form.look()
        return True


def records_in(target: str) -> list[dict[str, str]]:
    """The records of a label that is a JSON list or map of them, in order; none if it is something else."""
    try:
        value: Any = json.loads(target)
    except ValueError:
        return []
    entries = list(value.values()) if isinstance(value, Mapping) else value if isinstance(value, list) else []
    if len(entries) < 2 or not all(isinstance(entry, Mapping) for entry in entries):
        return []
    return [{str(key): str(each) for key, each in entry.items()} for entry in entries]


def _column(records: list[dict[str, str]], field: Field) -> str:
    """What of the records a choice answers: the part that is one of its options in each of them; empty if none."""
    for key in records[0]:
        if all(match_option(record.get(key, ""), field.values) is not None for record in records):
            return key
    return ""


def _shifted(records: list[dict[str, str]], choices: list[Field], columns: Mapping[str, str]) -> list[dict[str, str]]:
    """The records in the order in which they are answered.

    A page that takes down an item's answer when it shows the next one writes what an untouched choice holds into its
    first record, and each answer into the record after.
    """
    untouched = {field.name: field.initial for field in choices}
    late = all((records[0][key],) == untouched[name] for name, key in columns.items())
    return [*records[1:], records[-1]] if late else records


def _is_free(form: Form, field: Field) -> bool:
    return field.kind in VOTES and field.visible and not field.disabled and field.name not in form.goals


def leads_on(pressable: Pressable) -> bool:
    """Whether something says that it leads on to the next item."""
    words = pressable.text.lower()
    return words in _ONWARDS or words.startswith(("next", "continue", "save and"))
