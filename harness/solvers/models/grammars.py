"""The grammars that replies of a model in the process are held to: on a form, and on a website."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.actions.grammar import FIELD_PARAMETER, to_gbnf
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


ELEMENT = "ref"
"""What the parameter is called that takes an element's number."""
MOST_NUMBERS = 200
"""Numbers of elements among which the grammar lets a model choose: the first of the page."""
_LINE = r'thought ::= "Thought: " [^\n]{1,160} "\n"'


def site_grammar(specs: Mapping[str, ActionSpec], refs: Sequence[int], *, thought: bool) -> str:
    """GBNF of one action.

    Left out are actions on fields, which go by names, and on a page without elements those that need one.

    Args:
        specs: The actions that are offered.
        refs: The numbers of the page.
        thought: Whether a line of thought comes before it.
    """
    shown = tuple(map(str, refs[:MOST_NUMBERS]))
    fit = {name: narrowed for name, spec in specs.items() if (narrowed := _narrowed(spec, shown)) is not None}
    grammar = to_gbnf(fit)
    if not thought:
        return grammar
    calls = grammar.replace("root ::=", "calls ::=", 1)
    return f'root ::= thought "Action: " calls\n{_LINE}\n{calls}'


def acts_on_element(spec: ActionSpec) -> bool:
    """Whether an action is done to an element by its number."""
    return any(each.name == ELEMENT for each in spec.parameters)


def _narrowed(spec: ActionSpec, shown: tuple[str, ...]) -> ActionSpec | None:
    """An action whose element is one of those that are shown; None if it cannot be called."""
    if any(each.name == FIELD_PARAMETER and each.required for each in spec.parameters):
        return None
    if not acts_on_element(spec):
        return spec
    if not shown:
        return None
    parameters = tuple(
        replace(each, type="str", choices=shown) if each.name == ELEMENT else each for each in spec.parameters
    )
    return replace(spec, parameters=parameters)
