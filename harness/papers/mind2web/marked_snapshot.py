"""A snapshot of a live page as the HTML that MindAct reads: elements that can be acted on are its candidates."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from harness.observe.snapshot import ELEMENT, TEXT, Node, Snapshot
from harness.papers.mind2web.demonstrations.asked_step import AskedStep
from harness.papers.mind2web.demonstrations.demonstration import Candidate

_ID = "backend_node_id"
_STATES = ("checked", "selected")


def asked_of(task: str, website: str, previous: tuple[str, ...], snapshot: Snapshot) -> AskedStep:
    """A step of a website's episode as solvers of steps are asked it.

    Args:
        task: The goal.
        website: The site.
        previous: What was done, in words.
        snapshot: The page; an element's id is the number by which it is acted on.
    """
    page = "".join(_written(snapshot))
    candidates = tuple(
        Candidate(backend_node_id=str(node.ref), tag=node.text.lower()) for node in snapshot.nodes if node.ref
    )
    return AskedStep(
        task=task, website=website, previous=previous, raw_html=page, cleaned_html=page, candidates=candidates
    )


def _written(snapshot: Snapshot) -> Iterator[str]:
    """What can be seen, and what can be acted on; without recursion, since pages may be deeper than Python's stack."""
    waiting: list[int | str] = [*(place for place, node in enumerate(snapshot.nodes) if node.parent < 0)]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            yield item
            continue
        node = snapshot.nodes[item]
        if node.type == TEXT:
            yield escape(node.text) if node.shown else ""
            continue
        if node.type == ELEMENT and (node.shown or node.ref):
            yield f"<{node.text.lower()}{_attributes(node)}>"
            waiting.append(f"</{node.text.lower()}>")
        waiting += reversed(snapshot.children[item])


def _attributes(node: Node) -> str:
    values = {name: value for name, value in node.attributes if name not in (_ID, "value", *_STATES)}
    if node.ref:
        values[_ID] = str(node.ref)
    if node.control:
        # What it holds now, where its HTML has what it held first.
        values |= {"value": node.control.value} if node.control.value else {}
        values |= {state: state for state in _STATES if state in node.control.states}
    return "".join(f' {name}="{escape(value)}"' for name, value in values.items())
