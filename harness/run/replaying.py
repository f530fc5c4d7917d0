"""What a run did, done again from its action text; and forms, or what happened on websites, compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TypeVar

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import Step
from harness.browser.browser_session import BrowserSession
from harness.browser.camera.camera import Camera
from harness.browser.camera.picture_format import PictureFormat
from harness.browser.form.submission import submit
from harness.browser.navigation_policy import NavigationPolicy
from harness.catalog import Catalog
from harness.catalog.problems import CatalogError, MalformedTask
from harness.catalog.task import Instance
from harness.episode.filmed_trajectory import FilmedTrajectory
from harness.episode.library import ACTIONS, Actions
from harness.episode.probe import Probe
from harness.episode.site_actions import SITE_ACTIONS
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.folder_lock import FolderLock
from harness.run.backstage import new_key
from harness.run.form_differences import Difference, Values, compare
from harness.run.interrupts import Interrupts
from harness.run.page_source import PageSource
from harness.run.plan import policy_of
from harness.run.pool import Pool, PoolListener
from harness.run.progress import Mode, Progress, progress
from harness.run.run_tasks import check_input
from harness.run.server import page_url
from harness.run.sessions import sessions
from harness.run.site_replaying import SiteDifference, SiteReplay, refusal_of
from harness.run.worker import JobReport, Work

Done = TypeVar("Done")
PATIENCE_SECONDS = 3600.0
"""How long one episode may take: as long as the longest run would let it, and longer."""


@dataclass(frozen=True)
class ReplayJob:
    """One episode to be done again."""

    episode: Episode
    instance: Instance
    calls: tuple[ActionCall, ...]


class ReplayWork:
    """Replays episodes, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, filming: Filming | None = None, sites: SiteReplay | None = None) -> None:
        """Prepare.

        Args:
            filming: Makes the films of episodes that have none; None for no films.
            sites: Does episodes on websites again; None for a run of forms.
        """
        self._filming = filming
        self._sites = sites

    def do(
        self, session: BrowserSession, job: ReplayJob, _report: JobReport
    ) -> tuple[Sequence[Difference | SiteDifference], bool]:
        """In what the same actions come out otherwise, and whether a film was made of them.

        Raises:
            harness.records.fatal.CannotWrite: the run directory cannot be written.
            harness.run.backstage.BackstageRefused: the bundled website cannot be set.
        """
        if self._sites is not None:
            return self._sites.replay(session, job.episode, job.instance, job.calls, PATIENCE_SECONDS / 2)
        url, filming = page_url(session.browser.settings.origin, job.instance), self._filming
        if filming is None or filming.has(job.episode):
            return compare(job.episode, replay_episode(session, url, job.calls, job.episode.steps)), False
        return compare(job.episode, filming.replay(session, url, job)), True


@dataclass(frozen=True)
class Filming:
    """Makes films of a run that was not filmed.

    Attributes:
        run: The run directory, which this process and those that it forks write alone.
        pictures: How their pictures are coded.
    """

    run: RunDirectory
    pictures: PictureFormat

    def has(self, episode: Episode) -> bool:
        """Whether an episode has a film already."""
        return self.run.films.file(episode.task, episode.index).exists()

    def replay(self, session: BrowserSession, url: str, job: ReplayJob) -> Values:
        """Do the actions of an episode again, film them, and write the film; gives what the form sends.

        Raises:
            harness.records.fatal.CannotWrite: the run directory cannot be written.
        """
        session.browser.open(url)
        camera = Camera(session.browser, self.pictures)
        trajectory = FilmedTrajectory(_no_limits(job.calls), camera)
        sent = _replay(session, trajectory, job.calls, job.episode.steps)
        made = trajectory.film(replayed=True)
        self.run.write_film(job.episode.task, job.episode.index, made.film, made.pictures)
        return sent


def calls_of(episode: Episode) -> list[ActionCall]:
    """The actions of an episode, parsed from its action text.

    Raises:
        ValueError: the text of a step is not one action.
    """
    calls, specs = [], SITE_ACTIONS if episode.site else ACTIONS
    for step in episode.steps:
        parsed = parse(step.action, specs)
        if len(parsed) != 1 or not isinstance(parsed[0], ActionCall):
            raise ValueError(f"the step {step.action!r} is not one action")
        calls.append(parsed[0])
    return calls


def look_as_before(act: Actions, probe: Probe, step: Step) -> None:
    """Look at the page as the solver had before a step, as far as looking leaves something behind."""
    if step.rehearsed:
        probe.rehearse()
    if step.looked:
        act.observation.snapshot()


def replay_episode(
    session: BrowserSession, url: str, calls: Sequence[ActionCall], steps: Sequence[Step] = ()
) -> Values:
    """Perform actions on a fresh page and submit it.

    Args:
        session: Whose browser is used.
        url: The page.
        calls: The actions.
        steps: Their record, which says what was looked at in between; none if nothing was.

    Returns:
        What the form sends.
    """
    session.browser.open(url)
    return _replay(session, Trajectory(_no_limits(calls)), calls, steps)


def _no_limits(calls: Sequence[ActionCall]) -> Limits:
    """What an action did within a limit it may do again, however long it takes now."""
    return Limits(max_steps=len(calls), max_seconds=math.inf)


def _replay(
    session: BrowserSession, trajectory: Trajectory, calls: Sequence[ActionCall], steps: Sequence[Step]
) -> Values:
    """Perform actions on the page that is open, and submit it."""
    act = Actions(session.browser, session.input, trajectory)
    probe = Probe(session.browser, trajectory)
    for number, call in enumerate(calls):
        if steps:
            look_as_before(act, probe, steps[number])
        act.call(call)
    return submit(session.browser).values


@dataclass(frozen=True)
class Replayed:
    """What a replay came to.

    Attributes:
        count: Episodes that were replayed.
        differences: In what they came out otherwise.
        unseen: Episodes whose actions nobody recorded, see ``harness.records.episode.Episode``.
        filmed: Films that were made.
    """

    count: int
    differences: Sequence[Difference | SiteDifference]
    unseen: int
    filmed: int = 0


def replay(
    run: RunDirectory,
    pages: PageSource,
    workers: int = 1,
    mode: Mode | None = None,
    *,
    film: PictureFormat | None = None,
) -> Replayed:
    """Replay every episode of a run that reached its end, as far as its actions are recorded.

    Args:
        run: The run directory; it is not changed but for its films.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.
        film: How the pictures are coded of the films that are made of episodes without one; None for no films.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
        harness.records.folder_lock.FolderInUse: another process writes the run directory, and films are to be made.
        harness.records.fatal.CannotWrite: the run directory cannot be written, and films are to be made.
    """
    if film is None:
        return _replayed(run, pages, workers, mode, None)
    with FolderLock(run.folder):
        return _replayed(run, pages, workers, mode, Filming(run, film))


def _replayed(
    run: RunDirectory, pages: PageSource, workers: int, mode: Mode | None, filming: Filming | None
) -> Replayed:
    differences: list[Difference | SiteDifference] = []
    films: list[bool] = []

    def done(_: ReplayJob, result: tuple[Sequence[Difference | SiteDifference], bool]) -> None:
        found, filmed = result
        differences.extend(found)
        films.append(filmed)

    config = run.read().config
    key = new_key() if config.kind == "site" else ""
    if key:
        check_input(pages.input)

    def make_work() -> ReplayWork:
        film = (filming.run, filming.pictures) if filming else None
        sites = SiteReplay(pages.catalog(config), config, key, film) if key else None
        return ReplayWork(filming, sites)

    count = again(
        run,
        run.episodes(),
        make_work,
        done,
        lambda episode, reason: differences.append(Difference(episode, reason=reason)),
        pages=pages,
        workers=workers,
        mode=mode,
        backstage_key=key,
    )
    return Replayed(count, differences, sum(each.unseen for each in run.episodes()), sum(films))


def again(
    run: RunDirectory,
    episodes: Iterable[Episode],
    make_work: Callable[[], Work[ReplayJob, Done]],
    on_done: Callable[[ReplayJob, Done], None],
    on_failed: Callable[[Episode, str], None],
    *,
    pages: PageSource,
    workers: int = 1,
    mode: Mode | None = None,
    backstage_key: str = "",
) -> int:
    """Do something with the pages of a run's episodes and with their actions.

    Args:
        run: The run directory; it is not changed.
        episodes: Of the run; those that nobody worked on, or whose actions nobody recorded, are left out.
        make_work: Makes what is done; called in each worker's process.
        on_done: Called with each result.
        on_failed: Called with an episode that cannot be done again, and the reason.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.
        backstage_key: Opens what sets the bundled sites of the task server; empty for a run of forms.

    Returns:
        How many were tried.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    config = run.read().config
    if config.cube:
        raise CatalogError(f"the run is of the benchmark {config.cube.name} of CUBE, whose tasks are not done again.")
    wanted = (each for each in episodes if (each.submission or each.site) is not None and not each.unseen)
    if (first := next(wanted, None)) is None:
        return 0
    catalog = pages.catalog(config)
    tried = chain([first], wanted)
    if not (jobs := list(_jobs(catalog, tried, on_failed, live=pages.network == "live"))):
        return 0
    shown = progress(mode)
    if note := pages.differences(config):
        shown.note(note)
    with (
        Interrupts() as interrupts,
        sessions(pages.input) as (make_session, adapt),
        Pool(
            make_work,
            _listener(shown, on_done, on_failed),
            workers=workers,
            patience=PATIENCE_SECONDS,
            interrupts=interrupts,
            make_session=make_session,
        ) as pool,
        pages.server(catalog, backstage_key) as origin,
    ):
        pool.open(adapt(pages.settings(origin, config)))
        _do_all(jobs, pool, shown, lambda job: policy_of(catalog.task(job.episode.task), origin))
    return len(jobs)


def _do_all(
    jobs: Sequence[ReplayJob],
    pool: Pool[ReplayJob, Done],
    shown: Progress,
    policy: Callable[[ReplayJob], NavigationPolicy],
) -> None:
    """Let a pool do all jobs, each in a browser that may go where its task may, and show how far it is."""
    shown.start("replay", len(jobs))
    try:
        for job in jobs:
            pool.put(job.episode.task, [job], policy=policy(job))
        pool.finish()
    finally:
        shown.finish()


def _listener(
    shown: Progress, on_done: Callable[[ReplayJob, Done], None], on_failed: Callable[[Episode, str], None]
) -> PoolListener[ReplayJob, Done]:
    """Tells of each job that is over, and shows that one more is."""

    def done(job: ReplayJob, result: Done) -> None:
        on_done(job, result)
        shown.advance(None, None)

    def failed(job: ReplayJob, reason: str) -> None:
        on_failed(job.episode, reason)
        shown.advance(None, None)

    return PoolListener(done, failed, shown.note, shown.interrupted)


def _jobs(
    catalog: Catalog, episodes: Iterable[Episode], on_failed: Callable[[Episode, str], None], *, live: bool
) -> Iterator[ReplayJob]:
    """What there is to do again; ``on_failed`` is told of episodes that cannot be."""
    for episode in episodes:
        instance = _instance(catalog, episode)
        if instance is None:
            on_failed(episode, "the task set has no such instance any more")
            continue
        if refusal := refusal_of(episode, catalog.task(episode.task), live=live):
            on_failed(episode, refusal)
            continue
        try:
            yield ReplayJob(episode, instance, tuple(calls_of(episode)))
        except ValueError as error:
            on_failed(episode, str(error))


def _instance(catalog: Catalog, episode: Episode) -> Instance | None:
    try:
        instances = catalog.task(episode.task).pages
    except (KeyError, MalformedTask):
        return None
    return next((instance for instance in instances if instance.id == episode.id), None)
