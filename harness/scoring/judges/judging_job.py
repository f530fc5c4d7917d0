"""What a user asks a judge for: which trajectories, which judge, which model with which limits, kept where."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TypeVar

from harness.kit.errors import UserError
from harness.kit.files.writing import path_name
from harness.kit.options import given
from harness.kit.text import shorten
from harness.models.client import RequestRefused, today
from harness.models.cost import CostAtMost, cost_at_most
from harness.models.messages import Reply, Request, Usage
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset, resolve
from harness.models.service import ModelService, open_service
from harness.models.tokens.counting import tokens_for
from harness.scoring.judges.failure_kinds import NamedFailure
from harness.scoring.judges.judge_requests import (
    failure_kind_request,
    held_to_form,
    judge_prompts_hash,
    kind_prompts_hash,
    without_pictures,
)
from harness.scoring.judges.judgements import (
    DELTA,
    JUDGES,
    RULE,
    UNREADABLE_PICTURE,
    AskJudge,
    CannotBeJudged,
    JudgedTrajectory,
    JudgeOptions,
    TrajectoryJudgement,
    judge_trajectory,
)
from harness.scoring.judges.judging import Judging
from harness.scoring.judges.replies import read_failure_kind
from harness.scoring.judges.rule_judge import rule_hash, rule_judgement
from harness.scoring.judges.run_trajectories import Trial, Trials, read_trials
from harness.scoring.judges.saved_judgements import JudgementFolder, TrajectoryJudge, judges_beside

R = TypeVar("R")


class JudgingEnded(Exception):
    """The judging was to end before a question was sent."""


class BlindModel(UserError):
    """A model that takes no pictures is to judge by them; the message says what to do."""


class JudgeAsker:
    """Asks a model for a judge, from many threads at once.

    Attributes:
        model: The provider's name of the model.
    """

    def __init__(
        self,
        service: ModelService,
        preset: Preset,
        *,
        repeat: int = 1,
        pictures: bool = True,
        longest_reply: int | None = None,
    ) -> None:
        """Ask a model.

        Args:
            service: Of the model.
            preset: The model, and how it is asked.
            repeat: The seed of each request: another one is another question, also to the replies on disk.
            pictures: Whether pictures are sent.
            longest_reply: In tokens; None for as long as the questions allow.

        Raises:
            BlindModel: they are, and the model takes none.
        """
        if pictures and preset.pictures is False:
            raise BlindModel(
                f"{preset.name}: {preset.model} takes no pictures, by which judges judge; --no-vision leaves them out, "
                "and the judge's name says so"
            )
        self.model = preset.model
        self._service = service
        self._preset = preset
        self._repeat = repeat
        self._pictures = pictures
        self._longest_reply = longest_reply
        self._ended = threading.Event()

    def ask(self, request: Request) -> Reply:
        """The reply to a question.

        Raises:
            JudgingEnded: ``end`` was called.
            harness.models.client.ModelError: the model did not answer.
        """
        if self._ended.is_set():
            raise JudgingEnded
        return self._service.complete(self.prepared(request), NoEpisode(), where="judge").reply

    def prepared(self, request: Request) -> Request:
        """A question as it is sent: with the temperature of the model's preset, and the repeat as its seed."""
        if not self._pictures:
            request = without_pictures(request)
        if self._preset.provider == "local":  # As of solvers: others write freely, and are read strictly.
            request = held_to_form(request)
        return replace(
            request,
            temperature=self._preset.temperature,
            seed=self._repeat,
            max_tokens=self._longest_reply or request.max_tokens,
        )

    def end(self) -> None:
        """Send no further question; those under way are the last."""
        self._ended.set()


class Threads:
    """So many threads that ask at once; a context."""

    def __init__(self, number: int) -> None:
        """Start them when they are needed."""
        self._pool = ThreadPoolExecutor(number)

    def __enter__(self) -> Threads:
        return self

    def __exit__(self, *_: object) -> None:
        self._pool.shutdown(cancel_futures=True)

    def spread(self, work: Callable[[str], R], names: Sequence[str]) -> list[R]:
        """As ``map``, at once."""
        return list(self._pool.map(work, names))


def name_failure(
    trajectory: JudgedTrajectory, judgement: TrajectoryJudgement, ask: AskJudge, model: str
) -> NamedFailure:
    """Ask a judge for the kind of a failure, with all before it that it judged by.

    Args:
        trajectory: What was judged.
        judgement: Its verdict, which is failure.
        ask: Asks the model.
        model: The provider's name of the model.

    Raises:
        CannotBeJudged: a picture cannot be read.
        harness.models.client.ModelError: the model did not answer; a question that is refused for good is no kind.
    """
    try:
        asked = JUDGES[judgement.method].last_question(trajectory, judgement, model)
        reply = ask(failure_kind_request(asked, judgement.reply)).text
    except UNREADABLE_PICTURE as error:
        raise CannotBeJudged(f"a picture of the task {trajectory.task_id!r} cannot be read: {error}") from error
    except RequestRefused as error:
        why = f"the model refused the question: {shorten(str(error), 300)}"
        return NamedFailure(kind=None, why=why, reply="", prompts=kind_prompts_hash())
    found = read_failure_kind(reply)
    return NamedFailure(kind=found.value, why=found.why, reply=reply, prompts=kind_prompts_hash())


class WrongJudge(UserError):
    """A judge and its options that do not go together; the message says which."""


@dataclass(frozen=True)
class JudgingJob:
    """What is to be done.

    Attributes:
        method: Who judges.
        found: What there is to be judged.
        trials: Those of it that are.
        top: The folder of what judges say.
        preset: The model; None of the rule.
        options: What its user chose.
    """

    method: str
    found: Trials
    trials: tuple[Trial, ...]
    top: Path
    preset: Preset | None
    options: JudgeOptions = field(default_factory=JudgeOptions)

    @classmethod
    def of(cls, folder: Path, method: str, options: JudgeOptions) -> JudgingJob:
        """Read what is to be judged, and choose the model.

        Args:
            folder: A run directory, or a folder of result folders.
            method: Who judges.
            options: What its user chose.

        Raises:
            WrongJudge: a judge without its model, or the rule with one.
            harness.scoring.judges.judging_job.BlindModel: pictures for a model that takes none.
            harness.scoring.judges.run_trajectories.NothingToJudge: there is nothing to judge.
            UserError: there is no such preset, or the folder cannot be read.
        """
        _check(method, options)
        preset = None
        if method != RULE:
            own = {"model": options.model_id, "max_output_tokens": None}
            preset = resolve(str(options.model), {**given(options), **own})
        found = read_trials(folder, pages=method == RULE)
        top = options.out or judges_beside(folder)
        work = cls(method, found, found.trials[: options.limit], top, preset, options)
        if preset:
            work.asker(1)
        return work

    @property
    def news(self) -> str:
        """When the model's provider shuts it down, if that is soon or was; else empty.

        Raises:
            harness.models.client.ModelRetired: it was, and nobody agreed to ask it all the same.
        """
        agreed = bool(self.options.retired_anyway)
        return self.preset.news(today(), agreed=agreed) if self.preset else ""

    @property
    def problems(self) -> tuple[str, ...]:
        """Why some of what there is cannot be judged, a line each."""
        return self.found.problems

    @property
    def place(self) -> Path:
        """The folder of this judge's repeats, with its account."""
        return self.top / path_name(self._name)

    def judge(self, repeat: int) -> TrajectoryJudge:
        """Who judges, for the record."""
        if self.preset is None:
            return TrajectoryJudge(name=self._name, run=self.found.run, method=RULE, prompts=rule_hash(), repeat=repeat)
        words = JUDGES[self.method].words
        return TrajectoryJudge(
            name=self._name,
            run=self.found.run,
            method=self.method,
            preset=self.preset.name,
            model=self.preset.model,
            pictures=not self.options.no_vision,
            delta=self._delta if JUDGES[self.method].scores_pictures else None,
            prompts=judge_prompts_hash(words),
            prompts_source=words.source or None,
            repeat=repeat,
        )

    def judging(self, repeat: int, threads: ExitStack) -> Judging:
        """The judge at work, once its folder says who it is.

        Args:
            repeat: Which time.
            threads: Ends the threads that ask.

        Raises:
            harness.scoring.judges.saved_judgements.OtherJudge: the folder is another judge's.
            OSError: the place cannot be written.
        """
        folder = JudgementFolder(self.place / str(repeat))
        folder.begin(self.judge(repeat))
        if self.preset is None or self.method == RULE:
            return Judging(lambda trial: rule_judgement(trial.trajectory), folder)
        asker, method, at_once = self.asker(repeat), self.method, self.options.concurrency or 1
        spread = threads.enter_context(Threads(at_once)).spread

        def judge(trial: Trial) -> TrajectoryJudgement:
            return judge_trajectory(method, trial.trajectory, asker.ask, asker.model, delta=self._delta, spread=spread)

        def judge_and_name(trial: Trial) -> TrajectoryJudgement:
            said = judge(trial)
            if said.outcome.value != "failure":
                return said
            return replace(said, failure=name_failure(trial.trajectory, said, asker.ask, asker.model))

        names = self._names_failures
        return Judging(judge_and_name if names else judge, folder, at_once, asker.end, names)

    def asker(self, repeat: int) -> JudgeAsker:
        """What asks the model; nothing is sent yet."""
        assert self.preset is not None  # noqa: S101 - only of judges that ask one
        pictures, longest = not self.options.no_vision, self.options.max_output_tokens
        return JudgeAsker(self._service(), self.preset, repeat=repeat, pictures=pictures, longest_reply=longest)

    def cost(self, repeats: int) -> CostAtMost:
        """What all of it will take at most; what lacks something that the judge needs is asked nothing.

        Raises:
            CannotBeJudged: a picture cannot be read.
        """
        assert self.preset is not None  # noqa: S101 - as above
        tokens = tokens_for(self.preset.model, self.preset.provider)
        try:
            calls = (
                Usage(tokens.request(request) + replies * request.max_tokens, request.max_tokens)
                for request, replies in self._questions()
            )
            return cost_at_most(calls, self.preset.price, repeats)
        except UNREADABLE_PICTURE as error:
            raise CannotBeJudged(f"a picture cannot be read: {error}") from error

    def _questions(self) -> Iterator[tuple[Request, int]]:
        """Each as it would be sent, and how many replies that it holds are not there yet."""
        if self.method == RULE:
            return
        asker = self.asker(1)
        for trial in self.trials:
            if trial.trajectory.lacks(JUDGES[self.method].needs):
                continue
            for request, replies in JUDGES[self.method].questions(trial.trajectory, asker.model):
                yield asker.prepared(request), replies
            if self._names_failures:  # a further look at the last question, with the reply to it
                yield asker.prepared(failure_kind_request(request, "")), replies + 1

    @property
    def _name(self) -> str:
        """Whatever makes another judge of it, so that two never share a folder, or a line of a table."""
        given = self.options.model_id
        parts: list[str] = [self.method]
        if self.preset:
            parts.append(self.preset.name)
        if given:
            parts.append(Path(given).name)
        if self._delta != DELTA:
            parts.append(f"delta-{self._delta}")
        if self.options.no_vision:
            parts.append("no-vision")
        return "-".join(parts)

    @property
    def _names_failures(self) -> bool:
        return self.options.failure_kinds

    @property
    def _delta(self) -> int:
        return self.options.delta or DELTA

    def _service(self) -> ModelService:
        assert self.preset is not None  # noqa: S101 - as above
        try:
            return open_service(self.preset, self.options, self.place)
        except ValueError as error:
            raise WrongJudge(str(error)) from error


def _check(method: str, options: JudgeOptions) -> None:
    if method == RULE and options.model:
        raise WrongJudge("--method rule asks no model: leave --preset out")
    if method == RULE and options.failure_kinds:
        raise WrongJudge("--method rule says no kind of a failure: leave --failure-kinds out")
    if method != RULE and not options.model:
        raise WrongJudge(f"--method {method} asks a model: give --preset NAME (turkbench evaluate --list-solvers)")
    if method != RULE and (missing := JUDGES[method].words.missing):
        raise WrongJudge(f"--method {method}: {missing}")
    if options.delta is not None and (method == RULE or not JUDGES[method].scores_pictures or options.delta > 5):
        raise WrongJudge("--delta is a score of pictures, 1 to 5, and goes with --method webjudge")
