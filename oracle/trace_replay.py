"""The ceiling for websites: do again, step by step, what the task's reference trace says."""

from __future__ import annotations

from harness.actions.result import ActionResult
from harness.catalog.trace import ElementMark, Trace, TraceStep
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions

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


class TraceReplay:
    """Does the steps of traces, one by one."""

    def __init__(self, act: SiteActions, probe: Probe) -> None:
        self._act = act
        self._probe = probe

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
            return self._do_to(self._number(step.element, words), step)
        match step.do:
            case "goto":
                return act.goto(step.value)
            case "go_back":
                return act.go_back()
            case "go_forward":
                return act.go_forward()
            case "reload":
                return act.reload()
            case "press":
                return act.press(step.value)
            case "new_tab":
                return act.new_tab(step.value or None)
            case "switch_tab":
                return act.switch_tab(_tab(step, words))
            case "close_tab":
                return act.close_tab(_tab(step, words) if step.value else None)
            case "finish":
                return act.finish(step.value or None)
        raise TraceFailed(f"{words} names no element")

    def _do_to(self, number: int, step: TraceStep) -> ActionResult:
        act = self._act
        match step.do:
            case "hover":
                return act.hover_element(number)
            case "fill":
                return act.fill(number, step.value)
            case "fill_search":
                return act.fill_search(number, step.value)
            case "select_option":
                return act.select_option(number, step.value)
            case "press":
                clicked = act.click_element(number)
                return act.press(step.value) if clicked.ok else clicked
        return act.click_element(number)

    def _number(self, element: ElementMark, words: str) -> int:
        """The number of an element, which an observation gives it.

        Raises:
            TraceFailed: it is not there, or no observation shows it.
        """
        waited = self._probe.look("elements.found", element.css, PATIENCE_MS)
        if waited["count"]:
            self._act.observation.snapshot()
            waited = self._probe.look("elements.found", element.css, 0)
        number: int = waited["number"]
        if number:
            return number
        url = next(tab.url for tab in self._act.tabs() if tab.shown)
        why = "it cannot be seen or operated" if waited["count"] else "there is no such element"
        raise TraceFailed(f"{words} cannot be done: {why} on {url}")


def _of(step: TraceStep) -> str:
    of = "" if step.element is None else f" {step.element.css!r}"
    return of + (f", {step.value!r}" if step.value else "")


def _tab(step: TraceStep, words: str) -> int:
    if not step.value.isdecimal():
        raise TraceFailed(f"{words} names no tab: its value is to be the tab's number, from 0")
    return int(step.value)
