"""The user for whom a solver works on a website, and whom it may ask: the task's file, and a person who attends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from harness.episode.trajectory import Trajectory

AskPerson = Callable[[str], str | None]
"""Puts a question to a person, and waits; None if the person gives no answer."""


@dataclass(frozen=True)
class User:
    """Whom ``ask_user`` asks.

    Attributes:
        answers: As in ``harness.catalog.site_facts.SiteFacts``: they come first.
        person: Is asked where none of them fits; None if nobody attends.
    """

    answers: Mapping[str, str] = field(default_factory=dict)
    person: AskPerson | None = None

    def answer(self, question: str, trajectory: Trajectory) -> str | None:
        """What the user answers; None for nothing.

        Args:
            question: The question.
            trajectory: Of the episode, whose time does not go on while a person is waited for.
        """
        asked = question.casefold()
        answer = next((said for words, said in self.answers.items() if words.casefold() in asked), None)
        if answer is None and self.person:
            with trajectory.waiting():
                answer = self.person(question)
        return answer
