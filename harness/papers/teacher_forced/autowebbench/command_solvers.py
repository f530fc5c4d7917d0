"""Who is asked about recorded steps: models, the bound that knows the label, floors, and classes of one's own."""

from __future__ import annotations

import hashlib
import importlib
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self, runtime_checkable

from harness.kit.errors.user import UserError
from harness.kit.options.option import option
from harness.kit.options.records import given, view
from harness.kit.text.closest import did_you_mean
from harness.models.call_options import ModelCall, PresetModel
from harness.models.cost import Price
from harness.models.messages import Message, Request, Text, Usage
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset, presets, resolve
from harness.models.service import ModelService, open_service
from harness.models.tokens.counting import tokens_for
from harness.papers.teacher_forced.autowebbench.recorded_steps import PARTS, RecordedPrompt, RecordedStep
from harness.papers.teacher_forced.autowebbench.words import by_characters
from harness.papers.teacher_forced.step_solvers import StepSetup

_ELEMENT = re.compile(r"<[\w-]+\[(?P<letters>[A-Z]+)\]\|(?P<text>(?:(?!<[\w-]+\[).){0,300})", re.DOTALL)


class WrongCommandSolver(UserError):
    """No such solver, or not with these options; the message says why."""


class NoReply(Exception):
    """The solver gives no reply to a step; the message says why. It is worth nothing and stays in the denominator."""


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
            raise WrongCommandSolver(f"without={unknown[0]}: the parts of a prompt are {', '.join(PARTS)}")
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


COMMAND_SOLVERS: Mapping[str, type] = {
    "oracle": CommandOracle,
    "first": FirstElement,
    "random": RandomElement,
    "lexical": LexicalElement,
}
"""Name -> class. Other names are those of presets, or ``package.module:Class``."""


def make_command_solver(setup: StepSetup) -> AnyCommandSolver:
    """A new solver; a class of one's own is made as ``make_step_solver`` makes one.

    Raises:
        WrongCommandSolver: there is none of that name, or it is no solver.
        UserError: it cannot work with its options.
    """
    kind = _kind(setup.name)
    try:
        solver = kind.set_up(setup) if hasattr(kind, "set_up") else kind()
    except UserError:
        raise
    except Exception as error:  # a solver's code is not ours: anything may go wrong while it is made
        raise WrongCommandSolver(f"solver {setup.name!r} cannot be made: {type(error).__name__}: {error}") from error
    if not isinstance(solver, CommandSolver | KeyedCommandSolver):
        raise WrongCommandSolver(f"solver {setup.name!r} has neither `reply` nor `reply_with_key`")
    return solver


def _kind(name: str) -> Any:
    if name in COMMAND_SOLVERS:
        return COMMAND_SOLVERS[name]
    if name in presets():
        return ModelReplies
    module, colon, attribute = name.rpartition(":")
    if not colon:
        known = (*COMMAND_SOLVERS, *presets())
        raise WrongCommandSolver(
            f"unknown solver {name!r}.{did_you_mean(name, known)} Known: {', '.join(COMMAND_SOLVERS)}, a preset of a "
            "model (docs/models.md), or package.module:Class of your own"
        )
    try:
        return getattr(importlib.import_module(module), attribute)
    except Exception as error:  # nor is what it does while its module is loaded
        raise WrongCommandSolver(f"solver {name!r} cannot be loaded: {type(error).__name__}: {error}") from error


def _elements(prompt: RecordedPrompt) -> dict[str, str]:
    """Letters of the page's elements -> what stands in them, up to the next element."""
    return {each["letters"]: re.sub(r"<[\w-]*\||[<>]", " ", each["text"]) for each in _ELEMENT.finditer(prompt.html)}


def _press(letters: str | None) -> str:
    return "finish()" if letters is None else f"click({letters!r})"
