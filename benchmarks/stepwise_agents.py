"""Agents that are evaluated step by step and live, by one class each: constructed ones that slip, and a floor.

The first two know what is right and slip at a known rate, offline and live: what a score of steps says of a task
depends on what an agent does after a slip, which no score of steps can see.
"""

from __future__ import annotations

import hashlib
import random
import re
from collections import Counter
from itertools import count

from harness.episode.assignment import Page
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.trace_replay import TraceFailed, TraceReplay
from harness.observe.snapshot import Node, Snapshot
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep

RATE = 0.2
"""Share of the steps at which constructed agents slip."""
_WORD = re.compile(r"\w+")
_SAYS = ("aria-label", "placeholder", "title", "name", "value", "href")
_WRITTEN = ("text", "textarea")


def slips(goal: str, step: int) -> bool:
    """Whether a constructed agent slips at a step: the same ones each time.

    Args:
        goal: Of the task.
        step: Which, from 0.
    """
    digest = hashlib.sha256(f"{goal}:{step}".encode()).digest()
    return int.from_bytes(digest[:4], "big") < RATE * 2**32


class Slips:
    """Does what the reference did, but at one step in five, where it presses something else; then it goes on."""

    kinds = ("site",)
    recovers = False

    def predict_with_key(self, asked: AskedStep, step: DemonstratedStep) -> PredictedStep:
        """What was done, or a press on another element."""
        number = len(asked.previous)
        right = [each.backend_node_id for each in step.positives]
        if slips(asked.task, number) or not right:
            others = [each.backend_node_id for each in asked.candidates if each.backend_node_id not in right]
            id_ = _chance(asked.task, number).choice(others) if others else None
            return PredictedStep(backend_node_id=id_, op="CLICK")
        return PredictedStep(backend_node_id=right[0], op=step.operation.op, value=step.operation.value)

    def solve_with_key(self, assignment: SiteAssignment, act: SiteActions, probe: Probe) -> None:
        """The same on the site; where a step of the reference cannot be done any more, it ends."""
        assert assignment.trace is not None, "only tasks with a trace are given to it"
        steps, goal = TraceReplay(act, probe), assignment.page.goal
        number = count()
        for step in assignment.trace.steps:
            if step.element is not None and slips(goal, place := next(number)):
                self._slip(act, _chance(goal, place))
                if not self.recovers:
                    continue  # in place of the right step
            try:
                done = steps.do(step, "step").ok
            except TraceFailed:
                done = False
            if act.finished or not done:
                return
        act.finish()

    def _slip(self, act: SiteActions, chance: random.Random) -> None:
        numbered = [node.ref for node in act.observation.snapshot().nodes if node.ref]
        before = _shown(act)
        if numbered:
            act.click_element(chance.choice(numbered))
        if self.recovers and _shown(act) != before:
            act.goto(before)


class SlipsAndReturns(Slips):
    """As ``Slips``, but it sees a slip, goes back to the page where it happened, and does the right thing."""

    recovers = True


class LexicalWalk:
    """Presses what shares most words with the goal and was not pressed yet, and writes the goal's names into fields."""

    kinds = ("site",)
    most_steps = 12

    def solve(self, page: Page, act: SiteActions) -> None:
        """Walk."""
        task, _, done = page.goal.partition("\nThese steps towards it have been done already:\n")
        wanted, used = _words(task), _words(done)
        tried: Counter[str] = Counter()
        values = [word.strip(".,;:!?\"'()“”") for word in task.split()[1:] if word[0].isupper() or word[-1].isdigit()]
        for _ in range(min(self.most_steps, act.trajectory.steps_left())):
            if act.finished:
                return
            shown = act.observation.snapshot()
            known = {place: _said(shown, place) for place, node in enumerate(shown.nodes) if node.ref}
            if not known:
                return
            worth = {
                place: (len(_words(said) & wanted) - len(_words(said) & wanted & used) / 2 - tried[said])
                / max(1, len(_words(said))) ** 0.5
                for place, said in known.items()
            }
            best = max(known, key=lambda place: worth[place])
            tried[known[best]] += 1
            value = next((each for each in values if each.lower() not in used), "")
            used |= _act_on(act, shown.nodes[best], value)


def _act_on(act: SiteActions, node: Node, value: str) -> frozenset[str]:
    """Do to an element what its kind asks for; gives the words that were used up."""
    kind = node.control.kind if node.control else ""
    if node.text == "select":
        act.select_option(node.ref, value)
    elif kind in _WRITTEN and (node.get("type") or "") not in ("submit", "button", "reset", "image"):
        act.fill(node.ref, value)
    else:
        act.click_element(node.ref)
        return frozenset()
    return _words(value)


def _said(shown: Snapshot, place: int) -> str:
    node = shown.nodes[place]
    return " ".join([shown.text_of(place), *(node.get(name) or "" for name in _SAYS)])


def _words(text: str) -> frozenset[str]:
    return frozenset(_WORD.findall(text.lower()))


def _shown(act: SiteActions) -> str:
    return next(tab.url for tab in act.tabs() if tab.shown)


def _chance(goal: str, step: int) -> random.Random:
    return random.Random(f"{goal}:{step}")  # noqa: S311 - a baseline, not a secret
