"""What a kind of task is to whoever reads records: what an episode is worth, and what of it is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from harness.catalog.kinds import TASK_KINDS
from harness.records.budgets import OF_THE_RUN
from harness.records.episode import Episode
from harness.records.turn import ERROR

if TYPE_CHECKING:
    from harness.actions.signature import ActionSpec
    from harness.scoring.evaluators.text_match import MeaningJudge
    from harness.scoring.metrics import Profile
    from harness.scoring.scores import InstanceScore

GROUPS = ("site", "level", "reached")
"""By what episodes can be chosen beside task, split and outcome."""


class KindTally(Protocol):
    """What a kind of task counts of the episodes of a run, see ``harness.analysis.episode_pass.Visitor``."""

    def see(self, score: InstanceScore) -> None:
        """Look at an episode."""

    def merge(self, other: Any) -> None:
        """Take in what another has seen."""

    def found(self) -> Any:
        """What that comes to; None if nothing."""


class ScoredKind:
    """The part of ``harness.run.task_kind.TaskKind`` that needs the record of an episode alone.

    Attributes:
        has_profiles: Whether scores depend on a profile.
        unscored: What an episode without a score is called that came to its end.
    """

    has_profiles = True
    unscored = "no labels"

    def scored_by(self, profile: str) -> str:
        """By what episodes are scored, in words.

        Args:
            profile: Of the run.
        """
        return f"profile {profile}"

    def tally(self) -> KindTally | None:
        """What counts episodes of this kind beside their scores; None if nothing is counted."""
        return None

    @property
    def all_actions(self) -> Mapping[str, ActionSpec]:
        """Whatever actions an episode's steps may be of."""
        raise NotImplementedError

    def score(self, episode: Episode, profile: Profile) -> InstanceScore:
        """The score of an episode that came to its end.

        Args:
            episode: Its record.
            profile: By which fields are scored.
        """
        raise NotImplementedError

    def was_played(self, episode: Episode) -> bool:
        """Whether a solver worked on it, and it came to its end."""
        return episode.outcome != "harness_error"

    def has_acted(self, episode: Episode) -> bool:
        """Whether something was done that is no step."""
        return False

    def awaits_judge(self, episode: Episode) -> bool:
        """Whether its score is not known for want of a judge who compares by meaning."""
        return False

    def judged(self, episode: Episode, text: Callable[[str], str | None], judge: MeaningJudge) -> Episode:
        """An episode with what a judge says of it.

        Args:
            episode: Its record.
            text: Gives the texts that the run directory has, by their SHA-256.
            judge: Compares by meaning.
        """
        return episode

    def is_unknown(self, episode: Episode) -> bool:
        """Whether something that it is judged by is not known."""
        return False

    def groups(self, episode: Episode) -> Mapping[str, str]:
        """What an episode is chosen by, by the names of ``GROUPS``; empty texts where it is by nothing."""
        return dict.fromkeys(GROUPS, "")

    def words(self, episode: Episode) -> Iterable[str]:
        """Words of its record by which people find it, beside those that every episode has."""
        return ()

    def submitted(self, episode: Episode) -> Sequence[Any]:
        """What was handed in beside fields, and what was said of it, as JSON holds it."""
        return ()

    def instruction(self, episode: Episode) -> str:
        """What was to be done, in words."""
        return f"{episode.task}, instance {episode.index}"

    def answer(self, episode: Episode) -> str | None:
        """What was answered in words; None if nothing was."""
        return None

    def show(self, episode: Episode) -> Iterable[tuple[str, str]]:
        """What people are shown of its record beside what every episode has: names with texts."""
        return ()


def kind_of(episode: Episode) -> ScoredKind:
    """The kind of an episode's task.

    Raises:
        harness.kit.errors.UserError: its package is not installed.
    """
    kind: ScoredKind = TASK_KINDS.find(episode.kind)
    return kind


def has_replied(episode: Episode) -> bool:
    """Whether the solver gave a reply of use, see ``harness.records.results.Work``.

    Where it is not known what was said, as of an attempt that was lost with its process, it counts as one.
    """
    if episode.outcome == "harness_error":
        return False
    if episode.answered_by == "workers" or episode.lost_turns is None or episode.steps or has_acted(episode):
        return True
    turns = (*episode.lost_turns, *episode.turns)
    if any(not call.startswith(ERROR) for turn in turns for call in turn.calls):
        return True
    # Of a program a turn says how it ended; no model answered in it.
    if turns and episode.agent_report is None and not episode.unseen:
        return False
    # Without a limit a detail is an error, also of an episode without labels.
    return not (episode.detail and not episode.ended_at) and episode.ended_at not in OF_THE_RUN


def has_acted(episode: Episode) -> bool:
    """Whether at least one action worked or, of what acts past the action library, something was changed."""
    if episode.outcome == "harness_error":
        return False
    if episode.answered_by == "workers" or any(step.ok for step in episode.steps):
        return True
    return kind_of(episode).has_acted(episode)
