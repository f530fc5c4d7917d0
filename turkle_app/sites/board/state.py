"""What an episode makes of the board: the reader's own posts, votes, follows, messages, settings, applications."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any, Literal

from django.core.exceptions import PermissionDenied

from turkle_app.sites.board.blanks import Answers
from turkle_app.sites.board.preferences import first_settings
from turkle_app.sites.board.records import BoardPost, BoardThread, Gathering, Letter, Member, PastedText, World
from turkle_app.sites.board.world import world

Followed = Literal["threads", "forums", "members"]
DECISIONS = {"keep": "Keep the post", "hide": "Hide the post", "warn": "Warn its author"}
"""What a moderator can do with a report."""
MOST_DEEDS = 60
"""Things that are written in an episode; who wants to write more is told that it is enough. With the longest thread of
any seed it is fewer than a hundred, since the number of a post ends in the two digits of its place."""
_FIRST_OWN = 9001


class BoardState:
    """An episode's board: a world that all share, and what its reader has done.

    Attributes:
        world: What was there before.
        variant: The layout's name.
        votes: Post -> 1 or -1.
        following: What the reader follows, in the order in which it came.
        settings: As ``told`` gives them.
        blocked: Names of members whose messages are kept away.
        attending: Events that the reader comes to.
        drafts: Form over three pages -> what was entered so far.
        applications: Those sent for a moderator's place.
        reports: What the reader reported.
        decisions: Report -> what the reader decided as a moderator.
        archived: Letters that were put away.
        read: Letters that were read in this episode.
        notice: What the next page says of what was just done.
    """

    def __init__(self, seed: int, variant: str) -> None:
        """Begin an episode.

        Args:
            seed: Of the board's data.
            variant: Of its layout; empty for the usual one.
        """
        self.world: World = world(seed)
        self.variant = variant
        self.votes: dict[int, int] = {}
        self.following: dict[Followed, list[str]] = {"threads": ["1021"], "forums": ["bicycles"], "members": []}
        reader = self.world.members[self.world.reader]
        self.settings = first_settings(reader.shown, reader.town, reader.about, reader.signature)
        self.blocked: list[str] = []
        self.attending: list[int] = []
        self.drafts: dict[str, Answers] = {}
        self.applications: list[Answers] = []
        self.reports: list[dict[str, Any]] = []
        self.decisions: dict[int, dict[str, str]] = {}
        self.archived: list[int] = []
        self.read: list[int] = []
        self._threads: dict[int, BoardThread] = {}
        self._posts: list[BoardPost] = []
        self._edited: dict[int, str] = {}
        self._deleted: list[int] = []
        self._letters: list[Letter] = []
        self._gatherings: dict[int, Gathering] = {}
        self._events: list[Answers] = []
        self._texts: dict[int, PastedText] = {}
        self.notice = ""
        self._deeds = 0

    @property
    def today(self) -> date:
        """The board's day."""
        return self.world.now.date()

    @property
    def me(self) -> Member:
        """The reader, as their settings say."""
        return self.member(self.world.reader)

    def member(self, name: str) -> Member:
        """Return a member.

        Raises:
            KeyError: There is none of that name.
        """
        found = self.world.members[name]
        if name == self.world.reader:
            profile = self.settings["profile"]
            return replace(found, **profile)
        return found

    def threads(self) -> list[BoardThread]:
        """All threads, with all that was added to them, in no order."""
        return [self.thread(number) for number in (*self.world.threads, *self._threads)]

    def thread(self, number: int) -> BoardThread:
        """Return a thread with the reader's own posts, edits and deletions in it.

        Raises:
            KeyError: There is none of that number.
        """
        found = self._threads.get(number) or self.world.threads[number]
        own = tuple(post for post in self._posts if post.thread == number)
        hidden = {self._complaint_post(report) for report, said in self.decisions.items() if said["decision"] == "hide"}
        changed = own or number in {post // 100 for post in (*self._edited, *self._deleted, *hidden)}
        if not changed:
            return found
        posts = tuple(
            replace(post, text=self._edited.get(post.id, post.text))
            for post in (*found.posts, *own)
            if post.id not in self._deleted and post.id not in hidden
        )
        return replace(found, posts=posts)

    def post(self, number: int) -> BoardPost:
        """Return a post as it is now.

        Raises:
            KeyError: There is none of that number (any more).
        """
        for post in self.thread(number // 100).posts:
            if post.id == number:
                return post
        raise KeyError(number)

    def letters(self) -> list[Letter]:
        """All letters, the reader's own too, newest first; those of blocked members are away."""
        kept = [one for one in (*self.world.letters, *self._letters) if one.sender not in self.blocked]
        return sorted(kept, key=lambda one: one.at, reverse=True)

    def is_unread(self, letter: Letter) -> bool:
        """Whether the reader has yet to read a letter."""
        return letter.to == self.world.reader and not letter.read and letter.id not in self.read

    def gatherings(self) -> list[Gathering]:
        """All events by day."""
        return sorted((*self.world.gatherings.values(), *self._gatherings.values()), key=lambda one: (one.day, one.id))

    def texts(self) -> dict[int, PastedText]:
        """All texts on the shelf by number, the reader's own last."""
        return {**self.world.texts, **self._texts}

    def follow(self, kind: Followed, what: str, wanted: bool) -> None:
        """Begin or cease to follow something."""
        followed = self.following[kind]
        if wanted and what not in followed:
            followed.append(what)
        elif not wanted and what in followed:
            followed.remove(what)

    def vote(self, post: int, value: int) -> None:
        """Vote for a post or against it; the same vote again takes it back."""
        if self.votes.get(post) == value:
            del self.votes[post]
        else:
            self.votes[post] = value

    def begin_thread(self, forum: str, title: str, text: str, tags: tuple[str, ...]) -> BoardThread:
        """Start a thread."""
        number = _FIRST_OWN + len(self._threads)
        opening = BoardPost(id=number * 100 + 1, thread=number, author=self.world.reader, at=self._moment(), text=text)
        self._threads[number] = BoardThread(id=number, forum=forum, title=title, posts=(opening,), tags=tags)
        return self._threads[number]

    def reply(self, thread: int, text: str, quotes: tuple[int, ...]) -> BoardPost:
        """Write a post in a thread."""
        begun = self._threads.get(thread) or self.world.threads[thread]
        place = len(begun.posts) + sum(post.thread == thread for post in self._posts) + 1
        made = BoardPost(
            id=thread * 100 + place,
            thread=thread,
            author=self.world.reader,
            at=self._moment(),
            text=text,
            quotes=quotes,
        )
        self._posts.append(made)
        return made

    def edit(self, post: int, text: str) -> None:
        """Change the text of one of the reader's posts."""
        self._edited[post] = text

    def delete(self, post: int) -> None:
        """Take away one of the reader's posts."""
        if post not in self._deleted:
            self._deleted.append(post)

    def send(self, to: str, subject: str, text: str, answers: int | None) -> Letter:
        """Send a letter."""
        number = _FIRST_OWN + len(self._letters)
        letter = Letter(
            id=number,
            sender=self.world.reader,
            to=to,
            subject=subject,
            text=text,
            at=self._moment(),
            answers=answers,
        )
        self._letters.append(letter)
        return letter

    def give_event(self, answers: Answers) -> Gathering:
        """Put an event on the board, from what its form has gathered."""
        number = _FIRST_OWN + len(self._gatherings)
        said = {key: str(answer) for key, answer in answers.items()}
        made = Gathering(
            id=number,
            title=said["title"],
            forum=said["forum"],
            host=self.world.reader,
            day=said["day"],
            starts=said["starts"],
            ends=said["ends"],
            town=said["town"],
            place=said["place"],
            seats=int(said["seats"]),
            bring=said["bring"],
            text=said["text"],
        )
        self._gatherings[number] = made
        self._events.append(answers)
        return made

    def publish(self, answers: Answers, text: str) -> PastedText:
        """Put a text on the shelf, with what was said of it: its title, its kind, who sees it, its tags."""
        number = max((*self._texts, _FIRST_OWN - 1)) + 1
        made = PastedText(
            id=number,
            title=str(answers["title"]),
            kind=str(answers["kind"]),
            author=self.world.reader,
            at=self._moment(),
            text=text,
            seen_by=str(answers["seen_by"]),
            tags=tags_of(str(answers["tags"])),
        )
        self._texts[number] = made
        return made

    def withdraw(self, text: int) -> None:
        """Take one of the reader's texts from the shelf."""
        self._texts.pop(text, None)

    def report(self, post: int, answers: Answers) -> None:
        """Report a post to its moderators, with a reason and a note."""
        self._moment()
        self.reports.append({"post": post, "reason": answers["reason"], "note": answers["note"]})

    def apply(self, answers: Answers) -> None:
        """Apply for a moderator's place."""
        self._moment()
        self.applications.append(answers)

    def told(self) -> dict[str, Any]:
        """Tell what the reader has done, as conditions of tasks look at it; all lists in the order of doing."""
        return {
            "threads": [self._told_thread(one) for one in self._threads.values()],
            "posts": [
                {
                    "id": one.id,
                    "thread": one.thread,
                    "text": self._edited.get(one.id, one.text),
                    "quotes": [*one.quotes],
                }
                for one in self._posts
                if one.id not in self._deleted
            ],
            "edited": {str(post): text for post, text in self._edited.items()},
            "deleted": list(self._deleted),
            "votes": {str(post): value for post, value in self.votes.items()},
            "following": {kind: list(names) for kind, names in self.following.items()},
            "messages": {
                "sent": [
                    {"to": one.to, "subject": one.subject, "text": one.text, "answers": one.answers}
                    for one in self._letters
                ],
                "read": list(self.read),
                "archived": list(self.archived),
            },
            "blocked": list(self.blocked),
            "reports": [dict(one) for one in self.reports],
            "moderation": {str(report): dict(said) for report, said in self.decisions.items()},
            "settings": {
                **{tab: dict(self.settings[tab]) for tab in ("profile", "privacy", "appearance")},
                "notifications": {name: dict(row) for name, row in self.settings["notifications"].items()},
            },
            "applications": [dict(one) for one in self.applications],
            "events": [dict(one) for one in self._events],
            "attending": list(self.attending),
            "texts": [
                {"title": one.title, "kind": one.kind, "text": one.text, "seen_by": one.seen_by, "tags": [*one.tags]}
                for one in self._texts.values()
            ],
            "drafts": {form: dict(entered) for form, entered in self.drafts.items()},
        }

    def _told_thread(self, thread: BoardThread) -> dict[str, Any]:
        opening = thread.posts[0]
        text = self._edited.get(opening.id, opening.text)
        return {
            "id": thread.id,
            "forum": thread.forum,
            "title": thread.title,
            "text": text,
            "tags": [*thread.tags],
        }

    def _complaint_post(self, report: int) -> int:
        return next(one.post for one in self.world.complaints if one.id == report)

    def _moment(self) -> datetime:
        """The board's clock: it goes on by a minute with whatever the reader writes.

        Raises:
            PermissionDenied: The reader has written as much as an episode may hold.
        """
        if self._deeds == MOST_DEEDS:
            raise PermissionDenied
        self._deeds += 1
        return self.world.now + timedelta(minutes=self._deeds)


def tags_of(text: str) -> tuple[str, ...]:
    """Return the tags in a line that separates them by commas: small letters, each once."""
    return tuple(dict.fromkeys(tag.strip().lower() for tag in text.split(",") if tag.strip()))
