"""What is asked of a browser: where it runs and may go, what it tells websites of itself, how it codes pictures."""

from __future__ import annotations

import re
import shutil
from argparse import ArgumentTypeError
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Literal, TypeAlias
from urllib.parse import urljoin, urlsplit
from zoneinfo import available_timezones

from harness.kit.text import did_you_mean

if TYPE_CHECKING:
    from harness.browser.channel import Params

PictureFormat: TypeAlias = Literal["webp", "jpeg", "png"]
SUFFIXES: Mapping[PictureFormat, str] = {"webp": "webp", "jpeg": "jpg", "png": "png"}
"""Format -> what the names of its files end in."""
QUALITY: Mapping[PictureFormat, int] = {"webp": 20, "jpeg": 30}
"""Of the formats that lose something, from 0 to 100: letters can be read, and more makes larger files."""


def taken_as(kind: PictureFormat) -> PictureFormat:
    """The format in which the browser is asked for a picture that is to be of format ``kind``.

    A browser takes two to four times as long for a WebP picture as for a PNG, and a page has to wait for it.
    """
    return "png" if kind == "webp" else kind


BrowserPlace = Literal["here", "attached", "grid"]
"""Where the browsers of a run are: started on this machine, somebody's own, or lent by a Selenium Grid."""


@dataclass(frozen=True)
class RemoteBrowser:
    """A browser that runs elsewhere.

    Attributes:
        place: Whose it is.
        url: Of the Grid, or the browser's DevTools: ``http://HOST:PORT``, or its WebSocket.
    """

    place: Literal["attached", "grid"]
    url: str


_QUERY = re.compile("[?#]")
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True)
class NavigationPolicy:
    """Of the browser of one task.

    Attributes:
        origins: What its tabs may visit, e.g. ``http://shop.test``; none for a form, whose page is all there is and
            whose scripts are kept from leaving it, opening tabs and closing it.
        hosts: Host -> where it is served, e.g. ``shop.test`` -> ``127.0.0.1:8000``; without a port at those of
            ``origins``. Other hosts are not reached unless the browser's settings say ``live``.
    """

    origins: tuple[str, ...] = ()
    hosts: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_site(self) -> bool:
        """Whether it lets pages lead elsewhere."""
        return bool(self.origins)

    def allows(self, url: str) -> bool:
        """Whether a tab may show an address, as far as its spelling tells: what is spelled oddly it may not."""
        return url == "about:blank" or split_origin(url) in {split_origin(origin) for origin in self.origins} - {None}

    def address(self, written: str, shown: str) -> str | None:
        """The address that is meant by one as people write it; None if a tab may not show that.

        Args:
            written: As a whole, without its scheme (``shop.test/cart``), or from the one that is shown (``/cart``).
            shown: The address that a tab shows.
        """
        written = written.strip()
        host = written.partition("/")[0]
        origin = next((each for each in self.origins if urlsplit(each).netloc == host), None)
        try:
            url = urljoin(shown, written if origin is None else origin + written.removeprefix(host))
        except ValueError:  # it is no address, such as one with half a bracket
            return None
        return url if self.allows(url) else None


def split_origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port of an address of the web; None of any other, and of one with a backslash.

    Browsers take that for a slash, so that what stands behind it is no part of the host as it seems to be.

    Args:
        url: An address or an origin, e.g. ``http://shop.test``.
    """
    if "\\" in _QUERY.split(url, maxsplit=1)[0]:
        return None
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS[parts.scheme]
    except (ValueError, KeyError):
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None


FORM = NavigationPolicy()
"""The page of one form."""


CHANNELS: Mapping[str, tuple[str, ...]] = {
    "chromium": ("chromium", "chromium-browser"),
    "chrome": ("google-chrome", "google-chrome-stable", "chrome"),
    "chrome-beta": ("google-chrome-beta",),
    "chrome-dev": ("google-chrome-unstable",),
}
"""Channel -> the programs that it may be."""
_LOCALE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|\d{3}))?")
_AGENT = re.compile(r"[\x20-\x7e]{1,500}")


@dataclass(frozen=True)
class Visitor:
    """What differs from the usual visitor, who speaks American English; what is empty does not.

    Attributes:
        locale: Of pages, dates and numbers, and what is asked for as language, e.g. ``en-GB``.
        time_zone: By its name in the time zone database, e.g. ``Europe/London``.
        user_agent: How the browser calls itself.
        channel: Which browser is started, a name of ``CHANNELS``.
    """

    locale: str = ""
    time_zone: str = ""
    user_agent: str = ""
    channel: str = ""

    @property
    def commands(self) -> list[tuple[str, Params]]:
        """What a page is set up with for it, by DevTools."""
        commands: list[tuple[str, Params]] = []
        if self.locale:
            commands.append(("Emulation.setLocaleOverride", {"locale": self.locale}))
        if self.time_zone:
            commands.append(("Emulation.setTimezoneOverride", {"timezoneId": self.time_zone}))
        if self.user_agent or self.locale:
            # An empty name leaves the browser its own.
            language = {"acceptLanguage": self.locale} if self.locale else {}
            commands.append(("Emulation.setUserAgentOverride", {"userAgent": self.user_agent, **language}))
        return commands

    @property
    def program(self) -> str | None:
        """The path of its channel's browser; None if that is not installed, or no channel is asked for."""
        return next(filter(None, map(shutil.which, CHANNELS.get(self.channel, ()))), None)


NAMES = tuple(each.name for each in fields(Visitor))


def visitor_part(text: str) -> str:
    """``KEY=VALUE``, one thing that differs of a visitor, as an argument of a command.

    Raises:
        argparse.ArgumentTypeError: it is none; the message says why.
    """
    key, is_pair, value = text.partition("=")
    if key not in NAMES or not is_pair:
        raise ArgumentTypeError(f"{text!r} is not KEY=VALUE with {' or '.join(NAMES)}.{did_you_mean(key, NAMES)}")
    if key == "locale" and not _LOCALE.fullmatch(value):
        raise ArgumentTypeError(f"{value!r} is no locale as en-GB or zh-Hans-SG are")
    if key == "time_zone" and value not in available_timezones():
        raise ArgumentTypeError(f"there is no time zone {value!r}.{did_you_mean(value, sorted(available_timezones()))}")
    if key == "user_agent" and not _AGENT.fullmatch(value):
        raise ArgumentTypeError("the user agent is no line of 1 to 500 characters of ASCII")
    if key == "channel" and value not in CHANNELS:
        raise ArgumentTypeError(f"there is no channel {value!r}; there are {', '.join(CHANNELS)}")
    return text


def visitor_of(parts: Iterable[str]) -> Visitor:
    """The visitor of some parts, of which the last of a key counts.

    Raises:
        argparse.ArgumentTypeError: one is none, see `visitor_part`.
    """
    return Visitor(**dict(visitor_part(part).split("=", 1) for part in parts))
