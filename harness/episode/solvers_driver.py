"""Selenium's driver of the open page for a solver that knows Selenium, each command of which is a step."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.webdriver.driver_connection import DriverError, SolversDriver, code_of
from harness.browser.webdriver.webdriver_input import DrivenPages
from harness.episode.performing import Performer
from harness.kit.errors import UserError

NAME = "driver"
"""The step of a command: ``driver('findElement')``."""


class NoDriverHere(UserError):
    """The run's input back end has no driver for a solver."""


def solvers_driver(performer: Performer, driven: DrivenPages | None) -> SolversDriver:
    """A driver whose commands are steps of an episode.

    Args:
        performer: Whose steps they are.
        driven: The sessions with the pages of its browser.

    Raises:
        NoDriverHere: there are none.
    """
    if driven is None:
        raise NoDriverHere("act.driver is there with --input webdriver only")

    def around(command: str, send: Callable[[], Any]) -> Any:
        answers: list[Any] = []
        errors: list[DriverError] = []

        def work() -> ActionResult:
            try:
                answers.append(send())
            except DriverError as error:
                errors.append(error)
                words = (error.msg or str(error)).partition("\n")[0]
                return ActionResult(ok=False, message=words, code=code_of(error))
            return ActionResult(ok=True, message="done")

        result = performer.perform(ActionCall(NAME, {"command": command}), work)
        performer.see()
        if errors:
            raise errors[0]
        if not answers:
            raise DriverError(result.message)
        return answers[0]

    return driven.page.share(around)
