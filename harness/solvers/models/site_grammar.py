"""The grammar that a model in the process is held to on a website: one action on what the page shows now."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.actions.grammar import FIELD_PARAMETER, to_gbnf
from harness.actions.signature import ActionSpec

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
