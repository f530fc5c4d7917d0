"""An instance as a task of CUBE."""

from __future__ import annotations

import math
from typing import Any

from cube.core import Observation
from cube.task import RuntimeContext, Task, TaskConfig, TaskMetadata

from harness.catalog.kinds import KindName
from harness.integrations.adapters.cube.page_tool import PageTool, PageToolConfig
from harness.kit.files.codec import plain


class PageMetadata(TaskMetadata):
    """What is known of an instance without opening it.

    Attributes:
        kind: Of its task.
        task: The task's name.
        row: The instance's place in its table, from 0.
        part: The split it is in. CUBE's ``split`` knows train, val and test alone: what is not in train is test there.
    """

    kind: KindName
    task: str
    row: int
    part: str


class PageTask(Task[PageMetadata, PageTool]):
    """One instance, from the open page to the submitted form, or to the end of the work on a website."""

    def reset(self) -> tuple[Observation, dict[str, Any]]:
        """Open the page.

        Returns:
            What every agent is told of it with the page as text, and the instance with its fields as they are now.

        Raises:
            NotStaged, StageGone: it cannot be opened.
        """
        page, now, seen = self.tool.open(self.metadata.task, self.metadata.row)
        fields = [plain(field) for field in now.fields if field.name in page.names]
        told = {"task": self.metadata.task, "row": self.metadata.row, "goal": page.goal, "fields": fields}
        return seen, told

    def finished(self, obs: Observation | None = None) -> bool:  # noqa: ARG002 - CUBE hands it over
        """Whether the form was sent, the work on the website has ended, or a limit was reached."""
        return self.tool.ended is not None

    def evaluate(self, obs: Observation | None = None) -> tuple[float, dict[str, Any]]:  # noqa: ARG002 - as above
        """The score, 0 to 1, and what came of the episode. What is not over is ended: what the form holds is sent.

        A score that is not known, as where a judge would have to decide, is not a number.

        Raises:
            NotStaged, StageGone: no page was opened, or its browser was lost.
        """
        ended = self.tool.submit()
        return math.nan if ended.score is None else ended.score, plain(ended)


class PageTaskConfig(TaskConfig[PageMetadata]):
    """What a worker needs to make a task."""

    def make(self, runtime_context: RuntimeContext | None = None) -> PageTask:
        """The task; nothing starts before it is reset.

        Args:
            runtime_context: Of the benchmark, which shares nothing: each task has a browser and a server of its own.
        """
        given = self.tool_config or PageToolConfig()
        tool = given.model_copy(update={"kind": self.metadata.kind})
        return PageTask(metadata=self.metadata, tool_config=tool, runtime_context=runtime_context)
