"""Asking a model when no episode waits for it: judges work once the episodes have ended."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import NoReturn

from harness.models.client import ModelError
from harness.models.messages import Request


class NoRoomLeft(ModelError):
    """A limit in money or tokens leaves no room for a call; the message names it."""


class NoEpisode:
    """What a service is told of an episode where there is none (``harness.models.service.CallingEpisode``)."""

    def waiting(self, asked: Request | None = None) -> AbstractContextManager[None]:  # noqa: ARG002 - nobody looks on
        """Nobody's time passes meanwhile."""
        return nullcontext()

    def stop_at(self, which: str) -> NoReturn:
        """A limit leaves no room for the call.

        Raises:
            NoRoomLeft: always.
        """
        raise NoRoomLeft(f"the run's limit of {which} leaves no room for it")

    def not_answered(self, error: ModelError) -> None:
        """Who asked is told, too, and nobody else has to be."""
