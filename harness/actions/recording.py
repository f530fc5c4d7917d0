"""How a method becomes an action: every call of it is a step of the trajectory, and a refusal is a result."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Concatenate, ParamSpec, Protocol, TypeVar

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.actions.spec import action as marked

P = ParamSpec("P")
EXCERPT = 200
"""Characters of each argument that are kept of a call whose arguments cannot be written down."""


class Recorder(Protocol):
    """What has actions."""

    def perform(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do ``work``, and take it down as ``call``."""


Performer = TypeVar("Performer", bound=Recorder)


class LimitReached(Exception):
    """A limit of the episode is used up; what the page holds is scored. ``which`` is ``steps`` or ``time``."""

    def __init__(self, which: str) -> None:
        super().__init__(f"the episode's limit of {which} is reached")
        self.which = which


def action(
    method: Callable[Concatenate[Performer, P], ActionResult],
) -> Callable[Concatenate[Performer, P], ActionResult]:
    """Make a method an action: its refusals become results, and every call becomes a step of the trajectory."""
    signature = inspect.signature(method)
    unbound: Callable[..., ActionResult] = method

    @functools.wraps(method)
    def recorded(self: Performer, /, *args: P.args, **kwargs: P.kwargs) -> ActionResult:
        bound = signature.bind(self, *args, **kwargs)
        bound.apply_defaults()
        arguments = {name: value for name, value in bound.arguments.items() if name != "self"}
        try:
            call = ActionCall(method.__name__, arguments)
        except ValueError as error:
            reason = str(error)
            call = ActionCall(method.__name__, {name: str(value)[:EXCERPT] for name, value in arguments.items()})
            return self.perform(call, lambda: ActionResult(ok=False, message=reason))
        # As recorded, so that the recorded text does the same again.
        return self.perform(call, lambda: unbound(self, **call.args))

    return marked(recorded)
