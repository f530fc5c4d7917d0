"""Why an episode did not come out again, where nothing of it can be held against the run."""

from __future__ import annotations

from dataclasses import dataclass

from harness.records.episode import Episode


@dataclass(frozen=True)
class Mismatch:
    """An episode that cannot be done again, or whose record is not what its task makes of it now.

    Attributes:
        episode: Of the run.
        reason: Why, in words.
    """

    episode: Episode
    reason: str

    def __str__(self) -> str:
        return f"{self.episode.task}, instance {self.episode.index}: {self.reason}"


def mismatched_outcome(episode: Episode, made: Episode) -> list[Mismatch]:
    """Whether only one of an episode and its replay has a score.

    Args:
        episode: Of the run.
        made: As it came out again.
    """
    if (episode.outcome == "unscored") == (made.outcome == "unscored"):
        return []
    return [Mismatch(episode, "only one of the run and the replay gives it a score")]
