"""What of an address key nodes look at."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable
from functools import lru_cache
from urllib.parse import SplitResult, parse_qsl, unquote, urlsplit

from harness.catalog.site_facts import KeyNode, Match

_WWW = re.compile(r"www\d*")
Reading = Callable[[str], str]
"""How a text that was decoded once is read on; the same is done to address, key and reference."""


def decoded(text: str) -> str:
    """A text with what is percent-encoded in it decoded, once; what is no UTF-8 stays as U+FFFD."""
    return unquote(text)


def as_it_is(text: str) -> str:
    """The usual reading: decoded once, and no more."""
    return text


def fully_decoded(text: str) -> str:
    """A text decoded until nothing in it is percent-encoded any more, for sites that encode what is encoded."""
    while (further := decoded(text)) != text:
        text = further
    return text


def _form_text(text: str) -> str:
    """A text fully decoded in which a plus is a space, for references that were copied out of an address."""
    return fully_decoded(text).replace("+", " ")


@lru_cache(maxsize=1024)
def reading_of(node: KeyNode) -> Reading:
    """How addresses are read for a node of target ``url``: so that the one that is recorded with it meets it.

    A site may encode its addresses twice, and a node be made of one that was decoded once, twice or not at all. Only
    the recorded address can tell; where it needs no more than the usual reading, or no reading helps, that is taken.
    """
    for reading in (as_it_is, fully_decoded, _form_text):
        part = part_of(node.url, node.key, node.match, reading)
        reference = reading(decoded(node.reference))
        if part is not None and (node.match == "semantic" or _fits(node.match, part, reference)):
            return reading
    return as_it_is


def _fits(match: Match, part: str, reference: str) -> bool:
    return part == reference if match == "exact" else reference in part


def part_of(url: str, key: str, match: Match, reading: Reading = as_it_is) -> str | None:
    """The part of an address that a node of target ``url`` is compared with, decoded.

    Args:
        url: The address of a tab.
        key: The query's key whose first value is meant; empty for none.
        match: For ``include`` without a key the query does not count: of a site's name that is looked for, a link to
            that site from another one is no sign.
        reading: How it is read on, `reading_of` the node.

    Returns:
        With a key its first value; else the host with its path and fragment, or all of the address. None if there is no
        such key, or if it is no address.
    """
    split = _split(url)
    if split is None:
        return None
    if key:
        # It decodes what it gives; once more would make another value of "100%25".
        pairs = parse_qsl(split.query, keep_blank_values=True)
        return next((reading(value) for name, value in pairs if reading(name) == reading(key)), None)
    if match != "include":
        return reading(decoded(url))
    fragment = f"#{split.fragment}" if split.fragment else ""
    return reading(decoded(_place(split) + split.path + fragment))


def host_of(url: str) -> str:
    """The host of an address, in small letters; empty if it has none."""
    split = _split(url)
    return (split.hostname or "") if split else ""


def registrable_label(host: str) -> str:
    """The name by which a site is known in key nodes: the first part of its host, but for ``www``.

    Args:
        host: E.g. ``www.google.com.hk``, which gives ``google``; ``new.mta.info`` gives ``new``.

    Returns:
        The label; of an address in numbers all of it.
    """
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        labels = host.lower().split(".")
    return labels[1] if len(labels) > 1 and _WWW.fullmatch(labels[0]) else labels[0]


def _place(split: SplitResult) -> str:
    """Host and port, without a user's name, which could say anything."""
    return split.netloc.rpartition("@")[2].lower()


def _split(url: str) -> SplitResult | None:
    try:
        return urlsplit(url)
    except ValueError:
        return None
