"""A pause of a run whose model's provider is gone: one try at a time, later and later, until it is back or given up."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Literal, get_args

from harness.records.fatal import FatalError

OnProviderFailure = Literal["stop", "wait"]
ON_PROVIDER_FAILURE: tuple[OnProviderFailure, ...] = get_args(OnProviderFailure)
BACK_OFF = (2.0, 5.0, 10.0, 20.0, 40.0, 60.0)
"""Seconds before each try of a pause. A server that is started anew is back within them."""
LONGEST = 300.0
"""Seconds before each further try of a run that waits."""


class NotNow(Exception):
    """A job cannot be done now, for a reason outside of it that concerns all jobs; it is done later.

    Attributes:
        lasting: Whether waiting will hardly help.
    """

    def __init__(self, reason: str, lasting: bool = False) -> None:
        super().__init__(reason)
        self.lasting = lasting

    def __reduce__(self) -> tuple[type[NotNow], tuple[str, bool]]:
        return type(self), (str(self), self.lasting)


class ProviderGivenUp(FatalError):
    """The model's provider gave no answer for as long as the run was to wait for one.

    Where waiting would hardly have helped, a run that came to nothing is none to go on with.
    """

    kind = "provider"

    def __init__(self, message: str, lasting: bool = False) -> None:
        super().__init__(message)
        self.lasting = lasting


class Pause:
    """When the jobs of a run that met an outage are tried again.

    Attributes:
        on: Whether there is a pause.
    """

    def __init__(self, on_failure: OnProviderFailure = "stop", clock: Callable[[], float] = time.monotonic) -> None:
        """No pause yet.

        Args:
            on_failure: Whether the run ends after ``BACK_OFF``, or goes on trying every ``LONGEST`` seconds.
            clock: Seconds, from any beginning.
        """
        self.on = False
        self._on_failure = on_failure
        self._clock = clock
        self._began = 0.0
        self._next = 0.0
        self._tries = 0

    def met(self, why: NotNow, *, is_try: bool) -> str:
        """A job met an outage; what to tell of it, empty if nothing that is not known.

        Args:
            why: The outage.
            is_try: Whether the job is the one that the pause let through.

        Raises:
            ProviderGivenUp: waiting will hardly help, or this was the last try.
        """
        if not self.on:
            return self.begin(why)
        return self.failed(why) if is_try else ""

    def begin(self, why: NotNow) -> str:
        """There is an outage; what to tell of it.

        Raises:
            ProviderGivenUp: waiting will hardly help.
        """
        self.on, self._began, self._tries = True, self._clock(), 0
        return f"paused: {why}; {self._put_off(why)}"

    def failed(self, why: NotNow) -> str:
        """A try met the outage again; what to tell of it.

        Raises:
            ProviderGivenUp: it was the last one.
        """
        self._tries += 1
        return f"still paused after {self._seconds()}: {why}; {self._put_off(why)}"

    def end(self) -> str:
        """A try went well; what to tell of it."""
        self.on = False
        return f"the provider answers again after {self._seconds()}: the run goes on"

    @property
    def is_due(self) -> bool:
        """Whether it is time for a try."""
        return self._clock() >= self._next

    def _put_off(self, why: NotNow) -> str:
        waiting = self._on_failure == "wait"
        if not waiting and (why.lasting or self._tries >= len(BACK_OFF)):
            raise ProviderGivenUp(f"stopped: {why}", why.lasting)
        seconds = BACK_OFF[self._tries] if self._tries < len(BACK_OFF) else LONGEST
        self._next = self._clock() + seconds
        return f"one page is tried again in {seconds:g} s"

    def _seconds(self) -> str:
        return f"{self._clock() - self._began:.0f} s"
