"""Results of episodes on websites: what each evaluator says, side by side, and the numbers of their key nodes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum

from harness.analysis.site_courses import EpisodeCourse, course_of
from harness.analysis.site_groups import in_order
from harness.analysis.site_scores import SiteNumbers, SiteScore, site_numbers, site_score
from harness.catalog.site_facts import EVALUATORS, EvaluatorName
from harness.records.site_record import Evaluation
from harness.scoring.scores import InstanceScore

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
    """Episodes of one site, of one level, of both, of one task, or all.

    Attributes:
        name: The site, the level, both, the task, or ``all``.
        site: The site that all of them are on; empty if there are several.
        level: The level of all of them; empty if there are several.
        episodes: How many.
        steps: How many steps one took, on the mean over those of which that is known; None if it is of none.
        evaluators: Those that evaluated any of them, in the order of ``EVALUATORS``.
        key_nodes: By their key nodes; its numbers are None where none has any.
    """

    name: str
    site: str
    level: str
    episodes: int
    steps: float | None
    evaluators: tuple[EvaluatorNumbers, ...]
    key_nodes: SiteNumbers


@dataclass(frozen=True)
class SiteResults:
    """The episodes on websites of a result.

    Attributes:
        overall: All.
        levels: By level, from easy to hard.
        sites: By site.
        parts: By site and level.
        tasks: By task.
        split_opinions: Episodes that one evaluator calls a success and another does not.
        reached: How many reached their goals by the main evaluator.
        reach_unknown: Of how many that is not known.
        courses: How each went, step by step.
    """

    overall: SiteGroup
    levels: tuple[SiteGroup, ...]
    sites: tuple[SiteGroup, ...]
    parts: tuple[SiteGroup, ...]
    tasks: tuple[SiteGroup, ...]
    split_opinions: int
    reached: int
    reach_unknown: int
    courses: tuple[EpisodeCourse, ...]


@dataclass(frozen=True)
class _Seen:
    task: str
    evaluations: tuple[Evaluation, ...]
    nodes: SiteScore | None
    course: EpisodeCourse

    @property
    def level(self) -> str:
        return self.course.level

    @property
    def part(self) -> str:
        return f"{self.course.site}, {self.level}"


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
        course = course_of(episode, episode.site)
        self._seen.append(_Seen(episode.task, bare, site_score(episode), course))

    def merge(self, other: SiteTally) -> None:
        """Take over what another has seen, such as that of another seed."""
        self._seen += other._seen

    def found(self) -> SiteResults | None:
        """The results; None if no episode was on a website."""
        if not self._seen:
            return None
        levels = in_order(each.level for each in self._seen)
        sites = sorted({each.course.site for each in self._seen})
        reached = [each.course.reached for each in self._seen]
        opinions = [{each.success for each in seen.evaluations} for seen in self._seen]
        return SiteResults(
            overall=_group(_ALL, self._seen),
            levels=_groups(levels, self._seen, lambda each: each.level),
            sites=_groups(sites, self._seen, lambda each: each.course.site),
            parts=_groups(
                [f"{site}, {level}" for site in sites for level in levels], self._seen, lambda each: each.part
            ),
            tasks=_groups(sorted({each.task for each in self._seen}), self._seen, lambda each: each.task),
            split_opinions=sum({True, False} <= each for each in opinions),
            reached=reached.count(True),
            reach_unknown=reached.count(None),
            courses=tuple(each.course for each in self._seen),
        )


def _groups(names: Iterable[str], seen: Sequence[_Seen], name_of: Callable[[_Seen], str]) -> tuple[SiteGroup, ...]:
    parts = {name: [each for each in seen if name_of(each) == name] for name in names}
    return tuple(_group(name, part) for name, part in parts.items() if part)


def _group(name: str, seen: Sequence[_Seen]) -> SiteGroup:
    said = [each for one in seen for each in one.evaluations]
    evaluators = tuple(_numbers(name, [each for each in said if each.evaluator == name]) for name in EVALUATORS)
    steps = [each.course.steps for each in seen if each.course.steps is not None]
    return SiteGroup(
        name=name,
        site=_common({each.course.site for each in seen}),
        level=_common({each.level for each in seen}),
        episodes=len(seen),
        steps=fsum(steps) / len(steps) if steps else None,
        evaluators=tuple(each for each in evaluators if each.episodes),
        key_nodes=site_numbers([each.nodes for each in seen if each.nodes]),
    )


def _common(words: set[str]) -> str:
    return words.pop() if len(words) == 1 else ""


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
