"""Make a page smaller: leave out what is far from what is to be kept, and shorten what is long.

Simplification after AutoWebGLM (Lai et al., KDD 2024, its HTML pruner): around each element that is to be kept stay its
ancestors up to a depth, what is beside them up to a number of siblings, and what is below these down to a depth; where
that is not small enough, all limits shrink, round by round. One snapshot is turned into another, so that any encoding
can be made of the result.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.observe.snapshot import ELEMENT, TEXT, Control, Node, Snapshot

ELLIPSIS = "…"
FRAME = frozenset({"html", "body"})
"""Elements that stay whatever else goes."""


@dataclass(frozen=True)
class KeptSurroundings:
    """How much stays around each element that is kept.

    Attributes:
        ancestors: Levels up.
        siblings: Neighbours on either side, of the element and of each of these ancestors.
        descendants: Levels down below these neighbours.
        text: Characters of one text.
        options: Options of one list; the chosen ones stay in any case.
    """

    ancestors: int
    siblings: int
    descendants: int
    text: int
    options: int


ROUNDS = (
    KeptSurroundings(ancestors=14, siblings=30, descendants=12, text=6000, options=200),
    KeptSurroundings(ancestors=10, siblings=20, descendants=8, text=3000, options=60),
    KeptSurroundings(ancestors=8, siblings=12, descendants=6, text=1500, options=30),
    KeptSurroundings(ancestors=6, siblings=8, descendants=5, text=800, options=20),
    KeptSurroundings(ancestors=5, siblings=5, descendants=4, text=400, options=12),
    KeptSurroundings(ancestors=4, siblings=3, descendants=3, text=200, options=8),
    KeptSurroundings(ancestors=3, siblings=2, descendants=2, text=100, options=5),
    KeptSurroundings(ancestors=2, siblings=1, descendants=1, text=50, options=3),
)
OPTIONS_FACTOR = 8
"""How many times more options a list keeps that is itself to be kept."""
MORE = "data-more"
"""The attribute that tells of a list how many options were left out of it."""
SHARED_ROUNDS = 5
"""Rounds in which the other fields keep as much around them as the one that is asked for; then it is kept alone."""


def near(
    parents: Sequence[int], children: Sequence[Sequence[int]], seeds: Collection[int], limits: KeptSurroundings
) -> set[int]:
    """The nodes of a tree that stay: the seeds, all that is below them, and what the limits leave around them.

    Args:
        parents: The number of each node's parent, which is smaller than its own; -1 at the top.
        children: The numbers of each node's children that count.
        seeds: What is to be kept.
        limits: How much around each.
    """
    ranks = {child: rank for row in children for rank, child in enumerate(row)}
    kept = set(seeds)
    depths: dict[int, int] = {}  # how many levels below a node are kept
    for seed in seeds:
        depths[seed] = len(parents)
        here = seed
        for _ in range(limits.ancestors + 1):
            parent = parents[here]
            if parent < 0:
                break
            row = children[parent]
            rank = ranks.get(here, 0)
            for each in row[max(rank - limits.siblings, 0) : rank + limits.siblings + 1]:
                kept.add(each)
                if each != here:
                    depths[each] = max(depths.get(each, 0), limits.descendants)
            kept.add(parent)
            here = parent
    # Parents come before their children, so that one pass hands the depths down.
    for node in range(len(parents)):
        if (depth := depths.get(node, 0)) > 0:
            row = children[node]
            most = len(row) if depth > limits.descendants else 2 * limits.siblings + 1
            for each in row[:most]:
                kept.add(each)
                depths[each] = max(depths.get(each, 0), depth - 1)
    return kept


def only(snapshot: Snapshot, kept: Collection[int], changed: Mapping[int, Node] | None = None) -> Snapshot:
    """The page with these nodes only; a node whose parent goes moves up to the nearest ancestor that stays.

    Args:
        snapshot: The page.
        kept: Numbers of nodes; the document's frame stays without being named.
        changed: What stands in the place of some of them.

    Returns:
        The page, without its accessibility tree.
    """
    changed = changed or {}
    places: list[int] = []  # of each node, or of its nearest ancestor that stays
    stays: list[bool] = []
    nodes: list[Node] = []
    for place, node in enumerate(snapshot.nodes):
        above = places[node.parent] if node.parent >= 0 else -1
        stay = place in kept or place == 0 or (node.parent == 0 and node.text in FRAME and node.type == ELEMENT)
        stays.append(stay)
        places.append(len(nodes) if stay else above)
        if stay:
            now = changed.get(place, node)
            nodes.append(now if now.parent == above else replace(now, parent=above))
    moved = tuple(
        replace(node, control=replace(node.control, labels=_moved(node.control, places, stays)))
        if node.control and node.control.labels
        else node
        for node in nodes
    )
    return replace(snapshot, nodes=moved, outline=None)


def _moved(control: Control, places: Sequence[int], stays: Sequence[bool]) -> tuple[int, ...]:
    return tuple(places[label] for label in control.labels if stays[label])


def shorten(text: str, most: int) -> str:
    """The text, or its beginning with an ellipsis where it is longer than ``most`` characters."""
    return text if len(text) <= most else text[: max(most - 1, 0)].rstrip() + ELLIPSIS


def revealed(snapshot: Snapshot, field: str) -> Snapshot:
    """The page with the controls of a field that nobody can see now counted as shown, and marked as ``hidden``."""
    controls = snapshot.controls[field]
    if any(snapshot.nodes[place].shown for place in controls):
        return snapshot
    nodes = list(snapshot.nodes)
    for place in controls:
        node = nodes[place]
        control = node.control and replace(node.control, states=(*node.control.states, "hidden"))
        nodes[place] = replace(node, display="inline", control=control)
    return replace(snapshot, nodes=tuple(nodes))


def shown_controls(snapshot: Snapshot, fields: Collection[str]) -> list[int]:
    """The nodes of the controls of some fields that a person can see, in page order."""
    return [place for name in fields for place in snapshot.controls.get(name, ()) if snapshot.nodes[place].shown]


def around(snapshot: Snapshot, fields: Sequence[str], limits: KeptSurroundings, *, operable: bool = False) -> Snapshot:
    """The page around some of its fields.

    Args:
        snapshot: The page.
        fields: The fields whose visible controls and labels stay; the controls of all others go, unless they are near.
            Where there is none, what can be operated takes their place, and where nothing can, the whole page.
        limits: How much stays around them.
        operable: Whether everything else that can be operated stays, with nothing around it.
    """
    nodes = snapshot.nodes
    there = _seen(nodes)
    children = [tuple(child for child in row if there[child]) for row in snapshot.children]
    numbered = [place for place, node in enumerate(nodes) if node.ref]
    seeds = shown_controls(snapshot, fields) or numbered or [0]
    own = set(seeds)
    labels = {label for seed in seeds if (control := nodes[seed].control) for label in control.labels}
    parents = [node.parent for node in nodes]
    kept = near(parents, children, [*seeds, *sorted(labels)], limits)
    if operable:
        kept |= near(parents, children, numbered, replace(limits, ancestors=0, siblings=0))
    changed = {
        place: replace(nodes[place], text=shorten(nodes[place].text, limits.text))
        for place in kept
        if nodes[place].type == TEXT and len(nodes[place].text) > limits.text
    }
    for place in [place for place in kept if nodes[place].type == ELEMENT and nodes[place].text == "select"]:
        options = options_of(snapshot, place)
        most = limits.options * (OPTIONS_FACTOR if place in own else 1)
        stay = {option for rank, option in enumerate(options) if rank < most or nodes[option].control}
        for option in options:
            family = (option, *snapshot.children[option])
            kept.update(family) if option in stay else kept.difference_update(family)
        if more := len(options) - len(stay):
            changed[place] = replace(nodes[place], attributes=(*nodes[place].attributes, (MORE, str(more))))
    return only(snapshot, kept, changed)


def _seen(nodes: Sequence[Node]) -> list[bool]:
    """Of each node whether a person sees it, or anything in it; what is nothing but white space is not seen."""
    seen = [node.shown and (node.type != TEXT or bool(node.text.strip())) for node in nodes]
    for place in range(len(nodes) - 1, 0, -1):
        if seen[place]:
            seen[nodes[place].parent] = True
    return seen


def options_of(snapshot: Snapshot, select: int) -> list[int]:
    """The options of a list, those in groups among them, in page order."""
    found: list[int] = []
    open_ = list(reversed(snapshot.children[select]))
    while open_:
        place = open_.pop()
        node = snapshot.nodes[place]
        if node.type == ELEMENT and node.text == "option":
            found.append(place)
        elif node.type == ELEMENT:
            open_.extend(reversed(snapshot.children[place]))
    return found


@dataclass(frozen=True)
class ReductionStep:
    """One of the steps in which a page gets smaller.

    Attributes:
        fields: The fields that stay.
        limits: How much stays around them.
        operable: Whether everything else that can be operated stays.
        note: What was done, in words.
    """

    fields: tuple[str, ...]
    limits: KeptSurroundings
    operable: bool
    note: str


def plan(visible: Sequence[str], field: str | None) -> Iterator[ReductionStep]:
    """The order in which a page gets smaller.

    First all visible fields stay, with everything else that can be operated, and what is around them shrinks
    (``ROUNDS``). Then, if one field is asked for, it stays alone and its surroundings shrink; else fields are left out
    from the end of the page, half of those that are left at a time.

    Args:
        visible: The fields that a person can see, in page order.
        field: The field that is asked for; None for all.
    """
    fields = tuple(visible)
    for number, limits in enumerate(ROUNDS[: len(ROUNDS) if field is None else SHARED_ROUNDS], 1):
        note = f"kept what is near the fields (round {number} of {len(ROUNDS)})"
        yield ReductionStep(fields if field is None or field in fields else (*fields, field), limits, True, note)
    if field is not None:
        for number, limits in enumerate(ROUNDS[1:], 2):
            yield ReductionStep(
                (field,), limits, False, f"kept what is near the field (round {number} of {len(ROUNDS)})"
            )
        return
    some = fields
    while len(some) > 1:
        some = some[: (len(some) + 1) // 2]
        yield ReductionStep(some, ROUNDS[-1], False, f"kept what is near {len(some)} of the fields")


def gone(fields: Sequence[str], kept: Collection[str]) -> tuple[str, ...]:
    """Words for the fields that were left out."""
    absent = [name for name in fields if name not in kept]
    return (f"left out fields: {', '.join(absent)}",) if absent else ()


def rounds(snapshot: Snapshot, field: str | None) -> Iterator[tuple[tuple[str, ...], Snapshot]]:
    """A page, and ever smaller versions of it by ``plan``, each with words for what was left out.

    Args:
        snapshot: The page.
        field: The field that is asked for, visible or ``revealed``; None for all.
    """
    yield (), snapshot
    for each in plan(snapshot.visible_fields, field):
        smaller = around(snapshot, each.fields, each.limits, operable=each.operable)
        yield (each.note, *gone(snapshot.visible_fields, smaller.controls)), smaller
