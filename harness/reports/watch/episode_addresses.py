"""How what an episode's page shows is reached: over HTTP, or within one file."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


class EpisodeAddresses(Protocol):
    """Gives addresses of pictures and texts by their names in the run directory."""

    def step_picture(self, name: str) -> str:
        """Of a picture that a step or a turn names (``<sha256>``); empty if the page holds it already, or cannot."""

    def film_picture(self, name: str) -> str:
        """Of a picture that a frame names (``<sha256>.webp``); empty if the page holds it already."""

    def film_page(self, name: str) -> str:
        """Of what a page held, which a frame names (``<sha256>.gz``); empty if it cannot be reached."""

    def text(self, name: str) -> str:
        """Of a whole text; empty if the name is none."""

    @property
    def thumbnails(self) -> bool:
        """Whether small pictures may name the same addresses again."""


@dataclass(frozen=True)
class ProfileLink:
    """Where the same page is under a scoring profile.

    Attributes:
        name: The profile.
        url: Its page.
        current: Whether it is this one.
    """

    name: str
    url: str
    current: bool


@dataclass(frozen=True)
class EpisodeLinks:
    """Where the page of an episode leads; what is empty is not there.

    Attributes:
        previous: The page of the episode before.
        next: The page of the one behind.
        position: Its place in the list that it was chosen from, in words.
        source: The episode's own file.
        profiles: The page under each scoring profile.
        filled_page: The task's page with the submitted values filled in.
        say: Where people say what is wrong; with ``?field=`` of one field.
        replay: The command that does the episode's actions again.
        ask: Below which a turn's prompt can be sent again: its number and a slash behind.
        replies: The same page with replies as the other of text and Markdown.
    """

    previous: str = ""
    next: str = ""
    position: str = ""
    source: str = ""
    profiles: tuple[ProfileLink, ...] = ()
    filled_page: str = ""
    say: str = ""
    replay: str = ""
    ask: str = ""
    replies: str = ""
