"""Search in posts: words, and filters by author, forum, place and age."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from turkle_app.sites.board.records import BoardPost, BoardThread

SORTS = {"relevance": "Best match", "new": "Newest first", "old": "Oldest first", "votes": "Most votes"}
"""How what was found can be sorted."""
AGES = {"": "Any time", "7": "Past week", "30": "Past month", "90": "Past three months"}
"""Days -> how far back a search looks."""
_WORD = re.compile(r"[\w'-]+")
_TITLE_COUNTS = 5


@dataclass(frozen=True)
class Hit:
    """A post that a search has found.

    Attributes:
        thread: Where it is.
        post: The post.
        weight: How well it fits the words.
        votes: It has.
    """

    thread: BoardThread
    post: BoardPost
    weight: int
    votes: int


@dataclass(frozen=True, kw_only=True)
class Query:
    """What is searched for.

    Attributes:
        words: All of them have to be in a post, its thread's title or its tags.
        author: The name of who wrote it; empty for anybody.
        forum: The forum's slug; empty for all.
        titles: Whether only titles, and so openings, are searched.
        since: It is younger than this; None for any age.
        sort: One of ``SORTS``.
    """

    words: str = ""
    author: str = ""
    forum: str = ""
    titles: bool = False
    since: datetime | None = None
    sort: str = "relevance"


def find(query: Query, threads: Sequence[BoardThread], votes: dict[int, int]) -> list[Hit]:
    """Return what fits, in the order that is asked for.

    Args:
        query: What is searched for.
        threads: Where.
        votes: Post -> the reader's own vote, which counts with the others.
    """
    hits = [hit for thread in threads for hit in _hits(query, thread, votes)]
    hits.sort(key=lambda hit: hit.post.at, reverse=query.sort != "old")
    if query.sort == "votes":
        hits.sort(key=lambda hit: -hit.votes)
    elif query.sort == "relevance":
        hits.sort(key=lambda hit: -hit.weight)
    return hits


def since(days: str, now: datetime) -> datetime | None:
    """Return the moment that a choice of ``AGES`` means, None for any."""
    return now - timedelta(days=int(days)) if days and days in AGES else None


def _hits(query: Query, thread: BoardThread, votes: dict[int, int]) -> Iterator[Hit]:
    if query.forum and thread.forum != query.forum:
        return
    wanted = [word.lower() for word in _WORD.findall(query.words)]
    title = f"{thread.title} {' '.join(thread.tags)}".lower()
    for post in thread.posts[:1] if query.titles else thread.posts:
        if query.author and post.author != query.author:
            continue
        if query.since and post.at < query.since:
            continue
        text = "" if query.titles else post.text.lower()
        if all(word in title or word in text for word in wanted):
            weight = sum(_TITLE_COUNTS * (word in title) + text.count(word) for word in wanted)
            opening = post is thread.posts[0]
            yield Hit(thread, post, 2 * weight + opening, post.votes + votes.get(post.id, 0))
