"""The ceiling on a website: what the task's own reference trace reaches."""

from __future__ import annotations

from harness.episode.library import Actions
from harness.episode.probe import Probe
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.trace_replay import TraceFailed, replay


def follow(assignment: SiteAssignment, act: Actions, probe: Probe) -> None:
    """Replay the trace of a task.

    Raises:
        TraceFailed: it has none, or a step of it cannot be done.
    """
    if assignment.trace is None or not isinstance(act, SiteActions):
        raise TraceFailed("the task has no reference trace (trace.json), so that there is nothing to replay")
    replay(assignment.trace, act, probe)
