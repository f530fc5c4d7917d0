"""The crowd: imagined workers with skill, habits and speed, and how a handful of them answers an instance."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeVar

from tasks._generator.made import Close, Made, Truth, right
from tasks._generator.voice import Voice, folded, slipped, unsaid

T = TypeVar("T")

# How often an instance has 3, 4, ... 7 workers: requesters mostly ask for three.
_WORKER_COUNTS = (7, 2, 4, 1, 1)
_POOL = 36
_TRIES = 2000


@dataclass
class _Page:
    """What is known while an instance is answered: texts that its workers, and those before, have written."""

    cores: list[str] = field(default_factory=list)
    texts: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Worker:
    """One imagined worker.

    The labels of the bundled tasks are **constructed**: no person gave them. They exist so that the harness meets
    every shape that real labels take, and a score on them says how the harness works, not how good a model is.

    Attributes:
        rng: what chance is drawn from.
        care: from 0 (hasty: leaves out what may be left out, takes what stands first) to 1.
        leaning: on scales, how far this worker always rates above the truth, in parts of a spread, -1 to 1.
        voice: how this worker writes.
        side: of workers who are split between two answers, which half, 0 or 1.
        page: what the workers of the instance have written.
    """

    rng: random.Random
    care: float
    leaning: float
    voice: Voice
    side: int = 0
    page: _Page = field(default_factory=_Page)

    @property
    def hasty(self) -> bool:
        """Whether this worker hurries."""
        return self.care < 0.35

    def errs(self, difficulty: float) -> bool:
        """Say whether this worker gets a question wrong that an ordinary worker does with this probability."""
        return self.rng.random() < min(0.8, difficulty * (2.0 - 1.7 * self.care))

    def skips(self, probability: float) -> bool:
        """Say whether this worker leaves empty what may be left empty."""
        return self.rng.random() < min(0.9, probability * (1.8 - 1.4 * self.care))

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of the options, whatever they are, each with equal chance."""
        return self.rng.choice(options)

    def choose(self, right: str, options: Sequence[str], difficulty: float = 0.2, lures: Sequence[str] = ()) -> str:
        """Choose among unordered options.

        Args:
            right: the right option.
            options: all options in the order of the page, ``right`` among them.
            difficulty: the probability of a wrong choice.
            lures: the options that people take for the right one; without them any other.

        Returns:
            The option: if wrong a lure, or of somebody in a hurry now and then the first of the page.
        """
        others = [option for option in options if option != right]
        if not others or not self.errs(difficulty):
            return right
        if self.hasty and options[0] != right and self.rng.random() < 0.35:
            return options[0]
        return self.rng.choice([lure for lure in lures if lure in others] or others)

    def choose_near(self, right: str, options: Sequence[str], difficulty: float = 0.25) -> str:
        """Choose on an ordered scale: who errs takes the next step, on the side that this worker leans to."""
        at = options.index(right)
        if not self.errs(difficulty):
            return right
        up = self.rng.random() < 0.5 + self.leaning / 2
        return options[min(len(options) - 1, at + 1) if up else max(0, at - 1)]

    def tick(self, right: Collection[str], options: Sequence[str], difficulty: float = 0.15) -> set[str]:
        """Tick boxes of a group: a box is forgotten much more often than one is ticked that should not be."""
        return {
            option for option in options if (option in right) != self.errs(difficulty * (1 if option in right else 0.4))
        }

    def rate(self, truth: float, low: int, high: int, spread: float) -> int:
        """Rate on a numeric scale: the truth, moved by this worker's leaning and by chance, within the scale."""
        moved = truth + self.leaning * spread * 0.6
        return min(high, max(low, round(self.rng.triangular(moved - spread, moved + spread, moved))))

    def copy(self, variants: str | Sequence[str], difficulty: float = 0.08) -> str:
        """Type what the page shows, in one of several right ways; who errs makes a slip of the keyboard."""
        text = variants if isinstance(variants, str) else self.rng.choice(variants)
        return slipped(text, self.rng) if self.errs(difficulty) else text

    def say(self, cores: Sequence[str], *, talk: bool = True) -> str:
        """Write in words of one's own: no two workers of a task write the same.

        Args:
            cores: sentences that all fit; each worker of an instance takes one that is left.
            talk: whether an opening or an ending may be added, as to a reason.

        Raises:
            ValueError: if there are too few sentences for all to differ.
        """
        for _ in range(60):
            core = self.rng.choice(unsaid(cores, self.page.cores))
            text = self.voice.written(core, self.rng, talk=talk)
            if folded(text) not in self.page.texts:
                self.page.cores.append(core)
                self.page.texts.add(folded(text))
                return text
            if talk:
                text = replace(self.voice, talks=1.0).written(core, self.rng, talk=True)
                if folded(text) not in self.page.texts:
                    self.page.texts.add(folded(text))
                    return text
            self.page.cores.append(core)
        raise ValueError(f"too few wordings: {list(cores)}")


class Crowd:
    """The workers of a task, of whom a few answer each instance.

    Args:
        rng: what chance is drawn from, seeded by the task's name.
    """

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self._pool = [self._worker() for _ in range(_POOL)]
        self._texts: set[str] = set()

    def _worker(self) -> Worker:
        care = self.rng.choices((0.2, 0.55, 0.9), weights=(2, 5, 3))[0]
        return Worker(self.rng, care, self.rng.uniform(-1, 1), Voice.drawn(self.rng, care))

    def made(
        self,
        inputs: Mapping[str, str],
        answers: Callable[[Worker], Mapping[str, str]],
        truth: Mapping[str, Truth],
        *,
        hard: Collection[str] = (),
        most: int = 7,
    ) -> Made:
        """Make an instance whose workers are right by majority.

        Those who stand against the truth where it has no majority are replaced, as requesters replace them who fail
        a hidden test, until it has one.

        Args:
            inputs: template variable -> value.
            answers: gives the answers of a worker, field name -> cell; what belongs together is right or wrong
                together.
            truth: field -> the right answer, for every field that has one.
            hard: fields of this instance on which workers may be split; those of an even number of workers are of
                the sides 0 and 1 by turns.
            most: the largest number of workers, 3 to 7.

        Raises:
            ValueError: if no workers were found by whom the truth has a majority.
        """
        count = self.rng.choices(range(3, most + 1), weights=_WORKER_COUNTS[: most - 2])[0]
        count = 2 * min(most // 2, (count + 1) // 2) if hard else count
        page = _Page(texts=set(self._texts))
        free = iter(self.rng.sample(self._pool, len(self._pool)))
        team = [replace(next(free), side=at % 2, page=page) for at in range(count)]
        rows = [dict(answers(worker)) for worker in team]
        for _ in range(_TRIES):
            lost = [name for name, true in truth.items() if name not in hard and not right(true, rows, name)]
            if not lost:
                self._texts |= page.texts
                return Made(dict(inputs), tuple(rows), dict(truth), frozenset(hard))
            name = self.rng.choice(lost)
            against = [at for at, row in enumerate(rows) if not _agrees(truth[name], row[name])] or [0]
            at = self.rng.choice(against)
            rows[at] = dict(answers(replace(self.rng.choice(self._pool), side=at % 2, page=page)))
        raise ValueError(f"no majority for {lost} in {dict(inputs)}")


def _agrees(truth: Truth, cell: str) -> bool:
    return truth.holds(cell) if isinstance(truth, Close) else truth == cell
