"""The noise model: how imagined workers depart from the right answer."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Sequence
from typing import TypeVar

T = TypeVar("T")

# How often an instance has 1, 2, ... 7 workers: requesters mostly ask for three.
_WORKER_COUNTS = (3, 2, 6, 2, 3, 1, 2)


class Crowd:
    """Imagined workers who answer a task whose right answers are known.

    The labels of the bundled tasks are **constructed**: no person gave them. They exist so that the harness
    meets every shape that real labels take (agreement, majorities, ties, blanks, disagreeing ratings, slips
    of the keyboard), and a score on them says how the harness works, not how good a model is.

    The model is simple on purpose. Workers are independent and equally able; what varies is how hard a
    question is:

    - a choice is right with probability ``1 - difficulty``, else any other option with equal chance
      (`choose`) or, on an ordered scale, an option next to the right one (`choose_near`);
    - each box of a group is wrong, ticked or not, with probability ``difficulty`` (`tick`);
    - a rating is the truth plus a triangular error of at most ``spread``, rounded and kept on the scale
      (`rate`);
    - a text is one of several right wordings, with probability ``difficulty`` spoilt by one slip: two letters
      swapped, a letter lost, a small initial, a lost full stop, a space too many (`write`);
    - an optional field stays empty with a given probability (`blank`);
    - where a page depends on an answer, workers are drawn until one option has the most votes (`settle`), and
      where a tie is wanted it is made (`tie`).
    """

    def __init__(self, rng: random.Random) -> None:
        self._rng = rng

    def workers(self, most: int = 7) -> int:
        """Draw how many workers label an instance.

        Args:
            most: the largest number to draw, 1 to 7.

        Returns:
            A number from 1 to `most`.
        """
        return self._rng.choices(range(1, most + 1), weights=_WORKER_COUNTS[:most])[0]

    def chance(self, probability: float) -> bool:
        """Say whether something of this probability happens."""
        return self._rng.random() < probability

    def blank(self, probability: float) -> bool:
        """Say whether a worker leaves an optional field empty."""
        return self.chance(probability)

    def pick(self, options: Sequence[T]) -> T:
        """Draw one of the options, whatever they are, each with equal chance."""
        return self._rng.choice(options)

    def choose(self, right: str, options: Sequence[str], difficulty: float = 0.1) -> str:
        """Give one worker's choice among unordered options.

        Args:
            right: the right option.
            options: all options, `right` among them.
            difficulty: the probability of a wrong choice.

        Returns:
            The option chosen.
        """
        others = [option for option in options if option != right]
        return self._rng.choice(others) if others and self.chance(difficulty) else right

    def choose_near(self, right: str, options: Sequence[str], difficulty: float = 0.1) -> str:
        """Give one worker's choice on an ordered scale: a wrong one is next to the right one.

        Args:
            right: the right option.
            options: all options in the order of the scale, `right` among them.
            difficulty: the probability of a wrong choice.

        Returns:
            The option chosen.
        """
        at = options.index(right)
        return self.choose(right, options[max(0, at - 1) : at + 2], difficulty)

    def settle(self, right: str, options: Sequence[str], workers: int, difficulty: float = 0.1) -> list[str]:
        """Give the choices of several workers of whom more choose `right` than anything else.

        Args:
            right: the right option.
            options: all options, `right` among them.
            workers: how many choices.
            difficulty: the probability of a wrong choice, before draws without that majority are thrown away.

        Returns:
            One choice a worker.
        """
        while True:
            votes = [self.choose(right, options, difficulty) for _ in range(workers)]
            counts = Counter(votes)
            if all(counts[right] > count for option, count in counts.items() if option != right):
                return votes

    def tie(self, first: str, second: str, workers: int) -> list[str]:
        """Give the choices of an even number of workers who are split between two options.

        Args:
            first: the choice of one half.
            second: the choice of the other half.
            workers: how many choices, even.

        Returns:
            One choice a worker, in drawn order.

        Raises:
            ValueError: if `workers` is odd.
        """
        if workers % 2:
            raise ValueError(f"{workers} workers cannot be split into halves")
        votes = [first, second] * (workers // 2)
        self._rng.shuffle(votes)
        return votes

    def tick(self, right: Collection[str], options: Sequence[str], difficulty: float = 0.1) -> set[str]:
        """Give the boxes of a group that one worker ticks.

        Args:
            right: the options that should be ticked; may be empty.
            options: all options, in the order of the page.
            difficulty: the probability, for each box on its own, of getting it wrong.

        Returns:
            The options ticked; `model.joined` writes them as a cell.
        """
        return {option for option in options if (option in right) != self.chance(difficulty)}

    def rate(self, truth: float, low: int, high: int, spread: float) -> int:
        """Give one worker's rating on a numeric scale.

        Args:
            truth: the right value, within the scale.
            low: the least value of the scale.
            high: the greatest value of the scale.
            spread: the greatest error.

        Returns:
            A whole number from `low` to `high`.
        """
        return min(high, max(low, round(self._rng.triangular(truth - spread, truth + spread, truth))))

    def write(self, variants: Sequence[str], difficulty: float = 0.1) -> str:
        """Give one worker's wording.

        Args:
            variants: wordings that are all right.
            difficulty: the probability of one slip of the keyboard.

        Returns:
            The text as typed; never empty if the variants are not.
        """
        text = self._rng.choice(variants)
        return self._slip(text) if self.chance(difficulty) else text

    def _slip(self, text: str) -> str:
        # Digits are never touched: a slip spoils the spelling, not the answer.
        inner = [at for at in range(1, len(text) - 2) if text[at].isalpha() and text[at + 1].isalpha()]
        kind = self._rng.choice(("swap", "lose", "small", "stop", "space"))
        if kind in ("swap", "lose") and inner:
            at = self._rng.choice(inner)
            if kind == "swap":
                return text[:at] + text[at + 1] + text[at] + text[at + 2 :]
            return text[:at] + text[at + 1 :]
        if kind == "small":
            return text[0].lower() + text[1:]
        if kind == "stop" and len(text) > 1:
            return text.removesuffix(".")
        return text + " "
