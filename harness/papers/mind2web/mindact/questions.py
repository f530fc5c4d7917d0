"""A model that is asked about steps: each question as wide as it takes, each answer read."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from harness.kit.words import Words
from harness.models.messages import Reply, Request
from harness.models.presets import Preset
from harness.models.tokens.counting import Tokens, tokens_for
from harness.papers.mind2web.demonstrations.asking import AskedStep
from harness.papers.mind2web.mindact.answers import StepAnswer, read_choice, read_generated
from harness.papers.mind2web.mindact.few_examples import FewExamples
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import PageElement
from harness.papers.mind2web.mindact.ranker import query_of
from harness.papers.mind2web.mindact.snippet import FROM_WIDE_TO_NARROW, Surroundings
from harness.papers.mind2web.mindact.step_requests import (
    Options,
    ShownExample,
    choice_request,
    choice_words,
    freely,
    generation_request,
    generation_words,
    words_of,
)

AskModel = Callable[[Request], Reply]
"""Sends a request, within the limits of whoever asks, and gives the reply."""


class StepTooLarge(Exception):
    """However narrow a page is cut, the question about it is longer than the model takes."""


@dataclass(frozen=True)
class Questions:
    """Asks a model about steps.

    Attributes:
        ask: Sends a request.
        preset: The model, and how it is asked.
        seed: Of its sampling.
        examples: ShownExample before each question; None for none.
    """

    ask: AskModel
    preset: Preset
    seed: int = 0
    examples: FewExamples | None = None

    @property
    def words(self) -> Words:
        """In which words it asks."""
        return words_of(self.preset.prompts)

    def choose(self, asked: AskedStep, page: MarkedPage, options: Options) -> StepAnswer:
        """Ask which of some elements is next.

        Raises:
            StepTooLarge: the question does not fit.
            harness.papers.mind2web.mindact.few_examples.TooFewExamples: there are not as many examples as are to be
                shown.
            harness.models.client.ModelError: the model did not answer.
        """
        request, _ = self.choice(asked, page, options)
        return read_choice(self.ask(request).text, options.labels, options.none)

    def generate(self, asked: AskedStep, page: MarkedPage, elements: Sequence[PageElement]) -> StepAnswer:
        """Ask for the next element in the model's own words; errors as of ``choose``.

        Args:
            asked: The step.
            page: Its page.
            elements: Those around which it is pruned.
        """
        request, _ = self.generation(asked, page, elements)
        return read_generated(self.ask(request).text)

    def send(self, request: Request) -> Reply:
        """Send a request of another kind, within the model's limits; errors as of ``ask``."""
        return self.ask(self._prepared(request))

    def choice(self, asked: AskedStep, page: MarkedPage, options: Options) -> tuple[Request, int]:
        """The request that ``choose`` sends, and its tokens; errors as of ``choose``, but that nothing is sent."""
        shown = self.examples.choices(asked.website, asked.task, self.words) if self.examples else []

        def request(around: Surroundings) -> Request:
            question = choice_words(query_of(asked), page, options, around, self.words)
            return choice_request(self.preset.model, question, shown, options, self.words)

        return self._widest(request)

    def generation(self, asked: AskedStep, page: MarkedPage, elements: Sequence[PageElement]) -> tuple[Request, int]:
        """The request that ``generate`` sends, as ``choice`` gives that of ``choose``."""
        shown: Sequence[ShownExample] = ()
        if self.examples:
            shown = self.examples.generations(asked.website, asked.task, self.words)

        def request(around: Surroundings) -> Request:
            question = generation_words(query_of(asked), page, elements, around, self.words)
            return generation_request(self.preset.model, question, shown, self.words)

        return self._widest(request)

    def _widest(self, make: Callable[[Surroundings], Request]) -> tuple[Request, int]:
        """The widest request that fits."""
        tokens = self._tokens
        for around in FROM_WIDE_TO_NARROW:
            request = self._prepared(make(around))
            if (needed := tokens.request(request)) <= self.preset.max_input_tokens:
                return request, needed
        raise StepTooLarge(
            f"the question takes {needed} tokens at the least, and {self.preset.name} is sent "
            f"{self.preset.max_input_tokens} at most: fewer examples or candidates, or --max-input-tokens"
        )

    def _prepared(self, request: Request) -> Request:
        if self.preset.provider != "local":  # As of solvers of sites: others write freely.
            request = freely(request)
        longest = min(self.preset.max_output_tokens, request.max_tokens)
        return replace(request, temperature=self.preset.temperature, seed=self.seed, max_tokens=longest)

    @property
    def _tokens(self) -> Tokens:
        return tokens_for(self.preset.model, self.preset.provider)
