"""Forms over three pages: to become a moderator, to give an event."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date

from turkle_app.sites.board.blanks import Answers, Blank, mistakes
from turkle_app.sites.board.landmarks import LANDMARKS
from turkle_app.sites.board.words import FORUM_SLUGS, TALK, words

_FORUMS = tuple((slug, str(words(slug)["name"])) for slug in FORUM_SLUGS)
_TOWNS = tuple((town, town) for town in words(TALK)["towns"])


@dataclass(frozen=True, kw_only=True)
class Sheaf:
    """A form over several pages.

    Attributes:
        slug: As it stands in addresses.
        title: What it is for.
        intro: A sentence above its first page.
        pages: Heading and questions of each page.
        done: What is said when it has been sent.
    """

    slug: str
    title: str
    intro: str
    pages: tuple[tuple[str, tuple[Blank, ...]], ...]
    done: str


MODERATOR = Sheaf(
    slug="moderator",
    title="Become a moderator",
    intro="Moderators look after a forum for a few hours a week. Three short pages; you can go back at any time.",
    pages=(
        (
            "Where and when",
            (
                Blank(name="forum", label="Forum", kind="choice", options=_FORUMS, needed=True),
                Blank(name="hours", label="Hours a week", kind="number", least=1, most=20, needed=True),
                Blank(
                    name="times",
                    label="When you are mostly here",
                    kind="ticks",
                    options=(("morning", "Mornings"), ("evening", "Evenings"), ("weekend", "Weekends")),
                    needed=True,
                ),
            ),
        ),
        (
            "About you",
            (
                Blank(
                    name="why",
                    label="Why do you want to do this?",
                    kind="long",
                    least=60,
                    most=1000,
                    needed=True,
                    help="At least 60 characters.",
                ),
                Blank(
                    name="first",
                    label="Two members quarrel in a thread. What do you do first?",
                    kind="radio",
                    options=(
                        ("lock", "Lock the thread"),
                        ("write", "Write to both in private"),
                        ("wait", "Wait until they tire"),
                    ),
                    needed=True,
                ),
            ),
        ),
        (
            "Last things",
            (
                Blank(
                    name="reference",
                    label="A member who knows you",
                    needed=True,
                    help="The name as in the address of their profile, e.g. oak_gall.",
                ),
                Blank(
                    name="contact",
                    label="How may we reach you?",
                    kind="choice",
                    options=(("message", "By private message"), ("mail", "By mail"), ("phone", "By telephone")),
                    needed=True,
                ),
                Blank(name="rules", label="I have read the rules of the board", kind="tick", needed=True),
            ),
        ),
    ),
    done="Thank you. Oak Gall reads applications on Fridays and will write to you.",
)
"""Of those who want to look after a forum."""

EVENT = Sheaf(
    slug="event",
    title="Start an event",
    intro="A walk, a swap, a table with tools: tell the board what, when and for whom. Three short pages.",
    pages=(
        (
            "What",
            (
                Blank(name="title", label="Title", least=6, most=80, needed=True),
                Blank(name="forum", label="Forum", kind="choice", options=_FORUMS, needed=True),
                Blank(name="text", label="What will happen", kind="long", least=20, most=1000, needed=True),
            ),
        ),
        (
            "When and where",
            (
                Blank(name="day", label="Day", kind="day", needed=True, help="As 2031-06-14."),
                Blank(name="starts", label="Begins at", kind="clock", needed=True, help="As 18:30."),
                Blank(name="ends", label="Ends at", kind="clock", needed=True),
                Blank(name="town", label="Town", kind="choice", options=_TOWNS, needed=True),
                Blank(name="place", label="Place", least=3, most=80, needed=True),
            ),
        ),
        (
            "For whom",
            (
                Blank(name="seats", label="Seats", kind="number", least=2, most=200, needed=True),
                Blank(
                    name="open_to",
                    label="Open to",
                    kind="radio",
                    options=(("everyone", "Everyone"), ("members", "Members only")),
                    needed=True,
                ),
                Blank(name="bring", label="What to bring", most=120),
                Blank(name="remind", label="Remind those who come a day before", kind="switch"),
            ),
        ),
    ),
    done="Your event is on the board.",
)
"""Of those who give one."""

SHEAVES: Mapping[str, Sheaf] = {sheaf.slug: sheaf for sheaf in (MODERATOR, EVENT)}
"""By slug."""


def wrong_on(sheaf: Sheaf, page: int, answers: Answers, today: date, names: Mapping[str, object]) -> dict[str, str]:
    """Return what is wrong on a page of a form.

    Args:
        sheaf: The form.
        page: Which, from 1.
        answers: All that was entered so far, on whichever page.
        today: The board's day.
        names: Has the names of all members.
    """
    found = mistakes(sheaf.pages[page - 1][1], answers, today)
    if sheaf is EVENT and page == 2 and not found and str(answers["ends"]) <= str(answers["starts"]):
        found["ends"] = "It has to end after it begins."
    if sheaf is MODERATOR and page == 3 and "reference" not in found:
        if answers["reference"] not in names:
            found["reference"] = "There is no member of that name."
        elif answers["reference"] == LANDMARKS["reader"]:
            found["reference"] = "Please name somebody else."
    return found


def first_wrong_page(sheaf: Sheaf, answers: Answers, today: date, names: Mapping[str, object]) -> int:
    """Return the first page, from 1, on which something is wrong; one more than there are if nothing is."""
    pages = range(1, len(sheaf.pages) + 1)
    return next((page for page in pages if wrong_on(sheaf, page, answers, today, names)), len(sheaf.pages) + 1)
