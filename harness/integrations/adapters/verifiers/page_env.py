"""The environment: one agent, which plays the task set in this process, where the browsers are, too."""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import verifiers.v1 as vf
from openai import APIStatusError, AsyncOpenAI

from harness.catalog.kinds import KindName
from harness.integrations.adapters.stage.messages import Acted, Ended
from harness.integrations.adapters.stage.stage import NotStaged, Stage, StageGone
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.records.config import RunConfig

OUTCOME = "outcome"
"""Where a trace's ``info`` has what came of the episode (``...adapters.stage.messages.Ended``)."""
KNOWN = ("ceiling", "do_nothing", "constant")
"""What is told of an episode beside its score, as metrics."""


class PageTasksetConfig(vf.TasksetConfig):
    """Which instances there are, and how their pages are scored: ``--env.taskset.*``.

    Attributes:
        kind: Of the tasks: ``form`` or ``site``.
        tasks: Only tasks of this name, which may be a glob; None for all.
        split: Only tasks of this split; None for all.
        tasks_dir: The folder of the tasks; None for the bundled ones.
        overlay: Further facts about them.
        metrics: The profile of scores.
        max_steps: Actions of an episode.
        max_seconds: Seconds of an episode.
        max_instances: At most so many instances of a task.
        headed: Show the browser's window.
    """

    kind: KindName = "form"
    tasks: str | None = None
    split: str | None = None
    tasks_dir: str | None = None
    overlay: str | None = None
    metrics: str = RunConfig.metrics
    max_steps: int = 100
    max_seconds: float = 3600.0
    max_instances: int | None = None
    headed: bool = False


class PageData(vf.TaskData):
    """An instance, without a label of it.

    Attributes:
        of_task: Its task's name.
        row: Its place in the task's table, from 0.
        stage: Of the stage on which it is played: arguments of ``stage_config``.
    """

    of_task: str
    row: int
    stage: dict[str, Any]


class PageTask(vf.Task[PageData]):
    """An instance that is scored by what came of its episode."""

    @property
    def key(self) -> str:
        """The name of the instance; unlike the content of its data, it is the same on every machine."""
        return f"{self.data.of_task}, row {self.data.row}"

    @vf.reward
    async def page_score(self, trace: vf.Trace) -> float:
        """The score of the form as it was sent, 0 to 1; nan if it is not known."""
        return _told(trace, "score")

    @vf.metric
    async def floors_and_ceiling(self, trace: vf.Trace) -> Mapping[str, float]:
        """The best that the labels allow, and what can be had without judgement; nan if it is not known."""
        return {name: _told(trace, name) for name in KNOWN}


class PageTaskset(vf.Taskset[PageTask, PageTasksetConfig]):
    """The instances of a task, or of all tasks of a split."""

    def load(self) -> Iterator[PageTask]:
        """A task for each; its prompt is its name, which the page takes the place of.

        Raises:
            UserError: there are no such instances.
        """
        settings = settings_of(self.config)
        config = stage_of(settings)
        with Stage(config) as stage:
            instances = stage.instances()
        if not any(instances.values()):
            raise UserError(f"no instance is chosen in {config.tasks_dir}: see tasks, split and tasks_dir")
        for task, rows in instances.items():
            for row in rows:
                name = f"{task}, row {row}"
                yield PageTask(
                    PageData(name=name, prompt=name, of_task=task, row=row, stage=settings), self.config.task
                )


def settings_of(config: PageTasksetConfig) -> dict[str, Any]:
    """The arguments of ``stage_config`` that a configuration holds."""
    settings: dict[str, Any] = config.model_dump(exclude=set(vf.TasksetConfig.model_fields))
    settings["task"] = settings.pop("tasks")  # a "task" there is the framework's
    return settings


def stage_of(settings: Mapping[str, Any]) -> RunConfig:
    """The configuration of a stage."""
    return stage_config("verifiers", **settings)


def _told(trace: vf.Trace, name: str) -> float:
    known = (trace.info.get(OUTCOME) or {}).get(name)
    return math.nan if known is None else float(known)


T = TypeVar("T")
Message = dict[str, Any]
"""A message in the protocol of OpenAI, which verifiers' own endpoint speaks."""


class PageHarnessConfig(vf.HarnessConfig):
    """How pages are played: ``--env.agent.harness.*``.

    Attributes:
        encoding: How the page's text is written (docs/reference/encodings.md).
    """

    encoding: str = "simplified"


class PageHarness(vf.Harness[PageHarnessConfig]):
    """Plays in this process; only the model is asked over verifiers' endpoint, which keeps the trace."""

    APPENDS_SYSTEM_PROMPT = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(  # noqa: PLR0917 - as of every harness
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,  # noqa: ARG002 - as of every harness
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],  # noqa: ARG002 - as of every harness
        data: PageData,
    ) -> vf.ProgramResult:
        """Play an instance; what came of it stands in the trace's ``info["outcome"]``.

        Raises:
            vf.HarnessError: the page cannot be opened, or its browser was lost.
            openai.APIStatusError: the model failed.
        """
        async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=0, timeout=None) as client:
            page = _Page(data)
            try:
                history = await page.opened(data, self.config.encoding)
                while page.ended is None:
                    try:
                        made = await client.chat.completions.create(model=ctx.model, messages=history, tools=page.tools)
                    except APIStatusError:
                        if trace.stop_condition is None:
                            raise
                        break  # a limit of verifiers
                    history += await page.answers(made.choices[0].message)
                trace.info[OUTCOME] = plain(await page.sent())
            finally:
                await page.close()
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")


class _Page:
    """A stage with one page, and the one thread that speaks with it: what is asked waits for what was asked before."""

    def __init__(self, data: PageData) -> None:
        self.tools: list[Any] = []
        self.ended: Ended | None = None
        self._stage = Stage(stage_of(data.stage))
        self._thread = ThreadPoolExecutor(1)

    async def opened(self, data: PageData, encoding: str) -> list[Any]:
        """What a model is told first."""
        page = await self._ask(Stage.open, data.of_task, data.row)
        self.tools = [{"type": "function", "function": dict(tool)} for tool in page.tools]
        seen = await self._ask(Stage.call, "observe", {"encoding": encoding})
        system = "\n\n".join(text for text in (data.system_prompt, page.instructions) if text)
        return [{"role": "system", "content": system}, {"role": "user", "content": seen.text}, *_shown(seen)]

    async def answers(self, reply: Any) -> list[Message]:
        """Do what a reply asks for: its calls, or the action that its text is. The reply comes first."""
        said: list[Message] = [reply.model_dump(exclude_none=True)]
        pictures: list[Message] = []
        for call in reply.tool_calls or ():
            acted = await self._call(call.function)
            said.append({"role": "tool", "tool_call_id": call.id, "content": acted.text})
            pictures += _shown(acted)
        if not reply.tool_calls:
            acted = self._noted(await self._ask(Stage.write, reply.content or ""))
            said.append({"role": "user", "content": acted.text})
            pictures += _shown(acted)
        return said + pictures  # all answers to calls stand together

    async def sent(self) -> Ended:
        """What came of the episode; the form is sent as it stands, if that is not done."""
        if self.ended is None:
            self._noted(await self._ask(Stage.submit))
        if self.ended is None:
            raise vf.HarnessError("the form was sent, and nothing came of it")
        return self.ended

    async def close(self) -> None:
        """End browser and server."""
        await asyncio.get_running_loop().run_in_executor(self._thread, self._stage.close)
        self._thread.shutdown()

    async def _call(self, function: Any) -> Acted:
        try:
            arguments = json.loads(function.arguments)
        except ValueError:
            arguments = None
        if not isinstance(arguments, Mapping):
            return Acted("The arguments are not a JSON object.", ok=False)
        return self._noted(await self._ask(Stage.call, function.name, dict(arguments)))

    def _noted(self, acted: Acted) -> Acted:
        self.ended = self.ended or acted.ended
        return acted

    async def _ask(self, do: Callable[..., T], *arguments: Any) -> T:
        try:
            asked = partial(do, self._stage, *arguments)
            return await asyncio.get_running_loop().run_in_executor(self._thread, asked)
        except (NotStaged, StageGone) as error:
            raise vf.HarnessError(str(error)) from error


def _shown(acted: Acted) -> list[Message]:
    """Pictures as a message of their own: a tool's answer cannot hold them everywhere."""
    if not acted.images:
        return []
    url = "data:image/png;base64,"
    return [
        {
            "role": "user",
            "content": [{"type": "image_url", "image_url": {"url": f"{url}{image}"}} for image in acted.images],
        }
    ]


class PageEnvConfig(vf.EnvConfig):
    """Its one seat, and how many there are at once: ``--env.*``.

    Attributes:
        agent: Of this machine, since the harness runs in this process; after ``max_turns`` replies what the form holds
            is scored.
        pages: So many are open at most, each in a browser of its own; other episodes wait.
    """

    agent: vf.AgentConfig = vf.AgentConfig(runtime=vf.SubprocessConfig(), max_turns=30)
    pages: int = 2


class PageEnv(vf.Env[PageEnvConfig]):
    """Episodes of one agent on one page."""

    def __init__(self, config: PageEnvConfig) -> None:
        """Prepare; a browser starts with each episode.

        Args:
            config: The environment's.
        """
        super().__init__(config)
        self._room = asyncio.Semaphore(config.pages)

    async def run(self, task: vf.Task[Any], agents: vf.Agents) -> None:
        """Let the agent play an instance when there is room for its page."""
        async with self._room:
            await agents.agent.run(task)
