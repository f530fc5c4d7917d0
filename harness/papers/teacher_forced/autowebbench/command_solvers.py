"""Who is asked about recorded steps: models, the bound that knows the label, floors, and classes of one's own."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

from harness.kit.errors import UserError
from harness.kit.options import given, option, view
from harness.models.call_options import ModelCall, PresetModel
from harness.models.cost import Price
from harness.models.messages import Message, Request, Text, Usage
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset, presets, resolve
from harness.models.service import ModelService, open_service
from harness.models.tokens.counting import tokens_for
from harness.papers.teacher_forced.autowebbench.command_score import by_characters
from harness.papers.teacher_forced.autowebbench.recorded_steps import PARTS, RecordedPrompt, RecordedStep
from harness.papers.teacher_forced.step_solvers import NoReply, StepSetup, make_solver, unknown_solver

_ELEMENT = re.compile(r"<[\w-]+\[(?P<letters>[A-Z]+)\]\|(?P<text>(?:(?!<[\w-]+\[).){0,300})", re.DOTALL)


class WrongPart(UserError):
    """A prompt has no such part; the message lists those that it has."""


@runtime_checkable
class CommandSolver(Protocol):
    """Says of each step what it would do."""

    def reply(self, prompt: RecordedPrompt) -> str:
        """What it would do, in its words: a command, and what else it has to say.

        Raises:
            Exception: whatever it raises is counted as a step without a reply.
        """


@runtime_checkable
class KeyedCommandSolver(Protocol):
    """A solver that is handed what was done: a bound, never a competitor."""

    def reply_with_key(self, step: RecordedStep) -> str:
        """As ``CommandSolver.reply``, knowing the labels."""


AnyCommandSolver = CommandSolver | KeyedCommandSolver


class CommandOracle:
    """Writes what was done: the first label."""

    def reply_with_key(self, step: RecordedStep) -> str:
        """The label, as it is written."""
        return step.labels[0]


class FirstElement:
    """Presses the first element of the page."""

    def reply(self, prompt: RecordedPrompt) -> str:
        """A press, or the end where the page shows no element."""
        return _press(next(iter(_elements(prompt)), None))


class RandomElement:
    """Presses any element of the page, by its seed."""

    def __init__(self, seed: int = 0) -> None:
        """Draw by ``seed``: the same prompt gives the same element, in whatever order steps are asked."""
        self._seed = seed

    @classmethod
    def set_up(cls, setup: StepSetup) -> Self:
        """The solver of an evaluation."""
        return cls(setup.seed)

    def reply(self, prompt: RecordedPrompt) -> str:
        """A press, or the end where the page shows no element."""
        digest = hashlib.sha256(prompt.source.encode()).hexdigest()
        chance = random.Random(f"{self._seed}:{digest}")  # noqa: S311 - a baseline, not a secret
        letters = list(_elements(prompt))
        return _press(chance.choice(letters) if letters else None)


class LexicalElement:
    """Presses the element that shares most words with the task."""

    def reply(self, prompt: RecordedPrompt) -> str:
        """A press on the first of the best, or the end where the page shows no element."""
        wanted = by_characters(prompt.task.lower())

        def worth(text: str) -> float:
            said = by_characters(text.lower())
            return len(said & wanted) / len(said) ** 0.5 if said else 0.0

        elements = _elements(prompt)
        return _press(max(elements, key=lambda each: worth(elements[each]), default=None))


@dataclass(frozen=True, kw_only=True)
class CommandModelOptions(ModelCall, PresetModel):
    """What can be chosen for a model that is asked what commands are next; ``without`` names parts of its prompt."""

    without: str | None = option()


class ModelReplies:
    """Sends a model the prompt as one message of the user, as it is recorded."""

    def __init__(self, preset: Preset, service: ModelService, *, seed: int = 0, without: tuple[str, ...] = ()) -> None:
        """Ask a model.

        Args:
            preset: The model, and how it is asked.
            service: Sends the requests.
            seed: Of its sampling.
            without: Parts of prompts that are left out, of ``PARTS``.
        """
        self._preset, self._service, self._seed, self._without = preset, service, seed, without

    @classmethod
    def set_up(cls, setup: StepSetup) -> Self:
        """The solver of an evaluation; its name is a preset's.

        Raises:
            UserError: not with these options.
        """
        options = view(CommandModelOptions, setup.options)
        preset = resolve(setup.name, {**given(options), "model": options.model_id})
        without = tuple(filter(None, (options.without or "").split(",")))
        if unknown := [each for each in without if each not in PARTS]:
            raise WrongPart(f"without={unknown[0]}: the parts of a prompt are {', '.join(PARTS)}")
        service = open_service(preset, setup.options, setup.folder, seed=setup.seed)
        return cls(preset, service, seed=setup.seed, without=without)

    @property
    def price(self) -> Price | None:
        """Of the model; None if it is not known."""
        return self._preset.price

    def reply(self, prompt: RecordedPrompt) -> str:
        """What the model writes.

        Raises:
            NoReply: the prompt is longer than the model takes.
            harness.models.client.ModelError: the model gives no answer.
        """
        request = self._request(prompt)
        needed = self._tokens(request)
        if needed > self._preset.max_input_tokens:
            most = self._preset.max_input_tokens
            raise NoReply(f"the prompt is too long: {needed} tokens, and the model is sent {most} at most")
        return self._service.complete(request, NoEpisode(), where=self._preset.name).reply.text

    def questions(self, prompt: RecordedPrompt) -> Iterator[Usage]:
        """The tokens of what it would be asked, with the longest reply; nothing is sent."""
        request = self._request(prompt)
        if (needed := self._tokens(request)) <= self._preset.max_input_tokens:
            yield Usage(needed, request.max_tokens)

    def _request(self, prompt: RecordedPrompt) -> Request:
        return Request(
            model=self._preset.model,
            messages=(Message("user", (Text(prompt.without(self._without)),)),),
            temperature=self._preset.temperature,
            seed=self._seed,
            max_tokens=self._preset.max_output_tokens,
        )

    def _tokens(self, request: Request) -> int:
        return tokens_for(self._preset.model, self._preset.provider).request(request)


COMMAND_SOLVERS: Mapping[str, type[Any]] = {
    "oracle": CommandOracle,
    "first": FirstElement,
    "random": RandomElement,
    "lexical": LexicalElement,
}
"""Name -> class. Other names are those of presets, or ``package.module:Class``."""


def make_command_solver(setup: StepSetup) -> AnyCommandSolver:
    """A new solver of recorded steps; see ``make_solver``.

    Args:
        setup: Named as in ``COMMAND_SOLVERS``, by the name of a preset, or as ``package.module:Class``.
    """
    name = setup.name
    kind = COMMAND_SOLVERS.get(name) or (ModelReplies if name in presets() else None)
    if not kind and ":" not in name:
        raise unknown_solver(name, (*COMMAND_SOLVERS, "a preset of a model (docs/how-to/models.md)"), tuple(presets()))
    place = f"{kind.__module__}:{kind.__qualname__}" if kind else name
    solver: AnyCommandSolver = make_solver(setup, place, ("reply", "reply_with_key"))
    return solver


def _elements(prompt: RecordedPrompt) -> dict[str, str]:
    """Letters of the page's elements -> what stands in them, up to the next element."""
    return {each["letters"]: re.sub(r"<[\w-]*\||[<>]", " ", each["text"]) for each in _ELEMENT.finditer(prompt.html)}


def _press(letters: str | None) -> str:
    return "finish()" if letters is None else f"click({letters!r})"
