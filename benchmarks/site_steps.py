"""What a step on a website costs: looking at the page, input, settling, moments, and the page's own loading.

The reference traces of the bundled sites' tasks are replayed, as the oracle does it; one step is an observation and an
action. Where a step leads to another page, the page's own loading is what the browser says of it (Navigation Timing:
from the beginning of the navigation to the end of its load event). It is part of settling; the last row is without it.
"""

from __future__ import annotations

import secrets
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from benchmarks.setting import PROJECT, Setting
from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.site_browser import SiteBrowser
from harness.catalog import Catalog
from harness.catalog.trace import TraceStep
from harness.episode.action_sets import actions_of
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment, site_assignment
from harness.episode.trace_replay import TraceReplay
from harness.episode.trajectory import Trajectory
from harness.kit.text import aligned
from harness.run.server import own_server
from harness.run.site_control import COOKIE, SiteControl

TASKS = PROJECT / "tasks" / "_sites"
_LOAD = "performance.getEntriesByType('navigation')[0].loadEventEnd"
PHASES = ("observation", "settling", "moments", "input and aiming", "page's own loading", "beside it, a step")


@dataclass
class _Steps:
    """Milliseconds of steps by phase, and how often was stood still for the browser."""

    phases: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    waits: list[float] = field(default_factory=list)


class _Stopwatch:
    """Adds up the milliseconds that some methods take."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)

    def watch(self, owner: object, name: str, phase: str) -> None:
        """Count the time of a method of one object as that of a phase."""
        method: Callable[..., object] = getattr(owner, name)

        def watched(*args: object, **kwargs: object) -> object:
            start = time.perf_counter()
            try:
                return method(*args, **kwargs)
            finally:
                self.spent[phase] += (time.perf_counter() - start) * 1000

        setattr(owner, name, watched)

    def take(self) -> dict[str, float]:
        """What was spent since the last time."""
        taken, self.spent = self.spent, defaultdict(float)
        return taken


class _CountingTrajectory(Trajectory):
    """Knows how often its last action stood still for the browser."""

    def __init__(self, browser: SiteBrowser) -> None:
        super().__init__()
        self.waits = 0
        self._browser = browser

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """As ``Trajectory.record``."""
        before = self._browser.counts["waits"]
        result = super().record(call, work)
        self.waits = self._browser.counts["waits"] - before
        return result


class SiteSteps:
    """Replays traces in one browser and keeps what their steps took."""

    def __init__(self, session: BrowserSession) -> None:
        """With a browser whose policy has the sites' origins."""
        self.staying, self.leading = _Steps(), _Steps()
        self._session = session
        self._is_leading = False
        self._watch = _Stopwatch()
        self._watch.watch(session.site, "settle", "settling")

    def episode(self, assignment: SiteAssignment) -> None:
        """Replay the trace of a task, with the first page open."""
        browser = self._session.site
        browser.open(assignment.page.url)
        trajectory = _CountingTrajectory(browser)
        act = SiteActions(browser, self._session.input, trajectory, actions_of())
        self._watch.watch(act.moments, "take", "moments")
        replay = TraceReplay(act, Probe(browser, trajectory))
        assert assignment.trace
        for place, step in enumerate(assignment.trace.steps, start=1):
            self._step(act, replay, step, f"step {place}")
            (self.leading if self._is_leading else self.staying).waits.append(trajectory.waits)

    def _step(self, act: SiteActions, replay: TraceReplay, step: TraceStep, words: str) -> None:
        browser = self._session.site
        start = time.perf_counter()
        act.observation.snapshot()
        observation = (time.perf_counter() - start) * 1000
        document, done = browser.tab.document, len(act.trajectory.steps)
        self._watch.take()
        result = replay.do(step, words)
        assert result.ok, result.message
        spent = self._watch.take()
        (acted,) = act.trajectory.steps[done:]
        self._is_leading = browser.tab.document != document
        load = self._loaded() if self._is_leading else 0.0
        held = self.leading if self._is_leading else self.staying
        other = acted.ms - spent["settling"] - spent["moments"]
        beside = observation + acted.ms - load
        values = (observation, spent["settling"], spent["moments"], other, load, beside)
        for phase, ms in zip(PHASES, values, strict=True):
            held.phases[phase].append(ms)

    def _loaded(self) -> float:
        answer = self._session.site.channel.call("Runtime.evaluate", expression=_LOAD, returnByValue=True)
        return float(answer["result"].get("value") or 0.0)

    def table(self) -> str:
        """The figures."""
        both = (("stays on its page", self.staying), ("leads to another", self.leading))
        heads = [f"{name} ({len(held.waits)})" for name, held in both]
        rows = [["ms of a step that", heads[0], "95 of 100", heads[1], "95 of 100"]]
        for phase in PHASES:
            rows.append([phase, *(each for _, held in both for each in _spread(held.phases[phase]))])
        rows.append(["round trips of an action", *(each for _, held in both for each in _spread(held.waits))])
        return aligned(rows)


def _spread(values: Sequence[float]) -> tuple[str, str]:
    """Median, and what 95 of 100 do not exceed."""
    if not values:
        return "–", "–"
    ranked = sorted(values)
    return f"{statistics.median(ranked):.1f}", f"{ranked[int(0.95 * (len(ranked) - 1))]:.1f}"


def _assignments() -> Iterator[SiteAssignment]:
    """Those of all tasks that have a trace."""
    catalog = Catalog(TASKS)
    for name in catalog.names():
        task = catalog.task(name)
        for instance in task.instances:
            made = site_assignment(task, instance, 0)
            if made.trace:
                yield made


@contextmanager
def _opened(control: SiteControl, session: BrowserSession, made: SiteAssignment) -> Iterator[None]:
    """A site's episode, in an emptied browser."""
    episode = secrets.token_urlsafe(16)
    control.begin(episode, made.setting)
    session.site.clear()
    session.site.set_cookie(made.facts.origins[0], COOKIE, episode)
    yield
    control.end(episode)


def measure(setting: Setting) -> str:
    """The figures as a table; ``setting`` bounds how many episodes are replayed."""
    key = secrets.token_urlsafe(16)
    made = list(_assignments())[: setting.pages]
    origins = tuple(dict.fromkeys(origin for each in made for origin in each.facts.origins))
    with own_server(TASKS, None, control_key=key) as origin:
        served = origin.removeprefix("http://")
        policy = NavigationPolicy(origins, {each.removeprefix("http://"): served for each in origins})
        session = devtools_session(BrowserSettings(origin, policy=policy))
        try:
            steps = SiteSteps(session)
            for each in made:
                with _opened(SiteControl(origin, key), session, each):
                    steps.episode(each)
        finally:
            session.browser.close()
    return steps.table()
