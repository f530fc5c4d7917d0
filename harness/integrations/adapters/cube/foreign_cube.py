"""Somebody else's CUBE in runs of ours: each task is an episode on a website, scored by the task's reward."""

from __future__ import annotations

import json
import math
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any

from cube.container import Container
from cube.core import Observation, TextContent
from cube.resources.browser_session import BrowserSession
from cube.task import RuntimeContext, TaskConfig
from cube.tool import ToolConfig
from cube.tools.browser import BrowserTool
from pydantic import Field

from harness.browser.channel import CommandFailed
from harness.browser.site_browser import SiteBrowser
from harness.browser.tab import Tab
from harness.browser.wire import BrowserGone
from harness.catalog.task import FACTS
from harness.integrations.adapters.cube.installed_cube import BenchmarkProcess, configuration_of, tasks_of
from harness.kit.errors import UnfinishedWork
from harness.kit.files.writing import path_name
from harness.records.config import CubeChoice
from harness.run.bundle import bundled, write, written
from harness.run.foreign_tasks import NoForeignTasks


class ScriptFailed(UnfinishedWork):
    """A script of a task failed in the page; the message says how."""


class LentSession(BrowserSession):
    """A browser that is another's: nobody else can attach to it or end it."""

    @property
    def cdp_url(self) -> str | None:
        """None: the browser listens nowhere."""
        return None

    def stop(self) -> None:
        """Nothing: it ends with its owner."""


class LentBrowserTool(BrowserTool):
    """What a task does with its browser: it goes to its page, and asks it by scripts. Actions are the solver's."""

    def __init__(self, browser: SiteBrowser) -> None:
        """Lend a browser.

        Args:
            browser: Empty, with a policy that lets it go where the task goes.
        """
        self._browser = browser
        self._session = LentSession()

    @property
    def session(self) -> BrowserSession:
        """See ``LentSession``."""
        return self._session

    def noop(self) -> None:
        """Nothing."""

    def goto(self, url: str) -> None:
        """Show a page in the current tab.

        Raises:
            PageFailed: the address is none of the task's, or cannot be opened.
            BrowserGone: the browser died.
        """
        self._browser.open(url)

    def evaluate_js(self, js: str) -> Any:
        """What a script gives, in the page's own world of the current tab; a function is called, as Playwright does.

        Raises:
            ScriptFailed: it failed.
            CommandFailed: the page went on to another meanwhile.
            BrowserGone: the browser died.
        """
        script = f"(async () => {{ const given = ({js}\n); return typeof given === 'function' ? given() : given; }})()"
        answer = self._browser.tab.channel.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        if failed := answer.get("exceptionDetails"):
            why = failed.get("exception", failed)
            raise ScriptFailed(f"a script of the task failed: {why.get('description', why)}")
        return answer["result"].get("value")

    def page_obs(self) -> Observation:
        """Nothing: the solver looks at the page by itself."""
        return Observation()


class LentToolConfig(ToolConfig):
    """Lends a browser of this process.

    Attributes:
        browser: A ``SiteBrowser``.
    """

    browser: Any = Field(exclude=True)

    def make(self, container: Container | None = None) -> LentBrowserTool:  # noqa: ARG002 - CUBE hands it over
        """The tool."""
        return LentBrowserTool(self.browser)


class ForeignTask:
    """One task, in the browser of the episode; see ``harness.browser.rewarding_page.Rewarding``."""

    def __init__(self, config: TaskConfig, context: RuntimeContext | None, browser: SiteBrowser) -> None:
        """Make the task.

        Args:
            config: Of the task, whose tool has to be a ``cube.tools.browser.BrowserTool``.
            context: What its benchmark shares.
            browser: Of the episode.
        """
        lent = config.model_copy(update={"tool_config": LentToolConfig(browser=browser)})
        self._task = lent.make(runtime_context=context)
        self._broken: Exception | None = None

    def instruction(self, tab: Tab) -> str:  # noqa: ARG002 - it is the only one
        """Reset the task, which opens its page; and what it says is to be done.

        Raises:
            ScriptFailed, PageFailed, BrowserGone: its page cannot be set up.
        """
        seen, _ = self._task.reset()
        return "\n\n".join(content.data for content in seen.contents if isinstance(content, TextContent)).strip()

    def reward(self, tabs: tuple[Tab, ...]) -> float | None:  # noqa: ARG002 - the task has its tool
        """The task's reward, if it says that it is over; None if not, and where its page cannot be asked."""
        try:
            return self._evaluate() if self._task.finished() else None
        except (ScriptFailed, CommandFailed):
            return None
        except BrowserGone:
            raise
        except Exception as error:  # noqa: BLE001 - a mistake of the task, which is not to be the solver's
            self._broken = error
            return None

    def final(self, tabs: tuple[Tab, ...]) -> float | None:  # noqa: ARG002 - the task has its tool
        """The task's reward as things are, over or not; None where its page, which was left then, cannot be asked.

        Raises:
            CommandFailed, BrowserGone: the page went on to another meanwhile, or is lost.
            Exception: the task itself failed, now or before.
        """
        if self._broken:
            raise self._broken
        try:
            return self._evaluate()
        except ScriptFailed:
            return None

    def _evaluate(self) -> float | None:
        """From -1 to 1; None if it is not a number."""
        reward, _ = self._task.evaluate()
        return min(1.0, max(-1.0, float(reward))) if math.isfinite(reward) else None

    def close(self) -> None:
        """Leave the task."""
        self._task.close()


GOAL = "Do what the task asks for."


class ForeignCube:
    """See ``harness.run.foreign_tasks.ForeignTasks``. Its tasks have to do with a browser tool what they do."""

    def __init__(self, choice: CubeChoice) -> None:
        """Import it.

        Args:
            choice: Which.

        Raises:
            NoForeignTasks: there is none, or it does not take its settings or origins.
        """
        self._origins = choice.origins
        self._config = configuration_of(choice)
        self._tasks = tasks_of(self._config)
        self._process = BenchmarkProcess(self._config)
        self._context: RuntimeContext | None = None

    def folder(self) -> Path:
        """See ``ForeignTasks``."""
        if not self._tasks:
            raise NoForeignTasks(f"{self._config.name} has no tasks")
        name = path_name(self._config.name)
        files = ((f"{name}/{task}/{FACTS}", _json(self._facts(config))) for task, config in sorted(self._tasks.items()))
        bundle = bundled(files)
        try:
            return (written(bundle.name) or write(bundle)) / name
        except OSError as error:
            raise NoForeignTasks(f"the cache cannot be written: {error}") from error

    def __enter__(self) -> ForeignCube:
        self._context = self._process.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.__exit__(kind, error, trace)

    def lend(self, task: str, browser: SiteBrowser) -> closing[ForeignTask]:
        """See ``ForeignTasks``."""
        return closing(ForeignTask(self._tasks[task], self._context, browser))

    def _facts(self, task: TaskConfig) -> dict[str, Any]:
        """What ``task.json`` says of one of its tasks; what is to be done, the task says when it is played."""
        benchmark, metadata = self._config.benchmark_metadata, task.metadata
        of_benchmark = f"A task of the CUBE benchmark {benchmark.name} {benchmark.version}."
        return {
            "kind": "site",
            "title": task.task_id,
            "description": " ".join(filter(None, (metadata.abstract_description, of_benchmark))),
            "split": metadata.split,
            "licence": benchmark.license,
            "goal": GOAL,
            "start": f"{self._origins[0]}/",
            "origins": list(self._origins),
            "evaluators": {"page_reward": True},
            "max_steps": metadata.recommended_max_steps,
        }


def _json(record: dict[str, Any]) -> bytes:
    return json.dumps(record, indent=1).encode() + b"\n"
