"""What lies between a model's server and us: the way there, and what the environment says of it."""

from __future__ import annotations

import contextlib
import ipaddress
import os
from collections.abc import Iterator
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from harness.models.keys import OTHER_KEY

OWN_VARIABLES = ("OPENAI_", "ANTHROPIC_", "GOOGLE_", "GEMINI_", "AZURE_OPENAI_")
"""How the names of variables begin that providers' libraries read by themselves: other addresses, headers, keys."""


@contextlib.contextmanager
def without_own_variables() -> Iterator[None]:
    """A context in which the environment lacks ``OWN_VARIABLES``: where a request goes, and with what, is said by us.

    Whoever reads such a variable in another thread of the process meanwhile does not find it.
    """
    hidden = {name: os.environ.pop(name) for name in list(os.environ) if name.startswith(OWN_VARIABLES)}
    try:
        yield
    finally:
        os.environ.update(hidden)


def proxy_of(address: str) -> str:
    """The proxy through which calls to an address go, because the environment names one.

    Args:
        address: Of a model's server.

    Returns:
        Its address, without a name and a password; empty if there is none, as for this machine.
    """
    parts = urlsplit(address)
    named = getproxies()
    proxy = named.get(parts.scheme) or named.get("all")
    if not proxy or is_loopback(address) or proxy_bypass(host_of(address)):
        return ""
    there = urlsplit(proxy if "://" in proxy else f"http://{proxy}")
    return f"{there.scheme}://{there.netloc.rpartition('@')[2]}"


def told_of_way(base_url: object, proxy: object) -> list[str]:
    """What to tell the user of the way that calls take.

    Args:
        base_url: An address that can be used; None for the provider's own.
        proxy: As ``proxy_of`` gives it; empty or None for none.

    Returns:
        Sentences.
    """
    through = f"calls of the model go through the proxy {proxy}, which the environment names" if proxy else ""
    return [each for each in (open_road(base_url), through) if each]


def open_road(base_url: object) -> str:
    """What to tell the user of an address to which pages, replies and the key go unencrypted.

    Args:
        base_url: An address that can be used; None for the provider's own.

    Returns:
        A sentence; empty if they go encrypted, or stay on this machine.
    """
    if not isinstance(base_url, str) or urlsplit(base_url).scheme == "https" or is_loopback(base_url):
        return ""
    return f"{base_url} is no https: pages, replies and the key in {OTHER_KEY} can be read by everyone in between"


def is_loopback(address: str) -> bool:
    """Whether an address leads to this machine by its own name for itself: no other can listen."""
    try:
        host = host_of(address)
    except ValueError:
        return False
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def host_of(address: str) -> str:
    """The host of an address, without the dot that may end its name; raises ``ValueError`` if it is no address."""
    return (urlsplit(address).hostname or "").rstrip(".")
