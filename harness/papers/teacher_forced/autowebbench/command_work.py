"""An evaluation on recorded steps: which, who is asked, kept where; what was asked before is not asked again."""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from harness.actions.call import ActionError
from harness.kit.errors.user import UserError
from harness.kit.files import codec
from harness.kit.files.writing import write_json
from harness.kit.text.shortening import shorten
from harness.models.client import ModelError, RequestRefused
from harness.models.messages import Usage
from harness.papers.teacher_forced.asking_cost import AskingCost, NoPlan
from harness.papers.teacher_forced.autowebbench.command_numbers import CommandNumbers, command_numbers
from harness.papers.teacher_forced.autowebbench.command_score import score_reply, script_score
from harness.papers.teacher_forced.autowebbench.command_solvers import (
    AnyCommandSolver,
    KeyedCommandSolver,
    ModelReplies,
    NoReply,
    make_command_solver,
)
from harness.papers.teacher_forced.autowebbench.commands import read_command
from harness.papers.teacher_forced.autowebbench.kept_replies import KeptReply
from harness.papers.teacher_forced.autowebbench.recorded_steps import RecordedStep, digest_of, read_steps
from harness.papers.teacher_forced.autowebbench.words import WORDS, Words
from harness.papers.teacher_forced.evaluating import FATAL, LONGEST, open_solver, stopped_by
from harness.papers.teacher_forced.evaluation_work import HOW_CALLED
from harness.papers.teacher_forced.kept_predictions import SUMMARY_FILE, PredictionFolder, StepEvaluation
from harness.papers.teacher_forced.step_solvers import StepSetup


@dataclass(frozen=True, kw_only=True)
class CommandWork:
    """An evaluation to be begun, or gone on with.

    Attributes:
        steps: What is asked.
        solver: The name of the solver.
        options: By the names of flags.
        folder: Where it is kept.
        words: By what parameters are compared: a name of ``WORDS``.
        orders: How often each step is asked, each time with the next seed.
        seed: The first seed.
        split: Which split the steps are of.
        workers: How many steps are asked at a time.
    """

    steps: tuple[RecordedStep, ...]
    solver: str
    options: Mapping[str, Any]
    folder: PredictionFolder[KeptReply]
    words: str = "characters"
    orders: int = 1
    seed: int = 0
    split: str = "all"
    workers: int = 1

    @classmethod
    def of(
        cls,
        path: Path,
        solver: str,
        options: Mapping[str, Any],
        folder: Path,
        *,
        split: str = "all",
        limit: int | None = None,
        **how: Any,
    ) -> CommandWork:
        """Read what is to be asked.

        Args:
            path: As ``read_steps`` takes it.
            solver: As ``make_command_solver`` takes it.
            options: By the names of flags; what was not given is None.
            folder: Where the evaluation is kept.
            split: As ``read_steps`` takes it.
            limit: Only the first steps.
            **how: The other attributes.

        Raises:
            harness.kit.errors.user.UserError: the steps cannot be read, or there is none.
        """
        given = {name: value for name, value in options.items() if value is not None}
        steps = tuple(read_steps(path, split, limit))
        kept = PredictionFolder(folder, KeptReply)
        return cls(steps=steps, solver=solver, options=given, folder=kept, split=split, **how)

    @property
    def predictions(self) -> int:
        """How many there will be in the end."""
        return len(self.steps) * self.orders

    def make(self, order: int) -> AnyCommandSolver:
        """The solver of an order.

        Raises:
            harness.kit.errors.user.UserError: there is none, or not with these options.
        """
        return make_command_solver(StepSetup(self.solver, self.folder.folder, self.options, self.seed + order))

    def cost(self, told: Callable[[], None] = lambda: None) -> AskingCost:
        """What it takes at most, with no reply on disk; nothing is asked and nothing kept.

        Args:
            told: Called after each step that was reckoned with.

        Raises:
            NoPlan: the solver cannot tell.
        """
        with tempfile.TemporaryDirectory() as folder:
            solver = make_command_solver(StepSetup(self.solver, Path(folder), self.options, self.seed))
        if not isinstance(solver, ModelReplies):
            raise NoPlan(f"--dry-run: the solver {self.solver!r} asks no model, or cannot tell beforehand what")
        questions, usage = 0, Usage()
        for step in self.steps:
            for each in solver.questions(step.prompt):
                questions, usage = questions + 1, usage + each
            told()
        total = Usage(self.orders * usage.input_tokens, self.orders * usage.output_tokens)
        cost = None if solver.price is None else solver.price.cost(total)
        return AskingCost(steps=self.predictions, questions=self.orders * questions, usage=total, cost=cost)

    def begin(self, *, resume: bool) -> None:
        """Say what is evaluated, in the folder.

        Raises:
            harness.papers.teacher_forced.kept_predictions.OtherEvaluation: the folder holds another evaluation.
        """
        decide = {name: value for name, value in self.options.items() if name not in HOW_CALLED}
        evaluation = StepEvaluation(
            traces=digest_of(self.steps),
            tasks=len({each.task for each in self.steps}),
            steps=len(self.steps),
            solver=self.solver,
            options=codec.plain({**decide, "format": "autowebbench", "words": self.words}),
            orders=self.orders,
            seed=self.seed,
            split=self.split,
        )
        self.folder.begin(evaluation, resume=resume)

    def ask(self, told: Callable[[KeptReply | None], None]) -> Counter[str]:
        """Ask what has not been asked.

        Args:
            told: Is told each reply; None of a step for which the model gave no answer, which is to be asked again.

        Returns:
            Why steps were not answered -> how many; empty if all were.

        Raises:
            harness.papers.teacher_forced.evaluating.EvaluationStopped: no further step can be answered.
            harness.kit.errors.user.UserError: the solver cannot be made, or cannot go on.
            OSError: a reply cannot be kept.
        """
        words = WORDS[self.words]()
        known = {each.place for each in self.folder.predictions()}
        unanswered: Counter[str] = Counter()
        try:
            for order in range(self.orders):
                places = [(each.split, number, order) for number, each in enumerate(self.steps)]
                if wanted := [place for place in places if place not in known]:
                    unanswered += self._ask_order(order, [number for _, number, _ in wanted], words, told)
        finally:
            self.folder.close()
        return unanswered

    def _ask_order(
        self, order: int, wanted: list[int], words: Words, told: Callable[[KeptReply | None], None]
    ) -> Counter[str]:
        """Ask so many at a time; what was answered is kept as it comes."""
        free: SimpleQueue[AnyCommandSolver] = SimpleQueue()
        unanswered: Counter[str] = Counter()

        def work(number: int) -> tuple[str, str]:
            solver = free.get()
            try:
                return _replied(solver, self.steps[number])
            finally:
                free.put(solver)

        with ExitStack() as stack:
            for _ in range(self.workers):
                free.put(stack.enter_context(open_solver(self.make(order))))
            pool = ThreadPoolExecutor(self.workers)
            stack.callback(pool.shutdown, cancel_futures=True)
            asked = {pool.submit(work, number): number for number in wanted}
            for each in as_completed(asked):
                number = asked[each]
                try:
                    said = each.result()
                except FATAL as error:
                    raise stopped_by(error) from error
                except ModelError as error:
                    unanswered[shorten(str(error), LONGEST)] += 1
                    told(None)
                    continue
                kept = kept_reply(self.steps[number], (number, order), said, words)
                self.folder.add(kept)
                told(kept)
        return unanswered

    def summarise(self) -> CommandNumbers:
        """The numbers of what was asked so far; they are written into the folder, too."""
        found = command_numbers(self.solver, self.steps, self.folder.predictions(), self.orders, self.words)
        write_json(self.folder.folder / SUMMARY_FILE, codec.plain(found))
        return found


def kept_reply(step: RecordedStep, place: tuple[int, int], said: tuple[str, str], words: Words) -> KeptReply:
    """A reply with what it is worth.

    Args:
        step: What was asked.
        place: Which of all steps it is, and which of the seeds.
        said: What was written, and why there is no reply; that is empty if there is one.
        words: Finds the words of parameters.
    """
    reply, problem = said
    read = read_command(reply)
    if not problem and isinstance(read, ActionError):
        problem = f"no command: {read.reason}"
    return KeptReply(
        split=step.split,
        step=place[0],
        order=place[1],
        type=step.commands[0].name,
        reply=reply,
        problem=shorten(problem, LONGEST),
        score=score_reply(step.commands, reply, words),
        script=script_score(step.labels, reply, words),
    )


def _replied(solver: AnyCommandSolver, step: RecordedStep) -> tuple[str, str]:
    """What a solver writes, and why it writes nothing; what it does wrong counts."""
    try:
        said: Any = solver.reply_with_key(step) if isinstance(solver, KeyedCommandSolver) else solver.reply(step.prompt)
    except NoReply as error:
        return "", str(error)
    except RequestRefused as error:
        if isinstance(error, FATAL):
            raise
        return "", f"the model refused the question: {error}"
    except (ModelError, UserError):
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - what a solver does wrong is its own score
        return "", f"raised {type(error).__name__}: {error}"
    return (said, "") if isinstance(said, str) else ("", f"no reply: it is a {type(said).__name__}")
