"""The tools of a page for agents of Inspect, and the agent that works on it where no other is asked for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from inspect_ai.agent import Agent, AgentState, agent, react
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText
from inspect_ai.tool import Tool, ToolDef, ToolError, ToolParams, ToolSource

from harness.integrations.adapters.inspect.open_page import name_of, named_as_given, page_of_sample
from harness.integrations.adapters.stage.messages import Acted
from harness.kit.files.codec import JsonObject

WHOLE = 0
"""An answer of a tool is told as it is, whatever its length: the page's text is the observation."""


class PageTools(ToolSource):
    """The tools of the sample's page, for an agent of yours: ``react(tools=[PageTools()])``."""

    async def tools(self) -> list[Tool]:
        """The tools.

        Raises:
            NotStaged: the sample has no open page.
        """
        return [_tool(told).as_tool() for told in page_of_sample().told.tools]


@agent(name=name_of("page_agent"))
@named_as_given
def page_agent(max_turns: int = 30) -> Agent:
    """Inspect's ReAct agent with the tools of the page, until its form is sent.

    A reply that calls no tool is read as an action in text, and answered.

    Args:
        max_turns: Replies of the model.
    """

    async def go_on(state: AgentState) -> bool | AgentState:
        page = page_of_sample()
        if page.ended is None and not state.output.message.tool_calls:
            acted = await page.write(state.output.message.text)
            state.messages.append(ChatMessageUser(content=content_of(acted)))
        # Inspect's own limit of turns notices one reply too late.
        turns = sum(message.role == "assistant" for message in state.messages)
        return False if page.ended or turns >= max_turns else state

    return react(prompt=None, tools=[PageTools()], submit=False, on_continue=go_on)


def _tool(told: JsonObject) -> ToolDef:
    name = told["name"]
    return ToolDef(_caller(name), name, told["description"], ToolParams(**told["parameters"]), max_output=WHOLE)


def _caller(name: str) -> Callable[..., Any]:
    async def execute(**kwargs: Any) -> Any:
        acted = await page_of_sample().call(name, kwargs)
        if not acted.ok:
            raise ToolError(acted.text)
        return content_of(acted)

    return execute


def content_of(acted: Acted) -> str | list[ContentText | ContentImage]:
    """An answer as Inspect's messages hold it."""
    if not acted.images:
        return acted.text
    pictures = [ContentImage(image=f"data:image/png;base64,{image}") for image in acted.images]
    return [ContentText(text=acted.text), *pictures]
