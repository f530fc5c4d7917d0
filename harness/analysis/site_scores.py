"""Scores of episodes on websites by their key nodes (WebCanvas, sections 3.2 and E; docs/reference/key-nodes.md)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import fsum
from typing import TypeVar

from harness.records.episode import Episode, Outcome
from harness.scoring.evaluators.text_match import is_met

_ENDED_ITSELF: tuple[Outcome, ...] = ("scored", "unscored")
_DELAY = 0.95
_STOPPED = 0.8
_LONG = 1.2

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class SiteScore:
    """One episode, by its key nodes.

    Attributes:
        task: The task's name.
        index: The instance's place in its table.
        level: How hard the task is said to be; empty if nothing is said.
        nodes: How many key nodes the task has.
        step_score: What they are worth together, a fraction for each that was judged; None if that of one is not known.
        missing: How many of them were not met; None if that of one is not known.
        steps: Actions that it took; None if not known.
        cost: US dollars; None if not known.
        reference_length: Steps of the task's reference; None if not known.
        is_ended_by_itself: Whether the agent said that it was done; False if a limit or an error ended the episode.
    """

    task: str
    index: int
    level: str
    nodes: int
    step_score: float | None
    missing: int | None
    steps: int | None
    cost: float | None
    reference_length: int | None
    is_ended_by_itself: bool

    @property
    def completion(self) -> float | None:
        """The share of the key nodes that it got."""
        return None if self.step_score is None else self.step_score / self.nodes

    def succeeded(self, tolerance: int = 0) -> bool | None:
        """Whether at most so many key nodes are missing; None if that is not known."""
        return None if self.missing is None else self.missing <= tolerance

    @property
    def human_alignment(self) -> float | None:
        """How well it knew when it was done.

        1 if it met all nodes and said so, 0.95 if it did not say so; else the share of the nodes that it got, times 0.8
        if it had to be stopped.
        """
        if self.completion is None:
            return None
        if self.succeeded():
            return 1.0 if self.is_ended_by_itself else _DELAY
        return self.completion * (1.0 if self.is_ended_by_itself else _STOPPED)

    @property
    def length_ratio(self) -> float | None:
        """Its steps in lengths of the reference; None if one of them is not known."""
        return self.steps / self.reference_length if self.steps is not None and self.reference_length else None

    @property
    def length_score(self) -> float | None:
        """1 up to 1.2 lengths of the reference; beyond that, how many times 1.2 lengths go into its steps."""
        ratio = self.length_ratio
        return None if ratio is None else 1.0 if ratio < _LONG else _LONG / ratio


@dataclass(frozen=True, kw_only=True)
class SiteNumbers:
    """Many episodes, by their key nodes; every mean is over the episodes whose key nodes are all known.

    Attributes:
        episodes: How many episodes are known.
        unknown: How many are left out, since a key node could not be judged.
        without_a_node: How many met no key node.
        completed: How many met all.
        completion_micro: Key nodes got of all that there are ("completion rate").
        completion_macro: Mean share of an episode's key nodes.
        success: Share of the episodes that met all ("task success rate").
        success_with_one_missing: Share of those that met all, or all but one.
        steps_per_node: Mean steps a key node over completed episodes whose steps are known ("efficiency score"); lower
            is better. None if there is none.
        usd_per_node: What all episodes cost for each key node that was got; None if a cost is not known, or none was.
        human_alignment: Mean of ``SiteScore.human_alignment``.
        length_ratio: Mean steps of completed episodes in lengths of their references, where both are known.
        length_score: Mean of ``SiteScore.length_score`` over the same.
    """

    episodes: int
    unknown: int
    without_a_node: int
    completed: int
    completion_micro: float | None
    completion_macro: float | None
    success: float | None
    success_with_one_missing: float | None
    steps_per_node: float | None
    usd_per_node: float | None
    human_alignment: float | None
    length_ratio: float | None
    length_score: float | None


def site_score(episode: Episode) -> SiteScore | None:
    """The score of one episode; None of a form, of a task without key nodes, and after an error of the harness."""
    site = episode.site
    if site is None or episode.outcome == "harness_error":
        return None
    found = next((each for each in site.evaluations if each.evaluator == "key_nodes"), None)
    if found is None or not found.parts:
        return None
    scores = [part.score for part in found.parts]
    known = [score for score in scores if score is not None]
    is_known = len(known) == len(scores)
    return SiteScore(
        task=episode.task,
        index=episode.index,
        level=site.task.level,
        nodes=len(scores),
        step_score=fsum(known) if is_known else None,
        missing=sum(not is_met(score) for score in known) if is_known else None,
        steps=episode.effort_in_steps,
        cost=episode.cost,
        reference_length=site.task.reference_length,
        is_ended_by_itself=ended_itself(episode),
    )


def ended_itself(episode: Episode) -> bool:
    """Whether the agent said that it was done; not if a limit or an error ended the episode."""
    # What has no score for want of a judge is ``unscored``, however it ended.
    return episode.outcome in _ENDED_ITSELF and not episode.detail


def site_numbers(scores: Sequence[SiteScore]) -> SiteNumbers:
    """The numbers of many episodes: of a run, or of its episodes of one level or one site."""
    known = [(each, each.step_score) for each in scores if each.step_score is not None]
    shown = [each for each, _ in known]
    points = fsum(score for _, score in known)
    completed = [(each, score) for each, score in known if each.succeeded()]
    costs = [each.cost for each in shown]
    usd = None if None in costs else fsum(cost for cost in costs if cost is not None)
    return SiteNumbers(
        episodes=len(known),
        unknown=len(scores) - len(known),
        without_a_node=sum(score == 0 for _, score in known),
        completed=len(completed),
        completion_micro=points / sum(each.nodes for each in shown) if shown else None,
        completion_macro=_mean(shown, lambda each: each.completion),
        success=_mean(shown, lambda each: each.succeeded()),
        success_with_one_missing=_mean(shown, lambda each: each.succeeded(1)),
        steps_per_node=_mean(completed, lambda each: None if each[0].steps is None else each[0].steps / each[1]),
        usd_per_node=usd / points if usd is not None and points else None,
        human_alignment=_mean(shown, lambda each: each.human_alignment),
        length_ratio=_mean(completed, lambda each: each[0].length_ratio),
        length_score=_mean(completed, lambda each: each[0].length_score),
    )


def _mean(items: Sequence[T], number: Callable[[T], float | None]) -> float | None:
    """The mean of a number over the items of which it is known; None if there are none."""
    known = [value for item in items if (value := number(item)) is not None]
    return fsum(known) / len(known) if known else None
