"""Episodes and runs for tests: real pages in a real browser, with as little around them as can be."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from harness.browser.browser import Browser
from harness.browser.form.inventory import PageFacts, inspect_page
from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.episode.assignment import Assignment, TaskAssignments
from harness.episode.play import run_episode
from harness.episode.solver import AnySolver
from harness.records.config import Limits
from harness.records.episode import Episode
from harness.run.server import own_server, page_url
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import InstanceScore, score_episode
from oracle.oracle import Oracle


class Stage:
    """A task folder, its server and one browser."""

    def __init__(self, catalog: Catalog, origin: str, browser: Browser) -> None:
        self.catalog = catalog
        self.origin = origin
        self.browser = browser
        self._references: dict[str, PageFacts] = {}

    def url(self, task: str, index: int = 0) -> str:
        return page_url(self.origin, self.catalog.task(task).instances[index])

    def reference(self, task: str, index: int = 0) -> PageFacts:
        url = self.url(task, index)
        if url not in self._references:
            self._references[url] = inspect_page(self.browser, url)
        return self._references[url]

    def assignment(self, task: str, index: int = 0, *, profile: str = "standard", seed: int = 0) -> Assignment:
        assignments = TaskAssignments(self.catalog.task(task), PROFILES[profile], seed)
        instance = assignments.task.instances[index]
        return assignments.make(instance, self.url(task, index), self.reference(task, index))

    def play(
        self,
        task: str,
        solver: AnySolver | None = None,
        index: int = 0,
        *,
        limits: Limits | None = None,
        profile: str = "standard",
        seed: int = 0,
        browser: Browser | None = None,
    ) -> Episode:
        """One episode; the oracle's unless another solver is given."""
        browser = browser or self.browser
        assignment = self.assignment(task, index, profile=profile, seed=seed)
        made = run_episode(
            BrowserSession(browser, DevtoolsInput(browser)), solver or Oracle(), assignment, limits or Limits()
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
