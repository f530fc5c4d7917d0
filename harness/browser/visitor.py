"""What websites are told of whoever visits them: language, time zone, and how the browser calls itself."""

from __future__ import annotations

import re
import shutil
from argparse import ArgumentTypeError
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from harness.kit.text.closest import did_you_mean

if TYPE_CHECKING:
    from harness.browser.channel import Params

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
