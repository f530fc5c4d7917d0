"""The encoding ``axtree``: the accessibility tree as an indented outline, with ids, roles, names, states and fields.

A control that the tree lacks (pages hide radio buttons behind drawn ones) stands at the end, as the page's HTML tells
of it, so that each field can be found.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence

from harness.observe.encoding import Encoding, Version, numbers
from harness.observe.layout import DEEPEST, choices
from harness.observe.reduce import ELLIPSIS, OPTIONS_FACTOR, KeptSurroundings, gone, near, plan, shorten
from harness.observe.snapshot import TEXT, Control, Node, OutlineNode, Snapshot

ABSENT = "Not in the accessibility tree:"
OPTIONS = frozenset({"option", "MenuListOption"})
TOGGLES = frozenset({"radio", "checkbox"})
WIDE_OPEN = KeptSurroundings(ancestors=0, siblings=0, descendants=0, text=100_000, options=100_000)


def versions(snapshot: Snapshot, field: str | None) -> Iterator[Version]:
    """The whole outline, then what is near the fields, round by round (``harness.observe.reduce.plan``)."""
    outline = snapshot.outline or ()
    visible = snapshot.visible_fields
    fields = visible if field is None or field in visible else (*visible, field)
    yield _version(snapshot, range(len(outline)), fields, WIDE_OPEN)
    parents = [each.parent for each in outline]
    children: list[list[int]] = [[] for _ in outline]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    numbered = [place for place, each in enumerate(outline) if each.node >= 0 and snapshot.nodes[each.node].ref]
    for each in plan(visible, field):
        names = set(each.fields)
        seeds = [
            place for place, one in enumerate(outline) if one.node >= 0 and snapshot.nodes[one.node].field in names
        ]
        kept = near(parents, children, seeds or numbered or [0][: len(outline)], each.limits)
        if each.operable:
            kept.update(numbered)
        yield _version(snapshot, sorted(kept), each.fields, each.limits, each.note)


def _version(
    snapshot: Snapshot, kept: Sequence[int], fields: Collection[str], limits: KeptSurroundings, note: str = ""
) -> Version:
    outline = snapshot.outline or ()
    depths: dict[int, int] = {}  # indentation of what is written, by place in the outline
    lists: dict[int, int] = {}  # options that each list has shown, by its place
    refs: dict[str, str | None] = {}
    lines = []
    told: set[int] = set()
    stays = set(kept)
    for place, each in enumerate(outline):
        above = depths.get(each.parent, -1)
        depths[place] = above
        if place not in stays:
            continue
        if each.role in OPTIONS:
            rank = lists[each.parent] = lists.get(each.parent, 0) + 1
            list_ = outline[each.parent].node if each.parent >= 0 else -1
            is_asked = len(fields) == 1 and list_ >= 0 and snapshot.nodes[list_].field in fields
            most = limits.options * (OPTIONS_FACTOR if is_asked else 1)
            if rank > most and "selected" not in each.states:
                if rank == most + 1:
                    lines.append(" " * min(above + 1, DEEPEST) + ELLIPSIS)
                continue
        depths[place] = above + 1
        node = snapshot.nodes[each.node] if each.node >= 0 else None
        if node:
            told.add(each.node)
            if node.ref:
                refs[str(node.ref)] = node.field
        lines.append(" " * min(above + 1, DEEPEST) + _line(each, node, limits.text))
    absent = [
        f" {_line(_from_html(snapshot, place, node.control), node, limits.text)}"
        for place, node in enumerate(snapshot.nodes)
        if node.control and node.field in fields and node.shown and place not in told
    ]
    if absent:
        lines += [ABSENT, *absent]
        refs |= {ref: name for ref, name in numbers(snapshot).items() if name in fields}
    there = {name for place in told if (name := snapshot.nodes[place].field)} | (set(fields) if absent else set())
    left_out = (note, *gone(snapshot.visible_fields, there)) if note else ()
    return Version("\n".join(lines), left_out, refs)


def _line(each: OutlineNode, node: Node | None, longest: int) -> str:
    words = [each.role]
    if node and node.ref:
        words.insert(0, f"[{node.ref}]")
    if each.name:
        words.append(_written(shorten(each.name, longest)))
    if node and node.control and node.control.field is not None:
        words.append(f"field={_written(node.control.field)}")
        if node.control.kind in TOGGLES:
            words.append(f"value={_written(node.control.value or '')}")
    if each.value:
        words.append(f"holds={_written(shorten(each.value, longest))}")
    return " ".join([*words, *each.states])


def _written(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _from_html(snapshot: Snapshot, place: int, control: Control) -> OutlineNode:
    """A control that the accessibility tree lacks, as its HTML tells of it."""
    name = " ".join(filter(None, (_text(snapshot, label) for label in control.labels)))
    if snapshot.nodes[place].text == "select":
        held = ", ".join(value for value, _, chosen in choices(snapshot, place) if chosen)
    else:
        held = "" if control.kind in TOGGLES else control.value or ""
    return OutlineNode(-1, control.kind, name, held, control.states)


def _text(snapshot: Snapshot, root: int) -> str:
    """The text in an element."""
    inside = {root}
    found = []
    for place in range(root + 1, len(snapshot.nodes)):
        node = snapshot.nodes[place]
        if node.parent not in inside:
            break
        inside.add(place)
        if node.type == TEXT and node.shown:
            found.append(node.text)
    return " ".join("".join(found).split())


AXTREE = Encoding("axtree", versions, needs_outline=True, numbered=True)
