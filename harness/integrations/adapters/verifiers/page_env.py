"""A page as an environment of several turns: a model replies with calls of tools, or with an action as text."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import verifiers

from harness.integrations.adapters.stage.messages import Acted
from harness.integrations.adapters.stage.stage import NotStaged, Stage, StageGone
from harness.kit.files.codec import plain
from harness.records.config import RunConfig

T = TypeVar("T")


@dataclass(frozen=True)
class Place:
    """A stage, and the one thread that speaks with it: what is asked waits for what was asked before.

    Attributes:
        stage: The stage.
        thread: The thread.
    """

    stage: Stage
    thread: ThreadPoolExecutor = field(default_factory=partial(ThreadPoolExecutor, 1))


class PageEnv(verifiers.MultiTurnEnv):
    """Rollouts on pages; the result of one is ``state["outcome"]`` (``...adapters.stage.messages.Ended``)."""

    def __init__(self, config: RunConfig, *, pages: int, encoding: str, **options: Any) -> None:
        """Prepare; browsers start with the first rollouts, and stay.

        Args:
            config: Of the stages.
            pages: So many stages at most.
            encoding: How the page's text is written.
            options: Of ``verifiers.MultiTurnEnv``.
        """
        super().__init__(**options)
        self._config = config
        self._pages = pages
        self._encoding = encoding
        self._idle: list[Place] = []
        self._taken: dict[str, Place] = {}
        # A semaphore belongs to a loop, and verifiers may begin another one for each evaluation.
        self._room: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    async def setup_state(self, state: verifiers.State) -> verifiers.State:
        """Open the page when a stage is free. The prompt becomes what a model is told of it, and its tools.

        Raises:
            verifiers.InfraError: it cannot be opened.
        """
        state["outcome"] = None
        await self._semaphore().acquire()
        self._taken[state["trajectory_id"]] = self._idle.pop() if self._idle else Place(Stage(self._config))
        page = await self._ask(state, Stage.open, state["info"]["of_task"], state["info"]["row"])
        seen = await self._ask(state, Stage.call, "observe", {"encoding": self._encoding})
        state["prompt"] = [
            verifiers.SystemMessage(content=page.instructions),
            verifiers.UserMessage(content=seen.text),
        ]
        state["tool_defs"] = [verifiers.Tool(**tool) for tool in page.tools]
        return state

    async def env_response(self, messages: Sequence[Any], state: verifiers.State, **_: Any) -> list[Any]:
        """Do what the last message asks for.

        Raises:
            verifiers.InfraError: the browser was lost.
        """
        last = messages[-1]
        answers: list[Any] = []
        for call in last.tool_calls or ():
            acted = await self._call(state, call)
            answers.append(verifiers.ToolMessage(tool_call_id=call.id, content=acted.text))
            answers += _shown(acted)
            self._note(state, acted)
        if not last.tool_calls:
            acted = await self._ask(state, Stage.write, _text(last.content))
            answers += [verifiers.UserMessage(content=acted.text), *_shown(acted)]
            self._note(state, acted)
        if state["outcome"]:
            state["final_env_response"] = answers
        return answers

    @verifiers.cleanup
    async def leave(self, state: verifiers.State) -> None:
        """Send the form as it stands, if the rollout has ended without; and free the stage."""
        place = self._taken.get(state["trajectory_id"])
        if place is None:
            return  # it was given up while it waited for a stage
        try:
            if state["outcome"] is None and state["error"] is None:
                if state["stop_condition"] == "max_turns_reached":  # the last reply has not been acted on yet
                    await self.env_response(state["trajectory"][-1]["completion"], state)
                if state["outcome"] is None:
                    self._note(state, await self._ask(state, Stage.submit))
        except verifiers.Error as error:
            state["error"] = error
        finally:
            self._idle.append(self._taken.pop(state["trajectory_id"]))
            self._semaphore().release()

    @verifiers.teardown
    async def close(self) -> None:
        """End browsers and servers."""
        places, self._idle = self._idle, []
        for place in places:
            await asyncio.to_thread(place.stage.close)
            place.thread.shutdown()

    def _semaphore(self) -> asyncio.Semaphore:
        return self._room.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._pages))

    async def _call(self, state: verifiers.State, call: Any) -> Acted:
        try:
            arguments = json.loads(call.arguments)
        except ValueError:
            arguments = None
        if not isinstance(arguments, dict):
            return Acted("The arguments are not a JSON object.", ok=False)
        return await self._ask(state, Stage.call, call.name, arguments)

    async def _ask(self, state: verifiers.State, do: Callable[..., T], *arguments: Any) -> T:
        place = self._taken[state["trajectory_id"]]
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(place.thread, partial(do, place.stage, *arguments))
        except (NotStaged, StageGone) as error:
            raise verifiers.InfraError(str(error)) from error

    def _note(self, state: verifiers.State, acted: Acted) -> None:
        if acted.ended and state["outcome"] is None:
            state["outcome"] = plain(acted.ended)


def _text(content: Any) -> str:
    """The text of a message, which may stand in parts."""
    if isinstance(content, str):
        return content
    return "\n\n".join(part.text for part in content or () if part.type == "text")


def _shown(acted: Acted) -> list[Any]:
    """Pictures as a message of their own: a tool's answer cannot hold them everywhere."""
    if not acted.images:
        return []
    url = "data:image/png;base64,"
    parts = [{"type": "image_url", "image_url": {"url": f"{url}{image}"}} for image in acted.images]
    return [verifiers.UserMessage(content=parts)]
