"""Whether a run comes out again: its actions done on fresh pages, and all that its scores are made of compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from harness.browser.browser_session import BrowserSession
from harness.catalog.mirror.outside import Outside
from harness.episode.play import make_episode
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run.backstage import new_key
from harness.run.form_differences import Difference, compare
from harness.run.page_source import PageSource
from harness.run.progress import Mode
from harness.run.replaying import PATIENCE_SECONDS, ReplayJob, again, replay_episode
from harness.run.site_replaying import SiteDifference, SiteReplay, compare_sites
from harness.run.task_pages import TaskPages
from harness.run.worker import JobReport

AnyDifference = Difference | SiteDifference
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
    differences: Sequence[AnyDifference] = ()
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
    key = new_key() if config.kind == "site" else ""
    differences: list[AnyDifference] = []
    ended: list[bool] = []

    def done(_: ReplayJob, found: Sequence[AnyDifference]) -> None:
        ended.append(not found)
        differences.extend(found)

    again(
        run,
        run.episodes(),
        lambda: _ReproducingWork(pages, config, key),
        done,
        lambda episode, reason: differences.append(Difference(episode, reason=reason)),
        pages=pages,
        workers=1 if config.input == "desktop" else workers,
        mode=mode,
        backstage_key=key,
    )
    return Reproduction(total, len(ended), sum(ended), differences=differences)


def _sizes(episodes: Iterable[Episode]) -> tuple[int, int, int]:
    """How many episodes there are, in how many actions are not recorded, and how many can be tried again."""
    total = unseen = at_work = 0
    for each in episodes:
        total += 1
        unseen += each.unseen
        at_work += (each.submission or each.site) is not None and not each.unseen
    return total, unseen, at_work


class _ReproducingWork:
    """Does episodes again, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, pages: PageSource, config: RunConfig, key: str) -> None:
        catalog = pages.catalog(config)
        self._sites = SiteReplay(catalog, config, key, None) if key else None
        outside = Outside(pages.network, pages.media)
        self._pages_of = cache(lambda name: TaskPages(catalog.task(name), config, outside))

    def do(self, session: BrowserSession, job: ReplayJob, report: JobReport) -> Sequence[AnyDifference]:
        """In what an episode comes out otherwise than its record says."""
        if self._sites:
            made, _ = self._sites.again(session, job.episode, job.instance, job.calls, PATIENCE_SECONDS / 2)
            return [*compare_sites(job.episode, made), *_of_sites(job.episode, made)]
        assignment = self._pages_of(job.instance.task).assignment(session.browser, job.instance, report.say)
        sent = replay_episode(session, assignment.page.url, job.calls, job.episode.steps)
        made = make_episode(assignment, job.episode.submission)
        return [*compare(job.episode, sent), *_of_forms(job.episode, made)]


def _of_forms(episode: Episode, made: Episode) -> list[Difference]:
    """In what the record of a form is not made of its page and its labels as they are, whatever was sent."""
    fields = {each.name: each for each in made.fields}
    other = [each.name for each in episode.fields if each != fields.pop(each.name, None)]
    found = [Difference(episode, reason=f"the page gives another record of the field {name!r}") for name in other]
    found += [Difference(episode, reason=f"the page has a field {name!r} that the run left out") for name in fields]
    if (episode.page, episode.longest_input) != (made.page, made.longest_input):
        found.append(Difference(episode, reason="the page has other fields, or other inputs, than the run says"))
    return found + _outcome(episode, made)


def _of_sites(episode: Episode, made: Episode) -> list[Difference]:
    """What comparing two records of a website leaves open."""
    if made.site and made.site.awaits_judge:
        return [Difference(episode, reason="a model compares by meaning what it is scored by, and is not asked again")]
    found = _outcome(episode, made)
    if _evaluated(episode) != _evaluated(made):
        found.append(Difference(episode, reason="its evaluators say something else of the replay"))
    return found


def _evaluated(episode: Episode) -> list[tuple[object, ...]]:
    evaluations = episode.site.evaluations if episode.site else ()
    return [(each.evaluator, each.score, each.success, each.floor) for each in evaluations]


def _outcome(episode: Episode, made: Episode) -> list[Difference]:
    if (episode.outcome == "unscored") == (made.outcome == "unscored"):
        return []
    return [Difference(episode, reason="only one of the run and the replay gives it a score")]
