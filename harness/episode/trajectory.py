"""The trajectory of an episode as it grows, within its limits; and how a method becomes an action, a step of it."""

from __future__ import annotations

import contextlib
import functools
import inspect
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Concatenate, NoReturn, ParamSpec, Protocol, TypeVar

from harness.actions.call import ActionCall
from harness.actions.error_code import ErrorCode
from harness.actions.result import ActionResult, Step
from harness.actions.spec import action as marked
from harness.runlog.texts import name_of
from harness.runlog.turn import Turn

P = ParamSpec("P")
EXCERPT = 200
"""Characters of each argument that are kept of a call whose arguments cannot be written down."""
LONGEST_WAIT_SECONDS = 1800.0
"""How long one wait for a provider may be; what is beyond counts as the solver's time, so that every wait ends."""


class Recorder(Protocol):
    """What has actions."""

    def perform(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do ``work``, and take it down as ``call``."""


Performer = TypeVar("Performer", bound=Recorder)


class LimitReached(Exception):
    """A limit of the episode is used up; what the page holds is scored.

    Attributes:
        which: ``steps``, ``time``, ``cost``, ``tokens``, or ``repeats`` of the same actions on the same page.
    """

    def __init__(self, which: str) -> None:
        super().__init__(f"the episode's limit of {which} is reached")
        self.which = which


class Trajectory:
    """What a solver has done on a page so far, and what it may still do.

    Attributes:
        steps: Its actions.
        turns: What it said to a model, and what came back.
        images: PNG by SHA-256, as named by steps and turns.
        texts: JSON text by SHA-256, as named by turns.
        limit: Which limit was reached, see ``LimitReached``; empty until then.
        wait_ms: Milliseconds of all waits for a provider that are over.
        lost: Why there is no page any more to be read, if the solver's own program has done away with it.
    """

    def __init__(self, *, max_steps: int, max_seconds: float) -> None:
        """Begin one.

        Args:
            max_steps: Actions before ``LimitReached``.
            max_seconds: Time from now before ``LimitReached``, waiting for a provider not counted.
        """
        self.steps: list[Step] = []
        self.turns: list[Turn] = []
        self.images: dict[str, bytes] = {}
        self.texts: dict[str, str] = {}
        self.limit = ""
        self.wait_ms = 0.0
        self.lost = ""
        self._max_steps = max_steps
        self._deadline = time.monotonic() + max_seconds
        # Seconds of the waits that are over, and since when one is on: in one piece, since another thread reads them.
        self._waits: tuple[float, float | None] = (0.0, None)

    def take_down(
        self, turn: Turn, texts: Mapping[str, str] | None = None, images: Mapping[str, bytes] | None = None
    ) -> None:
        """Add a turn to the trajectory.

        Args:
            turn: The turn.
            texts: The texts that it names: JSON text by the SHA-256 of its UTF-8 bytes.
            images: The pictures that it names: PNG by SHA-256.

        Raises:
            ValueError: a text is not the one that its name says.
        """
        for name, text in (texts or {}).items():
            if name_of(text) != name:
                raise ValueError(f"the text {text[:40]!r}... is kept under {name}, which is not its SHA-256")
        self.texts |= texts or {}
        self.images |= images or {}
        self.turns.append(turn)

    @contextlib.contextmanager
    def waiting(self) -> Iterator[None]:
        """A context for waiting for a model's provider: the time in it is not the solver's.

        A single wait counts for ``LONGEST_WAIT_SECONDS`` at most. Waits inside a wait are part of it.

        Raises:
            LimitReached: the episode's steps or time are used up, so that no answer could be of use.
        """
        if self._waits[1] is not None:
            yield
            return
        self.check_limits()
        start = time.monotonic()
        self._waits = (self._waits[0], start)
        try:
            yield
        finally:
            self._waits = (self.waited(), None)
            self.wait_ms += (time.monotonic() - start) * 1000

    def waited(self) -> float:
        """Seconds that were spent waiting for a provider so far; may be asked from another thread."""
        over, since = self._waits
        return over + (0.0 if since is None else min(time.monotonic() - since, LONGEST_WAIT_SECONDS))

    def seconds_left(self) -> float:
        """Seconds until the solver's time is up, if it does not wait for a provider; 0 from then on."""
        return max(0.0, self._deadline + self.waited() - time.monotonic())

    def check_limits(self) -> None:
        """Nothing while the solver may go on.

        Raises:
            LimitReached: its steps or its time are used up, or another limit was reached before.
        """
        if self.limit:
            raise LimitReached(self.limit)
        if len(self.steps) >= self._max_steps:
            self.stop_at("steps")
        if time.monotonic() > self._deadline + self.waited():
            self.stop_at("time")

    def stop_at(self, which: str) -> NoReturn:
        """End the episode at a limit, for good: no action is done any more.

        Args:
            which: As in ``LimitReached``.

        Raises:
            LimitReached: always.
        """
        self.limit = which
        raise LimitReached(which)


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
            return self.perform(call, lambda: ActionResult(ok=False, message=reason, code=ErrorCode.WRONG_ARGUMENT))
        # As recorded, so that the recorded text does the same again.
        return self.perform(call, lambda: unbound(self, **call.args))

    return marked(recorded)
