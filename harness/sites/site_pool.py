"""Jobs on the websites of tasks, done by several browsers, each of which may go where its job's task may."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from harness.browser.launch import BrowserSettings
from harness.catalog.site_facts import SiteFacts
from harness.run.browsers import sessions
from harness.run.interrupts import Interrupts
from harness.run.plan import site_policy
from harness.run.pool import Pool, PoolListener
from harness.run.progress import Progress
from harness.run.server import own_server
from harness.run.site_control import new_key
from harness.run.worker import Work

Job = TypeVar("Job")
Done = TypeVar("Done")
PATIENCE_SECONDS = 900.0
"""How long one job may take: a trace that is walked through twice."""


@dataclass(frozen=True)
class SitePlace:
    """Where the tasks are, and what their websites' pages reach.

    Attributes:
        tasks_dir: The folder of the task folders.
        overlay: Further facts about them.
        live: Whether sites on the web may be reached.
        require_sandbox: Start no browser without its sandbox.
    """

    tasks_dir: Path
    overlay: Path | None = None
    live: bool = False
    require_sandbox: bool = False


def do_on_sites(
    jobs: Sequence[tuple[Job, SiteFacts]],
    make_work: Callable[[str], Work[Job, Done]],
    listener: PoolListener[Job, Done],
    *,
    place: SitePlace,
    shown: Progress,
    what: str,
    workers: int = 1,
) -> bool:
    """Have jobs done.

    Args:
        jobs: Each with the task that it is of: its browser may go where that says.
        make_work: Makes what does them, in each worker's process, from the key of the task server's control.
        listener: Told of what is done and what fails.
        place: Where tasks are, and what their pages reach.
        shown: Told how it gets on.
        what: What the jobs are called.
        workers: Browsers at a time.

    Returns:
        Whether all are over; not if it was interrupted.

    Raises:
        CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    key = new_key()
    try:
        with (
            Interrupts() as interrupts,
            sessions("devtools") as (make_session, adapt),
            Pool(
                lambda: make_work(key),
                listener,
                workers=min(workers, len(jobs)),
                patience=PATIENCE_SECONDS,
                interrupts=interrupts,
                make_session=make_session,
            ) as pool,
            own_server(
                place.tasks_dir, place.overlay, network="live" if place.live else "mirror", control_key=key
            ) as origin,
        ):
            pool.open(adapt(BrowserSettings(origin, live=place.live, require_sandbox=place.require_sandbox)))
            shown.start(what, len(jobs))
            try:
                for job, site in jobs:
                    policy = site_policy(site.origins, origin, bundled=bool(site.site))
                    pool.put("\0".join(policy.origins), [job], policy=policy)
                pool.finish()
            finally:
                shown.finish()
    except KeyboardInterrupt:
        return False
    return True
