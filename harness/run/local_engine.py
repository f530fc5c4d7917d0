"""The processors of this machine: a pool of worker processes, and one task server for all of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from types import TracebackType

from harness.browser.launch import BrowserSettings
from harness.catalog.problems import Problem
from harness.records.under_way import UNDER_WAY
from harness.run.engine import EngineOrder, Played, patience_of, weight_of
from harness.run.foreign_tasks import foreign_tasks
from harness.run.interactive_user import at_terminal
from harness.run.page_job import PageJob
from harness.run.plan import PlannedTask
from harness.run.player import Player, warm_up
from harness.run.pool import Pool
from harness.run.remote_browsers import warning
from harness.run.run_tasks import folder_hash
from harness.run.server import task_server
from harness.run.sessions import browser_settings, sessions
from harness.run.site_control import SiteControl
from harness.run.worker_files import place_beside


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
