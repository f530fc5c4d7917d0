"""Many trajectories judged at once: what is judged already is not judged again, and what was paid for is kept."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass

from harness.kit.errors import UnfinishedWork
from harness.kit.text import shorten
from harness.models.client import MissingExtra, ModelError, NoAccess, RequestRefused
from harness.models.no_episode import NoRoomLeft
from harness.models.retry import ProviderGone
from harness.scoring.judges.failure_kinds import FailureShares, failure_shares
from harness.scoring.judges.judgements import CannotBeJudged, TrajectoryJudgement
from harness.scoring.judges.replies import TaskOutcome
from harness.scoring.judges.run_trajectories import Trial
from harness.scoring.judges.saved_judgements import JudgementFolder, SavedJudgement

NOT_READ = "unread"
_FATAL = (NoAccess, MissingExtra, ProviderGone, NoRoomLeft)
"""After these no other question will be answered either."""


class JudgingStopped(UnfinishedWork):
    """No further question can be answered at present; the message says why. What was judged is kept."""


@dataclass(frozen=True)
class Judging:
    """What is to be judged, by whom, and where that is kept.

    Attributes:
        judge: Judges one trajectory.
        folder: Where judgements are kept.
        at_once: How many are judged at a time.
        end: Called when the judging is to end early.
        names_failures: Whether a failure is judged only once its judge has been asked for its kind.
    """

    judge: Callable[[Trial], TrajectoryJudgement]
    folder: JudgementFolder
    at_once: int = 1
    end: Callable[[], None] = lambda: None
    names_failures: bool = False

    def has_judged(self, trial: Trial) -> bool:
        """Whether a trajectory has been judged as it is now, and asked all that is to be asked of it.

        Raises:
            harness.scoring.judges.saved_judgements.OtherJudge: what is kept cannot be read.
        """
        kept = self.folder.judgement(*trial.place)
        if kept is None or kept.seen != trial.digest():
            return False
        return kept.failure is not None or kept.outcome != "failure" or not self.names_failures


@dataclass(frozen=True)
class JudgingResult:
    """What came of it.

    Attributes:
        outcomes: How many of the trajectories have which verdict; None for those whose reply could not be read.
        known: How many of them had been judged before.
        lacking: Why others cannot be judged by this judge, by place.
        failed: Why others have not been judged this time, by place: the model did not answer.
        failures: Of which kinds the failures are; None if nobody was asked.
    """

    outcomes: Counter[TaskOutcome | None]
    known: int
    lacking: Mapping[tuple[str, int], str]
    failed: Mapping[tuple[str, int], str]
    failures: FailureShares | None = None

    @property
    def is_complete(self) -> bool:
        """Whether every trajectory has been judged."""
        return not self.lacking and not self.failed


def judge_trials(
    judging: Judging, trials: Sequence[Trial], told: Callable[[str], None] = lambda _outcome: None
) -> JudgingResult:
    """Judge what has not been judged yet. Ctrl-C ends it once the questions under way are answered.

    Args:
        judging: Who judges, and where that is kept.
        trials: The trajectories.
        told: Is told of each that is judged: ``success``, ``failure``, ``unread``, or empty if it cannot be.

    Raises:
        JudgingStopped: no question can be answered any more.
        KeyboardInterrupt: at Ctrl-C.
        OSError: a judgement cannot be kept.
    """
    todo = [each for each in trials if not judging.has_judged(each)]
    lacking: dict[tuple[str, int], str] = {}
    failed: dict[tuple[str, int], str] = {}
    pool = ThreadPoolExecutor(judging.at_once)
    try:
        work = {pool.submit(judging.judge, trial): trial for trial in todo}
        for done in as_completed(work):
            trial = work[done]
            try:
                kept = _kept(trial, done)
            except CannotBeJudged as error:
                lacking[trial.place] = str(error)
                told("")
            except ModelError as error:
                failed[trial.place] = str(error)
                told("")
            else:
                judging.folder.add(kept)
                told(kept.outcome or NOT_READ)
    finally:
        judging.end()
        pool.shutdown(cancel_futures=True)
        judging.folder.write_verdicts()
    said = [judging.folder.judgement(*trial.place) for trial in trials]
    outcomes = Counter(each.outcome for each in said if each)
    named = [each.failure.kind for each in said if each and each.failure]
    return JudgingResult(
        outcomes, len(trials) - len(todo), lacking, failed, failure_shares(named) if judging.names_failures else None
    )


def _kept(trial: Trial, done: Future[TrajectoryJudgement]) -> SavedJudgement:
    """What is kept of a trajectory's judging; raises what keeps it from being judged."""
    try:
        return SavedJudgement.of(trial, done.result())
    except _FATAL as error:
        then = "with more room the" if isinstance(error, NoRoomLeft) else "the"
        raise JudgingStopped(f"{error}; what was judged is kept, and {then} same command goes on") from error
    except RequestRefused as error:
        # It never will be answered: that is no verdict, and no reason to leave the trajectory out of a mean.
        return SavedJudgement.without_verdict(trial, f"the model refused the question: {shorten(str(error), 300)}")
