"""A task on a website done once more in a browser, each action given to something that takes it down."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from typing import Generic, Protocol, TypeVar
from urllib.parse import urlsplit

from harness.actions.call import ActionCall
from harness.browser.browser import PageFailed
from harness.browser.input_back_end import BrowserSession
from harness.browser.rewarding_page import RewardingPage
from harness.browser.site_browser import SiteBrowser
from harness.catalog.site_facts import SiteFacts
from harness.catalog.trace import Trace, TraceStep, tab_number
from harness.episode.action_sets import actions_of
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.trace_replay import TraceFailed, TraceReplay
from harness.episode.trajectory import Trajectory
from harness.records.config import ActionSetName, Limits
from harness.records.site_record import SiteRecord
from harness.run.site_control import SiteControl, new_episode
from harness.scoring.evaluators.evaluate import evaluate
from harness.sites.site_player import prepare_site

_ID_DIGITS = 32
_NAMES = {"click": "click_element", "hover": "hover_element"}
"""What steps of traces are called as actions, where that is another name."""
_VALUES = {
    "goto": "url",
    "press": "key",
    "new_tab": "url",
    "switch_tab": "number",
    "close_tab": "number",
    "finish": "answer",
}
"""Steps of traces that are done to no element -> what their value is called as an argument."""


class NotDone(Exception):
    """Something that was to be done once more cannot be done; the message says what, and why."""


class Taker(Protocol):
    """Does one action after the other, and takes it down.

    Attributes:
        left_out: What is not taken down of the actions that were done -> how often.
    """

    left_out: Counter[str]

    def take(self, call: ActionCall) -> None:
        """Do an action, and take it down.

        Raises:
            NotDone: it cannot be done.
            harness.browser.wire.BrowserGone: the browser died.
        """


TakerOf = TypeVar("TakerOf", bound=Taker)


@dataclass(frozen=True)
class ShownTask:
    """What is demonstrated.

    Attributes:
        assignment: The task, with the site that it is on.
        made_from: Of what, in words: ``reference trace``, or the run's name.
        score: What it has to be worth in the end by the task's main evaluator; None for anything.
    """

    assignment: SiteAssignment
    made_from: str
    score: float | None

    @property
    def id(self) -> str:
        """The demonstration's id: the same whenever it is made."""
        setting, instance = self.assignment.setting, self.assignment.instance
        parts = (instance.task, instance.id, self.made_from, setting.variant, str(setting.seed))
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:_ID_DIGITS]


MakeTaker = Callable[[SiteBrowser, SiteActions, SiteAssignment], TakerOf]
"""Makes what takes a task down, with its first page open; the task has the goal that a solver is told."""
Does = Callable[[Taker, SiteActions, Probe], None]
"""Does what is to be taken down."""


@dataclass(frozen=True)
class DoneAgain(Generic[TakerOf]):
    """What came of doing a task once more.

    Attributes:
        taker: What has taken it down; None if there was no page to begin on.
        goal: What was to be done, as a solver is told it.
        why: Why it is not to be used; empty if it is.
    """

    taker: TakerOf | None
    goal: str = ""
    why: str = ""


def done_again(
    session: BrowserSession,
    shown: ShownTask,
    does: Does,
    control_key: str,
    make_taker: MakeTaker[TakerOf],
    *,
    actions: ActionSetName = "all",
    on_cleared: Callable[[], object] = lambda: None,
) -> DoneAgain[TakerOf]:
    """Do a task, and take down what is done.

    Args:
        session: A browser that may visit the task's sites.
        shown: The task.
        does: Does it.
        control_key: Opens what sets the bundled sites.
        make_taker: Makes what takes it down.
        actions: The set of actions that there are.
        on_cleared: Called when the browser is empty, before the first page is opened.

    Raises:
        harness.run.site_control.SiteControlRefused: the site cannot be set.
        harness.browser.wire.BrowserGone: the browser died.
    """
    assignment = shown.assignment
    do = partial(_done, session, does=does, make_taker=make_taker, actions=actions, on_cleared=on_cleared)
    if not assignment.setting.site:
        return do(shown, tell_state=lambda: None)
    episode, control = new_episode(), SiteControl(session.browser.settings.origin, control_key)
    control.begin(episode, assignment.setting)
    try:
        there = replace(shown, assignment=replace(assignment, episode=episode))
        return do(there, tell_state=partial(control.state, episode))
    finally:
        control.end(episode)


def _done(
    session: BrowserSession,
    shown: ShownTask,
    *,
    does: Does,
    make_taker: MakeTaker[TakerOf],
    actions: ActionSetName,
    on_cleared: Callable[[], object],
    tell_state: Callable[[], object],
) -> DoneAgain[TakerOf]:
    browser, assignment = session.site, shown.assignment
    prepare_site(session, assignment)
    on_cleared()
    try:
        browser.open(assignment.page.url)
    except PageFailed as error:
        return DoneAgain(None, why=str(error))
    trajectory = Trajectory(Limits(max_steps=2**31, max_seconds=math.inf))
    rewarding = RewardingPage(browser.tab.url) if assignment.is_rewarded else None
    act = SiteActions(browser, session.input, trajectory, actions_of(actions), rewarding=rewarding)
    act.moments.take(None)
    goal = assignment.page.goal
    if rewarding and (asked := rewarding.instruction(browser.tab)):
        goal = f"{goal} It asks: {asked}"
    taker = make_taker(browser, act, replace(assignment, page=replace(assignment.page, goal=goal)))
    try:
        does(taker, act, Probe(browser, trajectory))
    except (NotDone, TraceFailed) as error:
        return DoneAgain(taker, goal, str(error))
    act.see_reward()
    act.moments.take(None)
    record = SiteRecord(
        task=replace(assignment.facts, goal=goal),
        moments=tuple(act.moments.moments),
        answer=act.answer,
        state=tell_state(),
        reward=act.reward,
    )
    record = replace(record, evaluations=evaluate(record, trajectory.texts.get, None))
    score = record.main.score if record.main else None
    if shown.score is not None and score is not None and score < shown.score:
        why = f"it is worth {score:g} by {record.task.evaluators.main} when it is done once more, not {shown.score:g}"
        return DoneAgain(taker, goal, why)
    return DoneAgain(taker, goal)


def website_of(facts: SiteFacts) -> str:
    """The short name of a task's website: that of the bundled site, else the host that it begins at."""
    return facts.site or (urlsplit(facts.start).hostname or "").removeprefix("www.")


def do_trace(trace: Trace) -> Does:
    """What does a reference trace."""

    def does(taker: Taker, act: SiteActions, probe: Probe) -> None:
        replay = TraceReplay(act, probe)
        for number, step in enumerate(trace.steps, start=1):
            words = f"step {number} of the trace ({step.do})"
            if step.element is None:
                taker.take(_call_without_element(step))
                continue
            found = replay.find(step.element)
            if not found.number:
                raise NotDone(f"{words}: nothing that can be seen or operated is {step.element.css!r}")
            if step.do == "press":
                taker.take(ActionCall("click_element", {"ref": found.number}))
                taker.take(ActionCall("press", {"key": step.value}))
            else:
                text = {"text": step.value} if step.do not in _NAMES else {}
                taker.take(ActionCall(_NAMES.get(step.do, step.do), {"ref": found.number, **text}))

    return does


def _call_without_element(step: TraceStep) -> ActionCall:
    value = tab_number(step.value) if step.do in ("switch_tab", "close_tab") else step.value
    return ActionCall(step.do, {} if step.value == "" else {_VALUES[step.do]: value})
