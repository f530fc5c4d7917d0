"""Steps of other demonstrations, shown to a model with their answers before it is asked (Deng et al. 2023, 4.3).

One rule keeps what is shown apart from what is asked: an example is of another website and of another task.
"""

from __future__ import annotations

import random
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from harness.kit.errors import UserError
from harness.kit.words import Words
from harness.papers.mind2web.demonstrations.asking import AskedStep, asked_step
from harness.papers.mind2web.demonstrations.demonstration import DemonstratedStep, Demonstration
from harness.papers.mind2web.mindact.answers import GROUP
from harness.papers.mind2web.mindact.marked_page import MarkedPage, UnreadableStepPage
from harness.papers.mind2web.mindact.page_element import PageElement, StepQuery, elements_of
from harness.papers.mind2web.mindact.ranker import page_of, query_of
from harness.papers.mind2web.mindact.snippet import FROM_WIDE_TO_NARROW, element_words
from harness.papers.mind2web.mindact.step_requests import WORDS, Options, ShownExample, choice_words, generation_words

MOST_KEPT = 40
"""Steps among which examples are found, drawn from all demonstrations, one of each."""
WITHOUT_ANSWER = 3
"""Every so many-th example has no acceptable element among its options: none of them is an answer, too."""


class TooFewExamples(UserError):
    """There are not as many examples of other websites and tasks as were asked for."""


@dataclass(frozen=True)
class ExampleStep:
    """A step that may be shown.

    Attributes:
        asked: As it is asked.
        step: What was done.
    """

    asked: AskedStep
    step: DemonstratedStep

    @property
    def query(self) -> StepQuery:
        """What was to be done, and what had been done."""
        return query_of(self.asked)

    @cached_property
    def page(self) -> MarkedPage:
        """Its page."""
        return page_of(self.asked)

    @cached_property
    def right(self) -> PageElement | None:
        """The element that was acted on, or another acceptable one; None if the page has none of them."""
        try:
            found = elements_of(self.page, self.step.positives)
        except UnreadableStepPage:
            return None
        original = {each.backend_node_id for each in self.step.positives if each.is_original_target}
        return next((each for each in found if each.backend_node_id in original), found[0] if found else None)

    @cached_property
    def wrong(self) -> list[PageElement]:
        """The other elements of the page."""
        return elements_of(self.page, self.step.negatives)

    @property
    def action(self) -> str:
        """The lines of the answer that say what was done."""
        done = self.step.operation
        return f"Action: {done.op}" + (f"\nValue: {done.value}" if done.op != "CLICK" else "")


class FewExamples:
    """The steps among which examples are found."""

    def __init__(self, steps: Iterable[ExampleStep], number: int, seed: int = 0) -> None:
        """Show some of ``steps``.

        Args:
            steps: In the order in which they are preferred.
            number: How many are shown of them.
            seed: Of the other elements in their questions.
        """
        self._steps = tuple(steps)
        self._number = number
        self._seed = seed

    def choices(self, website: str, task: str, words: Words = WORDS) -> list[ShownExample]:
        """Examples of questions with options, for a step of this website and task.

        Raises:
            TooFewExamples: there are not as many.
        """
        return [
            self._choice(place, example, words) for place, example in enumerate(self._of_others(website, task), start=1)
        ]

    def generations(self, website: str, task: str, words: Words = WORDS) -> list[ShownExample]:
        """Examples of questions without options; as ``choices``."""
        return [
            self._generation(place, example, words)
            for place, example in enumerate(self._of_others(website, task), start=1)
        ]

    def _of_others(self, website: str, task: str) -> list[ExampleStep]:
        found = [
            each for each in self._steps if each.asked.website != website and each.query.task != task and each.right
        ]
        if len(found) < self._number:
            raise TooFewExamples(
                f"{self._number} examples are wanted, and of other websites than {website} and other tasks there are "
                f"{len(found)}: give more demonstrations, or fewer --examples"
            )
        return found[: self._number]

    def _drawn(self, place: int, example: ExampleStep, number: int) -> list[PageElement]:
        chance = random.Random(f"{self._seed} {place}")  # noqa: S311 - a draw, not a secret
        return chance.sample(example.wrong, min(number, len(example.wrong)))

    def _choice(self, place: int, example: ExampleStep, words: Words) -> ShownExample:
        assert example.right is not None  # noqa: S101 - those without are not shown
        answered = bool(place % WITHOUT_ANSWER)
        elements = self._drawn(place, example, GROUP - answered)
        if answered:
            elements.insert(place % (len(elements) + 1), example.right)
        options = Options(tuple(elements))
        question = choice_words(example.query, example.page, options, FROM_WIDE_TO_NARROW[-1], words)
        if not answered:
            return ShownExample(question, f"Answer: {options.none}")
        return ShownExample(question, f"Answer: {options.labels[elements.index(example.right)]}\n{example.action}")

    def _generation(self, place: int, example: ExampleStep, words: Words) -> ShownExample:
        assert example.right is not None  # noqa: S101 - as above
        elements = [example.right, *self._drawn(place, example, GROUP - 1)]
        question = generation_words(example.query, example.page, elements, FROM_WIDE_TO_NARROW[-1], words)
        written = element_words(example.page, example.right.backend_node_id)
        return ShownExample(question, f"Element: {written}\n{example.action}")


def few_examples(demonstrations: Iterable[Demonstration], number: int, seed: int = 0) -> FewExamples:
    """Draw the steps among which examples are found.

    Args:
        demonstrations: They are asked for one by one; a step of each is kept, and ``MOST_KEPT`` in all.
        number: How many are shown before a question.
        seed: Of the draw.
    """
    chance = random.Random(seed)  # noqa: S311 - a draw, not a secret
    kept: list[ExampleStep] = []
    seen = 0
    for demonstration in demonstrations:
        possible = [place for place, step in enumerate(demonstration.steps) if step.positives]
        if not possible:
            continue
        place = chance.choice(possible)
        seen += 1
        example = ExampleStep(asked_step(demonstration, place), demonstration.steps[place])
        if len(kept) < MOST_KEPT:
            kept.append(example)
        elif (instead := chance.randrange(seen)) < MOST_KEPT:
            kept[instead] = example
    chance.shuffle(kept)
    return FewExamples(kept, number, seed)
