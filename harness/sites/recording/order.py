"""What is to be recorded: where it begins, and where it may go."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from harness.browser.browser_choice import split_origin
from harness.catalog.site_reading import origin_of
from harness.episode.site_assignment import SiteSetting
from harness.kit.errors import UserError

BUNDLED = ".test"
"""Ends the host names of bundled sites; what stands before it is the site's name."""

_HOST = re.compile(r"://(\[[0-9a-f:.]+\]|[\w.-]+)(:\d+)?$")
_ELSEWHERE = SiteSetting()


class NothingToRecord(UserError):
    """An address or a host cannot be recorded; the message says why and what to do."""


@dataclass(frozen=True, kw_only=True)
class RecordingOrder:
    """What is to be recorded.

    Attributes:
        start: The address that it begins at.
        origins: The origins that it may visit, that of ``start`` first.
        setting: What a bundled site is made of; one without a site for sites elsewhere.
        headed: Whether the person works in a window of the browser, and not in its picture.
        require_sandbox: Whether to start no browser without its sandbox.
    """

    start: str
    origins: tuple[str, ...]
    setting: SiteSetting = _ELSEWHERE
    headed: bool = False
    require_sandbox: bool = False

    @property
    def is_live(self) -> bool:
        """Whether it is on the web."""
        return not self.setting.site


def order_of(
    url: str,
    *,
    seed: int = 0,
    variant: str = "",
    live: bool = False,
    allow: Sequence[str] = (),
    headed: bool = False,
    require_sandbox: bool = False,
) -> RecordingOrder:
    """What an address and some options ask for.

    Args:
        url: The address: of a bundled site, such as ``http://shop.test/``, or of the web.
        seed: Of the bundled site's data.
        variant: Its layout; empty for the usual one.
        live: Whether the web may be reached.
        allow: Hosts or origins that tabs may visit beside that of the address.
        headed: As in ``RecordingOrder``.
        require_sandbox: As in ``RecordingOrder``.

    Raises:
        NothingToRecord: the address is none, or options do not fit it.
    """
    start = url.strip() if "://" in url else f"https://{url.strip()}"
    origin = origin_of(start)
    if not origin or not _HOST.search(origin):
        raise NothingToRecord(f"{url!r} is no address of a website: write it as http://shop.test/")
    host = (split_origin(origin) or ("", "", 0))[1]
    if host.endswith(BUNDLED):
        if live or allow:
            raise NothingToRecord(f"{host} comes with turkbench: leave out --network live and --allow")
        start, origin = f"http://{host}{_behind(start)}", f"http://{host}"
        setting = SiteSetting(host.removesuffix(BUNDLED), variant, seed)
        return RecordingOrder(
            start=start, origins=(origin,), setting=setting, headed=headed, require_sandbox=require_sandbox
        )
    if not live:
        raise NothingToRecord(f"{host} is on the web: add --network live to let the browser reach it")
    if variant or seed:
        raise NothingToRecord(f"{host} is on the web: --seed and --variant are of the bundled sites")
    origins = dict.fromkeys([origin, *(_allowed(each, origin) for each in allow)])
    return RecordingOrder(start=start, origins=tuple(origins), headed=headed, require_sandbox=require_sandbox)


def _behind(url: str) -> str:
    """What stands behind the host of an address."""
    place = url.partition("://")[2]
    slash = place.find("/")
    return place[slash:] if slash >= 0 else "/"


def _allowed(text: str, origin: str) -> str:
    """The origin that a host or an origin names; a host is reached as the start is."""
    scheme = origin.partition("://")[0]
    found = origin_of(text if "://" in text else f"{scheme}://{text}")
    if not found or not _HOST.search(found):
        raise NothingToRecord(f"--allow {text!r} names no host: write it as www.example.org")
    return found
