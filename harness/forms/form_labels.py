"""The side of forms that knows the labels: what is to be done on a page, and the record of what was sent."""

from __future__ import annotations

from harness.browser.form.inventory import PageFacts
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Assignment
from harness.episode.play import PlayedPage, episode_of
from harness.forms.task_pages import TaskPages
from harness.records.config import RunConfig
from harness.records.episode import Episode
from harness.run.task_kind import LabelSide


class FormLabelSide(LabelSide):
    """See ``harness.run.task_kind.LabelSide``."""

    def __init__(self, config: RunConfig, outside: Outside) -> None:
        """Open it.

        Args:
            config: Of the run.
            outside: What pages reach.
        """
        self._config = config
        self._outside = outside

    def pages(self, task: Task) -> TaskPages:
        """See ``LabelSide``."""
        return TaskPages(task, self._config, self._outside)

    def begin(self, pages: TaskPages, instance: Instance, origin: str, left: str = "") -> Assignment | None:
        """See ``LabelSide``."""
        reference = pages.known(instance.id)
        return pages.make(instance, origin, reference) if reference else None

    def learn(self, pages: TaskPages, instance: Instance, origin: str, reference: PageFacts) -> tuple[Assignment, str]:
        """See ``LabelSide``."""
        words = pages.learn(instance.id, reference)
        return pages.make(instance, origin, reference), words

    def finish(self, assignment: Assignment, played: PlayedPage) -> Episode:
        """See ``LabelSide``."""
        return episode_of(assignment, played)
