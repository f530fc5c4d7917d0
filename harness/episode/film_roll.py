"""The film of an episode as it grows, within bounds."""

from __future__ import annotations

import gzip
from collections import deque
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from typing import Any

from harness.browser.camera.camera import Shot
from harness.browser.camera.coding import coded
from harness.browser.camera.picture_format import PictureFormat
from harness.browser.launch import SCREEN
from harness.kit.files import codec
from harness.records.film import MOST_FRAMES, EpisodeFilm, Film, Frame, Target, page_name, picture_name
from harness.records.under_way import UnderWayFile

MOST_BYTES = 128 * 1024 * 1024
"""Of the pictures of one film, which are in memory until the episode is written; frames after them have none."""
_EFFORT = 3
"""Of 9: more makes pages hardly smaller, and takes longer."""
MOST_WAITING = 8
"""Pictures that wait to be coded."""


class FilmRoll:
    """Frames of one episode. Their pictures are coded in a thread of their own, while the solver goes on."""

    def __init__(self, kind: PictureFormat, onlooker: UnderWayFile | None = None) -> None:
        """Begin one, whose pictures are of a format; an onlooker is shown them as they are taken."""
        self._onlooker = onlooker
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
            if self._onlooker:
                self._onlooker.sees(shot.picture)
            self._waiting.append((len(self._frames), self._coder.submit(coded, shot.picture, self._kind)))
        html = self._page(shot.told["html"]) if shot.told and shot.told["html"] else ""
        self._frames.append(replace(_frame(shot, step, deed), html=html, console=shot.console))
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
        return self._named(picture_name(picture, self._kind), picture)

    def _page(self, html: str) -> str:
        """The name of what a page holds; empty if there is no room for it."""
        data = gzip.compress(html.encode("utf-8", "replace"), _EFFORT, mtime=0)
        return self._named(page_name(data), data)

    def _named(self, name: str, data: bytes) -> str:
        if name not in self._pictures:
            if self._bytes + len(data) > MOST_BYTES:
                return ""
            self._bytes += len(data)
            self._pictures[name] = data
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
