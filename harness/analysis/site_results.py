"""Results of episodes on websites: what each evaluator says, side by side, and the numbers of their key nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from harness.analysis.site_scores import SiteNumbers, SiteScore, site_numbers, site_score
from harness.catalog.site_facts import EVALUATORS, EvaluatorName
from harness.runlog.site_record import Evaluation
from harness.scoring.scores import InstanceScore

NO_LEVEL = "not said"
_LEVELS = ("easy", "medium", "hard")
_ALL = "all"


@dataclass(frozen=True)
class EvaluatorNumbers:
    """What one evaluator says of episodes.

    Attributes:
        evaluator: Which.
        episodes: How many it evaluated.
        unknown: Of how many of them it could not tell the score; they are in no mean.
        score: The mean score of the others; None if there are none.
        success: The share of successes where that is known; None if it is known of none.
    """

    evaluator: EvaluatorName
    episodes: int
    unknown: int
    score: float | None
    success: float | None


@dataclass(frozen=True)
class SiteGroup:
    """Episodes of one level, of one task, or all.

    Attributes:
        name: The level, the task, or ``all``.
        episodes: How many.
        evaluators: Those that evaluated any of them, in the order of ``EVALUATORS``.
        key_nodes: By their key nodes; its numbers are None where none has any.
    """

    name: str
    episodes: int
    evaluators: tuple[EvaluatorNumbers, ...]
    key_nodes: SiteNumbers


@dataclass(frozen=True)
class SiteResults:
    """The episodes on websites of a result.

    Attributes:
        overall: All.
        levels: By level, from easy to hard.
        tasks: By task.
        split_opinions: Episodes that one evaluator calls a success and another does not.
    """

    overall: SiteGroup
    levels: tuple[SiteGroup, ...]
    tasks: tuple[SiteGroup, ...]
    split_opinions: int


@dataclass(frozen=True)
class _Seen:
    task: str
    level: str
    evaluations: tuple[Evaluation, ...]
    nodes: SiteScore | None


class SiteTally:
    """Takes down what is said of episodes on websites, while they are read."""

    def __init__(self) -> None:
        self._seen: list[_Seen] = []

    def see(self, score: InstanceScore) -> None:
        """Look at one; forms, and errors of the harness, are passed over."""
        episode = score.episode
        if episode.site is None or episode.outcome == "harness_error":
            return
        # Their parts, with what was compared, would keep all episodes in memory.
        bare = tuple(
            Evaluation(evaluator=each.evaluator, score=each.score, success=each.success)
            for each in episode.site.evaluations
        )
        self._seen.append(_Seen(episode.task, episode.site.task.level or NO_LEVEL, bare, site_score(episode)))

    def merge(self, other: SiteTally) -> None:
        """Take over what another has seen, such as that of another seed."""
        self._seen += other._seen

    def found(self) -> SiteResults | None:
        """The results; None if no episode was on a website."""
        if not self._seen:
            return None
        levels = [*_LEVELS, *sorted({each.level for each in self._seen} - {*_LEVELS})]
        opinions = [{each.success for each in seen.evaluations} for seen in self._seen]
        return SiteResults(
            overall=_group(_ALL, self._seen),
            levels=_groups(levels, self._seen, lambda each: each.level),
            tasks=_groups(sorted({each.task for each in self._seen}), self._seen, lambda each: each.task),
            split_opinions=sum({True, False} <= each for each in opinions),
        )


def _groups(names: Iterable[str], seen: Sequence[_Seen], name_of: Callable[[_Seen], str]) -> tuple[SiteGroup, ...]:
    parts = {name: [each for each in seen if name_of(each) == name] for name in names}
    return tuple(_group(name, part) for name, part in parts.items() if part)


def _group(name: str, seen: Sequence[_Seen]) -> SiteGroup:
    said = [each for one in seen for each in one.evaluations]
    evaluators = tuple(_numbers(name, [each for each in said if each.evaluator == name]) for name in EVALUATORS)
    nodes = site_numbers([each.nodes for each in seen if each.nodes])
    return SiteGroup(name, len(seen), tuple(each for each in evaluators if each.episodes), nodes)


def _numbers(name: EvaluatorName, said: Sequence[Evaluation]) -> EvaluatorNumbers:
    scores = [each.score for each in said if each.score is not None]
    successes = [each.success for each in said if each.success is not None]
    return EvaluatorNumbers(
        evaluator=name,
        episodes=len(said),
        unknown=len(said) - len(scores),
        score=fsum(scores) / len(scores) if scores else None,
        success=sum(successes) / len(successes) if successes else None,
    )
