"""How a judge's questions reach its model: through the service, with its limits, and as the model takes them."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import TypeVar

from harness.kit.errors import UserError
from harness.models.messages import Reply, Request
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset
from harness.models.service import ModelService
from harness.scoring.judges.judge_requests import held_to_form, without_pictures

R = TypeVar("R")


class JudgingEnded(Exception):
    """The judging was to end before a question was sent."""


class BlindModel(UserError):
    """A model that takes no pictures is to judge by them; the message says what to do."""


class JudgeAsker:
    """Asks a model for a judge, from many threads at once.

    Attributes:
        model: The provider's name of the model.
    """

    def __init__(
        self,
        service: ModelService,
        preset: Preset,
        *,
        repeat: int = 1,
        pictures: bool = True,
        longest_reply: int | None = None,
    ) -> None:
        """Ask a model.

        Args:
            service: Of the model.
            preset: The model, and how it is asked.
            repeat: The seed of each request: another one is another question, also to the replies on disk.
            pictures: Whether pictures are sent.
            longest_reply: In tokens; None for as long as the questions allow.

        Raises:
            BlindModel: they are, and the model takes none.
        """
        if pictures and preset.pictures is False:
            raise BlindModel(
                f"{preset.name}: {preset.model} takes no pictures, by which judges judge; --no-vision leaves them out, "
                "and the judge's name says so"
            )
        self.model = preset.model
        self._service = service
        self._preset = preset
        self._repeat = repeat
        self._pictures = pictures
        self._longest_reply = longest_reply
        self._ended = threading.Event()

    def ask(self, request: Request) -> Reply:
        """The reply to a question.

        Raises:
            JudgingEnded: ``end`` was called.
            harness.models.client.ModelError: the model did not answer.
        """
        if self._ended.is_set():
            raise JudgingEnded
        return self._service.complete(self.prepared(request), NoEpisode(), where="judge").reply

    def prepared(self, request: Request) -> Request:
        """A question as it is sent: with the temperature of the model's preset, and the repeat as its seed."""
        if not self._pictures:
            request = without_pictures(request)
        if self._preset.provider == "local":  # As of solvers: others write freely, and are read strictly.
            request = held_to_form(request)
        return replace(
            request,
            temperature=self._preset.temperature,
            seed=self._repeat,
            max_tokens=self._longest_reply or request.max_tokens,
        )

    def end(self) -> None:
        """Send no further question; those under way are the last."""
        self._ended.set()


class Threads:
    """So many threads that ask at once; a context."""

    def __init__(self, number: int) -> None:
        """Start them when they are needed."""
        self._pool = ThreadPoolExecutor(number)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def spread(self, work: Callable[[str], R], names: Sequence[str]) -> list[R]:
        """As ``map``, at once."""
        return list(self._pool.map(work, names))
