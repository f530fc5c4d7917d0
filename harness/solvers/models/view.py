"""What a model is shown of a page, within a budget of tokens: its encoding, pictures, and what they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.browser.form.fields import Field
from harness.episode.observation import Observation
from harness.kit import picture
from harness.models.messages import Image, Message, Request, Text
from harness.observe import encode
from harness.observe.snapshot import Snapshot
from harness.solvers.models.prompting import Prompter

LEAST_PAGE = 200
"""Tokens that a page is given even where nothing is left: a request without its page is of no use."""


class Counter(Protocol):
    """Counts tokens as the model's provider does, or close to it (``harness.models.tokens.counting.Tokens``)."""

    def text(self, text: str) -> int:
        """Of a text."""

    def message(self, message: Message) -> int:
        """Of a message with its pictures."""

    def request(self, request: Request) -> int:
        """Of a whole request with its tools."""


@dataclass(frozen=True)
class PageState:
    """A page at one moment, as a model may be shown it.

    Attributes:
        snapshot: The page.
        png: The picture; empty if there is none.
        marks: Number in the picture -> the name of the field that it belongs to, None for what belongs to none.
        digest: Of the page's state.
    """

    snapshot: Snapshot
    png: bytes
    marks: Mapping[int, str | None]
    digest: str


@dataclass(frozen=True)
class PageView:
    """A page as it is shown.

    Attributes:
        page: Texts and pictures for a message.
        tokens: How many they take.
        shrunk: What was left out to keep within the budget, in words.
        digest: Of the page's state.
    """

    page: tuple[Text | Image, ...]
    tokens: int
    shrunk: tuple[str, ...]
    digest: str

    @property
    def note(self) -> str:
        """What was left out, on one line."""
        return f"left out of the page: {', '.join(self.shrunk)}" if self.shrunk else ""


class Observer:
    """Shows pages by one recipe."""

    def __init__(self, prompter: Prompter, tokens: Counter) -> None:
        """Prepare.

        Args:
            prompter: Whose recipe tells encoding, screenshot and budget; it writes what stands around the page.
            tokens: Counts.
        """
        self._prompter = prompter
        self._recipe = prompter.recipe
        self._tokens = tokens

    def look(self, observation: Observation, field: str | None) -> PageState:
        """Look at the open page.

        Args:
            observation: Of it.
            field: The field that is asked about; None for the whole form.
        """
        shot = observation.picture(self._recipe.screenshot, field)
        # After the picture, for which the page may have been scrolled.
        snapshot = observation.snapshot(None if self._recipe.encoding == "none" else self._recipe.encoding)
        digest = snapshot.digest()  # of the page itself, whatever is read in its pictures
        if self._recipe.site and self._recipe.site.ocr:
            snapshot = observation.read_pictures(snapshot)
        png, marks = (shot.png, shot.marks) if shot else (b"", {})
        return PageState(snapshot, png, marks, digest)

    def show(self, sight: PageState, field: str | None, budget: int) -> PageView:
        """A page within a budget.

        Args:
            sight: The page.
            field: The field that has to be in what is shown; None for all.
            budget: Tokens. The picture is not made smaller for it; the text is, down to ``LEAST_PAGE``.
        """
        parts: list[Text | Image] = []
        if sight.png:
            legend = self._prompter.legend(*picture.size(sight.png), sight.marks)
            parts += [Image(sight.png), *([Text(legend)] if legend else [])]
        if self._recipe.encoding == "none":
            parts.append(Text(self._prompter.picture_alone()))
            return PageView(tuple(parts), self._count(parts), (), sight.digest)
        frame = Text(self._prompter.framed(""))
        left = max(LEAST_PAGE, budget - self._count([*parts, frame]))
        if field not in sight.snapshot.controls:  # what a page took away while it was looked at
            field = None
        encoded = encode(self._recipe.encoding, sight.snapshot, field=field, budget=left, count=self._tokens.text)
        parts.append(Text(self._prompter.framed(encoded.text)))
        return PageView(tuple(parts), self._count(parts), encoded.shrunk, sight.digest)

    def room(self, messages: Sequence[Message], tools: Sequence[Mapping[str, Any]]) -> int:
        """Tokens that are left for the page beside messages and tools."""
        return self._recipe.max_input_tokens - self.count_request(Request("", tuple(messages), tuple(tools)))

    def count_request(self, request: Request) -> int:
        """Tokens of a whole request."""
        return self._tokens.request(request)

    def count_messages(self, messages: Sequence[Message]) -> int:
        """Tokens of messages."""
        return sum(map(self._tokens.message, messages))

    def _count(self, parts: Sequence[Text | Image]) -> int:
        return self._tokens.message(Message("user", tuple(parts)))


def can_be_filled(field: Field) -> bool:
    """Whether a person could answer a field now."""
    return field.visible and not field.disabled and field.kind != "hidden"
