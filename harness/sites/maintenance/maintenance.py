"""The reference traces of a folder, replayed by several browsers."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, replace
from pathlib import Path

from harness.catalog import Catalog, MalformedTask
from harness.catalog.task import Task
from harness.episode.site_assignment import SiteSetting
from harness.kit.errors import UserError
from harness.run.pool import PoolListener
from harness.run.progress import Progress
from harness.sites.maintenance.records import MaintenanceReport, ReplayedTrace
from harness.sites.maintenance.trace_check import CheckedTrace, TraceChecks, TraceJob
from harness.sites.site_pool import SitePlace, do_on_sites

NEEDS_THE_WEB = "its site is on the web, which --network live reaches"
NO_TRACE = "it has no trace.json"


class NothingToReplay(UserError):
    """No trace can be replayed; the message says why."""


@dataclass(frozen=True)
class TraceChoice:
    """Which traces are replayed, and on what.

    Attributes:
        tasks_dir: The folder of the task folders.
        tasks: Names or globs; none for all.
        site: Only tasks on this bundled site; empty for all.
        variant: The layout of bundled sites; None for that of each task.
        seeds: Of the data of bundled sites; none for that of each task.
        live: Whether sites on the web may be reached.
        require_sandbox: Start no browser without its sandbox.
    """

    tasks_dir: Path
    tasks: tuple[str, ...] = ()
    site: str = ""
    variant: str | None = None
    seeds: tuple[int, ...] = ()
    live: bool = False
    require_sandbox: bool = False


@dataclass
class Maintained:
    """What came of the replays.

    Attributes:
        report: What was found; ``complete`` unless it was interrupted.
        pictures: WebP by the names in the report.
    """

    report: MaintenanceReport
    pictures: dict[str, bytes]


@dataclass(frozen=True)
class _Chosen:
    jobs: tuple[TraceJob, ...]
    without: dict[str, str]


def maintain(choice: TraceChoice, shown: Progress, workers: int = 1) -> Maintained:
    """Replay the traces.

    An interrupt ends it with what was replayed so far.

    Args:
        choice: Which.
        shown: Told how it gets on.
        workers: Browsers at a time.

    Raises:
        NothingToReplay: there is no trace among them.
        CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    chosen = _chosen(choice)
    if not chosen.jobs:
        raise NothingToReplay(_why_nothing(choice, chosen))
    done: dict[int, CheckedTrace] = {}
    order = {_name_of(job): place for place, job in enumerate(chosen.jobs)}

    def take(job: TraceJob, result: CheckedTrace) -> None:
        done[order[_name_of(job)]] = result
        shown.advance(result.trace.state, None)

    def fail(job: TraceJob, reason: str) -> None:
        done[order[_name_of(job)]] = CheckedTrace(_failed(job, reason), {})
        shown.advance("failed", None)

    complete = do_on_sites(
        [(job, job.task.site) for job in chosen.jobs if job.task.site],
        TraceChecks,
        PoolListener(take, fail, shown.note, shown.interrupted),
        place=SitePlace(choice.tasks_dir, live=choice.live, require_sandbox=choice.require_sandbox),
        shown=shown,
        what="traces",
        workers=workers,
    )
    results = [done[place] for place in sorted(done)]
    report = MaintenanceReport(
        tasks_dir=str(choice.tasks_dir),
        made=datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        complete=complete,
        without_trace=chosen.without,
        traces=tuple(result.trace for result in results),
    )
    return Maintained(report, {name: data for result in results for name, data in result.pictures.items()})


def _chosen(choice: TraceChoice) -> _Chosen:
    catalog = Catalog(choice.tasks_dir)
    jobs: list[TraceJob] = []
    without: dict[str, str] = {}
    for name in catalog.select(None, list(choice.tasks)):
        if catalog.kind_of(name) != "site":
            continue
        try:
            task = catalog.task(name)
        except MalformedTask as error:
            without[name] = str(error)
            continue
        assert task.site is not None  # noqa: S101 - it is of that kind
        if choice.site and task.site.site != choice.site:
            continue
        if task.trace is None:
            without[name] = NO_TRACE
        elif not task.site.site and not choice.live:
            without[name] = NEEDS_THE_WEB
        else:
            jobs += _jobs(task, choice)
    return _Chosen(tuple(jobs), without)


def _jobs(task: Task, choice: TraceChoice) -> list[TraceJob]:
    jobs = []
    for instance in task.pages:
        facts = task.site_of(instance)
        variant = facts.variant if choice.variant is None or not facts.site else choice.variant
        seeds = choice.seeds if choice.seeds and facts.site else (facts.seed,)
        jobs += [TraceJob(task, instance, SiteSetting(facts.site, variant, seed)) for seed in seeds]
    return jobs


def _why_nothing(choice: TraceChoice, chosen: _Chosen) -> str:
    where = f"{choice.tasks_dir}: no trace to replay"
    if not chosen.without:
        return f"{where}: there is no task on a website" + (f" {choice.site!r}" if choice.site else "")
    name, why = next(iter(chosen.without.items()))
    return f"{where}: of {name!r}, {why}"


def _name_of(job: TraceJob) -> tuple[str, int, SiteSetting]:
    return job.task.name, job.instance.index, job.setting


def _failed(job: TraceJob, reason: str) -> ReplayedTrace:
    return replace(job.base, state="failed", why=reason)
