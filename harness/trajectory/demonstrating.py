"""A task on a website done once more in a browser, and what was done as a demonstration in Mind2Web's form."""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from harness.actions.call import ActionCall
from harness.browser.browser import PageFailed
from harness.browser.browser_session import BrowserSession
from harness.browser.dom_snapshot import as_mhtml
from harness.browser.rewarding_page import RewardingPage
from harness.browser.site_browser import SiteBrowser
from harness.catalog.site_facts import SiteFacts
from harness.catalog.trace import Trace, TraceStep
from harness.demonstrations.demonstration import Demonstration
from harness.demonstrations.website_domains import domain_of
from harness.episode.action_sets import actions_of
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.trace_replay import TraceFailed, TraceReplay
from harness.episode.trajectory import Trajectory
from harness.evaluators.evaluate import evaluate
from harness.run.backstage import Backstage, new_episode
from harness.run.player import prepare_site
from harness.runlog.config import Limits
from harness.runlog.site_record import SiteRecord
from harness.trajectory.http_archive import http_archive
from harness.trajectory.step_taker import NotDone, StepTaker

ARCHIVE = "network.har"
_ID_DIGITS = 32
_NAMES = {"click": "click_element", "hover": "hover_element"}
"""What steps of traces are called as actions, where that is another name."""


@dataclass(frozen=True)
class KeptOfPages:
    """What is kept beside the HTML of pages.

    Attributes:
        mhtml: Each step's page as one file that browsers open.
        pictures: What the screen shows of it, as PNG.
        har: Of each demonstration, what was asked of servers and what they answered, as an HTTP archive.
    """

    mhtml: bool = False
    pictures: bool = False
    har: bool = False

    def files(self, browser: SiteBrowser, name: str) -> dict[str, bytes]:
        """The files of the page that is shown.

        Args:
            browser: Shows it.
            name: Of the files, without their endings.
        """
        kept = {f"{name}.mhtml": as_mhtml(browser.tab)} if self.mhtml else {}
        return kept | ({f"{name}.png": browser.picture()} if self.pictures else {})


@dataclass(frozen=True)
class Demonstrated:
    """What came of doing a task once more.

    Attributes:
        demonstration: The demonstration; None if there is none.
        why: Why there is none.
        left_out: Action -> how often it was done, which has no element and so is no step.
        files: What is kept beside the demonstration, by path in a folder.
    """

    demonstration: Demonstration | None = None
    why: str = ""
    left_out: Counter[str] = field(default_factory=Counter)
    files: Mapping[str, bytes] = field(default_factory=dict)


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


Does = Callable[[StepTaker, SiteActions, Probe], None]
"""Does what is to be demonstrated."""


def demonstrated(
    session: BrowserSession, shown: ShownTask, does: Does, backstage_key: str, keep: KeptOfPages
) -> Demonstrated:
    """Do a task, and take down what is done to elements.

    Args:
        session: A browser that may visit the task's sites.
        shown: What is demonstrated.
        does: Does it.
        backstage_key: Opens what sets the bundled sites.
        keep: What is kept of pages.

    Raises:
        harness.run.backstage.BackstageRefused: the site cannot be set.
        harness.browser.wire.BrowserGone: the browser died.
    """
    assignment = shown.assignment
    if not assignment.setting.site:
        return _demonstrated(session, shown, does, keep, lambda: None)
    episode, backstage = new_episode(), Backstage(session.browser.settings.origin, backstage_key)
    backstage.begin(episode, assignment.setting)
    try:
        there = replace(shown, assignment=replace(assignment, episode=episode))
        return _demonstrated(session, there, does, keep, lambda: backstage.state(episode))
    finally:
        backstage.end(episode)


def _demonstrated(
    session: BrowserSession, shown: ShownTask, does: Does, keep: KeptOfPages, tell_state: Callable[[], object]
) -> Demonstrated:
    browser, assignment = session.site, shown.assignment
    prepare_site(session, assignment)
    log = browser.log_network() if keep.har else None
    try:
        browser.open(assignment.page.url)
    except PageFailed as error:
        return Demonstrated(why=str(error))
    trajectory = Trajectory(Limits(max_steps=2**31, max_seconds=math.inf))
    rewarding = RewardingPage(browser.tab.url) if assignment.is_rewarded else None
    act = SiteActions(browser, session.input, trajectory, actions_of("site", "all"), rewarding=rewarding)
    act.moments.take(None)
    goal = assignment.page.goal
    if rewarding and (asked := rewarding.instruction(browser.tab)):
        goal = f"{goal} It asks: {asked}"
    files: dict[str, bytes] = {}
    taker = StepTaker(browser, act, shown.id, lambda uid: files.update(keep.files(browser, f"{shown.id}/{uid}")))
    try:
        does(taker, act, Probe(browser, trajectory))
    except (NotDone, TraceFailed) as error:
        return Demonstrated(why=str(error), left_out=taker.left_out)
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
        return Demonstrated(why=why, left_out=taker.left_out)
    if not taker.steps:
        return Demonstrated(why="nothing was done to an element", left_out=taker.left_out)
    if log:
        log.complete(browser.tab.channel)
        files[f"{shown.id}/{ARCHIVE}"] = http_archive(log, browser.version)
    return Demonstrated(_record_of(shown, goal, taker), left_out=taker.left_out, files=files)


def _record_of(shown: ShownTask, goal: str, taker: StepTaker) -> Demonstration:
    assignment = shown.assignment
    website = website_of(assignment.facts)
    domain, subdomain = domain_of(website)
    return Demonstration(
        annotation_id=shown.id,
        website=website,
        domain=domain,
        subdomain=subdomain,
        confirmed_task=goal,
        action_reprs=tuple(made.words for made in taker.steps),
        steps=tuple(made.step for made in taker.steps),
        more={
            "made_from": shown.made_from,
            "task": assignment.instance.task,
            "instance": assignment.instance.index,
            "split": assignment.split,
            "variant": assignment.setting.variant,
            "seed": assignment.setting.seed,
        },
    )


def website_of(facts: SiteFacts) -> str:
    """The short name of a task's website: that of the bundled site, else the host that it begins at."""
    return facts.site or (urlsplit(facts.start).hostname or "").removeprefix("www.")


def do_trace(trace: Trace) -> Does:
    """What does a reference trace."""

    def does(taker: StepTaker, act: SiteActions, probe: Probe) -> None:
        replay = TraceReplay(act, probe)
        for number, step in enumerate(trace.steps, start=1):
            words = f"step {number} of the trace ({step.do})"
            if step.element is None:
                _without_element(taker, replay, step, words)
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


def _without_element(taker: StepTaker, replay: TraceReplay, step: TraceStep, words: str) -> None:
    if step.do == "press":
        taker.take(ActionCall("press", {"key": step.value}))
        return
    result = replay.do(step, words)
    if not result.ok:
        raise NotDone(f"{words}: {result.message}")
    taker.left_out[step.do] += 1
