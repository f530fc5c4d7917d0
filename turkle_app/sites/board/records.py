"""What a board consists of: members, forums, threads, posts, letters, complaints, gatherings, pasted texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, kw_only=True)
class Member:
    """Somebody who writes on the board.

    Attributes:
        name: As it stands in addresses.
        shown: As it is shown.
        town: Where they say they live; empty if they do not.
        joined: When they joined.
        about: A few words of theirs.
        signature: What stands below their posts; may be empty.
        moderates: Slugs of the forums that they look after.
    """

    name: str
    shown: str
    town: str
    joined: datetime
    about: str
    signature: str = ""
    moderates: tuple[str, ...] = ()

    @property
    def initials(self) -> str:
        """What stands in place of a picture."""
        return "".join(word[0] for word in self.shown.split()[:2]).upper()

    @property
    def hue(self) -> int:
        """The colour behind it, in degrees."""
        return sum(self.name.encode()) * 37 % 360


@dataclass(frozen=True, kw_only=True)
class Forum:
    """A place for threads.

    Attributes:
        slug: As it stands in addresses.
        name: As it is shown.
        category: Under which heading.
        blurb: What it is for.
    """

    slug: str
    name: str
    category: str
    blurb: str


@dataclass(frozen=True, kw_only=True)
class BoardPost:
    """Something said in a thread.

    Attributes:
        id: A hundred times the thread's, and its place there from 1.
        thread: The thread's.
        author: The member's name.
        at: When it was written.
        text: In paragraphs.
        votes: For, less those against, without the reader's own.
        quotes: Posts of the same thread that it repeats above its text.
    """

    id: int
    thread: int
    author: str
    at: datetime
    text: str
    votes: int = 0
    quotes: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class BoardThread:
    """A conversation.

    Attributes:
        id: Its number.
        forum: The forum's slug.
        title: What it is about.
        posts: In order; the first is the opening.
        tags: Words to find it by.
        pinned: Whether it stays on top of its forum.
    """

    id: int
    forum: str
    title: str
    posts: tuple[BoardPost, ...]
    tags: tuple[str, ...] = ()
    pinned: bool = False


@dataclass(frozen=True, kw_only=True)
class Letter:
    """A private message.

    Attributes:
        id: Its number.
        sender: The member's name.
        to: The member's name.
        subject: A line.
        text: In paragraphs.
        at: When it was sent.
        answers: The letter that it replies to; None if none.
        read: Whether its reader has seen it when the board begins.
    """

    id: int
    sender: str
    to: str
    subject: str
    text: str
    at: datetime
    answers: int | None = None
    read: bool = False


@dataclass(frozen=True, kw_only=True)
class Complaint:
    """A post that somebody has reported.

    Attributes:
        id: Its number.
        post: The post's.
        by: Who reported it.
        reason: One of ``REASONS``.
        note: What they added.
        at: When.
    """

    id: int
    post: int
    by: str
    reason: str
    note: str
    at: datetime


@dataclass(frozen=True, kw_only=True)
class Gathering:
    """An event.

    Attributes:
        id: Its number.
        title: What it is.
        forum: The forum that it belongs to.
        host: Who gives it.
        day: ``2031-05-17``.
        starts: ``10:30``.
        ends: ``13:00``.
        town: Where.
        place: Where there.
        seats: How many may come.
        coming: Who comes, beside the reader.
        bring: What one should bring; may be empty.
        text: In paragraphs.
    """

    id: int
    title: str
    forum: str
    host: str
    day: str
    starts: str
    ends: str
    town: str
    place: str
    seats: int
    coming: tuple[str, ...] = ()
    bring: str = ""
    text: str = ""


@dataclass(frozen=True, kw_only=True)
class PastedText:
    """A long text on the shelf: a list, a recipe, a log.

    Attributes:
        id: Its number.
        title: What it is.
        kind: One of ``TEXT_KINDS``.
        author: The member's name.
        at: When it was published.
        text: As it was pasted.
        seen_by: ``everyone`` or ``members``.
        tags: Words to find it by.
    """

    id: int
    title: str
    kind: str
    author: str
    at: datetime
    text: str
    seen_by: str = "everyone"
    tags: tuple[str, ...] = ()


REASONS = {
    "spam": "Advertising or spam",
    "rude": "Rude or hurtful",
    "wrong-forum": "In the wrong forum",
    "unsafe": "Unsafe advice",
    "other": "Something else",
}
"""Why a post can be reported, and how that is said."""

TEXT_KINDS = {"notes": "Notes", "recipe": "Recipe", "list": "List", "log": "Log"}
"""What a pasted text can be, and how that is said."""


@dataclass(frozen=True, kw_only=True)
class World:
    """All that is on the board before its reader does anything; shared by all episodes of a seed, never changed.

    Attributes:
        now: The moment at which the clock stands.
        reader: The name of the member who is signed in.
        members: By name.
        forums: By slug, in the order in which they are shown.
        threads: By number.
        letters: To and from the reader, oldest first.
        complaints: That wait for the reader as a moderator, oldest first.
        gatherings: By number.
        texts: By number.
    """

    now: datetime
    reader: str
    members: dict[str, Member]
    forums: dict[str, Forum]
    threads: dict[int, BoardThread]
    letters: tuple[Letter, ...] = ()
    complaints: tuple[Complaint, ...] = ()
    gatherings: dict[int, Gathering] = field(default_factory=dict)
    texts: dict[int, PastedText] = field(default_factory=dict)
