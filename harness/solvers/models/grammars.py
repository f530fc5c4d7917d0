"""The grammar that replies of a model in the process are held to, for the fields that can be filled in now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.actions.grammar import to_gbnf
from harness.actions.signature import ActionSpec
from harness.browser.form.fields import Field
from harness.catalog.kinds import SETTERS
from harness.solvers.models.prompting import FINISH

MOST_CALLS = 8
"""Calls in one reply about a whole form."""


def grammar_for(specs: Mapping[str, ActionSpec], fields: Sequence[Field], *, max_calls: int) -> str:
    """GBNF of calls that fill in these fields with what they can hold, and of ``finish()`` where it is offered.

    Args:
        specs: The actions that are offered.
        fields: The fields that can be filled in.
        max_calls: The most calls in one reply.
    """
    names = {SETTERS[field.kind] for field in fields if field.kind in SETTERS} | {FINISH.name}
    allowed = {name: spec for name, spec in specs.items() if name in names}
    options = {field.name: field.values for field in fields if field.options}
    setters = {field.name: (SETTERS[field.kind],) for field in fields if field.kind in SETTERS}
    return to_gbnf(allowed, [field.name for field in fields], options, setters=setters, max_calls=max_calls)
