"""The film of an episode as it grows, within bounds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from harness.browser.camera.camera import Shot
from harness.browser.camera.picture_format import PictureFormat
from harness.browser.launch import SCREEN
from harness.files import codec
from harness.runlog.film import MOST_FRAMES, Film, Frame, Target, picture_name

MOST_BYTES = 128 * 1024 * 1024
"""Of the pictures of one film, which are in memory until the episode is written; frames after them have none."""


class FilmRoll:
    """Frames of one episode.

    Attributes:
        pictures: Picture by the name of its file.
    """

    def __init__(self, kind: PictureFormat) -> None:
        """Begin one, whose pictures are of a format."""
        self.pictures: dict[str, bytes] = {}
        self._kind = kind
        self._frames: list[Frame] = []
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
        else:
            self._frames.append(self._frame(shot, step, deed))

    def _frame(self, shot: Shot, step: int | None, deed: str) -> Frame:
        told = shot.told
        frame = Frame(step=step, deed=deed, picture=self._kept(shot.picture), size=SCREEN, ms=shot.ms)
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

    def _kept(self, picture: bytes) -> str:
        """The name of a picture; empty if there is none, or no room for it."""
        if not picture:
            return ""
        name = picture_name(picture, self._kind)
        if name not in self.pictures:
            if self._bytes + len(picture) > MOST_BYTES:
                return ""
            self._bytes += len(picture)
            self.pictures[name] = picture
        return name

    def film(self, *, replayed: bool = False) -> Film:
        """What there is so far.

        Args:
            replayed: Whether the episode's actions were done again for it.
        """
        return Film(frames=tuple(self._frames), left_out=self._left_out, replayed=replayed)


def _target(told: Any) -> Target | None:
    return codec.typed(told, Target) if told else None
