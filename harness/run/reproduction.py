"""Whether a run comes out again: its actions done on fresh pages, and all that its scores are made of compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from harness.browser.input_back_end import BrowserSession
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run.page_source import PageSource
from harness.run.progress import Mode
from harness.run.replaying import Mismatch, ReplayJob, again, replay_setup
from harness.run.site_control import new_key
from harness.run.task_kind import TaskReplay, task_kind
from harness.run.worker import JobReport
from harness.scoring.scored_kind import kind_of

Mark = Literal["replayed", "self-reported"]
WhyNot = Literal["", "no_task_files", "no_actions", "no_pages", "not_here"]


@dataclass(frozen=True)
class Reproduction:
    """What doing a run again came to.

    Attributes:
        episodes: How many it has.
        replayed: How many were done again to their end.
        same: How many of them came out as the run says.
        why_not: Why none was done again: there are no files of its tasks, no actions are recorded, nobody worked on
            pages, or it cannot be done on this machine; empty if it was tried.
        differences: In what the others came out otherwise, or why they cannot be done again.
        reason: Of ``not_here``: what stands in the way.
    """

    episodes: int
    replayed: int = 0
    same: int = 0
    why_not: WhyNot = ""
    differences: Sequence[Any] = ()
    reason: str = ""

    @property
    def mark(self) -> Mark:
        """``replayed`` if every episode came out as the run says; else the run's word is all there is."""
        return "replayed" if self.episodes and self.same == self.episodes else "self-reported"


def reproduce(run: RunDirectory, pages: PageSource, workers: int = 1, mode: Mode | None = None) -> Reproduction:
    """Do every episode of a run again whose actions are recorded, and compare it with its record.

    Input reaches the pages as in the run, and their clock is that of the run. So is what they reach, but for the web:
    that is not for a run to say.

    Args:
        run: The run directory; it is not changed.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    config = run.read().config
    total, unseen, at_work = _sizes(run.episodes())
    if not at_work:
        return Reproduction(total, why_not="no_actions" if unseen else "no_pages")
    network = pages.network if config.network == "live" else config.network
    pages = replace(pages, input=config.input, network=network)
    kind = task_kind(config.kind)
    key = new_key() if kind.sets_sites else ""
    differences: list[Any] = []
    ended: list[bool] = []

    def done(_: ReplayJob, found: Sequence[Any]) -> None:
        ended.append(not found)
        differences.extend(found)

    again(
        run,
        run.episodes(),
        lambda: _ReproducingWork(kind.replay(replay_setup(pages, config, key))),
        done,
        lambda episode, reason: differences.append(Mismatch(episode, reason)),
        pages=pages,
        workers=1 if config.input == "desktop" else workers,
        mode=mode,
        control_key=key,
    )
    return Reproduction(total, len(ended), sum(ended), differences=differences)


def _sizes(episodes: Iterable[Episode]) -> tuple[int, int, int]:
    """How many episodes there are, in how many actions are not recorded, and how many can be tried again."""
    total = unseen = at_work = 0
    for each in episodes:
        total += 1
        unseen += each.unseen
        at_work += kind_of(each).was_played(each) and not each.unseen
    return total, unseen, at_work


class _ReproducingWork:
    """Does episodes again, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, replay: TaskReplay) -> None:
        self._replay = replay

    def do(self, session: BrowserSession, job: ReplayJob, report: JobReport) -> Sequence[Any]:
        """In what an episode comes out otherwise than its record says."""
        return self._replay.reproduction(session, job.episode, job.instance, job.calls, report.say)
