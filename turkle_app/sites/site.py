"""What a bundled website is to the rest of the server."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

TEST_DOMAIN, PEOPLE_DOMAIN = "test", "localhost"
"""Behind the site's name in its host: for a run's browser, which maps it to the server, and for people's."""


class SiteMissing(Exception):
    """What a site is made of is not on this machine; the message says what to do."""


class SiteState(Protocol):
    """What one episode has made of a site, so far: what its own pages change. Seeded data is shared and never changed.

    Requests of one episode come one after the other, so a state needs no locks.
    """

    def told(self) -> dict[str, Any]:
        """What conditions of tasks look at: JSON, whose lists are in an order that a pointer can point into."""


@dataclass(frozen=True, kw_only=True)
class PlantedChange:
    """One difference between a variant of a site and its usual layout: what a replay of an old trace runs into.

    Attributes:
        kind: ``renamed`` (id, class or name), ``relabelled`` (its words), ``moved`` (to another place of the page or to
            another page), ``reordered`` (among its neighbours), ``readdressed`` (its address).
        page: The address of a page, behind the host, that has the element; a state may be needed to see it there.
        before: A CSS selector that finds the element there in the usual layout.
        after: One that finds it in the variant; ``page_after`` says where, if not on ``page``.
        text: The words of the element in the variant, if they are others.
        page_after: The address of the page that has it in the variant; empty for the same.
    """

    kind: Literal["renamed", "relabelled", "moved", "reordered", "readdressed"]
    page: str
    before: str
    after: str
    text: str = ""
    page_after: str = ""


@dataclass(frozen=True, kw_only=True)
class Site:
    """A bundled website.

    Attributes:
        name: Its name, which begins its host names, too: ``shop`` is at ``shop.test`` and ``shop.localhost``.
        title: What it calls itself.
        about: What it is, in a sentence, for the list of sites.
        urlconf: The module of its addresses.
        make_state: Seed and variant -> the state of a new episode, within milliseconds; may raise ``SiteMissing``.
        variants: Variant -> what is different in it; the usual layout is the empty name, which is not in here.
    """

    name: str
    title: str
    about: str
    urlconf: str
    make_state: Callable[[int, str], SiteState]
    variants: Mapping[str, tuple[PlantedChange, ...]] = field(default_factory=dict)

    def is_variant(self, name: str) -> bool:
        """Whether there is such a layout; the empty name is the usual one."""
        return not name or name in self.variants
