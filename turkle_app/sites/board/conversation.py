"""Threads by the seed: what members ask, and what others answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

from turkle_app.sites.board.people import READER
from turkle_app.sites.board.records import BoardPost, BoardThread, Member
from turkle_app.sites.board.words import Phrases, words

THREADS_A_FORUM = 14
_FIRST = 2001
# Kinds of what is said in a reply, as often as they come.
_REPLIES = ("advice", "advice", "advice", "advice", "question", "doubt")


def threads(chance: random.Random, now: datetime, members: dict[str, Member], forum: str) -> Iterator[BoardThread]:
    """Yield the threads of a forum that the seed makes, without numbers: see ``numbered``."""
    names = [name for name in members if name not in (READER, "bargain_barrel")]
    titles: set[str] = set()
    while len(titles) < THREADS_A_FORUM:
        phrases = Phrases(chance, forum)
        thing, part, fault = phrases.pick("thing"), phrases.pick("part"), phrases.pick("fault")
        about = {"thing": thing, "part": part, "fault": fault}
        title = Phrases(chance, forum, **about).say("title")
        if title in titles:
            continue
        titles.add(title)
        at = now - timedelta(minutes=chance.randrange(2 * 1440, 160 * 1440))
        posts = tuple(_posts(chance, forum, about, at, now=now, names=names))
        tags = tuple(sorted({thing, part.split()[-1]}))
        yield BoardThread(id=0, forum=forum, title=title, posts=posts, tags=tags)


def numbered(found: list[BoardThread]) -> Iterator[BoardThread]:
    """Yield threads with the numbers that they have by the time of their beginning."""
    for number, thread in enumerate(sorted(found, key=lambda one: one.posts[0].at), start=_FIRST):
        posts = tuple(
            BoardPost(
                id=number * 100 + place,
                thread=number,
                author=post.author,
                at=post.at,
                text=post.text,
                votes=post.votes,
                quotes=tuple(number * 100 + quoted for quoted in post.quotes),
            )
            for place, post in enumerate(thread.posts, start=1)
        )
        yield BoardThread(id=number, forum=thread.forum, title=thread.title, posts=posts, tags=thread.tags)


def _posts(
    chance: random.Random, forum: str, about: dict[str, str], at: datetime, *, now: datetime, names: list[str]
) -> Iterator[BoardPost]:
    """Yield the opening and its replies; the numbers of posts are their places in the thread."""
    asker = chance.choice(names)
    opening = Phrases(chance, forum, **about).say("opening")
    yield BoardPost(id=1, thread=0, author=asker, at=at, text=opening, votes=chance.randrange(0, 16))
    circle = chance.sample([name for name in names if name != asker], chance.randrange(3, 9))
    before = asker
    for place in range(2, 2 + min(int(chance.expovariate(1 / 7)) + 1, 34)):
        at += timedelta(minutes=chance.randrange(7, 900))
        if at > now - timedelta(hours=24):
            return
        last = place > 3 and chance.random() < 0.15
        author = asker if last else chance.choice([name for name in circle if name != before] or circle)
        told = Phrases(chance, forum, thing=about["thing"], name=_first_name(before))
        sentences = [told.say("thanks" if last else chance.choice(_REPLIES))]
        if chance.random() < 0.35:
            sentences.insert(0, told.say("opener"))
        if chance.random() < 0.5:
            sentences.append(chance.choice(words(forum)["remark"]))
        if chance.random() < 0.25:
            sentences.append("\n\n" + told.say("advice"))
        quotes = (chance.randrange(1, place),) if chance.random() < 0.15 else ()
        votes = chance.choice((0, 0, 0, 1, 1, 2, 2, 3, 4, 5, 7, 9, -1))
        text = told.fill(" ".join(sentences)).replace(" \n\n", "\n\n")
        yield BoardPost(id=place, thread=0, author=author, at=at, text=text, votes=votes, quotes=quotes)
        before = author


def _first_name(name: str) -> str:
    return name.replace("_", " ").split()[0].capitalize()
