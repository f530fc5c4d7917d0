"""Somebody else's CUBE, played by our solvers: each task is an episode on a website, scored by the task's reward."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from dataclasses import replace
from types import TracebackType
from urllib.parse import urlsplit

from cube.benchmark import BenchmarkConfig
from cube.task import TaskConfig

from harness.adapters.cube.foreign_task import ForeignTask
from harness.browser.browser_session import devtools_session
from harness.browser.launch import BrowserSettings
from harness.browser.navigation_policy import NavigationPolicy
from harness.browser.reaper import BrowserReaper
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.catalog.task import Instance
from harness.episode.assignment import Page
from harness.episode.play_site import play_site
from harness.episode.played_site import PlayedSite
from harness.episode.site_assignment import NO_PAGE, SiteAssignment
from harness.episode.solver import AnySolver
from harness.evaluators.evaluate import evaluate
from harness.run.site_desk import site_episode
from harness.runlog.config import Limits
from harness.runlog.episode import Episode
from harness.runlog.site_record import SiteRecord

GOAL = "Do what the task asks for."
NOWHERE = "about:blank"
"""Where an episode begins: the task itself opens its page."""


class ForeignCube:
    """A benchmark that is set up, and a browser for its tasks; a context.

    Attributes:
        config: Of the benchmark.
    """

    def __init__(
        self, config: BenchmarkConfig, origins: Sequence[str], limits: Limits, *, headed: bool = False, seed: int = 0
    ) -> None:
        """Prepare.

        Args:
            config: Of the benchmark. Its tasks have to do with a browser tool of CUBE what they do, and nothing else.
            origins: Where its pages are on this machine, e.g. ``http://localhost:8000``; the browser goes nowhere else.
            limits: Of an episode.
            headed: Show the browser's window.
            seed: Of solvers that draw.
        """
        self.config = config
        self._origins = tuple(origins)
        self._limits = limits
        self._headed = headed
        self._seed = seed
        self._stack = ExitStack()

    def __enter__(self) -> ForeignCube:
        with self._stack:
            self._benchmark = self._stack.enter_context(self.config.make())
            reaper = self._stack.enter_context(BrowserReaper())
            here = {str(urlsplit(each).hostname): urlsplit(each).netloc for each in self._origins}
            settings = BrowserSettings(
                origin=self._origins[0],
                headless=not self._headed,
                policy=NavigationPolicy(self._origins, here),
                scratch=reaper.folder,
                announce=reaper.watch_me,
            )
            self._session = devtools_session(settings)
            self._stack.callback(self._session.browser.close)
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def play(self, config: TaskConfig, solver: AnySolver) -> Episode:
        """Play one task.

        Args:
            config: One of the benchmark's.
            solver: Who works on it, with our actions.

        Returns:
            The episode, whose evaluator ``page_reward`` has the task's reward.

        Raises:
            ScriptFailed, PageFailed, CommandFailed, BrowserGone: the task's page cannot be set up, or not be asked.
        """
        self._session.site.clear()
        context = self._benchmark._runtime_context  # as CUBE's own harness does
        with closing(ForeignTask(config, context, self._session.site)) as task:
            assignment = self._assignment(config)
            played, _ = play_site(self._session, solver, assignment, self._limits, rewarding=task)
            site = played.site or PlayedSite()
            if site.reward is None:  # it is not over: what counts is how things are
                site = replace(site, reward=task.evaluate())
        record = SiteRecord(
            task=replace(assignment.facts, goal=site.goal),
            moments=site.moments,
            moments_lost=site.moments_lost,
            is_unseen=site.is_unseen,
            answer=site.answer,
            reward=site.reward,
            refused=site.refused,
        )
        record = replace(record, evaluations=evaluate(record, lambda _: None, None))
        return site_episode(assignment, played, record, played.timing)

    def _assignment(self, config: TaskConfig) -> SiteAssignment:
        """What is to be done, which the task itself says once it is reset."""
        facts = SiteFacts(goal=GOAL, start=NOWHERE, origins=self._origins, evaluators=Evaluators(page_reward=True))
        return SiteAssignment(
            page=Page(NOWHERE, (), (), self._seed, GOAL, self._origins),
            reference=NO_PAGE,
            instance=Instance(config.task_id, 0, "", {}, {}, (), ()),
            facts=facts,
        )
