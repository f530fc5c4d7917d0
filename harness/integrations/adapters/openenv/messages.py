"""What a client of OpenEnv and the server say to each other, as OpenEnv's types. No label is in any of it."""

from __future__ import annotations

from typing import Any

from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field


class PageAction(Action):
    """One action: as a text, or as a tool's name and arguments.

    Attributes:
        text: What a model wrote; the first action in it is done. It is parsed and never executed.
        tool: The name of a tool that the page has told of.
        arguments: The tool's arguments by name.
    """

    text: str | None = None
    tool: str | None = None
    arguments: dict[str, Any] = Field(default_factory=dict)


class PageObservation(Observation):
    """What is seen after ``reset`` and after each action. ``reward`` is the score with the last one, 0 before.

    Attributes:
        page: The page as text; empty at the end.
        fields: The form's answer fields as they are now; none on a website or at the end.
        message: What came of the action.
        ok: Whether it was done.
        images: Pictures that belong to it, PNG in base64.
        instructions: What a model has to know before it begins; told by ``reset`` alone, as are goal and tools.
        goal: What is to be done on a website; empty for a form.
        tools: What can be called: name, description and JSON Schema of the parameters.
        outcome: What came of the episode, at its end: ``harness.integrations.adapters.stage.messages.Ended``.
    """

    page: str = ""
    fields: list[dict[str, Any]] = Field(default_factory=list)
    message: str = ""
    ok: bool = True
    images: list[str] = Field(default_factory=list)
    instructions: str = ""
    goal: str = ""
    tools: list[dict[str, Any]] = Field(default_factory=list)
    outcome: dict[str, Any] | None = None


class PageState(State):
    """Where a session is.

    Attributes:
        task: The name of the task that was opened last; empty before the first.
        row: The instance's place in its table, from 0.
        is_open: Whether the episode goes on.
    """

    task: str = ""
    row: int = 0
    is_open: bool = False
