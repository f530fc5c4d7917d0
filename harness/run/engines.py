"""Which engine a run asks for, and whether it can be had, with the browsers that it asks for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from types import TracebackType

from harness.browser.launch import BrowserSettings
from harness.catalog.problems import CatalogError, Problem
from harness.kit.files.installation import installing
from harness.records.config import RunConfig
from harness.records.under_way import UNDER_WAY
from harness.run.browsers import browser_settings, check_browsers, sessions, warning
from harness.run.engine import Engine, EngineOrder, NoEngine, Played, patience_of, weight_of
from harness.run.foreign_tasks import foreign_tasks
from harness.run.interactive_user import at_terminal
from harness.run.page_job import PageJob
from harness.run.plan import PlannedTask
from harness.run.player import Player, place_beside, warm_up
from harness.run.pool import Pool
from harness.run.run_tasks import folder_hash
from harness.run.server import task_server
from harness.run.site_control import SiteControl
from harness.run.task_kind import task_kind


class LocalEngine:
    """See ``harness.run.engine.Engine``."""

    def __init__(self, order: EngineOrder) -> None:
        """Prepare; nothing is started yet."""
        self._order = order
        self._stack = ExitStack()
        self._adapt: Callable[[BrowserSettings], BrowserSettings]
        self._pool: Pool[PageJob, Played]
        self._origin = ""

    def __enter__(self) -> LocalEngine:
        order, config, folder = self._order, self._order.config, self._order.folder
        listener = order.listener
        if config.attended:
            listener = replace(listener, on_ask=partial(at_terminal().ask, order.interrupts))
        warm_up(config, folder)
        with ExitStack() as stack:
            # Its process is to have no end of what connects the others.
            foreign = stack.enter_context(foreign_tasks(config.cube)) if config.cube else None
            make_session, self._adapt = stack.enter_context(sessions(config.input, config.pages_per_browser))
            self._pool = stack.enter_context(
                Pool(
                    lambda: Player(config, folder, lambda: place_beside(folder, order.labels.open_store()), foreign),
                    listener,
                    workers=config.workers,
                    patience=patience_of(config),
                    interrupts=order.interrupts,
                    make_session=make_session,
                    pause=order.pause,
                    passing=[folder.resolve() / UNDER_WAY],
                )
            )
            self._origin = stack.enter_context(
                task_server(config, lambda: folder_hash(config), control_key=order.control_key)
            )
            self._stack = stack.pop_all()
        return self

    def absent(self) -> dict[str, Problem]:
        """See ``Engine``."""
        return self._order.tasks.absent(
            self._order.config.tasks_dir, SiteControl(self._origin, self._order.control_key)
        )

    def open(self) -> None:
        """See ``Engine``."""
        if said := warning(self._order.config):
            self._order.listener.on_say(said)
        self._pool.open(self._adapt(browser_settings(self._order.config, self._origin)))

    def put(self, task: PlannedTask, jobs: Sequence[PageJob]) -> None:
        """See ``Engine``."""
        self._pool.put(task.name, jobs, weight_of(task), task.policy(self._origin))

    def finish(self) -> None:
        """See ``Engine``."""
        self._pool.finish()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.__exit__(kind, error, trace)


def check_engine(config: RunConfig) -> None:
    """Make sure that a run can be placed as it asks.

    Args:
        config: Of the run, with the kind of its tasks.

    Raises:
        NoEngine: the engine is not installed.
        CatalogError: what was asked for does not go with it.
    """
    check_browsers(config)
    if config.pages_per_browser > 1:
        from harness.run.shared_browsers import check_sharing  # noqa: PLC0415 - a browser a worker does without

        check_sharing(config)
    if config.engine == "local":
        return
    if task_kind(config.kind).sets_sites:
        raise CatalogError(
            "--engine ray plays forms: tasks on websites need a task server beside the run; leave it out."
        )
    if config.server:
        raise CatalogError("--server: with --engine ray each node has a task server of its own; leave it out.")
    if config.headed:
        raise CatalogError("--headed: nobody sees the windows of other machines; leave it out, or --engine ray.")
    if find_spec("ray") is None:
        raise NoEngine(f"--engine ray: Ray is not installed; install it with: {installing('ray')}")


def engine_for(order: EngineOrder, address: str | None) -> Engine:
    """The engine that a run asks for.

    Args:
        order: What it needs.
        address: Of the Ray cluster; None for one that this machine belongs to, or else a new one on this machine.
    """
    if order.config.engine == "ray":
        # Imported here alone: a run on this machine does without Ray.
        from harness.run.ray_engine import RayEngine  # noqa: PLC0415

        return RayEngine(order, address)
    return LocalEngine(order)
