"""The trajectory of an episode as it grows, within its limits."""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal, NoReturn

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult, ErrorCode, Step
from harness.browser.channel import Refusal
from harness.kit.text import counted
from harness.models.client import ModelError
from harness.records.agent_report import AgentReport
from harness.records.config import Limits
from harness.records.texts import name_of
from harness.records.turn import Turn

if TYPE_CHECKING:
    from harness.browser.gate.gate_access import Watcher
    from harness.records.film import EpisodeFilm
    from harness.records.under_way import Asked, UnderWayFile


class LimitReached(Exception):
    """A limit of the episode is used up; what the page holds is scored.

    Attributes:
        which: ``steps``, ``time``, ``cost``, ``tokens``, or ``repeats`` of the same actions on the same page.
    """

    def __init__(self, which: str) -> None:
        super().__init__(f"the episode's limit of {which} is reached")
        self.which = which


LONGEST_WAIT_SECONDS = 1800.0
"""How long one wait for a provider may be; what is beyond counts as the solver's time, so that every wait ends."""


Trace = Literal["looked", "rehearsed"]


class Trajectory:
    """What a solver has done on a page so far, and what it may still do.

    Attributes:
        steps: Its actions.
        turns: What it said to a model, and what came back.
        images: PNG by SHA-256, as named by steps and turns.
        texts: JSON text by SHA-256, as named by turns.
        limit: Which limit was reached, see ``LimitReached``; empty until then.
        wait_ms: Milliseconds of all waits for a provider or a person that are over.
        look_ms: Milliseconds that all looks at the page together have taken.
        film_ms: Milliseconds that its film has taken, see ``harness.episode.film``.
        lost: Why there is no page any more to be read, if the solver's own program has done away with it.
        unanswered: With what the harness's own service has failed to get an answer of a model last; None if it has not.
        agent_report: What a program from outside says of its own work; None where the harness sees all of it.
    """

    def __init__(self, limits: Limits | None = None, onlooker: UnderWayFile | None = None) -> None:
        """Begin one.

        Args:
            limits: How many steps it may have, and how much time from now; None for the usual ones.
            onlooker: Is told how the episode goes on; None if nobody is.
        """
        self._onlooker = onlooker
        limits = limits or Limits()
        self.steps: list[Step] = []
        self.turns: list[Turn] = []
        self.images: dict[str, bytes] = {}
        self.texts: dict[str, str] = {}
        self.limit = ""
        self.wait_ms = 0.0
        self.look_ms = 0.0
        self.film_ms = 0.0
        self.lost = ""
        self.unanswered: ModelError | None = None
        self.agent_report: AgentReport | None = None
        self._max_steps = limits.max_steps
        self._deadline = time.monotonic() + limits.max_seconds
        # Seconds of the waits that are over and of what is excused, and since when a wait is on: in one piece, since
        # another thread reads them.
        self._waits: tuple[float, float | None] = (0.0, None)
        self._traces: set[Trace] = set()

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """Do the work of an action, and add it to the steps as ``call``.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        self.check_limits()
        before = frozenset(self._traces)
        start, waited = time.perf_counter(), self.wait_ms
        result = work()
        result = replace(result, ms=(time.perf_counter() - start) * 1000 - (self.wait_ms - waited))
        name = ""
        if result.image:
            name = hashlib.sha256(result.image).hexdigest()
            self.images[name] = result.image
        self.steps.append(Step.of(call, result, name, looked="looked" in before, rehearsed="rehearsed" in before))
        if self._onlooker:
            self._onlooker.stepped(len(self.steps), call.name)
            if result.image:
                self._onlooker.sees(result.image)
        self._traces.clear()
        return result

    def record_refusals(self, refusals: Iterable[Refusal]) -> None:
        """Add what a program asked of the browser and was refused, each kind as one step."""
        for refusal in refusals:
            often = f" ({counted(refusal.times, 'time')})" if refusal.times > 1 else ""
            call = ActionCall("devtools", {"method": refusal.method})
            result = ActionResult(ok=False, message=f"refused: {refusal.reason}{often}", code=ErrorCode.NOT_ALLOWED)
            self.steps.append(Step.of(call, result))

    @contextlib.contextmanager
    def looking(self) -> Iterator[None]:
        """A context for a look at the page, which is no step: its time counts as that of looks."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.look_ms += (time.perf_counter() - start) * 1000

    def leave_trace(self, trace: Trace) -> None:
        """Let the next step say that before it something was done to the page that a replay has to do again.

        Args:
            trace: As an attribute of ``harness.actions.result.Step`` is called.
        """
        self._traces.add(trace)

    def record_turn(
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

    def add_to_note(self, *words: str) -> None:
        """Add to what is to be known of the last turn; nothing is kept where there is none."""
        if words and self.turns:
            last = self.turns[-1]
            self.turns[-1] = replace(last, note="\n".join(filter(None, (last.note, *words))))

    @contextlib.contextmanager
    def waiting(self, asked: Asked | None = None) -> Iterator[None]:
        """A context for waiting for a model's provider, or for a person: the time in it is not the solver's.

        A single wait counts for ``LONGEST_WAIT_SECONDS`` at most. Waits inside a wait are part of it.

        Args:
            asked: The request whose reply is waited for; None if it is a person, or not known.

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
            with self._onlooker.waiting(asked) if self._onlooker else contextlib.nullcontext():
                yield
        finally:
            self._waits = (self.waited(), None)
            self.wait_ms += (time.monotonic() - start) * 1000

    def excuse(self, seconds: float) -> None:
        """Put time that was not the solver's on top of its limit; inside a wait it is excused already."""
        over, since = self._waits
        if since is None:
            self._waits = (over + seconds, None)

    def not_answered(self, error: ModelError) -> None:
        """Take down that the harness's own service got no answer of a model: no fault of the solver that asked."""
        self.unanswered = error

    def watch_program(self) -> Watcher | None:
        """Who looks on at a program from outside that drives the page itself; None for nobody."""
        return None

    def end_film(self) -> None:
        """Take what is left to be filmed: the solver has done its work, and the form is not submitted yet."""

    def film(self, *, replayed: bool = False) -> EpisodeFilm | None:  # noqa: ARG002 - of what is filmed
        """The film; None if there is none.

        Args:
            replayed: Whether an episode's actions were done again for it.
        """
        return None

    def waited(self) -> float:
        """Seconds that were not the solver's so far, spent waiting for a provider; may be asked from another thread."""
        over, since = self._waits
        return over + (0.0 if since is None else min(time.monotonic() - since, LONGEST_WAIT_SECONDS))

    def seconds_left(self) -> float:
        """Seconds until the solver's time is up, if it does not wait for a provider; 0 from then on."""
        return max(0.0, self._deadline + self.waited() - time.monotonic())

    def steps_left(self) -> int:
        """How many actions the solver has left."""
        return max(0, self._max_steps - len(self.steps))

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
