"""Takes frames of the page that a browser shows: a picture, and what was acted on, in one stand-still."""

from __future__ import annotations

import base64
import io
import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from importlib.resources import files
from typing import Any

from PIL import Image, WebPImagePlugin  # noqa: F401 - else Pillow loads all the formats it knows to find this one

from harness.browser.browser import Browser, PageFailed, value_of
from harness.browser.browser_choice import QUALITY, PictureFormat, taken_as
from harness.browser.channel import Params
from harness.browser.launch import in_page_script
from harness.browser.wire import BrowserGone, Message

PATIENCE_SECONDS = 3.0
"""How long a frame may take: a page whose script does not end gives none."""
MOST_FAILURES = 3
"""Frames one after another that did not come in time, after which the page is not asked any more."""


@dataclass(frozen=True)
class Shot:
    """What the page showed at one moment.

    Attributes:
        told: What ``film.js`` tells: ``url``, ``title``, ``html``, ``size``, ``scroll``, ``target``, ``presses``,
            ``keys`` and ``changed``; empty if it could not be asked.
        picture: The viewport, in the format in which it is taken; empty if none could be.
        ms: Milliseconds that were spent on it until all was there.
        console: What the page's scripts have written to its console since the frame before, errors among it.
    """

    told: Mapping[str, Any] = field(default_factory=dict)
    picture: bytes = b""
    ms: float = 0.0
    console: tuple[str, ...] = ()


@dataclass(frozen=True)
class Exposure:
    """A frame that the browser was asked for.

    Attributes:
        numbers: Of the commands; none if it could not be asked.
        ms: Milliseconds that asking took.
    """

    numbers: tuple[int, ...] = ()
    ms: float = 0.0


@dataclass(frozen=True)
class _Wanted:
    """What of a frame is asked for.

    Attributes:
        name: The field that was to be acted on, if it is known by its name.
        number: The element that was, if it is known by its number.
        watched: Whether to tell if the page has changed since.
        picture: Whether there is to be a picture.
        after_frame: Whether the page is to have a frame before, in which it goes where it was scrolled to.
    """

    name: str | None = None
    number: int | None = None
    watched: bool = False
    picture: bool = True
    after_frame: bool = False


class Camera:
    """Of one browser; what it cannot take it leaves empty, and it never raises what the page has brought about.

    Attributes:
        kind: How its pictures are to be coded, see ``harness.browser.camera.camera.coded``.
    """

    def __init__(self, browser: Browser, kind: PictureFormat) -> None:
        self.kind = kind
        self._browser = browser
        self._failures = 0
        self._staying = ""
        self._console: tuple[list[str], int] = ([], 0)

    @property
    def has_given_up(self) -> bool:
        """Whether the page has failed to answer too often."""
        return self._failures >= MOST_FAILURES

    def shoot(self, name: str | None = None, number: int | None = None, *, watched: bool = False) -> Shot:
        """A frame, waited for.

        Args:
            name: The field that was to be acted on, if it is known by its name.
            number: The element that was, if it is known by the number that an observation gave it.
            watched: Whether to tell if the page has changed since the look before. Nobody has waited for the page then,
                so that it gets a frame first.
        """
        return self.develop(self._expose(_Wanted(name, number, watched, after_frame=watched)))

    def expose(self, name: str | None = None, number: int | None = None) -> Exposure:
        """Ask for a frame, to be waited for with ``develop`` before anything else is done to the page.

        Args:
            name: As for ``shoot``.
            number: As for ``shoot``.
        """
        return self._expose(_Wanted(name, number))

    def _expose(self, wanted: _Wanted) -> Exposure:
        if self.has_given_up:
            return Exposure()
        start = time.perf_counter()
        try:
            numbers = tuple(self._browser.channel.send(method, **params) for method, params in self._commands(wanted))
        except BrowserGone:
            self._failures += 1
            return Exposure()
        return Exposure(numbers, (time.perf_counter() - start) * 1000)

    def develop(self, exposure: Exposure) -> Shot:
        """The frame that was asked for; its ``ms`` are what asking and waiting took, without what was between."""
        if not exposure.numbers:
            return Shot()
        start = time.perf_counter()
        try:
            replies = self._browser.channel.collect(exposure.numbers, PATIENCE_SECONDS)
            self._failures = 0
        except BrowserGone:
            self._failures += 1
            replies = [{}, {}]
        return self._shot(replies, start - exposure.ms / 1000)

    def stay(self) -> None:
        """Listen to the documents that take the place of the present one, too, from their first moment."""
        self._staying = f"if (window === window.top) {{ {_script()} }}"
        self._browser.stay(self._staying)

    def leave(self) -> None:
        """End what ``stay`` has begun."""
        if self._staying:
            self._browser.leave(self._staying)
            self._staying = ""

    def begin(self, then: Callable[[Shot], None], *, picture: bool) -> None:
        """A frame that nobody waits for.

        Args:
            then: Called with it by whoever reads what the browser says; never, if it does not answer.
            picture: Whether it is to have a picture; without one it costs the page next to nothing.
        """
        start, replies = time.perf_counter(), dict[int, Message]()
        commands = self._commands(_Wanted(watched=True, picture=picture))

        def take(place: int, message: Message) -> None:
            replies[place] = message
            if len(replies) == len(commands):
                then(self._shot([replies[each] for each in range(len(commands))], start))

        try:
            for place, (method, params) in enumerate(commands):
                self._browser.channel.ask(partial(take, place), method, **params)
        except BrowserGone:
            self._failures = MOST_FAILURES

    def _commands(self, wanted: _Wanted) -> list[tuple[str, Params]]:
        """What is asked, and the picture last: it waits for the page's next frame."""
        asked = (wanted.name, wanted.number, wanted.watched, wanted.picture)
        arguments = ", ".join(map(json.dumps, asked))
        # Where it stays, each document has loaded the script with itself.
        script = "harness.film &&" if self._staying else f"{_script()}\n"
        take = f"harness.film.take({arguments})"
        if wanted.after_frame:
            take = f"harness.page.frame().then(() => {take})"
        look = {
            "expression": f"{script} {take}",
            "contextId": self._browser.world_number,
            "returnByValue": True,
            "awaitPromise": wanted.after_frame,
        }
        if not wanted.picture:
            return [("Runtime.evaluate", look)]
        taken = taken_as(self.kind)
        picture: Params = {"format": taken, "optimizeForSpeed": True}
        if taken in QUALITY:
            picture["quality"] = QUALITY[taken]
        return [("Runtime.evaluate", look), ("Page.captureScreenshot", picture)]

    def _shot(self, replies: list[Message], start: float) -> Shot:
        try:
            told = value_of(replies[0]["result"])
        except (KeyError, PageFailed):
            told = {}
        data = base64.b64decode(replies[-1].get("result", {}).get("data", ""))
        return Shot(told or {}, data, round((time.perf_counter() - start) * 1000, 2), self._news())

    def _news(self) -> tuple[str, ...]:
        """What was written to the console since it was asked last; another tab has another one."""
        console = self._browser.page.console
        seen = self._console[1] if console is self._console[0] and len(console) >= self._console[1] else 0
        self._console = console, len(console)
        return tuple(console[seen:])


@cache
def _script() -> str:
    film = (files(__package__) / "film.js").read_text(encoding="utf-8")
    return f"{in_page_script('marks', 'site_scripts')}\n{film}"


_WEBP_EFFORT = 2
"""Of 6: less makes files a third larger, more takes twice the time for a twentieth."""


def load_formats() -> None:
    """Load what ``coded`` needs, for processes that are forked from this one."""
    Image.preinit()


def coded(picture: bytes, kind: PictureFormat) -> bytes:
    """A picture as the browser gave it, in the format in which it is kept.

    Args:
        picture: In the format ``taken_as(kind)``.
        kind: The format.

    Raises:
        OSError: it is no such picture.
    """
    if kind != "webp":
        return picture
    file = io.BytesIO()
    with Image.open(io.BytesIO(picture), formats=["PNG"]) as image:
        # As the browser gives it, it has no transparency; to convert it would copy it.
        (image if image.mode == "RGB" else image.convert("RGB")).save(
            file, "WEBP", quality=QUALITY[kind], method=_WEBP_EFFORT
        )
    return file.getvalue()
