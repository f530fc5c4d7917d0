"""A session of OpenEnv: a stage of its own, from ``reset`` to ``reset`` an episode."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State
from pydantic import Field

from harness.integrations.adapters.stage.messages import Acted, Opened
from harness.integrations.adapters.stage.stage import NotStaged, Stage
from harness.kit.errors import UserError
from harness.kit.files.codec import plain
from harness.records.config import RunConfig


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


ONE_OF_BOTH = "An action has either a text or a tool."
CLOSED = "this session is over: connect again"


class PageEnvironment(Environment):
    """Pages, one after another."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, config: RunConfig, instances: Sequence[tuple[str, int]], encoding: str) -> None:
        """Prepare; browser and task server start with the first ``reset``.

        Args:
            config: Of the stage.
            instances: Those that are drawn from: task and row.
            encoding: How the page's text is written (docs/reference/encodings.md).
        """
        super().__init__()
        self._stage = Stage(config)
        self._instances = instances
        self._encoding = encoding
        self._state = PageState()
        self._page: Opened | None = None
        self._is_closed = False

    def reset(
        self,
        seed: int | None = None,
        episode_id: str | None = None,
        task: str | None = None,
        row: int | None = None,
        **unknown: Any,
    ) -> PageObservation:
        """Open an instance: one that is drawn by the seed, or the one that is named.

        Args:
            seed: Of the draw; None for chance.
            episode_id: What the client calls the episode; ``state`` tells it.
            task: The task's name, with ``row``.
            row: The instance's place in its table, from 0.
            unknown: Nothing else can be asked for. OpenEnv would leave it out without a word.

        Raises:
            NotStaged: the session is over, something else was asked for, or the instance cannot be shown.
            StageGone: the process of the stage has ended; the next ``reset`` starts another.
        """
        if self._is_closed:
            raise NotStaged(CLOSED)
        if unknown or (task is None) != (row is None):
            raise NotStaged(f"reset takes seed and episode_id, and task and row together; not {', '.join(unknown)}")
        if task is None or row is None:
            task, row = random.Random(seed).choice(self._instances)  # noqa: S311 - a draw of instances
        page = self._page = self._stage.open(task, row)
        self._state = PageState(episode_id=episode_id, task=task, row=row, is_open=True)
        told = {"instructions": page.instructions, "goal": page.goal, "tools": [*page.tools]}
        return self._observed(self._stage.look(), **told)

    def step(self, action: PageAction, timeout_s: float | None = None, **_: Any) -> PageObservation:  # noqa: ARG002
        """Act on the page.

        Args:
            action: What to do. What cannot be done changes nothing, and ``message`` says why.
            timeout_s: Not heeded: an action ends when what it set off has happened, and an episode has a limit.

        Raises:
            NotStaged, StageGone: no page is open, or its browser was lost; ``reset`` begins anew.
        """
        if self._page is None:
            raise NotStaged(CLOSED if self._is_closed else "no page is open: reset opens one")
        self._state.step_count += 1
        try:
            return self._observed(self._act(action))
        except UserError:
            self._page, self._state.is_open = None, False
            raise

    @property
    def state(self) -> PageState:
        """Where the session is."""
        return self._state

    def close(self) -> None:
        """End the stage with its browser and its server; nothing can be opened afterwards."""
        self._is_closed, self._page = True, None
        self._stage.close()

    def _act(self, action: PageAction) -> Acted:
        match action.text, action.tool:
            case str(text), None:
                return self._stage.write(text)
            case None, str(tool):
                return self._stage.call(tool, action.arguments)
        return replace(self._stage.look(), text=ONE_OF_BOTH, ok=False)

    def _observed(self, acted: Acted, **told: Any) -> PageObservation:
        """What is told of an answer, with the page as it is now."""
        seen = acted if acted.ended else self._stage.call("observe", {"encoding": self._encoding})
        if seen.ended:
            self._page, self._state.is_open = None, False
            return PageObservation(
                done=True,
                reward=seen.ended.score,
                message=acted.text,
                ok=acted.ok,
                images=[*acted.images],
                outcome=plain(seen.ended),
                **told,
            )
        names = self._page.names if self._page else ()
        fields = [plain(field) for field in acted.fields if field.name in names]
        return PageObservation(
            reward=0.0, page=seen.text, fields=fields, message=acted.text, ok=acted.ok, images=[*acted.images], **told
        )
