"""MindAct and its rivals, as solvers of steps (Deng et al. 2023, sections 3.2 and 4.3)."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any, Protocol, Self

from harness.kit.arguments import positive, whole
from harness.kit.errors import UserError
from harness.kit.options import given, option, part
from harness.models.call_options import ModelCall, PresetModel
from harness.models.cost import Price
from harness.models.messages import Reply, Request, Usage
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset, resolve
from harness.models.service import open_service
from harness.papers.mind2web.demonstrations.asking import AskedStep, PredictedStep
from harness.papers.mind2web.demonstrations.demonstration import Operation
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations
from harness.papers.mind2web.mindact.answers import StepAnswer, eliminate, in_groups
from harness.papers.mind2web.mindact.element_features import kind_of
from harness.papers.mind2web.mindact.few_examples import FewExamples, TooFewExamples, few_examples
from harness.papers.mind2web.mindact.marked_page import MarkedPage
from harness.papers.mind2web.mindact.page_element import PageElement
from harness.papers.mind2web.mindact.questions import AskModel, Questions, StepTooLarge
from harness.papers.mind2web.mindact.ranker import TOP, Ranker, candidates_of, page_of, query_of, ranked
from harness.papers.mind2web.mindact.ranker_names import ranker_named
from harness.papers.mind2web.mindact.snippet import element_words
from harness.papers.mind2web.mindact.step_requests import Options, words_of
from harness.papers.mind2web.mindact_options import USUAL

USUAL_EXAMPLES = 3
"""As the paper shows them to a model that was not trained for it."""


@dataclass(frozen=True, kw_only=True)
class MindActStepOptions(ModelCall, PresetModel):
    """What can be chosen for a solver of steps that asks a model; ``model`` is a preset.

    Attributes:
        prompts: In which words it is asked: ours, or the paper's (``mind2web-original``).
        ranker: Whose likeliest elements it is asked about.
        top: How many of them.
        examples: How many examples it is shown.
        examples_from: The file of demonstrations that they are of.
    """

    prompts: str | None = option()
    ranker: str | None = option()
    top: int | None = option(takes=positive)
    examples: int | None = option(takes=whole)
    examples_from: str | None = option()


class WrongStepOptions(UserError):
    """Options that a solver of steps does not take; the message says which, and what would do."""


class SolverSetup(Protocol):
    """What an evaluation hands to a solver's class (``harness.papers.teacher_forced.step_solvers.StepSetup``)."""

    @property
    def name(self) -> str:
        """The name by which it was asked for."""

    @property
    def folder(self) -> Path:
        """Where replies and accounts are kept."""

    @property
    def options(self) -> Mapping[str, Any]:
        """By name: those of ``MindActStepOptions``."""

    @property
    def seed(self) -> int:
        """Of all that is drawn."""


def ranker_of(setup: SolverSetup) -> Ranker:
    """The ranker that the options name.

    Raises:
        UserError: there is none.
    """
    return ranker_named(_options(setup).ranker or USUAL, setup.seed)


def top_of(setup: SolverSetup) -> int:
    """How many of its best a model is asked about.

    Raises:
        WrongStepOptions: it is no whole number from 1.
    """
    return _whole("top", _options(setup).top, TOP, 1)


def questions_of(setup: SolverSetup) -> Questions:
    """The model that the options name, with the examples that it is shown.

    Raises:
        WrongStepOptions: there is no model, or examples are wanted and nothing says of what.
        UserError: there is no such preset, or the demonstrations cannot be read.
    """
    options = _options(setup)
    if not options.model:
        raise WrongStepOptions(f"the solver {setup.name!r} asks a model: give --preset NAME")
    preset = resolve(options.model, {**given(options), "model": options.model_id})
    if missing := words_of(preset.prompts).missing:
        raise WrongStepOptions(f"prompts={preset.prompts}: {missing}")
    return Questions(_asked(preset, setup), preset, setup.seed, _examples_of(setup))


def _asked(preset: Preset, setup: SolverSetup) -> AskModel:
    service = open_service(preset, setup.options, setup.folder, seed=setup.seed)

    def ask(request: Request) -> Reply:
        return service.complete(request, NoEpisode(), where=setup.name).reply

    return ask


def _examples_of(setup: SolverSetup) -> FewExamples | None:
    options = _options(setup)
    place = options.examples_from
    number = _whole("examples", options.examples, USUAL_EXAMPLES if place else 0, 0)
    if number and not place:
        raise WrongStepOptions(f"examples={number}: say of which demonstrations, with examples_from=TRACES")
    return few_examples(read_demonstrations(Path(place)), number, setup.seed) if number and place else None


def _options(setup: SolverSetup) -> MindActStepOptions:
    return part(MindActStepOptions, setup.options)


def _whole(name: str, value: int | None, usual: int, least: int) -> int:
    number = usual if value is None else value
    if number < least:
        raise WrongStepOptions(f"{name}={number}: it is a whole number from {least}")
    return number


_WORD = re.compile(r"\w+")
NO_CANDIDATES = "the page has no candidates"
REJECTED = "all candidates were rejected"


@dataclass(frozen=True)
class Classification:
    """Takes the element that the ranker puts first; what to do with it is told by its tag.

    Attributes:
        ranker: The ranker.
    """

    ranker: Ranker

    @classmethod
    def set_up(cls, setup: SolverSetup) -> Self:
        """The solver of an evaluation.

        Raises:
            UserError: there is no such ranker.
        """
        return cls(ranker_of(setup))

    def predict(self, asked: AskedStep) -> PredictedStep:
        """The best element, without a value: a ranker knows none."""
        best = _best(asked, page_of(asked), self.ranker, 1)
        if not best:
            return _nothing(NO_CANDIDATES)
        return PredictedStep(backend_node_id=best[0].backend_node_id, op=_usual_operation(best[0]))


@dataclass(frozen=True)
class _AsksOfTheBest:
    """Asks a model about the best elements.

    Attributes:
        ranker: Whose best are asked about.
        asker: Asks the model.
        top: How many.
        seed: Of their order, or of that in which they are put into groups.
    """

    ranker: Ranker
    asker: Questions
    top: int = TOP
    seed: int = 0

    @classmethod
    def set_up(cls, setup: SolverSetup) -> Self:
        """The solver of an evaluation.

        Raises:
            UserError: it cannot be made of these options.
        """
        return cls(ranker_of(setup), questions_of(setup), top_of(setup), setup.seed)

    @property
    def price(self) -> Price | None:
        """Of the model; None if it is not known."""
        return self.asker.preset.price

    def _shuffled(self, asked: AskedStep, page: MarkedPage) -> list[PageElement]:
        best = _best(asked, page, self.ranker, self.top)
        _chance(asked, self.seed).shuffle(best)
        return best


@dataclass(frozen=True)
class MindAct(_AsksOfTheBest):
    """Asks a model about the best elements, five at a time, until one is left or none."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        """The element that is left, with what the last answer that chose it says.

        Raises:
            harness.papers.mind2web.mindact.questions.StepTooLarge: the question does not fit.
            harness.models.client.ModelError: the model did not answer.
        """
        page = page_of(asked)
        best = self._shuffled(asked, page)
        if not best:
            return _nothing(NO_CANDIDATES)
        unread: Counter[str] = Counter()

        def choose(group: Sequence[PageElement]) -> tuple[int, StepAnswer] | None:
            answer = self.asker.choose(asked, page, Options(tuple(group)))
            if answer.chosen is None:
                unread.update([answer.problem] if answer.problem else [])
                return None
            return answer.chosen, answer

        found = eliminate(best, choose)
        told = {"candidates": len(best), "rounds": found.rounds, "unread": dict(unread)}
        if found.winner is None or found.answer is None:
            return PredictedStep(backend_node_id=None, op=None, problem=_rejected(unread), told=told)
        return _predicted(found.winner, found.answer, told)

    def questions(self, asked: AskedStep) -> Iterator[Usage]:
        """What is asked at most: of each group one candidate goes on.

        What a question shows was shown by those that its candidates come from, so it is no longer than they together.
        """
        page = page_of(asked)
        groups = [Options(tuple(group)) for group in in_groups(self._shuffled(asked, page))]
        try:
            first = [self.asker.choice(asked, page, group) for group in groups]
        except (StepTooLarge, TooFewExamples):
            return
        tokens = [needed for _, needed in first]
        while tokens:
            yield from (Usage(needed, first[0][0].max_tokens) for needed in tokens)
            most = self.asker.preset.max_input_tokens
            tokens = [min(sum(group), most) for group in in_groups(tokens)] if len(tokens) > 1 else []


@dataclass(frozen=True)
class Prompting(_AsksOfTheBest):
    """Asks a model once, with all of the best elements as options."""

    def predict(self, asked: AskedStep) -> PredictedStep:
        """What the model chooses; errors as of ``MindAct.predict``."""
        page = page_of(asked)
        best = self._shuffled(asked, page)
        if not best:
            return _nothing(NO_CANDIDATES)
        answer = self.asker.choose(asked, page, Options(tuple(best), numbered=True))
        if answer.chosen is None:
            return _nothing(answer.problem or REJECTED)
        return _predicted(best[answer.chosen], answer, {"candidates": len(best)})

    def questions(self, asked: AskedStep) -> Iterator[Usage]:
        """What is asked."""
        page = page_of(asked)
        if best := self._shuffled(asked, page):
            with suppress(StepTooLarge, TooFewExamples):
                request, tokens = self.asker.choice(asked, page, Options(tuple(best), numbered=True))
                yield Usage(tokens, request.max_tokens)


@dataclass(frozen=True)
class Generation:
    """Has a model write the element, and looks for it among the best.

    Attributes:
        ranker: Around whose best the page is pruned.
        asker: Asks the model.
        top: How many.
    """

    ranker: Ranker
    asker: Questions
    top: int = TOP

    @classmethod
    def set_up(cls, setup: SolverSetup) -> Self:
        """The solver of an evaluation.

        Raises:
            UserError: it cannot be made of these options.
        """
        return cls(ranker_of(setup), questions_of(setup), top_of(setup))

    def predict(self, asked: AskedStep) -> PredictedStep:
        """The element with the words that the model wrote, the likeliest of several; errors as of ``MindAct``."""
        page = page_of(asked)
        best = _best(asked, page, self.ranker, self.top)
        if not best:
            return _nothing(NO_CANDIDATES)
        answer = self.asker.generate(asked, page, best)
        if not answer.written:
            return _nothing(answer.problem)
        found = [each for each in best if _is_written(answer.written, page, each)]
        if not found:
            return _nothing("what it wrote is no element that it was shown")
        return _predicted(found[0], answer, {"candidates": len(best), "same": len(found)})

    @property
    def price(self) -> Price | None:
        """Of the model; None if it is not known."""
        return self.asker.preset.price

    def questions(self, asked: AskedStep) -> Iterator[Usage]:
        """What is asked."""
        page = page_of(asked)
        if best := _best(asked, page, self.ranker, self.top):
            with suppress(StepTooLarge, TooFewExamples):
                request, tokens = self.asker.generation(asked, page, best)
                yield Usage(tokens, request.max_tokens)


def _best(asked: AskedStep, page: MarkedPage, ranker: Ranker, top: int) -> list[PageElement]:
    return ranked(ranker, query_of(asked), candidates_of(asked, page))[:top]


def _chance(asked: AskedStep, seed: int) -> random.Random:
    """The same for the same step, in whatever order steps are asked."""
    return random.Random(f"{seed} {asked.website} {asked.task} {len(asked.previous)}")  # noqa: S311 - an order, no secret


def _predicted(element: PageElement, answer: StepAnswer, told: Mapping[str, Any]) -> PredictedStep:
    return PredictedStep(
        backend_node_id=element.backend_node_id, op=answer.op, value=answer.value, problem=answer.problem, told=told
    )


def _nothing(problem: str) -> PredictedStep:
    return PredictedStep(backend_node_id=None, op=None, problem=problem)


def _rejected(unread: Counter[str]) -> str:
    """Why nothing is left: as the model would have it, or since its answers could not be read."""
    return f"{REJECTED}; unread: {unread.most_common(1)[0][0]}" if unread else REJECTED


def _usual_operation(element: PageElement) -> Operation:
    if element.tag == "select":
        return "SELECT"
    return "TYPE" if kind_of(element) == "typed" else "CLICK"


def _is_written(written: str, page: MarkedPage, element: PageElement) -> bool:
    """Whether the words are an element's, with its attributes or without; brackets and quotation marks do not count."""
    wanted = _bare(written)
    return bool(wanted) and wanted in (_bare(element_words(page, element.backend_node_id)), _bare(element.text))


def _bare(words: str) -> str:
    return " ".join(_WORD.findall(unescape(words).lower()))
