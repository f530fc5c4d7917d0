"""What a kind of task is to whoever reads records: what an episode is worth, and what of it is shown."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from harness.catalog.task_kinds import TASK_KINDS

if TYPE_CHECKING:
    from harness.actions.signature import ActionSpec
    from harness.records.episode import Episode
    from harness.scoring.metrics import Profile
    from harness.scoring.scores import InstanceScore


class ScoredKind:
    """The part of ``harness.run.task_kind.TaskKind`` that needs the record of an episode alone."""

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
        harness.kit.errors.user.UserError: its package is not installed.
    """
    kind: ScoredKind = TASK_KINDS.find(episode.kind)
    return kind
