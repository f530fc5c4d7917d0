"""A browser that is logged in: the cookies that tasks begin with, as Playwright keeps a browser's state."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from harness.catalog.problems import CatalogError
from harness.kit.files.codec import Malformed, plain, read

LOGIN = "_login.json"
"""The file beside the task folders."""


@dataclass(frozen=True)
class Cookie:
    """A cookie as a state has it.

    Attributes:
        name: Its name.
        value: What it says; by it the site knows who is there.
        domain: The host that it is for; with a dot in front, the hosts below it, too.
        path: The paths that it is for.
        expires: Until when, in seconds since 1970; -1 for as long as the browser is open.
        httpOnly: Whether pages' scripts do not see it.
        secure: Whether it is sent over https alone.
        sameSite: Whether requests from other sites have it.
    """

    name: str
    value: str
    domain: str
    path: str = "/"
    expires: float = -1
    httpOnly: bool = False  # noqa: N815 - as the file has it
    secure: bool = False
    sameSite: Literal["Strict", "Lax", "None"] = "Lax"  # noqa: N815 - as the file has it

    def is_for(self, origin: str) -> bool:
        """Whether a page of an origin may have it."""
        host, own = urlsplit(origin).hostname or "", self.domain.lstrip(".").lower()
        return host == own or (self.domain.startswith(".") and host.endswith(f".{own}"))

    def is_over(self, now: float) -> bool:
        """Whether it counts no more.

        Args:
            now: Seconds since 1970.
        """
        return 0 <= self.expires <= now

    @property
    def given(self) -> dict[str, Any]:
        """As a browser is given it (``Network.CookieParam``): what has no end, or no policy that it takes, without."""
        record = dict(plain(self))
        if self.expires < 0:
            del record["expires"]
        if self.sameSite == "None" and not self.secure:
            del record["sameSite"]
        return record


@dataclass(frozen=True)
class BrowserState:
    """A browser's state; what else the file has, such as what pages have stored, is not used."""

    cookies: tuple[Cookie, ...]


def read_state(file: Path) -> BrowserState:
    """Read a state.

    Raises:
        CatalogError: it is none, or cannot be read.
    """
    try:
        return read(file, BrowserState)
    except OSError as error:
        raise CatalogError(
            f"{file} cannot be read: {error.strerror}; name a browser's state, as Playwright writes it"
        ) from error
    except Malformed as error:
        raise CatalogError(f"{file} is no browser's state, as Playwright writes it: {error}") from error


def login_of(tasks_dir: Path, origins: Sequence[str]) -> tuple[Cookie, ...]:
    """The cookies that a task of a folder begins with.

    Args:
        tasks_dir: The folder.
        origins: Where the task may go: no other host's cookies are given.

    Raises:
        CatalogError: the folder's login cannot be read, or has run out for these origins.
    """
    if not (tasks_dir / LOGIN).exists():
        return ()
    meant = [each for each in read_state(tasks_dir / LOGIN).cookies if any(map(each.is_for, origins))]
    valid = tuple(each for each in meant if not each.is_over(time.time()))
    if meant and not valid:
        raise CatalogError(
            f"{tasks_dir / LOGIN}: all cookies for {', '.join(origins)} have run out; log in again, and put the new "
            "state there"
        )
    return valid
