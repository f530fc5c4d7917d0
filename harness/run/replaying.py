"""What a run did, done again from its action text, and compared by the kind of its tasks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.browser.browser_choice import NavigationPolicy, PictureFormat
from harness.browser.input_back_end import BrowserSession
from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.catalog.problems import CatalogError, MalformedTask
from harness.catalog.task import Instance, Task
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.folder_lock import FolderLock
from harness.run.browsers import sessions
from harness.run.interrupts import Interrupts
from harness.run.page_source import PageSource
from harness.run.plan import policy_of
from harness.run.pool import Pool, PoolListener
from harness.run.progress import Mode, Progress, progress
from harness.run.site_control import new_key
from harness.run.task_kind import ReplaySetup, TaskReplay, task_kind
from harness.run.worker import JobReport, Work
from harness.scoring.scored_kind import kind_of


@dataclass(frozen=True)
class Mismatch:
    """An episode that cannot be done again, or whose record is not what its task makes of it now.

    Attributes:
        episode: Of the run.
        reason: Why, in words.
    """

    episode: Episode
    reason: str

    def __str__(self) -> str:
        return f"{self.episode.task}, instance {self.episode.index}: {self.reason}"


def mismatched_outcome(episode: Episode, made: Episode) -> list[Mismatch]:
    """Whether only one of an episode and its replay has a score.

    Args:
        episode: Of the run.
        made: As it came out again.
    """
    if (episode.outcome == "unscored") == (made.outcome == "unscored"):
        return []
    return [Mismatch(episode, "only one of the run and the replay gives it a score")]


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

    def __init__(self, replay: TaskReplay) -> None:
        """Prepare.

        Args:
            replay: Does episodes again.
        """
        self._replay = replay

    def do(self, session: BrowserSession, job: ReplayJob, _report: JobReport) -> tuple[Sequence[Any], bool]:
        """In what the same actions come out otherwise, and whether a film was made of them.

        Raises:
            harness.records.fatal.CannotWrite: the run directory cannot be written.
            harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
        """
        return self._replay.differences(session, job.episode, job.instance, job.calls)


def calls_of(episode: Episode) -> list[ActionCall]:
    """The actions of an episode, parsed from its action text.

    Raises:
        ValueError: the text of a step is not one action.
    """
    calls, specs = [], kind_of(episode).all_actions
    for step in episode.steps:
        parsed = parse(step.action, specs)
        if len(parsed) != 1 or not isinstance(parsed[0], ActionCall):
            raise ValueError(f"the step {step.action!r} is not one action")
        calls.append(parsed[0])
    return calls


@dataclass(frozen=True)
class Replayed:
    """What a replay came to.

    Attributes:
        count: Episodes that were replayed.
        differences: In what they came out otherwise, each a text by ``str``.
        unseen: Episodes whose actions nobody recorded, see ``harness.records.episode.Episode``.
        filmed: Films that were made.
    """

    count: int
    differences: Sequence[Any]
    unseen: int
    filmed: int = 0


def replay(
    run: RunDirectory,
    pages: PageSource,
    workers: int = 1,
    mode: Mode | None = None,
    *,
    film: PictureFormat | None = None,
    only: tuple[str, int] | None = None,
) -> Replayed:
    """Replay every episode of a run that reached its end, as far as its actions are recorded.

    Args:
        run: The run directory; it is not changed but for its films.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.
        film: How the pictures are coded of the films that are made of episodes without one; None for no films.
        only: Task and index of the one episode that is replayed; None for all.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
        harness.records.folder_lock.FolderInUse: another process writes the run directory, and films are to be made.
        harness.records.fatal.CannotWrite: the run directory cannot be written, and films are to be made.
    """
    if film is None:
        return _replayed(run, pages, workers, mode, film=None, only=only)
    with FolderLock(run.folder):
        return _replayed(run, pages, workers, mode, film=(run, film), only=only)


def _replayed(
    run: RunDirectory,
    pages: PageSource,
    workers: int,
    mode: Mode | None,
    *,
    film: tuple[RunDirectory, PictureFormat] | None,
    only: tuple[str, int] | None,
) -> Replayed:
    def episodes() -> Iterable[Episode]:
        return run.episodes() if only is None else (run.episode(*only),)

    differences: list[Any] = []
    films: list[bool] = []

    def done(_: ReplayJob, result: tuple[Sequence[Any], bool]) -> None:
        found, filmed = result
        differences.extend(found)
        films.append(filmed)

    config = run.read().config
    kind = task_kind(config.kind)
    kind.check_input(pages.input)
    key = new_key() if kind.sets_sites else ""

    def make_work() -> ReplayWork:
        return ReplayWork(kind.replay(replay_setup(pages, config, key, film)))

    count = again(
        run,
        episodes(),
        make_work,
        done,
        lambda episode, reason: differences.append(Mismatch(episode, reason)),
        pages=pages,
        workers=workers,
        mode=mode,
        control_key=key,
    )
    return Replayed(count, differences, sum(each.unseen for each in episodes()), sum(films))


def replay_setup(
    pages: PageSource, config: RunConfig, key: str, film: tuple[RunDirectory, PictureFormat] | None = None
) -> ReplaySetup:
    """What does the episodes of a run again.

    Args:
        pages: Where pages come from.
        config: Of the run.
        key: Opens what sets the websites of the task server.
        film: As of ``ReplaySetup``.
    """
    outside = Outside(pages.network, pages.media)
    return ReplaySetup(pages.catalog(config), config, key, outside, PATIENCE_SECONDS / 2, film)


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
    control_key: str = "",
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
        control_key: Opens what sets the bundled sites of the task server; empty for a run of forms.

    Returns:
        How many were tried.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    config = run.read().config
    if config.cube:
        raise CatalogError(f"the run is of the benchmark {config.cube.name} of CUBE, whose tasks are not done again.")
    wanted = (each for each in episodes if kind_of(each).was_played(each) and not each.unseen)
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
        pages.server(catalog, control_key) as origin,
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


def refusal_of(episode: Episode, task: Task, *, live: bool) -> str:
    """Why an episode cannot be done again on what its task is now, whatever the run's own word; empty if it can."""
    if episode.kind != task.kind:
        return "the task is of another kind now"
    return task_kind(task.kind).refusal(task, live=live)


def _instance(catalog: Catalog, episode: Episode) -> Instance | None:
    try:
        instances = catalog.task(episode.task).pages
    except (KeyError, MalformedTask):
        return None
    return next((instance for instance in instances if instance.id == episode.id), None)
