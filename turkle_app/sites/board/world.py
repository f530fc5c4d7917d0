"""The board before its reader does anything, made of a seed once a process."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from turkle_app.sites.board.conversation import numbered, threads
from turkle_app.sites.board.landmarks import LANDMARKS
from turkle_app.sites.board.people import READER, members
from turkle_app.sites.board.records import (
    BoardPost,
    BoardThread,
    Complaint,
    Forum,
    Gathering,
    Letter,
    Member,
    PastedText,
    World,
)
from turkle_app.sites.board.words import FORUM_SLUGS, TALK, Phrases, dice, words

_FIRST_DAY = datetime(2031, 4, 1, 17, 40, tzinfo=UTC)


@lru_cache(maxsize=16)
def world(seed: int) -> World:
    """Return the board of a seed. It is shared: nothing in it may be changed."""
    now = _FIRST_DAY + timedelta(days=seed % 20)
    forums = {
        slug: Forum(slug=slug, **{key: words(slug)[key] for key in ("name", "category", "blurb")})
        for slug in FORUM_SLUGS
    }
    people = members(dice(seed, "members"), now, forums)
    made = [one for slug in forums for one in threads(dice(seed, slug), now, people, slug)]
    fixed = [_fixed_thread(one, now) for one in LANDMARKS["threads"]]
    return World(
        now=now,
        reader=READER,
        members=people,
        forums=forums,
        threads={one.id: one for one in (*fixed, *numbered(made))},
        letters=tuple(sorted(_letters(dice(seed, "letters"), now, people, forums), key=lambda one: one.at)),
        complaints=tuple(sorted(map(_dated(Complaint, now), LANDMARKS["complaints"]), key=lambda one: one.at)),
        gatherings={one["id"]: Gathering(**{**one, "coming": tuple(one["coming"])}) for one in LANDMARKS["gatherings"]},
        texts={one["id"]: _fixed_text(one, now) for one in LANDMARKS["texts"]},
    )


def _fixed_thread(told: dict[str, Any], now: datetime) -> BoardThread:
    number, began = told["id"], now - timedelta(days=told["days_ago"])
    posts = tuple(
        BoardPost(
            id=number * 100 + place,
            thread=number,
            author=post["by"],
            at=began + timedelta(hours=post.get("hours_after", 0)),
            text=post["text"],
            votes=post["votes"],
            quotes=tuple(number * 100 + quoted for quoted in post.get("quotes", ())),
        )
        for place, post in enumerate(told["posts"], start=1)
    )
    return BoardThread(
        id=number,
        forum=told["forum"],
        title=told["title"],
        posts=posts,
        tags=tuple(told["tags"]),
        pinned=told.get("pinned", False),
    )


def _dated(record: Any, now: datetime) -> Any:
    def made(told: dict[str, Any]) -> Any:
        rest = {key: value for key, value in told.items() if key != "days_ago"}
        return record(at=now - timedelta(days=told["days_ago"]), **rest)

    return made


def _fixed_text(told: dict[str, Any], now: datetime) -> PastedText:
    made: PastedText = _dated(PastedText, now)({**told, "tags": tuple(told["tags"])})
    return made


def _letters(
    chance: random.Random, now: datetime, people: dict[str, Member], forums: dict[str, Forum]
) -> Iterator[Letter]:
    for told in LANDMARKS["letters"]:
        yield _dated(Letter, now)({"to": READER, **told})
    names = [name for name in people if name not in {READER, "bargain_barrel", "old_compass"}]
    for number in range(510, 522):
        forum = chance.choice([slug for slug in forums if slug != "board-help"])
        thing = chance.choice(words(forum)["thing"])
        phrases = Phrases(chance, forum, forum=forums[forum].name, thing=thing)
        yield Letter(
            id=number,
            sender=chance.choice(names),
            to=READER,
            subject=phrases.fill(chance.choice(words(TALK)["letter_subject"])),
            text=phrases.fill(chance.choice(words(TALK)["letter"])),
            at=now - timedelta(minutes=chance.randrange(2 * 1440, 90 * 1440)),
            read=chance.random() < 0.8,
        )
