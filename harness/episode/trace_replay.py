"""What a reference trace says, done again step by step: the ceiling for websites, and what maintenance looks at."""

from __future__ import annotations

from dataclasses import dataclass

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.catalog.trace import ElementMark, Trace, TraceStep, tab_number
from harness.episode.library import Actions
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment

PATIENCE_MS = 4_000
"""How long an element may take to appear: lists of suggestions come when a site has answered."""


class TraceFailed(Exception):
    """A step of a trace cannot be done; the message says which, and why."""


def replay(trace: Trace, act: SiteActions, probe: Probe) -> None:
    """Do the steps of a trace.

    Args:
        trace: The trace.
        act: The actions, with the trace's first page open.
        probe: Finds the elements that the trace names.

    Raises:
        TraceFailed: a step cannot be done; those before it were.
    """
    steps = TraceReplay(act, probe)
    for place, step in enumerate(trace.steps, start=1):
        words = f"step {place} of the trace ({step.do}{_of(step)})"
        result = steps.do(step, words)
        if not result.ok:
            raise TraceFailed(f"{words} cannot be done: {result.message}")


@dataclass(frozen=True)
class FoundElement:
    """What a selector finds on the page that is shown.

    Attributes:
        number: Of the element, or of what holds it and has one, as the last observation gives it; 0 if there is none
            that can be seen or operated.
        count: How many elements it finds.
        place: Which child of which child the element is, from the document's own down; of the first if none is seen.
    """

    number: int
    count: int
    place: tuple[int, ...] = ()


class TraceReplay:
    """Does the steps of traces, one by one."""

    def __init__(self, act: SiteActions, probe: Probe, patience_ms: int = PATIENCE_MS) -> None:
        """Prepare.

        Args:
            act: The actions, with the trace's first page open.
            probe: Finds the elements that the trace names.
            patience_ms: How long an element may take to appear.
        """
        self._act = act
        self._probe = probe
        self._patience_ms = patience_ms

    def do(self, step: TraceStep, words: str) -> ActionResult:
        """Do a step.

        Args:
            step: The step.
            words: What it is called in a message.

        Raises:
            TraceFailed: it names what is not there.
        """
        act = self._act
        if step.element is not None:
            found = self.find(step.element)
            if found.number:
                return self._do_to(found.number, step)
            url = next(tab.url for tab in act.tabs() if tab.shown)
            why = "it cannot be seen or operated" if found.count else "there is no such element"
            raise TraceFailed(f"{words} cannot be done: {why} on {url}")
        if (call := _call(step, words)) is None:
            raise TraceFailed(f"{words} names no element")
        return act.call(act.spoken(call))

    def _do_to(self, number: int, step: TraceStep) -> ActionResult:
        act = self._act
        done = act.call(act.spoken(_call_on(number, step)))
        if step.do == "press" and done.ok:
            return act.call(act.spoken(ActionCall("press", {"key": step.value})))
        return done

    def find(self, element: ElementMark, patience_ms: int | None = None) -> FoundElement:
        """The element of a mark, once it is there and an observation has numbered it.

        Args:
            element: The mark.
            patience_ms: How long it may take to appear; None for as long as steps wait.
        """
        patience = self._patience_ms if patience_ms is None else patience_ms
        waited = self._probe.look("elements.found", element.css, patience)
        if waited["count"]:
            self._act.observation.snapshot()
            waited = self._probe.look("elements.found", element.css, 0)
        return FoundElement(waited["number"], waited["count"], tuple(waited["place"]))


def _call(step: TraceStep, words: str) -> ActionCall | None:
    """What a step does that is done to no element; None if it needs one."""
    match step.do:
        case "goto":
            return ActionCall("goto", {"url": step.value})
        case "go_back" | "go_forward" | "reload":
            return ActionCall(step.do, {})
        case "press":
            return ActionCall("press", {"key": step.value})
        case "new_tab":
            return ActionCall("new_tab", {"url": step.value or None})
        case "switch_tab":
            return ActionCall("switch_tab", {"number": _tab(step, words)})
        case "close_tab":
            return ActionCall("close_tab", {"number": _tab(step, words) if step.value else None})
        case "finish":
            return ActionCall("finish", {"answer": step.value or None})
    return None


def _call_on(number: int, step: TraceStep) -> ActionCall:
    """What a step does to its element; keys are pressed after it."""
    match step.do:
        case "hover":
            return ActionCall("hover_element", {"ref": number})
        case "fill" | "fill_search" | "select_option":
            return ActionCall(step.do, {"ref": number, "text": step.value})
    return ActionCall("click_element", {"ref": number})


def _of(step: TraceStep) -> str:
    of = "" if step.element is None else f" {step.element.css!r}"
    return of + (f", {step.value!r}" if step.value else "")


def _tab(step: TraceStep, words: str) -> int:
    number = tab_number(step.value)
    if number is None:
        raise TraceFailed(f"{words} names no tab: its value is to be the tab's number, from 0")
    return number


def follow(assignment: SiteAssignment, act: Actions, probe: Probe) -> None:
    """Replay the trace of a task.

    Raises:
        TraceFailed: it has none, or a step of it cannot be done.
    """
    if assignment.trace is None or not isinstance(act, SiteActions):
        raise TraceFailed("the task has no reference trace (trace.json) to replay")
    replay(assignment.trace, act, probe)
