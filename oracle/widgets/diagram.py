"""Flow charts that GoJS draws on a canvas: nodes are there, and links are drawn by dragging from one to another."""

from __future__ import annotations

import json
import re
from typing import Any

from harness.browser.launch import SCREEN
from oracle.form import Form
from oracle.page_input import PageInput
from oracle.widgets.pieces import pairs_in

Link = tuple[str, str]
MAX_PRESSES = 12
MAX_LINKS = 80
ATTEMPTS = 2
"""How often a link is drawn that does not hold."""
MAX_FRAMES = 90
_STARTS = re.compile(r"initiali|start|create|draw|generate|chart|diagram|graph", re.IGNORECASE)
# Nothing of a chart is in the document: where its nodes are only the library itself can tell.
_NODES = """(() => {
  const found = [];
  for (const canvas of document.querySelectorAll("canvas")) {
    const diagram = window.go && go.Diagram && go.Diagram.fromDiv(canvas.parentElement);
    if (!diagram) continue;
    const frame = canvas.getBoundingClientRect();
    const nodes = {}, links = [];
    diagram.nodes.each((node) => {
      const point = diagram.transformDocToView(node.getDocumentPoint(go.Spot.Center));
      nodes[String(node.key)] = [frame.left + point.x, frame.top + point.y];
    });
    diagram.links.each(({ fromNode, toNode }) => {
      if (fromNode && toNode) links.push([String(fromNode.key), String(toNode.key)]);
    });
    found.push({ nodes, links, box: [frame.left, frame.top, frame.right, frame.bottom] });
  }
  return found;
})()"""


class Diagrams:
    """Brings out a chart's nodes, and draws the links that a label has."""

    def work(self, form: Form) -> bool:
        """See ``Widget``."""
        for goal in form.unwritten().values():
            ways = [pairs for target in goal.targets if (pairs := edges_in(target))]
            if ways and form.probe.ask_page(_NODES):
                return _Chart(form).draw(ways)
        return False


class _Chart:
    def __init__(self, form: Form) -> None:
        self._form = form
        self._page_input = PageInput(form.act, form.probe)

    def draw(self, ways: list[list[Link]]) -> bool:
        """Draw the links of the worker whose nodes the chart has; whether it has any."""
        if not self._bring_out(ways):
            return False
        nodes = set(self._now()["nodes"])
        pairs = min(ways, key=lambda way: len(_ends(way) ^ nodes))
        for link in pairs[:MAX_LINKS]:
            for _ in range(ATTEMPTS):
                chart = self._in_view()
                if list(link) in chart["links"] or not set(link) <= set(chart["nodes"]):
                    break
                start, end = chart["nodes"][link[0]], chart["nodes"][link[1]]
                if not self._form.act.drag(*start, *end).ok:
                    break
        self._form.rehearse()
        return True

    def _bring_out(self, ways: list[list[Link]]) -> bool:
        """Press what stands around until there is a chart with the nodes of one of the ways."""

        def is_there() -> bool:
            return any(_ends(way) <= set(self._now()["nodes"]) for way in ways)

        if is_there():
            return True
        pressables = sorted(self._page_input.pressables(), key=lambda pressable: not _STARTS.search(pressable.text))
        return any(self._page_input.press(pressable.number) and is_there() for pressable in pressables[:MAX_PRESSES])

    def _now(self) -> dict[str, Any]:
        """The chart when its nodes have come to rest: the library moves them about whenever a link is added."""
        before: dict[str, Any] = {}
        for _ in range(MAX_FRAMES):
            chart: dict[str, Any] = next(iter(self._form.probe.ask_page(_NODES) or []), {"nodes": {}, "links": []})
            if chart == before:
                break
            before = chart
            self._form.probe.look("page.frame")
            self._form.probe.look("page.frame")
        return before

    def _in_view(self) -> dict[str, Any]:
        """The chart when the page has been scrolled so that it is in view."""
        chart = self._now()
        top, bottom = chart["box"][1], chart["box"][3]
        if top < 0 or bottom > SCREEN[1]:
            self._form.act.scroll(0, top - max((SCREEN[1] - (bottom - top)) / 2, 0))
            chart = self._now()
        return chart


def edges_in(target: str) -> list[Link]:
    """The links of a label that is JSON; none of one that is not."""
    try:
        json.loads(target)
    except ValueError:
        return []
    return pairs_in(target)


def _ends(links: list[Link]) -> set[str]:
    return {end for link in links for end in link}
