"""Does steps again in the recorded browser, so that it stands where it stood before the one that was taken back."""

from __future__ import annotations

from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.catalog.task import Instance
from harness.catalog.trace import Trace
from harness.episode.action_sets import actions_of
from harness.episode.assignment import Page
from harness.episode.probe import Probe
from harness.episode.registry import find_solver
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.solver import KeyedSolver
from harness.episode.trajectory import Trajectory
from harness.sites.recording.draft import CannotDo
from harness.sites.recording.recorded_session import RecordedSession


def redo(trace: Trace, session: RecordedSession) -> None:
    """Do the steps of a trace.

    Args:
        trace: The trace.
        session: The browser, with the trace's first page open.

    Raises:
        CannotDo: a step cannot be done again; those before it were.
        harness.browser.wire.BrowserGone: the browser died.
    """
    oracle = find_solver("oracle").make()
    assert isinstance(oracle, KeyedSolver)  # noqa: S101 - it replays traces
    act = SiteActions(session.site, session.input, Trajectory(), actions_of())
    facts = SiteFacts(goal=trace.goal, start=trace.start, origins=(), evaluators=Evaluators())
    assignment = SiteAssignment(
        page=Page(trace.start, (), (), 0, trace.goal),
        instance=Instance("", 0, "", {}, {}, (), ()),
        facts=facts,
        trace=trace,
    )
    try:
        oracle.solve_with_key(assignment, act, Probe(session.site, act.trajectory))
    except Exception as error:
        if type(error).__module__.startswith("harness.browser"):
            raise
        raise CannotDo(f"The steps before it cannot be done again: {error}") from error
