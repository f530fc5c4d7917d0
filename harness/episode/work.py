"""Letting a solver work on a page that is open, and how its work ended."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from harness.browser.browser import Browser, PageFailed
from harness.browser.browser_choice import PictureFormat
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import BrowserSession
from harness.browser.live_page import PageLost
from harness.browser.wire import BrowserGone
from harness.episode.assignment import KeyedWorkItem, WorkItem
from harness.episode.clock import Overdue, run_within
from harness.episode.library import Actions
from harness.episode.probe import Probe
from harness.episode.solver import AnySolver, DevtoolsSolver, KeyedSolver
from harness.episode.trajectory import LimitReached, Trajectory
from harness.kit.files.installation import is_ours
from harness.models.client import NoAccess, RequestRefused
from harness.models.request_summary import RequestSummary
from harness.records.config import Limits
from harness.records.episode import Outcome
from harness.records.fatal import CannotWrite
from harness.records.under_way import UnderWayFile

GRACE_SECONDS = 60.0
"""How much longer than its time limit a solver may go without an action, at which it would have been told."""


@dataclass(frozen=True)
class EpisodeEnd:
    """How a solver's work on a page ended.

    Attributes:
        outcome: In a word.
        detail: Which limit, or the error, in words; empty otherwise.
        limit: Which limit; empty otherwise.
        refused: What the solver's model was asked for last, if its provider refused to be asked so; else None.
    """

    outcome: Outcome = "scored"
    detail: str = ""
    limit: str = ""
    refused: RequestSummary | None = None

    @classmethod
    def at(cls, limit: str) -> EpisodeEnd:
        """At a limit."""
        return cls("limit", limit, limit)


def begun(
    limits: Limits, browser: Browser, film: PictureFormat | None, onlooker: UnderWayFile | None = None
) -> Trajectory:
    """The trajectory of a page that has opened.

    Args:
        limits: What its solver may use.
        browser: Shows the page.
        film: How the pictures of its film are coded; None for no film.
        onlooker: As of ``Trajectory``.
    """
    if film is None:
        return Trajectory(limits, onlooker)
    # Imported here alone: runs without films do without.
    from harness.browser.camera.camera import Camera  # noqa: PLC0415
    from harness.episode.film import FilmedTrajectory  # noqa: PLC0415

    return FilmedTrajectory(limits, Camera(browser, film), onlooker)


def let_work(
    solver: AnySolver,
    work_item: WorkItem,
    act: Actions,
    browser: Browser,
    *,
    limits: Limits,
    on_longer: Callable[[float], None],
) -> EpisodeEnd:
    """Let the solver work; its own errors end its episode and are told, whatever they are.

    Args:
        solver: Who works.
        work_item: What is needed for that: with a key for a keyed solver.
        act: The actions.
        browser: On which they act.
        limits: What the solver may use.
        on_longer: As of ``harness.episode.play.play_page``.

    Returns:
        How its work ended.

    Raises:
        Exception: browser or page died, or the solver's model gives no answer, as of
            ``harness.episode.play.play_page``.
    """
    trajectory = act.trajectory
    solve = partial(_solve, solver, work_item, act, browser)
    try:
        run_within(limits.max_seconds + GRACE_SECONDS, solve, excused=trajectory.waited, on_longer=on_longer)
    except LimitReached as limit:
        return EpisodeEnd.at(limit.which)
    except Overdue as overdue:
        if overdue.left_behind:
            # Should it ever go on, then not on this page.
            browser.take_over()
        return EpisodeEnd.at(trajectory.limit or "time")
    except (BrowserGone, CommandFailed, PageFailed, CannotWrite):
        raise
    except (Exception, SystemExit) as error:  # what a solver does wrong is its own score, not the run's end
        if error is trajectory.unanswered:
            # Only what the harness has seen itself; whatever else a solver calls an outage is an error like others.
            if isinstance(error, NoAccess) or not isinstance(error, RequestRefused):
                raise
            # Another request would have been answered, and it is the solver that made this one.
            return _refused(error)
        return EpisodeEnd("agent_error", f"{type(error).__name__}: {error}{_where(error, solver)}")
    # A solver may have swallowed the error that told it of a limit.
    return EpisodeEnd.at(trajectory.limit) if trajectory.limit else EpisodeEnd()


def hands_off(session: BrowserSession, trajectory: Trajectory, end: EpisodeEnd) -> EpisodeEnd:
    """How the solver's work ended, when the input back end has let go of the page."""
    try:
        trajectory.record_refusals(session.input.let_go())
    except PageLost as lost:
        trajectory.lost = f"the solver's driver did away with the page: {lost}"
        return EpisodeEnd("agent_error", trajectory.lost)
    return end


def killed_end(limits: Limits) -> EpisodeEnd:
    """How the work of a solver ended whose process had to be killed."""
    detail = f"time: nothing but killing its process ended it after {limits.max_seconds:g} s; its steps are lost"
    return EpisodeEnd("limit", detail, "time")


def _refused(error: RequestRefused) -> EpisodeEnd:
    """The end of an episode whose solver asked for what its model's provider refuses."""
    request = f"; the request: {error.asked}" if error.asked else ""
    return EpisodeEnd("agent_error", f"{error}{request}", refused=error.asked)


def _solve(solver: AnySolver, work_item: WorkItem, act: Actions, browser: Browser) -> None:
    """Hand a solver what it is handed by its kind."""
    trajectory = act.trajectory
    if isinstance(solver, KeyedSolver):
        if not isinstance(work_item, KeyedWorkItem):
            raise TypeError("a solver that is handed the labels works where they are")
        solver.solve_with_key(work_item, act, Probe(browser, trajectory))
    elif isinstance(solver, DevtoolsSolver):
        from harness.browser.site_devtools import way_in  # noqa: PLC0415 - other solvers do without

        with way_in(browser, trajectory.watch_program()) as devtools:
            try:
                solver.solve_over_devtools(work_item.page, act, devtools)
            finally:
                trajectory.record_refusals(devtools.refusals)
    else:
        solver.solve(work_item.page, act)


def _where(error: BaseException, solver: AnySolver) -> str:
    """Where in its author's own code a solver failed; nothing of one of ours, whose lines tell a user nothing."""
    module = type(solver).__module__
    if is_ours(module):
        return ""
    own = [
        (frame, line) for frame, line in traceback.walk_tb(error.__traceback__) if frame.f_globals["__name__"] == module
    ]
    if not own:
        return ""
    frame, line = own[-1]
    return f" ({frame.f_code.co_name}, line {line} of {Path(frame.f_code.co_filename).name})"
