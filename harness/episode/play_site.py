"""One episode on a website, from its first page to what is known of it in the end."""

from __future__ import annotations

from collections.abc import Callable

from harness.browser.browser import PageFailed
from harness.browser.browser_session import BrowserSession
from harness.browser.camera.camera import Camera
from harness.browser.camera.picture_format import PictureFormat
from harness.browser.channel import CommandFailed
from harness.browser.wire import BrowserGone
from harness.episode.action_sets import actions_of
from harness.episode.filmed_trajectory import FilmedTrajectory
from harness.episode.phases import Clock
from harness.episode.play import PageDied, PlayedPage, hands_off, killed_end, let_work
from harness.episode.played_site import PlayedSite
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteSheet
from harness.episode.solver import AnySolver, DevtoolsSolver
from harness.episode.trajectory import Trajectory
from harness.runlog.agent_report import AgentReport
from harness.runlog.config import ActionSetName, Limits


def play_site(
    session: BrowserSession,
    solver: AnySolver,
    sheet: SiteSheet,
    limits: Limits,
    *,
    actions: ActionSetName | None = None,
    film: PictureFormat | None = None,
    on_open: Callable[[], None] = lambda: None,
    on_longer: Callable[[float], None] = lambda _: None,
) -> tuple[PlayedPage, Trajectory]:
    """Let a solver work on a website.

    Args:
        session: A browser with the task's navigation policy, emptied, with the cookie by which the site knows the
            episode.
        solver: Who works on it.
        sheet: What is needed for that: a ``SiteAssignment`` for a keyed solver.
        limits: What the solver may use.
        actions: The set of actions that it is offered, see ``harness.episode.action_sets``; None for the usual one.
        film: How the pictures of its film are coded; None for no film. The trajectory is a ``FilmedTrajectory`` then.
        on_open: Called when the first page is open, just before the solver is handed it.
        on_longer: Told by how many seconds the episode is put off because the solver waited for a model's provider.

    Returns:
        What became of it, without the site's own state, and the solver's trajectory, which holds pictures and texts.

    Raises:
        TypeError: the session's browser is one for forms.
        PageDied: page or browser died after the solver had been handed it.
        harness.browser.wire.BrowserGone: the browser died before; the instance can be tried again.
        harness.browser.channel.CommandFailed: the browser refused something before.
        harness.browser.browser.PageFailed: the first page cannot be opened.
        harness.models.client.ModelError: the solver's model gives no answer, whatever it is asked, as the harness's own
            service has seen.
    """
    browser = session.site
    before = browser.counts
    clock = Clock()
    browser.open(sheet.page.url)
    clock.lap("open")
    trajectory = FilmedTrajectory(limits, Camera(browser, film)) if film else Trajectory(limits)
    act = SiteActions(browser, session.input, trajectory, actions_of("site", actions))
    act.moments.take(None)
    on_open()
    try:
        end = let_work(solver, sheet, act, browser, limits=limits, on_longer=on_longer)
        end = hands_off(session, trajectory, end)
        if isinstance(trajectory, FilmedTrajectory):
            trajectory.end_film()
        act.moments.take(None if isinstance(solver, DevtoolsSolver) else len(trajectory.steps) - 1)
        clock.solved(trajectory)
    except (BrowserGone, CommandFailed, PageFailed) as error:
        raise PageDied(str(error), trajectory) from error
    messages = {name: count - before[name] for name, count in browser.counts.items()}
    played = PlayedPage(
        end=end,
        steps=tuple(trajectory.steps),
        turns=tuple(trajectory.turns),
        attempts=1,
        script_errors=tuple(browser.script_errors),
        messages=messages,
        timing=clock.timing,
        agent_report=trajectory.agent_report,
        unseen=isinstance(solver, DevtoolsSolver) or act.has_given_driver,
        site=PlayedSite(moments=tuple(act.moments.moments), moments_lost=act.moments.lost, answer=act.answer),
    )
    return played, trajectory


def left_site(limits: Limits) -> PlayedPage:
    """What is known of an episode whose solver's process had to be killed: nothing but how the site stands.

    Args:
        limits: What the solver might use.
    """
    return PlayedPage(None, killed_end(limits), attempts=1, agent_report=AgentReport(), unseen=True, site=PlayedSite())
