"""Verdict files of judges and of people, and runs, brought together: which verdict stands against which truth."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from harness.kit.errors import UserError
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.site_record import Evaluation
from harness.records.verdict import AnswerVerdict, JudgedRun, JudgeKind, Verdicts
from harness.scoring.judges.agent_rates import JudgedTry, SteppedTry
from harness.scoring.judges.judged_pairs import JudgedPair

TruthSource: TypeAlias = Literal["people", "evaluators"]
"""Whose word is the truth: that of people's verdicts, or of the tasks' own evaluators."""
EpisodeTruth: TypeAlias = Callable[[Episode], bool | None]
"""Whether an episode succeeded; None if that cannot be told."""
TrialPlace: TypeAlias = tuple[JudgedRun, str, int]
"""A run, a task of it and the instance."""


class UnpairedVerdicts(UserError):
    """Verdicts and truths that do not come together; the message says which, and what to give."""


@dataclass(frozen=True)
class EpisodeFacts:
    """What a run tells of one of its episodes.

    Attributes:
        steps: How many actions it took; None if not known.
        reference_length: Steps of the task's reference; None if not known.
        success: Whether it succeeded by the task's evaluators or labels; None if they could not tell.
    """

    steps: int | None
    reference_length: int | None
    success: bool | None


@dataclass(frozen=True)
class PeopleVerdict:
    """What people say of one trajectory.

    Attributes:
        success: What most of those say who could tell; None if they are divided evenly, or none could.
        people: How many could tell.
    """

    success: bool | None
    people: int


@dataclass(frozen=True)
class JudgeFile:
    """What one judge says of one run, once.

    Attributes:
        judge: Its name.
        kind: A model or a rule.
        run: The run.
        said: By task and instance whether it says success; None where it could not tell, or its reply not be read.
    """

    judge: str
    kind: JudgeKind
    run: JudgedRun
    said: Mapping[tuple[str, int], bool | None]


@dataclass(frozen=True)
class VerdictPool:
    """All that is known of some runs.

    Attributes:
        judges: What judges say.
        people: What people say, settled.
        episodes: What the runs tell.
        source: Whose word is the truth.
    """

    judges: tuple[JudgeFile, ...]
    people: Mapping[TrialPlace, PeopleVerdict]
    episodes: Mapping[TrialPlace, EpisodeFacts]
    source: TruthSource

    @property
    def names(self) -> tuple[str, ...]:
        """The judges that say anything, in the order in which their files were given."""
        return tuple(dict.fromkeys(each.judge for each in self.judges if each.said))

    @property
    def silent(self) -> tuple[str, ...]:
        """The judges whose files hold no verdict, since they could judge none of the trajectories."""
        return tuple(dict.fromkeys(each.judge for each in self.judges if each.judge not in self.names))

    @property
    def divided(self) -> int:
        """Trajectories on which people are divided, or none could tell: they have no truth."""
        return sum(each.success is None for each in self.people.values())

    def truth(self, place: TrialPlace) -> bool | None:
        """Whether a trajectory succeeded; None if that is not known."""
        if self.source == "people":
            return verdict.success if (verdict := self.people.get(place)) else None
        return facts.success if (facts := self.episodes.get(place)) else None

    def pairs(self, judge: str) -> tuple[JudgedPair, ...]:
        """What a judge says beside the truth, file by file; what has no truth is left out.

        Raises:
            UnpairedVerdicts: nothing of it has one.
        """
        found = []
        for place, verdict in self._said(judge):
            truth = self.truth(place)
            if truth is not None:
                facts = self.episodes.get(place, EpisodeFacts(None, None, None))
                run, task, _ = place
                found.append(JudgedPair(task, run.solver, truth, verdict, facts.reference_length, facts.steps))
        if not found:
            missing = (
                "verdict of a person (--truth evaluators takes the tasks' own, of --run)"
                if self.source == "people"
                else "evaluator's result (give their --run)"
            )
            raise UnpairedVerdicts(
                f"nothing that {judge!r} says has a truth beside it: there is no {missing} of the same trajectories"
            )
        return tuple(found)

    def tries(self, judge: str) -> tuple[JudgedTry, ...]:
        """What a judge says of every trajectory, with the truth where it is known."""
        return tuple(
            JudgedTry(place[1], place[0].solver, verdict, self.truth(place)) for place, verdict in self._said(judge)
        )

    def stepped(self) -> Mapping[str, tuple[SteppedTry, ...]]:
        """By agent its trajectories of which the steps are known, by the truth of the pool."""
        found: dict[str, list[SteppedTry]] = {}
        for place, facts in self.episodes.items():
            if facts.steps is not None:
                told = SteppedTry(place[1], facts.steps, facts.reference_length, self.truth(place))
                found.setdefault(place[0].solver, []).append(told)
        return {agent: tuple(tries) for agent, tries in found.items()}

    def _said(self, judge: str) -> Iterable[tuple[TrialPlace, bool | None]]:
        for each in self.judges:
            if each.judge == judge:
                for (task, index), verdict in each.said.items():
                    yield (each.run, task, index), verdict


def main_success(episode: Episode) -> bool | None:
    """Whether an episode on a website succeeded by its task's main evaluator; None of a form."""
    return episode.site.main.success if episode.site and episode.site.main else None


def final_state_success(episode: Episode) -> bool | None:
    """Whether the website stood in the end as it should; None if the task does not say how, and of a form."""
    found = (each.success for each in (episode.site.evaluations if episode.site else ()) if _is_final(each))
    return next(found, None)


def _is_final(evaluation: Evaluation) -> bool:
    return evaluation.evaluator == "final_state"


def pool(
    verdicts: Sequence[Verdicts],
    runs: Sequence[RunDirectory],
    source: TruthSource,
    success: EpisodeTruth = main_success,
) -> VerdictPool:
    """Bring verdict files and runs together; verdicts on single fields are passed over.

    Args:
        verdicts: Of people, models and rules, in any order. Several files of one judge on one run are its repeats.
        runs: The runs that are judged, as far as they are at hand.
        source: Whose word is the truth.
        success: Whether an episode succeeded.

    Raises:
        UnpairedVerdicts: a run is given that no verdict is about.
        UserError: a run cannot be read.
    """
    judges = tuple(
        JudgeFile(each.judge.name, each.judge.kind, each.run, _whole(each))
        for each in verdicts
        if each.judge.kind != "person"
    )
    judged = {each.run for each in verdicts}
    episodes: dict[TrialPlace, EpisodeFacts] = {}
    for directory in runs:
        run = JudgedRun.of(directory.read())
        if verdicts and run not in judged:
            raise UnpairedVerdicts(f"{directory.folder} is none of the runs that the verdicts are about; leave it out")
        episodes |= _facts_of(directory, run, success)
    return VerdictPool(judges, _settled(verdicts), episodes, source)


def settle(said: Iterable[AnswerVerdict | None]) -> PeopleVerdict:
    """One verdict made of several people's: what most of those say who could tell.

    Args:
        said: What each says; two people and a third where they differ make it as the paper does (section 5.1).
    """
    told = [verdict for each in said if (verdict := _as_success(each)) is not None]
    yes = sum(told)
    return PeopleVerdict(None if 2 * yes == len(told) else 2 * yes > len(told), len(told))


def _settled(verdicts: Sequence[Verdicts]) -> dict[TrialPlace, PeopleVerdict]:
    said: dict[TrialPlace, list[AnswerVerdict | None]] = {}
    for each in verdicts:
        if each.judge.kind == "person":
            for verdict in each.verdicts:
                if verdict.field is None:
                    said.setdefault((each.run, verdict.task, verdict.index), []).append(verdict.answer)
    return {place: settle(answers) for place, answers in said.items()}


def _whole(verdicts: Verdicts) -> dict[tuple[str, int], bool | None]:
    """What a file says of whole episodes."""
    return {(each.task, each.index): _as_success(each.answer) for each in verdicts.verdicts if each.field is None}


def _as_success(answer: AnswerVerdict | None) -> bool | None:
    return None if answer in (None, "unsure") else answer == "correct"


def _facts_of(directory: RunDirectory, run: JudgedRun, success: EpisodeTruth) -> dict[TrialPlace, EpisodeFacts]:
    found = {}
    for episode in directory.episodes():
        site = episode.site
        found[run, episode.task, episode.index] = EpisodeFacts(
            episode.effort_in_steps,
            site.task.reference_length if site else None,
            success(episode),
        )
    return found


@dataclass(frozen=True)
class SpreadOfRepeats:
    """What a judge says of one agent, time and again (Table 2 of Xue et al. 2025).

    Attributes:
        agent: The agent.
        repeats: How often it was judged: files of verdicts.
        rate: The mean of the success rates, from 0 to 1; over all trajectories that have a truth.
        rate_sd: Their standard deviation (with n - 1); None of one repeat.
        agreement: The mean share of trajectories on which judge and truth agree.
        agreement_sd: The standard deviation of that.
    """

    agent: str
    repeats: int
    rate: float
    rate_sd: float | None
    agreement: float
    agreement_sd: float | None


def spread_of_repeats(pool: VerdictPool, judge: str) -> tuple[SpreadOfRepeats, ...]:
    """How far a judge's repeats spread, by agent; what has no truth is left out.

    Args:
        pool: What is known.
        judge: The judge's name.
    """
    by_agent: dict[str, list[tuple[float, float]]] = {}
    for each in pool.judges:
        if each.judge == judge and (found := _rate_and_agreement(pool, each)):
            by_agent.setdefault(each.run.solver, []).append(found)
    return tuple(
        SpreadOfRepeats(
            agent, len(found), *_mean_and_sd([rate for rate, _ in found]), *_mean_and_sd([a for _, a in found])
        )
        for agent, found in by_agent.items()
    )


def _rate_and_agreement(pool: VerdictPool, file: JudgeFile) -> tuple[float, float] | None:
    known = [
        (verdict, truth)
        for (task, index), verdict in file.said.items()
        if (truth := pool.truth((file.run, task, index))) is not None
    ]
    if not known:
        return None
    return sum(bool(verdict) for verdict, _ in known) / len(known), sum(a is b for a, b in known) / len(known)


def _mean_and_sd(values: Sequence[float]) -> tuple[float, float | None]:
    return statistics.fmean(values), statistics.stdev(values) if len(values) > 1 else None
