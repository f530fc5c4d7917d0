"""Agents of known worth for judges to look at: one that does its task, and four that do not, each in its own way.

Each does the steps of a task's reference trace, changed or not, says a thought before each, and claims in the end to
have done what it was asked to do. Whether it has is known: the sites are bundled, and tell how they stand.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from harness.catalog.trace import Trace, TraceStep
from harness.episode.assignment import Page
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.trace_replay import TraceFailed, TraceReplay
from harness.models.messages import Usage
from harness.records.turn import Turn
from oracle.random_choice import walk

CLAIM = "I have done what was asked."
RANDOM_STEPS = 8
_ATTRIBUTE = re.compile(r"\[([\w-]+)='([^']*)'\]")


class Faithful:
    """Does the reference trace, and says so."""

    kinds = ("site",)

    def solve_with_key(self, assignment: SiteAssignment, act: SiteActions, probe: Probe) -> None:
        """Do the steps; where one cannot be done, claim to be ready all the same."""
        assert assignment.trace is not None, "only tasks with a trace are given to it"
        steps = TraceReplay(act, probe)
        for place, step in enumerate(self.steps(assignment.trace), start=1):
            first = len(act.trajectory.steps)
            try:
                done = steps.do(step, f"step {place}").ok
            except TraceFailed:
                done = False
            _think(act, _thought(step), first)
            if act.finished:
                return
            if not done:
                break
        act.finish(CLAIM)

    def steps(self, trace: Trace) -> Sequence[TraceStep]:
        """What it does."""
        return trace.steps


class CutShort(Faithful):
    """Stops half-way."""

    def steps(self, trace: Trace) -> Sequence[TraceStep]:
        """The first half of the reference."""
        return trace.steps[: len(trace.steps) // 2]


class WrongValues(Faithful):
    """Writes something else than it was told into the last field."""

    def steps(self, trace: Trace) -> Sequence[TraceStep]:
        """The reference with another value."""
        place = value_place(trace)
        assert place is not None, "only tasks with a value are given to it"
        step = trace.steps[place]
        return [*trace.steps[:place], replace(step, value=other_value(step.value)), *trace.steps[place + 1 :]]


class WrongItems(Faithful):
    """Presses something else than it should, the last time that it chooses."""

    def steps(self, trace: Trace) -> Sequence[TraceStep]:
        """The reference with another element."""
        place = choice_place(trace)
        step = trace.steps[place] if place is not None else None
        assert step is not None, "only tasks with a choice are given to it"
        assert step.element is not None, "a choice has an element"
        other = replace(step, element=replace(step.element, css=other_element(step.element.css), text="another one"))
        return [*trace.steps[:place], other, *trace.steps[(place or 0) + 1 :]]


class Random:
    """Presses and writes whatever the page shows, a few times."""

    kinds = ("site",)

    def solve(self, page: Page, act: SiteActions) -> None:
        """Walk, and claim to be ready."""
        walk(page, act, RANDOM_STEPS)
        _think(act, "I try what the page offers.", 0)
        act.finish(CLAIM)


AGENTS = ("Faithful", "CutShort", "WrongValues", "WrongItems", "Random")


def value_place(trace: Trace) -> int | None:
    """The last step that writes something, but for searches, which may find the same by other words; None if none."""
    found = [place for place, step in enumerate(trace.steps) if step.do == "fill" and step.value]
    return found[-1] if found else None


def choice_place(trace: Trace) -> int | None:
    """The last step that presses one element of several; None if none does."""
    found = [
        place
        for place, step in enumerate(trace.steps)
        if step.do == "click" and step.element and _ATTRIBUTE.search(step.element.css)
    ]
    return found[-1] if found else None


def other_value(value: str) -> str:
    """Another value: with another last digit, or other words."""
    if digits := list(re.finditer(r"\d", value)):
        at = digits[-1].start()
        return f"{value[:at]}{(int(value[at]) + 1) % 10}{value[at + 1 :]}"
    return "something else"


def other_element(css: str) -> str:
    """A selector of other elements of the same kind: those that have the attribute with another value."""
    found = list(_ATTRIBUTE.finditer(css))[-1]
    name, whole = found[1], found[0]
    return f"{css[: found.start()]}[{name}]:not({whole}){css[found.end() :]}"


def _think(act: SiteActions, thought: str, first: int) -> None:
    span = (first, len(act.trajectory.steps))
    act.trajectory.record_turn(Turn(thought=thought, steps=span, usage=Usage(), cost=0.0))


def _thought(step: TraceStep) -> str:
    what = (step.element.text or step.element.css) if step.element else ""
    return "Next: " + " ".join(filter(None, (step.do.replace("_", " "), what, step.value)))
