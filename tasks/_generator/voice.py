"""How imagined workers write: words of their own, habits of the keyboard, slips."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

_FRAMES = (
    "I think {}",
    "For me {}",
    "As I read it, {}",
    "In my view {}",
    "It seems to me that {}",
    "I would say {}",
    "My reason: {}",
    "Looking at it again, {}",
    "Put simply, {}",
    "I chose this since {}",
)
_ENDINGS = (
    " That decided it for me.",
    " So my answer is clear.",
    " At least that is how I see it.",
    " I looked twice.",
    " Nothing else fits.",
    " Hence my choice.",
)
_SHORTER = {
    "does not": "doesn't",
    "do not": "don't",
    "is not": "isn't",
    "cannot": "can't",
    "could not": "couldn't",
    "are not": "aren't",
    "it is": "it's",
    "they are": "they're",
    "would not": "wouldn't",
}
# Words that may lose their capital behind an opening; names keep theirs.
_COMMON = frozenset(
    [
        "The",
        "A",
        "An",
        "It",
        "He",
        "She",
        "They",
        "There",
        "This",
        "That",
        "These",
        "Nobody",
        "Somebody",
        "One",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "No",
        "None",
        "Not",
        "Only",
        "Both",
        "Every",
        "All",
        "Even",
        "If",
        "In",
        "On",
        "At",
        "Because",
        "Since",
        "We",
        "Some",
        "What",
        "Nothing",
        "Being",
        "Having",
        "With",
        "Without",
        "Still",
        "Our",
    ]
)


@dataclass(frozen=True)
class Voice:
    """The writing habits of one worker.

    Attributes:
        lower: writes the first letter small.
        open_ended: leaves out the last full stop.
        shortens: writes "don't" for "do not".
        talks: how likely an opening or an ending of one's own is, 0 to 1.
        slips: how likely a slip of the keyboard is in a text, 0 to 1.
        marks: what this worker's openings are drawn from.
    """

    lower: bool
    open_ended: bool
    shortens: bool
    talks: float
    slips: float
    marks: tuple[str, ...]

    @classmethod
    def drawn(cls, rng: random.Random, care: float) -> Voice:
        """Draw the habits of a worker; ``care`` from 0 (hasty) to 1 makes slips and small letters rarer."""
        return cls(
            lower=rng.random() < 0.35 - 0.25 * care,
            open_ended=rng.random() < 0.5 - 0.35 * care,
            shortens=rng.random() < 0.5,
            talks=rng.uniform(0.1, 0.6),
            slips=0.3 - 0.25 * care,
            marks=tuple(rng.sample(_FRAMES, 4) + rng.sample(_ENDINGS, 2)),
        )

    def written(self, text: str, rng: random.Random, *, talk: bool) -> str:
        """Write a sentence as this worker does.

        Args:
            text: a sentence, with a capital and a full stop.
            rng: what chance is drawn from.
            talk: whether it may get an opening or an ending that belongs to a reason, not to a summary.
        """
        if talk and rng.random() < self.talks:
            mark = rng.choice(self.marks)
            text = text + mark if mark in _ENDINGS else mark.format(_small(text) if "{" in mark else text)
        if self.shortens:
            for long, short in _SHORTER.items():
                text = text.replace(long, short)
        if self.lower:
            text = text[0].lower() + text[1:]
        if self.open_ended:
            text = text.removesuffix(".")
        return slipped(text, rng) if rng.random() < self.slips else text


def _small(text: str) -> str:
    return text[0].lower() + text[1:] if text.split(maxsplit=1)[0] in _COMMON else text


def slipped(text: str, rng: random.Random) -> str:
    """Spoil the spelling of a text by one slip; figures are never touched, so that the answer stays."""
    inner = [at for at in range(1, len(text) - 2) if text[at].isalpha() and text[at + 1].isalpha()]
    if not inner:
        return text
    at = rng.choice(inner)
    if rng.random() < 0.5:
        return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
    return text[:at] + text[at + 1 :]


def folded(text: str) -> str:
    """Return what of a text is compared when two must not be copies: letters and figures alone."""
    return "".join(sign for sign in text.casefold() if sign.isalnum())


def unsaid(cores: Sequence[str], said: Sequence[str]) -> list[str]:
    """Return the sentences that nobody has taken yet; all of them if all are taken."""
    return [core for core in cores if core not in said] or list(cores)
