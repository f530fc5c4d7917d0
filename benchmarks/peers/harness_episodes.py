"""A contestant: this harness, an episode a page, from opening it to the form as it was submitted and read back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.peers.turns import Fill, Held, Job, Play, RacePage, take_part
from harness.browser.browser import Browser
from harness.browser.form.inventory import inspect_page
from harness.browser.input_back_end import devtools_session
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.episode.assignment import Assignment, Page, TaskAssignments
from harness.episode.library import Actions
from harness.episode.play import run_episode
from harness.records.config import Limits
from harness.scoring.metrics import PROFILES


class _Filler:
    """A solver that fills in what it was given; given nothing, it does nothing."""

    def __init__(self) -> None:
        self.fills: Sequence[Fill] = ()

    def solve(self, page: Page, act: Actions) -> None:  # noqa: ARG002 - as solvers are called
        """Fill it in."""
        for fill in self.fills:
            value = [fill["value"]] if fill["kind"] == "checkbox" else fill["value"]
            getattr(act, f"modify_{fill['kind']}")(fill["name"], value)


def _assignments(job: Job) -> dict[str, Assignment]:
    """What a run finds out once, in a browser that the race has not: what is on the pages, and which labels."""
    catalog, made = Catalog(Path(job["tasks_dir"])), {}
    with Browser(BrowserSettings(origin=job["origin"])) as browser:
        for page in job["pages"]:
            task, url = catalog.task(page["task"]), page["url"]
            instance = next(each for each in task.instances if each.index == page["row"])
            made[url] = TaskAssignments(task, PROFILES["standard"]).make(instance, url, inspect_page(browser, url))
    return made


@contextmanager
def begin(job: Job) -> Iterator[Play]:
    """One browser."""
    assignments, solver = _assignments(job), _Filler()
    session = devtools_session(BrowserSettings(origin=job["origin"]))

    def play(page: RacePage) -> Held:
        solver.fills = page["fills"]
        episode = run_episode(session, solver, assignments[page["url"]], Limits()).episode
        if not episode.submission:
            raise ValueError(f"{episode.outcome}: {episode.detail}")
        return episode.submission.values

    try:
        yield play
    finally:
        session.browser.close()


if __name__ == "__main__":
    take_part(begin)
