"""Which key nodes a step of a trace suggests, and why (WebCanvas, section 3.1)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qsl, urlsplit

from harness.catalog.site_facts import KeyNode
from harness.catalog.trace import TraceStep
from harness.kit.text import shorten
from harness.scoring.evaluators.addresses import decoded, host_of, part_of, registrable_label

_WRITES = frozenset({"fill", "fill_search", "select_option"})
_ASKS = frozenset({"goto", "go_back", "go_forward", "reload", "new_tab", "switch_tab", "close_tab"})
_SAID = 60


@dataclass(frozen=True)
class Proposal:
    """A key node that could be put on a step.

    Attributes:
        node: The node.
        why: What speaks for it, and what it leaves open, in a sentence.
    """

    node: KeyNode
    why: str


def proposals(step: TraceStep, after: str, held: str | None) -> tuple[Proposal, ...]:
    """The key nodes that a step suggests, what fits best first.

    A step that leads to another page is best told by that page's address: it does not depend on how one came there.
    What is written or chosen is best told by what the element then holds; a press that leads nowhere by the element.

    Args:
        step: The step, with where the page was before it.
        after: Where the page is after it.
        held: What the element holds after it; None if it holds nothing, or what nobody may know.
    """
    has_moved = bool(after) and after != step.url
    addresses = list(_of_address(step, after)) if has_moved or step.do in _ASKS else []
    element = list(_of_element(step, held))
    return tuple([*addresses, *element] if has_moved or step.element is None else [*element, *addresses])


def _of_address(step: TraceStep, after: str) -> Iterator[Proposal]:
    before = dict(parse_qsl(_query(step.url), keep_blank_values=True))
    changed = _changed_keys(before, _query(after))
    # A key that holds what was just written says more than the others.
    for key, value in sorted(changed, key=lambda pair: pair[1] != step.value):
        why = f"the address says {key}={shorten(value, _SAID)!r}, on whatever page that is"
        if value == step.value:
            why = f"what was written stands in the address, under {key!r}"
        yield Proposal(KeyNode(target="url", match="exact", reference=_written(value), key=key, url=after), why)
        why = f"as above, where more may stand under {key!r}"
        yield Proposal(KeyNode(target="url", match="include", reference=_written(value), key=key, url=after), why)
    if place := part_of(after, "", "include"):
        why = "the way leads over this page, whatever stands in the address behind the question mark"
        yield Proposal(KeyNode(target="url", match="include", reference=_written(place), url=after), why)
    why = "the way leads to exactly this address" + (", each filter and its order counted" if _query(after) else "")
    yield Proposal(KeyNode(target="url", match="exact", reference=_written(decoded(after)), url=after), why)
    rule = f"The address leads to the page that is meant by: {after}"
    why = "a judge model says whether the address fits a rule in words; without a judge it is not known"
    yield Proposal(KeyNode(target="url", match="semantic", reference=rule, url=after), why)


def _written(text: str) -> str:
    """A decoded text as a node writes it, whose reference is decoded once more."""
    return text if decoded(text) == text else text.replace("%", "%25")


def _changed_keys(before: dict[str, str], query: str) -> list[tuple[str, str]]:
    """The keys of a query whose first value is another than before, with that value."""
    first: dict[str, str] = {}
    for key, value in parse_qsl(query, keep_blank_values=True):
        first.setdefault(key, value)
    return [(key, value) for key, value in first.items() if key and value and before.get(key) != value]


def _of_element(step: TraceStep, held: str | None) -> Iterator[Proposal]:
    element = step.element
    if element is None or not element.css:
        return
    host = registrable_label(host_of(step.url))
    path = KeyNode(target="element_path", match="exact", reference=element.css, host=host, url=step.url)
    pressed = Proposal(path, "this element has to be acted on, whatever it holds")
    said = held or element.text
    if not said:
        yield pressed
        return
    values = list(_of_value(said, element.css, host, step, "says" if held is None else "holds"))
    if step.do in _WRITES or held is not None:
        yield from values
        yield pressed
    else:
        yield pressed
        yield from values


def _of_value(value: str, css: str, host: str, step: TraceStep, does: str) -> Iterator[Proposal]:
    shown, node = shorten(value, _SAID), partial(KeyNode, target="element_value", path=css, host=host, url=step.url)
    yield Proposal(node(match="exact", reference=value), f"this element {does} exactly {shown!r} in the end")
    yield Proposal(node(match="include", reference=value), f"this element {does} {shown!r} and perhaps more")
    rule = f"The element {does} what means the same as: {value}"
    why = "a judge model compares the meaning with a rule in words; without a judge it is not known"
    yield Proposal(node(match="semantic", reference=rule), why)


def _query(url: str) -> str:
    try:
        return urlsplit(url).query
    except ValueError:
        return ""
