"""The pages of one task as a run opens them: looked at without a solver, then handed out with what is to be done."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from harness.browser.browser import Browser
from harness.browser.form.inventory import PageFacts, TaskInventory, inspect_page
from harness.catalog.mirror.outside import Outside
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Assignment, TaskAssignments
from harness.records.config import RunConfig
from harness.run.server import page_url
from harness.scoring.metrics import PROFILES


class TaskPages:
    """The pages of one task; what they have in common is found out once.

    Attributes:
        task: The task.
    """

    def __init__(self, task: Task, config: RunConfig, outside: Outside) -> None:
        """Prepare.

        Args:
            task: The task.
            config: Of the run.
            outside: What its pages get from outside.
        """
        self.task = task
        self._assignments = TaskAssignments(task, PROFILES[config.metrics], config.drawing_seed)
        self._live_clock = config.live_clock
        self._outside = outside

    def assignment(self, browser: Browser, instance: Instance, say: Callable[[str], None]) -> Assignment:
        """What is to be done on an instance's page, which is looked at first if it is not in the inventory.

        Args:
            browser: Shows pages of the run's task server; any page it shows is replaced.
            instance: One of the task's.
            say: Is told what the user should know.

        Raises:
            harness.browser.browser.PageFailed, harness.browser.wire.BrowserGone: the page cannot be looked at.
        """
        origin = browser.settings.origin
        reference = self.known(instance.id)
        if reference is None:
            reference = inspect_page(browser, page_url(origin, instance))
            if words := self.learn(instance.id, reference):
                say(words)
        return self.make(instance, origin, reference)

    def make(self, instance: Instance, origin: str, reference: PageFacts) -> Assignment:
        """What is to be done on an instance's page.

        Args:
            instance: One of the task's.
            origin: Of the run's task server.
            reference: What the reference pass found on the page.
        """
        return self._assignments.make(instance, page_url(origin, instance), reference)

    @cached_property
    def _inventory(self) -> TaskInventory:
        outside = self._outside.template_hash(self.task)
        return TaskInventory.load(self.task, live_clock=self._live_clock, outside=outside)

    def known(self, id_: str) -> PageFacts | None:
        """What the reference pass found on an instance's page; None if nobody has looked yet."""
        return self._inventory.get(id_)

    def learn(self, id_: str, page: PageFacts) -> str:
        """Keep what the reference pass has found on an instance's page; gives what the user should know, or ""."""
        try:
            self._inventory.add(id_, page)
        except OSError as error:
            return (
                f"the cache {self._inventory.file.parent} cannot be written ({error.strerror}): "
                "the next run has to look at these pages again"
            )
        return ""
