"""Acts on a website, each taken down as a step of a demonstration with the page before it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from lxml import etree

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.page_inspection import dom_snapshot, node_of
from harness.browser.site_browser import SiteBrowser
from harness.episode.observation import element_number
from harness.episode.site_actions import SiteActions
from harness.integrations.exports.site_again import NotDone
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.demonstration import DoneOperation
from harness.papers.mind2web.demonstrations.making import MadeStep, TargetGone, made_step
from harness.papers.mind2web.demonstrations.snapshot_tree import SnapshotTree

DONE = {
    "click_element": DoneOperation(op="CLICK", original_op="CLICK"),
    "hover_element": DoneOperation(op="CLICK", original_op="HOVER"),
    "fill": DoneOperation(op="TYPE", original_op="TYPE"),
    "select_option": DoneOperation(op="SELECT", original_op="SELECT"),
}
"""Action -> what Mind2Web calls it."""
ENTER = DoneOperation(op="CLICK", original_op="ENTER")


@dataclass(frozen=True)
class _Sight:
    page: etree._Element
    target: str


class StepTaker:
    """Does one action after the other.

    Attributes:
        steps: What was done to elements.
        left_out: Action -> how often it was done, which has no element and so is no step.
    """

    def __init__(self, browser: SiteBrowser, act: SiteActions, uid: str, on_step: Callable[[str], None]) -> None:
        """Begin.

        Args:
            browser: With the task's first page open.
            act: The actions on it.
            uid: The demonstration's id, of which those of its steps are made.
            on_step: Called with a step's id while the page before it is shown.
        """
        self.steps: list[MadeStep] = []
        self.left_out: Counter[str] = Counter()
        self._browser = browser
        self._act = act
        self._uid = uid
        self._on_step = on_step

    def take(self, call: ActionCall) -> None:
        """Do an action, and take it down if it was done to an element.

        To fill in a search is two steps, to type and to press Enter.

        Raises:
            NotDone: it cannot be done.
            harness.browser.wire.BrowserGone: the browser died.
        """
        if call.name == "fill_search":
            document = self._document
            self.take(ActionCall("fill", call.args))
            if self._document == document:
                self.take(ActionCall("press", {"key": "Enter"}))
        elif call.name in DONE:
            done = DONE[call.name]
            number = element_number(call.args["ref"]) or 0
            value = "" if done.op == "CLICK" else str(call.args["text"])
            self._done(self._seen(number), DoneOperation(op=done.op, original_op=done.original_op, value=value), call)
        elif call.name == "press" and str(call.args["key"]).casefold() == "enter" and (seen := self._focused()):
            self._done(seen, ENTER, call)
        else:
            self._do(call)
            self.left_out[call.name] += 1

    @property
    def _document(self) -> tuple[int, str]:
        return self._browser.tab.number, self._browser.tab.document

    def _seen(self, number: int | None) -> _Sight:
        return _Sight(SnapshotTree(dom_snapshot(self._browser.tab)).root(), str(node_of(self._browser.tab, number)))

    def _focused(self) -> _Sight | None:
        """The page with what has the focus; None if nothing in particular has."""
        seen = self._seen(None)
        whole = ["0", *(each.get(ID_ATTRIBUTE) for each in (seen.page, *seen.page.findall("body")))]
        return None if seen.target in whole else seen

    def _done(self, seen: _Sight, done: DoneOperation, call: ActionCall) -> None:
        uid = f"{self._uid}-{len(self.steps) + 1}"
        self._on_step(uid)
        self._do(call)
        try:
            self.steps.append(made_step(seen.page, seen.target, done, uid))
        except TargetGone as error:
            raise NotDone(f"{call}: {error}") from error

    def _do(self, call: ActionCall) -> ActionResult:
        result = self._act.call(call)
        if not result.ok:
            raise NotDone(f"{call}: {result.message}")
        return result
