"""How a method becomes an action: its refusals become results, and every call becomes a step of the trajectory."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult, ErrorCode
from harness.actions.spec import action as marked
from harness.browser.browser import Browser
from harness.episode.refusal import ActionRefused
from harness.episode.trajectory import Trajectory

P = ParamSpec("P")
EXCERPT = 200
"""Characters of each argument that are kept of a call whose arguments cannot be written down."""


class Performer:
    """What has actions on one open page.

    Attributes:
        trajectory: What has been done so far, and what may still be done.
        submitted: Whether the solver itself has submitted the form; its episode is over.
    """

    def __init__(self, browser: Browser, trajectory: Trajectory) -> None:
        self.trajectory = trajectory
        self.submitted = False
        self._browser = browser

    def perform(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do the work of an action, and add it to the trajectory as ``call``.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        return self.trajectory.record(call, lambda: self._attempt(work))

    def _attempt(self, work: Callable[[], ActionResult]) -> ActionResult:
        if not self.trajectory.steps:
            # Until its first frame is on the screen a page gets no presses: the browser drops them.
            self._browser.run("page.frame")
        if self.submitted:
            message = "the form was submitted; the episode is over"
            return ActionResult(ok=False, message=message, code=ErrorCode.ALREADY_SUBMITTED)
        try:
            return work()
        except ActionRefused as refusal:
            self.see()  # the page may have submitted itself since the last action
            return ActionResult(ok=False, message=str(refusal), code=refusal.code)

    def see(self) -> None:
        """Wait until what was set off has happened, and see whether it has submitted the form."""
        self.submitted = self._browser.run("form.posted")


ActionsT = TypeVar("ActionsT", bound=Performer)


def action(
    method: Callable[Concatenate[ActionsT, P], ActionResult],
) -> Callable[Concatenate[ActionsT, P], ActionResult]:
    """Make a method an action."""
    signature = inspect.signature(method)
    unbound: Callable[..., ActionResult] = method

    @functools.wraps(method)
    def recorded(self: ActionsT, /, *args: P.args, **kwargs: P.kwargs) -> ActionResult:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = {name: value for name, value in bound.arguments.items() if name != "self"}
        try:
            call = ActionCall(method.__name__, arguments)
        except ValueError as error:
            reason = str(error)
            call = ActionCall(method.__name__, {name: str(value)[:EXCERPT] for name, value in arguments.items()})
            return self.perform(call, lambda: ActionResult(ok=False, message=reason, code=ErrorCode.WRONG_ARGUMENT))
        # As recorded, so that the recorded text does the same again.
        return self.perform(call, lambda: unbound(self, **call.args))

    return marked(recorded)
