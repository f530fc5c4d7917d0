"""The harness: it opens the page, asks the model, and does what the model replies, until the form is sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, TypeVar

import verifiers.v1 as vf
from openai import APIStatusError, AsyncOpenAI

from harness.integrations.adapters.stage.messages import Acted, Ended
from harness.integrations.adapters.stage.stage import NotStaged, Stage, StageGone
from harness.integrations.adapters.verifiers.page_tasks import OUTCOME, PageData, stage_of
from harness.kit.files.codec import plain

T = TypeVar("T")
Message = dict[str, Any]
"""A message in the protocol of OpenAI, which verifiers' own endpoint speaks."""


class PageHarnessConfig(vf.HarnessConfig):
    """How pages are played: ``--env.agent.harness.*``.

    Attributes:
        encoding: How the page's text is written (docs/encodings.md).
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
