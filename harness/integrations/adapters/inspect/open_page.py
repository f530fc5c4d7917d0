"""The page of a sample, and the stages on which the pages of a task are opened."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, TypeVar
from weakref import WeakSet

from anyio import Semaphore, to_thread
from inspect_ai.hooks import Hooks, RunEnd, hooks
from inspect_ai.solver import TaskState
from inspect_ai.util import store

from harness.catalog.tasks_folder import NAMESPACE
from harness.integrations.adapters.stage.messages import Acted, Ended, Opened
from harness.integrations.adapters.stage.stage import NotStaged, Stage
from harness.kit.files.codec import JsonObject
from harness.records.config import RunConfig

T = TypeVar("T")


def name_of(what: str) -> str:
    """The name under which something is registered: that of the entry point, by which Inspect finds it, before it."""
    return f"{NAMESPACE}/{what}"


def named_as_given(it: T) -> T:
    """Let Inspect register a function or a class under the very name that it is given.

    Inspect puts the top module before a name where this is an installed package; in a checkout it puts nothing. Of what
    is of a module that it does not find, it leaves the name as it is. So names, and logs with them, are the same in
    both.
    """
    it.__module__ = "nowhere"
    return it


_OF_SAMPLE = "turkbench_page"
"""Where a sample's store says which page is its own."""


@dataclass
class OpenPage:
    """The page of a sample.

    Attributes:
        stage: Where it is open.
        told: What every agent is told of it.
        ended: What came of its episode; None as long as it goes on.
    """

    stage: Stage
    told: Opened
    ended: Ended | None = None

    async def call(self, name: str, arguments: JsonObject) -> Acted:
        """Call a tool of the page.

        Raises:
            NotStaged, StageGone: its browser was lost.
        """
        return await self._ask(Stage.call, name, arguments)

    async def write(self, text: str) -> Acted:
        """Do the first action that stands in a text, which is parsed and never executed; raises as ``call``."""
        return await self._ask(Stage.write, text)

    async def end(self) -> Ended:
        """Send the form as it stands, or end the work on a website, unless that is over; raises as ``call``."""
        if self.ended is None:
            await self._ask(Stage.submit)
        assert self.ended  # noqa: S101 - who submits has ended
        return self.ended

    async def _ask(self, do: Callable[..., Acted], *arguments: Any) -> Acted:
        acted = await to_thread.run_sync(partial(do, self.stage, *arguments))
        self.ended = self.ended or acted.ended
        return acted


_open: dict[str, OpenPage] = {}
"""The pages of the samples that are under way, by the samples' own ids."""


def page_of_sample() -> OpenPage:
    """The page of the sample that this is called in.

    Raises:
        NotStaged: there is none, or it is closed.
    """
    page = _open.get(store().get(_OF_SAMPLE, ""))
    if page is None:
        raise NotStaged("this sample has no open page: a page is there, and is scored, while its sample is played")
    return page


class Pages:
    """Stages for the pages of a task. Browsers start with the first samples, and stay until the run is over."""

    def __init__(self, config: RunConfig, at_once: int) -> None:
        """Prepare.

        Args:
            config: Of the stages.
            at_once: So many pages at most are open at the same time; the other samples wait.
        """
        self._config = config
        self._room = Semaphore(at_once)
        self._idle: list[Stage] = []
        self._taken: dict[str, Stage] = {}
        _all.add(self)

    async def open(self, state: TaskState) -> OpenPage:
        """Open the page of a sample when there is room, as ``page_of_sample``.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        await self._room.acquire()
        stage = self._taken[state.uuid] = self._idle.pop() if self._idle else Stage(self._config)
        told = await to_thread.run_sync(stage.open, state.metadata["task"], state.metadata["row"])
        state.store.set(_OF_SAMPLE, state.uuid)
        page = _open[state.uuid] = OpenPage(stage, told)
        return page

    async def leave(self, state: TaskState) -> None:
        """Let another sample have the stage of this one; nothing if it has none yet."""
        _open.pop(state.uuid, None)
        stage = self._taken.pop(state.uuid, None)
        if stage:
            self._idle.append(stage)
            self._room.release()

    async def close(self) -> None:
        """End browsers and servers."""
        idle, self._idle = self._idle, []
        for stage in idle:
            await to_thread.run_sync(stage.close)


_all: WeakSet[Pages] = WeakSet()


@hooks(name=name_of("browsers"), description="ends the browsers when a run is over")
@named_as_given
class BrowsersEnd(Hooks):
    """Ends browsers and servers when a run is over: Inspect tells a task of the end of its samples alone."""

    async def on_run_end(self, data: RunEnd) -> None:  # noqa: ARG002 - Inspect's interface
        """End them."""
        for pages in list(_all):
            await pages.close()
