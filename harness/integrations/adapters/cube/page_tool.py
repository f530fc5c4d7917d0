"""A page as a tool of CUBE: its actions are ours, and what it shows after each of them is the page."""

from __future__ import annotations

import base64
import io
from collections.abc import Mapping
from pathlib import Path

from cube.container import Container
from cube.core import STOP_ACTION, Action, ActionSchema, AgentStop, Content, Observation, StepError, TextContent
from cube.tool import AbstractTool, ToolConfig
from PIL import Image

from harness.actions.signature import ActionSpec
from harness.actions.spec import to_json_schema
from harness.catalog.kinds import KindName
from harness.episode.action_sets import actions_of
from harness.integrations.adapters.stage.messages import Acted, Ended, Opened
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.records.config import RunConfig
from harness.solvers.outside.page_tools import FORM_TOOLS, OBSERVE

FRAMEWORK = "cube"
NOT_DONE = "NotDone"
"""What the error of an action is called that could not be done."""
_TOOLS: Mapping[KindName, Mapping[str, ActionSpec]] = {
    "form": FORM_TOOLS,
    "site": {OBSERVE.name: OBSERVE, **actions_of()},
}


class PageToolConfig(ToolConfig):
    """How pages are found, shown and scored, and within which limits.

    Attributes:
        kind: Of the task; the benchmark sets it for each.
        tasks_dir: The folder of the tasks; None for the bundled ones of their kind.
        overlay: Further facts about them.
        metrics: The profile of scores.
        max_steps: Actions of an episode. CUBE's harness counts its own steps, too.
        max_seconds: Seconds of an episode, in which the agent thinks, too.
        encoding: How the page's text is written (docs/reference/encodings.md).
        headed: Show the browser's window.
    """

    kind: KindName = "form"
    tasks_dir: Path | None = None
    overlay: Path | None = None
    metrics: str = RunConfig.metrics
    max_steps: int = 100
    max_seconds: float = 3_600.0
    encoding: str = "simplified"
    headed: bool = False

    def run_config(self) -> RunConfig:
        """The configuration of a stage for it."""
        settings = {name: getattr(self, name) for name in type(self).model_fields if name != "encoding"}
        return stage_config(FRAMEWORK, settings.pop("kind"), **settings)

    def make(self, container: Container | None = None) -> PageTool:  # noqa: ARG002 - CUBE hands it over
        """The tool; browser and server start when a page is opened."""
        return PageTool(self)


class PageTool(AbstractTool):
    """One page after another on a stage.

    Attributes:
        ended: What came of the episode; None while it goes on.
    """

    def __init__(self, config: PageToolConfig) -> None:
        """Prepare.

        Args:
            config: How pages are shown and scored.
        """
        self.ended: Ended | None = None
        self._kind = config.kind
        self._encoding = config.encoding
        self._stage = Stage(config.run_config())

    @property
    def action_set(self) -> list[ActionSchema]:
        """The tools of a page, and CUBE's ``final_step``."""
        return [*(ActionSchema(**to_json_schema(spec)) for spec in _TOOLS[self._kind].values()), STOP_ACTION]

    def open(self, task: str, row: int) -> tuple[Opened, Acted, Observation]:
        """Open an instance; an episode that is under way is given up.

        Args:
            task: The task's name.
            row: The instance's place in its table, from 0.

        Returns:
            What is told of the page, its fields, and what an agent sees first.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        self.ended = None
        page = self._stage.open(task, row)
        seen = self._stage.look()
        return page, seen, Observation.from_text(page.instructions) + self._page()

    def execute_action(self, action: Action) -> Observation:
        """Act on the page.

        Args:
            action: What to do. What cannot be done changes nothing, and the observation's error says why.

        Raises:
            AgentStop: the agent works no longer.
            NotStaged, StageGone: no page is open, or its browser was lost.
        """
        if action.name == STOP_ACTION.name:
            raise AgentStop
        acted = self._stage.call(action.name, action.arguments)
        self.ended = acted.ended
        said = TextContent(data=acted.text, tool_call_id=action.id)
        seen = Observation(contents=[said, *map(_picture, acted.images)])
        if not acted.ok:
            seen.error = StepError(error_type=NOT_DONE, exception_str=acted.text, stack_trace="")
        return seen if self.ended or action.name == OBSERVE.name else seen + self._page()

    def submit(self) -> Ended:
        """Send the form as it stands, or end the work on a website, unless the episode is over; and what came of it.

        Raises:
            NotStaged, StageGone: no page is open, or its browser was lost.
        """
        if self.ended is None:
            self.ended = self._stage.submit().ended
        assert self.ended  # noqa: S101 - it has
        return self.ended

    def close(self) -> None:
        """End browser and server; nothing the second time."""
        self._stage.close()

    def _page(self) -> Observation:
        seen = self._stage.call("observe", {"encoding": self._encoding})
        self.ended = seen.ended
        return Observation(contents=[TextContent(data=seen.text, name="page")])


def _picture(png: str) -> Content:
    """A picture of an answer.

    Args:
        png: In base64.
    """
    return Content.from_data(Image.open(io.BytesIO(base64.b64decode(png))))
