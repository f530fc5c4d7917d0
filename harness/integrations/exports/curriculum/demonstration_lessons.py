"""Lessons out of demonstrations in Mind2Web's form: each step on its own recorded page, where nothing is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from harness.actions.call import ActionCall
from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.catalog.splits import DEFAULT as TRAIN
from harness.episode.action_sets import actions_of
from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.episode.trajectory import Trajectory
from harness.integrations.exports.curriculum.lesson import LessonSource
from harness.integrations.exports.curriculum.site_lessons import LessonTaker
from harness.papers.mind2web.demonstrations.asking import ID_ATTRIBUTE
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Demonstration
from harness.papers.mind2web.demonstrations.mind2web_file import ENDINGS, is_demonstration_file, read_demonstrations
from harness.papers.teacher_forced.step_page import ORIGIN, StepBrowser, page_without_scripts
from harness.records.config import ActionSetName, Limits
from harness.solvers.models.recipe import Recipe

OF_DEMONSTRATIONS = "demonstration"
NO_PAGE = "a demonstrated step whose page cannot be shown"
NO_ELEMENT = "a demonstrated step whose element is not on its page"
NO_ACTION = "a demonstrated step that --actions has no action for"
_NAMES = {"CLICK": "click_element", "HOVER": "hover_element", "TYPE": "fill", "SELECT": "select_option"}


def are_demonstrations(path: Path) -> bool:
    """Whether a path is a file of demonstrations, or a folder of such files."""
    if path.is_dir():
        return any(map(is_demonstration_file, path.iterdir()))
    return path.name.endswith(ENDINGS)


class DemonstrationTeacher:
    """Makes lessons out of demonstrations.

    Attributes:
        left_out: Reason -> how many steps are missing for it.
    """

    def __init__(self, recipe: Recipe, actions: ActionSetName) -> None:
        """Teach.

        Args:
            recipe: How a model is asked, of protocol ``site``.
            actions: The set of actions that it is offered.
        """
        self.left_out: Counter[str] = Counter()
        self._recipe = recipe
        self._specs = actions_of(actions)

    def teach(self, path: Path) -> Iterator[LessonTaker]:
        """Make lessons of each demonstration of a file or a folder.

        Raises:
            DemonstrationError: as ``read_demonstrations``.
            NoBrowser: there is none.
        """
        # Mind2Web names what is for tests by its folders and files: test_task, test_website, test_domain.
        split = "test" if path.name.startswith("test") else TRAIN
        browser = StepBrowser()
        try:
            for demonstration in read_demonstrations(path):
                taker = self._taught(browser, demonstration, _source(demonstration, split))
                self.left_out += taker.left_out
                yield taker
        finally:
            browser.close()

    def _taught(self, browser: StepBrowser, demonstration: Demonstration, where: LessonSource) -> LessonTaker:
        session = browser.session
        act = SiteActions(session.site, session.input, Trajectory(Limits()), self._specs)
        page = Page(f"{ORIGIN}/", (), (), 0, demonstration.confirmed_task, (ORIGIN,))
        taker = LessonTaker(self._recipe, page, act, where, acts=False)
        for number, step in enumerate(demonstration.steps):
            try:
                browser.show(page_without_scripts(step.raw_html), f"/{number}/")
                call, why = self._call(act, step)
            except (ValueError, PageFailed, CommandFailed):
                call, why = None, NO_PAGE
            if call is None:
                taker.left_out[why] += 1
            else:
                taker.take(call)
        return taker

    def _call(self, act: SiteActions, step: DemonstratedStep) -> tuple[ActionCall | None, str]:
        name = _NAMES.get(step.operation.original_op, "")
        if name not in self._specs:
            return None, NO_ACTION
        right = {each.backend_node_id for each in step.positives}
        nodes = act.observation.snapshot().nodes
        ref = next((node.ref for node in nodes if node.ref and node.get(ID_ATTRIBUTE) in right), 0)
        if not ref:
            return None, NO_ELEMENT
        value = {"text": step.operation.value} if name in ("fill", "select_option") else {}
        return ActionCall(name, {"ref": ref, **value}), ""


def _source(demonstration: Demonstration, split: str) -> LessonSource:
    return LessonSource(
        source=OF_DEMONSTRATIONS,
        kind="site",
        site=demonstration.website,
        task=f"{demonstration.website} {demonstration.annotation_id}",
        index=0,
        id=demonstration.annotation_id,
        split=split,
    )
