"""The first action that a solver of sites does on a page, as the prediction of a step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.site_browser import SiteBrowser
from harness.episode.observation import element_number
from harness.episode.trajectory import Trajectory
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE, PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import Operation
from harness.records.config import Limits
from harness.records.site_record import Moment

DONE = "first action"
"""In place of a limit: the action that counts is done."""
_NUMBERED: Mapping[str, Operation] = {
    "click_element": "CLICK",
    "hover_element": "CLICK",
    "fill": "TYPE",
    "fill_search": "TYPE",
    "select_option": "SELECT",
}
"""What is done to an element by its number, and how Mind2Web calls that."""
_LOOKS = frozenset({"get_html", "capture_screen", "scroll", "scroll_to", "maximize", "wait_till_loaded"})
"""They do nothing to the page: the solver goes on."""
_LEAVE = frozenset({"goto", "go_back", "go_forward", "reload", "new_tab", "switch_tab", "close_tab"})
"""They leave the page, and there is no other: the step is over, whatever came of them."""


class FirstActionTrajectory(Trajectory):
    """A trajectory that ends with the first action that is no look and could be done.

    Attributes:
        predicted: That action; None until it is done.
    """

    def __init__(self, limits: Limits, browser: SiteBrowser) -> None:
        """Begin one.

        Args:
            limits: How many actions there may be before: looks, and those that cannot be done.
            browser: Shows a page whose elements have ids.
        """
        super().__init__(limits)
        self.predicted: PredictedStep | None = None
        self._browser = browser
        self._moments: list[Moment] = []

    def note_moments(self, moments: Sequence[Moment], _trees: Mapping[str, str]) -> None:
        """Take down what has happened, as ``harness.episode.moment_log.KeepMoments``."""
        self._moments += moments

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """As of ``Trajectory``.

        Raises:
            LimitReached: ``DONE`` if this was the action that counts; else a limit.
        """
        number = element_number(call.args.get("ref", "")) if call.name in _NUMBERED else None
        # Before it is done, since a press may lead elsewhere.
        id_ = None if number is None else self._browser.run("elements.attribute", number, ID_ATTRIBUTE)
        self._moments.clear()
        result = super().record(call, work)
        if (result.ok and call.name not in _LOOKS) or call.name in _LEAVE:
            self.predicted = self._prediction(call, number, id_)
            self.stop_at(DONE)
        return result

    def _prediction(self, call: ActionCall, number: int | None, id_: str | None) -> PredictedStep:
        op, value = _NUMBERED.get(call.name), ""
        if number is None:
            op, value, id_ = self._reached()
        elif op == "TYPE":
            value = str(call.args.get("text", ""))
        elif op == "SELECT":
            value = self._chosen(number)
        problem = "" if id_ is not None else f"no element: {call}"
        return PredictedStep(backend_node_id=id_, op=op if id_ is not None else None, value=value, problem=problem)

    def _chosen(self, number: int) -> str:
        """The text of the option that a list shows now."""
        found = self._browser.run("elements.options", number)
        chosen = set(found.get("chosen", ()))
        return next((str(each["text"]) for each in found.get("options", ()) if each["value"] in chosen), "")

    def _reached(self) -> tuple[Operation | None, str, str | None]:
        """What an action did that aims at no number, by the events that reached the page."""
        acted = [each for each in self._moments if each.kind == "acted" and each.element]
        if not acted:
            return None, "", None
        first = acted[0]
        written = next((each for each in acted if each.event in ("input", "change")), None)
        tag = written.element.tag if written and written.element else ""
        is_pressed = any(each.event == "click" for each in acted) and tag not in ("select", "textarea")
        if written is None or written.element is None or is_pressed:
            return "CLICK", "", self._id_of(first)
        return ("SELECT" if tag == "select" else "TYPE"), written.element.value or "", self._id_of(written)

    def _id_of(self, moment: Moment) -> str | None:
        """The id of the element that an event reached, or of the nearest one around it that has one."""
        if moment.element is None or not moment.dom:
            return None
        node = json.loads(self.texts[moment.dom])
        found = node[1].get(ID_ATTRIBUTE)
        for place in moment.element.place:
            elements = [child for child in node[2] if isinstance(child, list)]
            if place >= len(elements):
                break
            node = elements[place]
            found = node[1].get(ID_ATTRIBUTE, found)
        return None if found is None else str(found)
