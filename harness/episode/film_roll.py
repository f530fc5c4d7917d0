"""The film of an episode as it grows, within bounds."""

from __future__ import annotations

from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from harness.browser.browser_choice import PictureFormat
from harness.browser.camera.camera import Shot, coded
from harness.browser.launch import SCREEN
from harness.kit.files import codec
from harness.records.film import MOST_FRAMES, EpisodeFilm, Film, Frame, Target, picture_name

MOST_BYTES = 128 * 1024 * 1024
"""Of the pictures of one film, which are in memory until the episode is written; frames after them have none."""
MOST_WAITING = 8
"""Pictures that wait to be coded."""


class FilmRoll:
    """Frames of one episode. Their pictures are coded in a thread of their own, while the solver goes on."""

    def __init__(self, kind: PictureFormat) -> None:
        """Begin one, whose pictures are of a format."""
        self._kind = kind
        self._coder = ThreadPoolExecutor(1, "film")
        self._frames: list[Frame] = []
        self._waiting: deque[tuple[int, Future[bytes]]] = deque()
        self._pictures: dict[str, bytes] = {}
        self._bytes = 0
        self._left_out = 0

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another frame."""
        return len(self._frames) >= MOST_FRAMES

    def leave_out(self) -> None:
        """Count a step or a deed of which there is to be no frame."""
        self._left_out += 1

    def add(self, shot: Shot, *, step: int | None = None, deed: str = "") -> None:
        """Add a frame, or count what has no room.

        Args:
            shot: What the page showed.
            step: After which step.
            deed: After which deed of a program.
        """
        if self.is_full:
            self.leave_out()
            return
        if shot.picture:
            self._waiting.append((len(self._frames), self._coder.submit(coded, shot.picture, self._kind)))
        self._frames.append(_frame(shot, step, deed))
        self._take_in(MOST_WAITING)

    def _take_in(self, most: int) -> None:
        """Take what is coded, until no more than ``most`` pictures wait."""
        while len(self._waiting) > most:
            place, made = self._waiting.popleft()
            self._frames[place] = replace(self._frames[place], picture=self._kept(made))

    def _kept(self, made: Future[bytes]) -> str:
        """The name of a picture; empty if it is none, or there is no room for it."""
        try:
            picture = made.result()
        except (OSError, ValueError):
            return ""
        name = picture_name(picture, self._kind)
        if name not in self._pictures:
            if self._bytes + len(picture) > MOST_BYTES:
                return ""
            self._bytes += len(picture)
            self._pictures[name] = picture
        return name

    def film(self, *, replayed: bool = False) -> EpisodeFilm:
        """All that there is.

        Args:
            replayed: Whether the episode's actions were done again for it.
        """
        self._take_in(0)
        return EpisodeFilm(
            Film(frames=tuple(self._frames), left_out=self._left_out, replayed=replayed), dict(self._pictures)
        )


def _frame(shot: Shot, step: int | None, deed: str) -> Frame:
    frame, told = Frame(step=step, deed=deed, size=SCREEN, ms=shot.ms), shot.told
    if not told:
        return frame
    return replace(
        frame,
        url=told["url"],
        title=told["title"],
        size=tuple(told["size"]),
        scroll=tuple(told["scroll"]),
        target=_target(told["target"]),
        presses=told["presses"],
        keys=told["keys"],
    )


def _target(told: Any) -> Target | None:
    return codec.typed(told, Target) if told else None
