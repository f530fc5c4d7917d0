"""Whether a solver did anything in an episode: whoever never does has no score, or that of doing nothing."""

from __future__ import annotations

from harness.records.budgets import OF_THE_RUN
from harness.records.episode import Episode
from harness.records.turn import ERROR
from harness.scoring.scored_kind import kind_of


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
