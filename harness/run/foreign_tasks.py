"""Tasks of a benchmark of somebody else, which itself says what is to be done, when that is over and what it was worth.

Nothing here imports an adapter: it is found by its dotted path, as solvers are, and for a run that asks for it alone.
Which benchmark that is says the run's user, never a task folder.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.records.config import CubeChoice

if TYPE_CHECKING:
    from harness.browser.rewarding_page import Rewarding
    from harness.browser.site_browser import SiteBrowser

_ADAPTER = "harness.integrations.adapters.cube.foreign_cube"


class NoForeignTasks(UserError):
    """A benchmark cannot be played; the message says why and what to do."""


class ForeignTasks(Protocol):
    """A benchmark. Within its context it is set up, and processes that are forked there play its tasks."""

    def folder(self) -> Path:
        """The folder of its tasks as ours, which is written unless it is there; equal tasks have an equal folder.

        Raises:
            NoForeignTasks: there are none, or the folder cannot be written.
        """

    def __enter__(self) -> ForeignTasks: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def lend(self, task: str, browser: SiteBrowser) -> AbstractContextManager[Rewarding]:
        """Let one of its tasks have the browser of an episode, which is empty; it opens its first page itself.

        Args:
            task: The name of its folder.
            browser: May go where the benchmark's pages are.
        """


def foreign_tasks(choice: CubeChoice) -> ForeignTasks:
    """The benchmark that a run is of; its code is imported.

    Args:
        choice: Which.

    Raises:
        NoForeignTasks: it is not installed, or is none that can be played.
    """
    try:
        adapter = import_module(_ADAPTER)
    except ImportError as error:
        needed = installing("cube")
        raise NoForeignTasks(f"--cube: {error}; install CUBE with: {needed} (it wants Python 3.12)") from error
    benchmark: ForeignTasks = adapter.ForeignCube(choice)
    return benchmark
