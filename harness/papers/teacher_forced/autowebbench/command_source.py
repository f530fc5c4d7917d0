"""AutoWebBench's recorded steps as a source of an evaluation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from harness.actions.call import ActionError
from harness.kit.files.codec import JsonObject
from harness.kit.text import shorten
from harness.papers.teacher_forced.autowebbench.command_numbers import CommandNumbers, command_numbers, command_text
from harness.papers.teacher_forced.autowebbench.command_score import WORDS, KeptReply, Words, score_reply, script_score
from harness.papers.teacher_forced.autowebbench.command_solvers import (
    AnyCommandSolver,
    KeyedCommandSolver,
    make_command_solver,
)
from harness.papers.teacher_forced.autowebbench.commands import read_command
from harness.papers.teacher_forced.autowebbench.recorded_steps import (
    RecordedPrompt,
    RecordedStep,
    digest_of,
    read_steps,
)
from harness.papers.teacher_forced.kept_predictions import LONGEST, PredictionFolder
from harness.papers.teacher_forced.step_solvers import StepSetup
from harness.papers.teacher_forced.step_source import StepSource

NumberedStep = tuple[int, RecordedStep]
"""Which of all steps that are asked, from 0, and the step."""


@dataclass(frozen=True)
class RecordedSteps(StepSource[NumberedStep, KeptReply, CommandNumbers]):
    """Recorded steps, each asked by itself.

    Attributes:
        recorded: The steps.
        split: Which split they are of.
        words: By what parameters are compared: a name of ``WORDS``.
    """

    recorded: tuple[RecordedStep, ...]
    split: str = "all"
    words: str = "characters"
    record = KeptReply

    @classmethod
    def read(
        cls, path: Path, *, split: str = "all", limit: int | None = None, words: str = "characters"
    ) -> RecordedSteps:
        """Read what is to be asked.

        Args:
            path: As ``read_steps`` takes it.
            split: As ``read_steps`` takes it.
            limit: Only the first steps.
            words: As the attribute.

        Raises:
            harness.kit.errors.UserError: the steps cannot be read, or there is none.
        """
        return cls(tuple(read_steps(path, split, limit)), split, words)

    @property
    def tasks(self) -> frozenset[str]:
        """The tasks in words."""
        return frozenset(each.task for each in self.recorded)

    @property
    def steps(self) -> int:
        """How many there are."""
        return len(self.recorded)

    @property
    def digest(self) -> str:
        """SHA-256 over them."""
        return digest_of(self.recorded)

    @property
    def options(self) -> JsonObject:
        """The format, and what is a word."""
        return {"format": "autowebbench", "words": self.words}

    @cached_property
    def _words(self) -> Words:
        return WORDS[self.words]()

    def make(self, setup: StepSetup) -> AnyCommandSolver:
        """A new solver; see ``make_command_solver``. What scores its replies is there before it is asked anything."""
        _ = self._words
        return make_command_solver(setup)

    def series(self) -> Iterator[Sequence[NumberedStep]]:
        """Each step by itself."""
        for each in enumerate(self.recorded):
            yield [each]

    def place(self, step: NumberedStep) -> tuple[str, int]:
        """The step's split, and its number."""
        number, recorded = step
        return recorded.split, number

    def told(self, step: NumberedStep) -> RecordedPrompt:
        """The prompt."""
        return step[1].prompt

    def ask(self, solver: AnyCommandSolver, step: NumberedStep) -> object:
        """What a solver writes."""
        if isinstance(solver, KeyedCommandSolver):
            return solver.reply_with_key(step[1])
        return solver.reply(self.told(step))

    def prediction(self, step: NumberedStep, order: int, said: object, problem: str) -> KeptReply:
        """The record of a reply."""
        number, recorded = step
        reply = said if isinstance(said, str) else ""
        if not problem and not isinstance(said, str):
            problem = f"no reply: it is a {type(said).__name__}"
        read = read_command(reply)
        if not problem and isinstance(read, ActionError):
            problem = f"no command: {read.reason}"
        return KeptReply(
            split=recorded.split,
            step=number,
            order=order,
            type=recorded.commands[0].name,
            reply=reply,
            problem=shorten(problem, LONGEST),
            score=score_reply(recorded.commands, reply, self._words),
            script=script_score(recorded.labels, reply, self._words),
        )

    def numbers(self, solver: str, folder: PredictionFolder[KeptReply], orders: int) -> CommandNumbers:
        """The paper's measures, and those of the public script."""
        return command_numbers(solver, self.recorded, folder.predictions(), orders, self.words)

    def text(self, numbers: CommandNumbers) -> str:
        """As tables."""
        return command_text(numbers)
