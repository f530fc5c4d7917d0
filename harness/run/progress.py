"""How a run gets on, told on standard error: a line that changes, lines for a log, JSON lines, or nothing."""

from __future__ import annotations

import contextlib
import json
import shutil
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol, TextIO, get_args

from harness.kit.text import as_is, percent, printable

Mode = Literal["bar", "plain", "json", "quiet"]
MODES: tuple[Mode, ...] = get_args(Mode)
_CLEAR = "\r\033[K"
"""To the beginning of the line, which is emptied."""
BAR_SECONDS = 0.2
"""Between two drawings of the line on a terminal."""
LINE_SECONDS = 10.0
"""Between two lines of a log."""


class Spent(Protocol):
    """What a run has spent: ``harness.models.cost.Spending``, or what its agents report."""

    def tokens_in_words(self) -> str:
        """Tokens, with their noun."""

    def cost_in_words(self) -> str:
        """US dollars."""

    def record(self) -> dict[str, Any]:
        """As a JSON object."""


ReadSpending = Callable[[], Spent | None]
"""What was spent on models so far; None if nothing was."""


class Progress(Protocol):
    """Told how a run gets on."""

    def start(self, what: str, total: int | None, done: int = 0, spending: ReadSpending | None = None) -> None:
        """A phase begins.

        Args:
            what: Its name.
            total: Its pieces; None while they are still being counted.
            done: Those that were done before.
            spending: Tells what was spent on models so far.
        """

    def expect(self, total: int) -> None:
        """The pieces are counted."""

    def advance(self, outcome: str | None, score: float | None, *, earned: bool = True) -> None:
        """A piece is done, with its outcome and score as far as it has them.

        Args:
            outcome: Its outcome.
            score: Between 0 and 1.
            earned: Whether the solver did anything of use in it. No score is shown before the first such piece: it
                would be that of doing nothing.
        """

    def note(self, text: str) -> None:
        """Something that the user should know, and that does not end the run."""

    def interrupted(self) -> None:
        """The pieces under way are the last."""

    def finish(self) -> None:
        """The phase is over."""


@dataclass
class ProgressCount:
    """What is known of a phase.

    Attributes:
        what: Its name.
        total: Its pieces; None while they are being counted.
        done: Those that are done.
        before: Those of them that were done before it began.
        started: When it began, on the monotonic clock.
        outcomes: Outcome -> count, of this phase.
        score: Mean score of the pieces of this phase that have one; None if none was earned.
        spending: Tells what was spent on models so far.
    """

    what: str
    total: int | None
    done: int
    before: int
    started: float
    outcomes: Counter[str] = field(default_factory=Counter)
    spending: ReadSpending = lambda: None
    _sum: float = 0.0
    _scored: int = 0
    _is_earned: bool = False

    def add(self, outcome: str | None, score: float | None, *, earned: bool) -> None:
        """One more piece."""
        self.done += 1
        self._is_earned |= earned
        if outcome:
            self.outcomes[outcome] += 1
        if score is not None:
            self._sum += score
            self._scored += 1

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.monotonic() - self.started

    @property
    def rate(self) -> float | None:
        """Pieces a second; None before the first."""
        made = self.done - self.before
        return made / self.seconds if made and self.seconds > 0 else None

    @property
    def left(self) -> float | None:
        """Seconds to go, at the rate so far."""
        return (self.total - self.done) / self.rate if self.rate and self.total is not None else None

    @property
    def score(self) -> float | None:
        """Between 0 and 1."""
        return self._sum / self._scored if self._scored and self._is_earned else None

    def words(self) -> str:
        """All of it on one line."""
        share = f" ({self.done / self.total:.0%})" if self.total else ""
        parts = [f"{self.what}: {self.done}/{'?' if self.total is None else self.total}{share}"]
        if self.rate is not None:
            parts.append(f"{self.rate:.1f}/s" if self.rate >= 1 else f"{60 * self.rate:.1f}/min")
        if self.left:
            parts.append(f"{_clock(self.left)} to go")
        if self.score is not None:
            parts.append(f"score {percent(self.score)}")
        if spent := self.spending():
            parts += [spent.tokens_in_words(), spent.cost_in_words()]
        parts += [f"{outcome} {count}" for outcome, count in sorted(self.outcomes.items())]
        return " · ".join(parts)

    def record(self) -> Mapping[str, Any]:
        """All of it as a JSON object; times in seconds."""
        spent = self.spending()
        return {
            "phase": self.what,
            "done": self.done,
            "total": self.total,
            "seconds": round(self.seconds, 1),
            "rate": self.rate and round(self.rate, 3),
            "to_go": self.left and round(self.left, 1),
            "score": self.score,
            "outcomes": dict(sorted(self.outcomes.items())),
            **({"spent": spent.record()} if spent else {}),
        }


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


class QuietProgress:
    """Says what has to be said, and nothing of how far it is."""

    seconds = float("inf")

    def __init__(self, stream: TextIO | None = None) -> None:
        """Write to ``stream``, by default to standard error."""
        self._stream = as_is(stream or sys.stderr)
        self._count: ProgressCount | None = None
        self._shown = 0.0

    def start(self, what: str, total: int | None, done: int = 0, spending: ReadSpending | None = None) -> None:
        """Begin a phase."""
        self._shown = time.monotonic()
        self._count = ProgressCount(what, total, done, done, self._shown, spending=spending or (lambda: None))
        self._show(self._count)

    def expect(self, total: int) -> None:
        """Know how many pieces there are."""
        if self._count:
            self._count.total = total

    def advance(self, outcome: str | None, score: float | None, *, earned: bool = True) -> None:
        """One piece on."""
        if self._count is None:
            return
        self._count.add(outcome, score, earned=earned)
        now = time.monotonic()
        # The first piece is news, whatever the time.
        if now - self._shown >= self.seconds or self._count.done - self._count.before == 1:
            self._shown = now
            self._show(self._count)

    def note(self, text: str) -> None:
        """Say something."""
        self._print(text)

    def interrupted(self) -> None:
        """Say what happens after a Ctrl-C."""
        self.note("finishing the pages under way; Ctrl-C again ends at once")

    def finish(self) -> None:
        """End the phase."""
        if self._count:
            self._show(self._count)
            self._count = None

    def _show(self, count: ProgressCount) -> None:
        """Say how far it is."""

    def _print(self, text: str, start: str = "", end: str = "\n") -> None:
        # Nobody may be reading any more (a closed terminal, a pipe into `head`): the run goes on without.
        with contextlib.suppress(OSError):
            print(f"{start}{printable(text)}", end=end, file=self._stream, flush=True)


class PlainProgress(QuietProgress):
    """A line from time to time, for a log."""

    seconds = LINE_SECONDS

    def _show(self, count: ProgressCount) -> None:
        self._print(count.words())


class JsonProgress(QuietProgress):
    """A JSON object a line from time to time, for programs."""

    seconds = LINE_SECONDS

    def note(self, text: str) -> None:
        """Say something."""
        self._print(json.dumps({"note": text}))

    def _show(self, count: ProgressCount) -> None:
        self._print(json.dumps(count.record()))


class BarProgress(QuietProgress):
    """One line on a terminal that is written over."""

    seconds = BAR_SECONDS

    def note(self, text: str) -> None:
        """Say something, above the line."""
        self._print(text, start=_CLEAR)

    def finish(self) -> None:
        """End the phase, and leave its line."""
        if self._count:
            super().finish()
            self._print("")

    def _show(self, count: ProgressCount) -> None:
        width = shutil.get_terminal_size().columns - 1
        self._print(count.words()[:width], start=_CLEAR, end="")


_KINDS: Mapping[Mode, Callable[[], QuietProgress]] = {
    "bar": BarProgress,
    "plain": PlainProgress,
    "json": JsonProgress,
    "quiet": QuietProgress,
}


def progress(mode: Mode | None = None) -> Progress:
    """Progress of a kind; None for a bar on a terminal, and lines elsewhere."""
    return _KINDS[mode or ("bar" if sys.stderr.isatty() else "plain")]()
