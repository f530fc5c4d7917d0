"""The members: some that every board has, since tasks name them, and others by the seed."""

from __future__ import annotations

import random
from datetime import datetime, timedelta

from turkle_app.sites.board.landmarks import LANDMARKS
from turkle_app.sites.board.records import Forum, Member
from turkle_app.sites.board.words import TALK, Phrases, words

READER: str = LANDMARKS["reader"]
"""The member who is signed in."""
_HOW_MANY = 46


def members(chance: random.Random, now: datetime, forums: dict[str, Forum]) -> dict[str, Member]:
    """Return the members of a board by name."""
    talk = words(TALK)
    found: dict[str, Member] = {}
    for fixed in LANDMARKS["members"]:
        found[fixed["name"]] = Member(
            name=fixed["name"],
            shown=fixed["shown"],
            town=fixed["town"],
            joined=now - timedelta(days=fixed["joined_days_ago"]),
            about=fixed["about"],
            signature=fixed.get("signature", ""),
            moderates=tuple(fixed.get("moderates", ())),
        )
    while len(found) < _HOW_MANY:
        first, last = chance.choice(talk["first_names"]), chance.choice(talk["last_names"])
        name = chance.choice(("{0}_{1}", "{0}{1}", "{1}_{0}")).format(first.lower(), last.lower())
        if name in found or any(one.shown == f"{first} {last}" for one in found.values()):
            continue
        home, other = chance.sample(sorted(forums), 2)
        phrases = Phrases(chance, home, forum=forums[home].name, other=forums[other].name)
        found[name] = Member(
            name=name,
            shown=f"{first} {last}",
            town=chance.choice([*talk["towns"], "", ""]),
            joined=now - timedelta(days=chance.randrange(20, 2400)),
            about=phrases.say("about"),
            signature=chance.choice(talk["signature"]),
        )
    return found
