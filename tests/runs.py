"""Episodes and runs for tests: real pages in a real browser, with as little around them as can be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.answers.columns import Answer
from harness.browser.browser import Browser
from harness.browser.headless import PageDisplay
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.episode.play import TaskKey, run_episode
from harness.episode.solver import AnswerKey, KeyedSolver, Solver
from harness.metrics import PROFILES
from harness.page.inventory import PageFacts, inspect_page
from harness.run.server import own_server, page_url
from harness.runlog.config import Limits
from harness.runlog.episode import Episode
from harness.scoring.scores import InstanceScore, score_episode
from oracle.oracle import Oracle


class Stage:
    """A task folder, its server and one browser."""

    def __init__(self, catalog: Catalog, origin: str, browser: Browser) -> None:
        self.catalog = catalog
        self.origin = origin
        self.browser = browser
        self._keys: dict[str, TaskKey] = {}
        self._pages: dict[str, PageFacts] = {}

    def key(self, task: str) -> TaskKey:
        if task not in self._keys:
            self._keys[task] = TaskKey.of(self.catalog.task(task))
        return self._keys[task]

    def url(self, task: str, index: int = 0) -> str:
        return page_url(self.origin, self.key(task).task.instances[index])

    def page(self, task: str, index: int = 0) -> PageFacts:
        url = self.url(task, index)
        if url not in self._pages:
            self._pages[url] = inspect_page(self.browser, url)
        return self._pages[url]

    def answers(self, task: str, index: int = 0) -> tuple[Answer, ...]:
        key = self.key(task)
        return tuple(key.columns.answers(key.task.instances[index], self.page(task, index).fields))

    def play(
        self,
        task: str,
        solver: Solver | KeyedSolver | None = None,
        index: int = 0,
        *,
        limits: Limits | None = None,
        profile: str = "standard",
        seed: int = 0,
        browser: Browser | None = None,
    ) -> Episode:
        """One episode; the oracle's unless another solver is given."""
        key = self.key(task)
        answers = self.answers(task, index)
        browser = browser or self.browser
        made = run_episode(
            browser,
            PageDisplay(browser),
            self.url(task, index),
            solver or Oracle(),
            AnswerKey(key.task.instances[index], answers, key.columns, PROFILES[profile]),
            page=self.page(task, index),
            task=key,
            seed=seed,
            limits=limits or Limits(),
        )
        return made.episode

    def score(self, *arguments, profile: str = "standard", **values) -> InstanceScore:
        return score_episode(self.play(*arguments, profile=profile, **values), PROFILES[profile])


@contextmanager
def stage(tasks_dir: Path) -> Iterator[Stage]:
    with own_server(tasks_dir, None) as origin, Browser(BrowserSettings(origin=origin)) as browser:
        yield Stage(Catalog(tasks_dir), origin, browser)


def sent(made: Episode) -> dict[str, tuple[str, ...]]:
    return {field.name: field.sent for field in made.fields}
