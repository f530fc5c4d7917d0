"""What a model is told of its work on a website: the steps that it has done, and what is new."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.kit.text import shorten
from harness.solvers.models.replies import ReplyItem

LONGEST_OUTCOME = 500
"""Characters of a step's outcome and of a thought that are remembered."""


@dataclass(frozen=True)
class ReadReply:
    """What a reply about a website says.

    Attributes:
        items: Actions and errors, in order.
        thought: What it says that is not acted on; empty if nothing.
    """

    items: tuple[ReplyItem, ...]
    thought: str = ""


@dataclass(frozen=True)
class PastStep:
    """A step that is over.

    Attributes:
        action: Its text.
        element: What it was done to, in words; empty for nothing.
        outcome: What came of it.
        thought: What the model thought before it; empty if it was not asked.
        progress: What the model thought of it afterwards; empty if it was not asked.
    """

    action: str
    element: str
    outcome: str
    thought: str = ""
    progress: str = ""


@dataclass(frozen=True)
class SiteNews:
    """What is to be told in the next turn alone; each is empty if there is nothing of the kind.

    Attributes:
        trouble: Why the last reply was not acted on, or its action not done.
        result: What the last action gave beside its message.
        progress: How far the model thinks it is.
        picture: The picture that the last action took, as PNG.
        position: How far the page is scrolled, and how long it is, in screens.
    """

    trouble: str = ""
    result: str = ""
    progress: str = ""
    picture: bytes = b""
    position: str = ""


class SiteMemory:
    """The steps of an episode, of which the last ones are told again.

    Attributes:
        steps: All of them.
    """

    def __init__(self, most: int | None) -> None:
        """Begin with none.

        Args:
            most: How many are remembered; None for all.
        """
        self.steps: list[PastStep] = []
        self._most = most

    def add(self, action: str, element: str, outcome: str, thought: str) -> None:
        """Add a step that is over."""
        self.steps.append(
            PastStep(action, element, shorten(outcome, LONGEST_OUTCOME), shorten(thought.strip(), LONGEST_OUTCOME))
        )

    def judge(self, progress: str) -> None:
        """Add to the last step what the model thinks of it."""
        self.steps[-1] = replace(self.steps[-1], progress=shorten(progress, LONGEST_OUTCOME))

    def last(self, most: int | None = None) -> Sequence[tuple[int, PastStep]]:
        """The steps that are told again, with their numbers from 1.

        Args:
            most: No more than this; None for as many as are remembered.
        """
        kept = min(each for each in (most, self._most, len(self.steps)) if each is not None)
        first = len(self.steps) - kept
        return [(place + 1, self.steps[place]) for place in range(first, len(self.steps))]
