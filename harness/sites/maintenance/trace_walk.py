"""A reference trace walked through on the site of today, with a look at each element before it is acted on."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal
from urllib.parse import urlsplit

from lxml import etree

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import BrowserSession
from harness.browser.rewarding_page import RewardingPage
from harness.catalog.trace import ElementMark, TraceStep
from harness.episode.action_sets import actions_of
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.trace_replay import TraceFailed, TraceReplay
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from harness.records.site_record import Evaluation, SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from harness.scoring.evaluators.page_tree import PageTree, UnreadableTree
from harness.sites.maintenance.element_words import changes_of, mark_of, opener_of
from harness.sites.maintenance.likeness import MARGIN, NearElement, likeness_of, nearest
from harness.sites.maintenance.selectors import selector_for
from harness.sites.site_player import prepare_site

PATIENCE_MS = 1_500
"""How long an element may take to appear: the page is at rest when it is looked for."""
MOST_TRIED = 5
"""Near elements of which it is asked whether they can be seen."""
LEAST_ELSEWHERE = 0.8
"""Likeness from which on an element of another page is taken for the recorded one."""
TellState = Callable[[], object]
"""Gives how the site stands, as JSON; None where nobody can tell."""


@dataclass(frozen=True)
class StepSight:
    """What was seen of a step.

    Attributes:
        step: As it is in the trace, filled in.
        state: ``done`` as it stands, ``guessed`` (done to the nearest element), ``gone`` (no element is like it), or
            ``refused`` (the element does not take it).
        url: Of the page before it.
        url_after: Of the page after it.
        page: What the element stands in; None of a step without one, or if the page was too large.
        element: What was acted on, or would have been; None if there is none.
        css: A selector of that.
        near: The elements that are most like the recorded one and can be seen; none if it was found at once.
        message: Why it could not be done.
        found_on: The page that has the element, if it is not the one that was shown but one that was passed before.
        number: Of the step, from 1.
        opened_by: What has to be pressed before, as the element is folded away; None if it is not.
        lost: Whether a step before could not be done, and the page is another one for that.
        picture: PNG of the page with the element in view; empty if none was taken.
        box: Left, top, width and height of the element in the picture, in pixels.
    """

    step: TraceStep
    state: Literal["done", "guessed", "gone", "refused"]
    url: str
    url_after: str = ""
    page: PageTree | None = None
    element: etree._Element | None = None
    css: str = ""
    near: tuple[NearElement, ...] = ()
    message: str = ""
    found_on: str = ""
    opened_by: ElementMark | None = None
    number: int = 0
    lost: bool = False
    picture: bytes = b""
    box: tuple[float, float, float, float] | None = None

    @property
    def mark(self) -> ElementMark | None:
        """By what a recording would know the element again."""
        return None if self.element is None else mark_of(self.element, self.css)


@dataclass(frozen=True)
class WalkedTrace:
    """A trace that was walked through.

    Attributes:
        sights: Step by step.
        evaluations: What the task's evaluators say in the end, by name.
        why: Why it could not be begun; empty if it could.
    """

    sights: tuple[StepSight, ...] = ()
    evaluations: Mapping[str, Evaluation] = field(default_factory=dict)
    why: str = ""


def walk(
    session: BrowserSession,
    assignment: SiteAssignment,
    marks: Sequence[ElementMark | None],
    tell_state: TellState,
    *,
    strict: bool,
) -> WalkedTrace:
    """Walk through the trace of a task, and look at each element.

    A step whose element is not there is done to the nearest one, and without one left out, so that one change does not
    hide the next.

    Args:
        session: A browser that may visit the task's sites.
        assignment: The task, on a site that is as it has to be at the start, with its trace.
        marks: By what the element of each step is known; None of a step without one.
        tell_state: Tells how the site stands in the end.
        strict: Whether the site holds the data that the marks were made of: only then can an element that the selector
            finds be another one.

    Raises:
        harness.browser.wire.BrowserGone: the browser died.
    """
    assert assignment.trace is not None  # noqa: S101 - tasks without one are left out before
    steps = assignment.trace.steps
    browser = session.site
    prepare_site(session, assignment)
    try:
        browser.open(assignment.page.url)
    except (PageFailed, CommandFailed) as error:
        return WalkedTrace(why=str(error))
    trajectory = Trajectory(Limits(max_steps=4 * len(steps) + 4, max_seconds=math.inf))
    rewarding = RewardingPage(browser.tab.url) if assignment.is_rewarded else None
    act = SiteActions(browser, session.input, trajectory, actions_of(None), rewarding=rewarding)
    act.moments.take(None)
    walker = _Walker(session, act, Probe(browser, trajectory), strict=strict)
    for step, mark in zip(steps, marks, strict=True):
        walker.take(step, mark)
    act.see_reward()
    act.moments.take(None)
    record = SiteRecord(
        task=assignment.facts,
        moments=tuple(act.moments.moments),
        answer=act.answer,
        state=tell_state(),
        reward=act.reward,
    )
    evaluations = evaluate(record, trajectory.texts.get, None)
    return WalkedTrace(tuple(walker.sights), {each.evaluator: each for each in evaluations})


class _Walker:
    """Takes one step after the other."""

    def __init__(self, session: BrowserSession, act: SiteActions, probe: Probe, *, strict: bool) -> None:
        self.sights: list[StepSight] = []
        self._browser = session.site
        self._act = act
        self._probe = probe
        self._replay = TraceReplay(act, probe, PATIENCE_MS)
        self._strict = strict
        self._lost = False

    @property
    def _url(self) -> str:
        return self._browser.tab.url

    def take(self, step: TraceStep, mark: ElementMark | None) -> None:
        """Do a step, and take down what was seen."""
        if self._lost and step.url and address_of(step.url) != address_of(self._url):
            # What a step that was left out would have led to.
            self._act.goto(step.url)
        lost = self._lost and bool(step.url) and address_of(step.url) != address_of(self._url)
        self._lost = self._lost and lost
        try:
            sight = self._seen(step, mark)
        except (PageFailed, CommandFailed) as error:
            self._browser.settle()
            sight = StepSight(step, "refused", self._url, message=str(error))
        if sight.state in ("gone", "refused"):
            self._lost = True
        self.sights.append(replace(sight, url_after=self._url, number=len(self.sights) + 1, lost=lost))

    def _seen(self, step: TraceStep, mark: ElementMark | None) -> StepSight:
        url = self._url
        if mark is None:
            return self._done(StepSight(step, "done", url), step)
        found = self._replay.find(mark)
        page = self._page()
        if page is None:
            if found.number:
                return self._done(StepSight(step, "done", url, css=mark.css), step)
            return StepSight(step, "gone", url, message="the page is too large to be looked at")
        element = page.at(found.place) if found.number else None
        if element is not None and not self._is_another(page, mark, element, step):
            return self._done(self._shown(StepSight(step, "done", url, "", page, element, mark.css)), step)
        near = nearest(page, mark, step.do)
        is_unlike = not near or near[0].likeness < LEAST_ELSEWHERE
        if is_unlike and (there := self._on_another_page(step, mark)):
            return there
        seen = [each for each in near[:MOST_TRIED] if self._is_seen(page, each, mark)]
        visible = seen[0].likeness if seen else 0.0
        if near and near[0] not in seen and near[0].likeness >= visible + MARGIN:
            others = tuple(each for each in seen if each is not near[0])
            if unfolded := self._unfolded(step, mark, page, (near[0], *others)):
                return unfolded
        if seen:
            element = seen[0].element
            css = selector_for(page, element, mark.css)
            sight = StepSight(step, "guessed", url, "", page, element, css, tuple(seen))
            return self._done(self._shown(sight), _with(step, css))
        return StepSight(step, "gone", url, page=page, picture=self._browser.picture())

    def _unfolded(
        self, step: TraceStep, mark: ElementMark, page: PageTree, near: tuple[NearElement, ...]
    ) -> StepSight | None:
        """Do a step to an element that is folded away, if the page says what unfolds it."""
        if (opener := opener_of(page, near[0].element)) is None:
            return None
        opened_by = mark_of(opener, selector_for(page, opener))
        css = selector_for(page, near[0].element, mark.css)
        opening = TraceStep(do="click", element=opened_by)
        if self._done(StepSight(opening, "done", self._url), opening).state != "done":
            return None
        if not self._replay.find(ElementMark(css=css)).number:
            return None
        unfolded = self._page() or page
        element = unfolded.find(css, "css")
        sight = StepSight(step, "guessed", self._url, "", unfolded, element, css, near, opened_by=opened_by)
        return self._done(self._shown(sight), _with(step, css))

    def _is_seen(self, page: PageTree, near: NearElement, mark: ElementMark) -> bool:
        """Whether a person sees an element; lists that are folded have twins of it."""
        css = selector_for(page, near.element, mark.css)
        return self._replay.find(ElementMark(css=css), patience_ms=0).number > 0

    def _is_another(self, page: PageTree, mark: ElementMark, element: etree._Element, step: TraceStep) -> bool:
        """Whether what the selector finds is not what was recorded, as something else is clearly more like that."""
        if not self._strict or not changes_of(mark, element):
            return False
        near = nearest(page, mark, step.do)
        here = likeness_of(page, mark, element)
        return bool(near) and near[0].element is not element and near[0].likeness >= max(LEAST_ELSEWHERE, here + MARGIN)

    def _on_another_page(self, step: TraceStep, mark: ElementMark) -> StepSight | None:
        """Do a step on a page that was passed before, if that has the element."""
        url = self._url
        seen = {address_of(sight.url): sight for sight in self.sights if sight.page is not None}
        for address, sight in reversed(seen.items()):
            assert sight.page is not None  # noqa: S101 - see above
            near = nearest(sight.page, mark, step.do)
            if address == address_of(url) or not near or near[0].likeness < LEAST_ELSEWHERE:
                continue
            css = selector_for(sight.page, near[0].element, mark.css)
            if self._act.goto(sight.url).ok and self._replay.find(ElementMark(css=css)).number:
                there = self._page() or sight.page
                element = there.find(css, "css")
                found = StepSight(step, "guessed", url, "", there, element, css, tuple(near), found_on=sight.url)
                return self._done(self._shown(found), _with(step, css))
            self._act.goto(url)
        return None

    def _done(self, sight: StepSight, step: TraceStep) -> StepSight:
        """Do a step to what was found; the sight says if it could not be done."""
        try:
            result = self._replay.do(step, "the step")
        except TraceFailed as error:
            return replace(sight, state="refused", message=str(error))
        return sight if result.ok else replace(sight, state="refused", message=result.message)

    def _page(self) -> PageTree | None:
        text = self._probe.look("moments.tree")
        try:
            return PageTree.read(text) if text else None
        except UnreadableTree:
            return None

    def _shown(self, sight: StepSight) -> StepSight:
        """With a picture of the page and where the element is in it."""
        if sight.page is None or sight.element is None:
            return sight
        box = self._probe.look("moments.show", list(sight.page.place_of(sight.element)))
        return replace(sight, picture=self._browser.picture(), box=tuple(box) if box else None)


def _with(step: TraceStep, css: str) -> TraceStep:
    return replace(step, element=ElementMark(css=css))


def address_of(url: str) -> tuple[str, str]:
    """Host and path: two pages that differ in their query alone are one page with other things in it."""
    parts = urlsplit(url)
    return parts.netloc, parts.path
