"""One episode on a website, from its first page to what is known of it in the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from harness.browser.browser import PageFailed
from harness.browser.browser_choice import PictureFormat
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import BrowserSession
from harness.browser.rewarding_page import Rewarding, RewardingPage
from harness.browser.site_browser import SiteBrowser
from harness.browser.tab import Tab
from harness.browser.wire import BrowserGone
from harness.catalog.site_facts import Look
from harness.episode.action_sets import actions_of, site_actions_of
from harness.episode.clock import Clock
from harness.episode.moment_log import KeepMoments, keep_nothing
from harness.episode.play import PageDied, PlayedPage, played_of
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import AskPerson, PlayedSite, SiteWorkItem, User
from harness.episode.solver import AnySolver, DevtoolsSolver
from harness.episode.trajectory import Trajectory
from harness.episode.work import begun, hands_off, let_work
from harness.records.config import ActionSetName, Limits
from harness.records.site_record import LeftPages, ReadPlace
from harness.records.texts import named
from harness.records.under_way import UnderWayFile


def look_at_what_is_left(browser: SiteBrowser, looks: Sequence[Look], trajectory: Trajectory) -> LeftPages:
    """Read the page that was left in front, and then the pages with addresses of their own, in its tab.

    Nothing that a task says is run: what is read is a selector and one of a few properties. No solver sees these pages,
    and what opening them sets off is no moment of the episode.

    Args:
        browser: As the solver has left it.
        looks: Where to look; the page that was left comes first, whatever their order.
        trajectory: Takes what is read as a text.

    Returns:
        Where the episode stands, and what was read, in the order of ``looks``.

    Raises:
        harness.browser.wire.BrowserGone: the browser died.
    """
    url, shown = browser.tab.url, ""
    read: dict[Look, ReadPlace] = {}
    for look in sorted(looks, key=lambda each: each.place(url)):
        try:
            place = look.place(url)
            if place and shown != place:
                browser.open(place)
                shown = place
            said = browser.run("left.read", look.css, look.number, look.reads, look.attribute)
        except (PageFailed, CommandFailed) as error:
            shown = ""
            read[look] = ReadPlace(look=look, url=look.place(url) or url, why=str(error))
            continue
        name, text = named(said)
        trajectory.texts[name] = text
        read[look] = ReadPlace(look=look, url=browser.tab.url, text=name)
    return LeftPages(url=url, read=tuple(read[look] for look in looks))


def play_site(
    session: BrowserSession,
    solver: AnySolver,
    work_item: SiteWorkItem,
    limits: Limits,
    *,
    actions: ActionSetName | None = None,
    film: PictureFormat | None = None,
    onlooker: UnderWayFile | None = None,
    on_open: Callable[[], None] = lambda: None,
    on_longer: Callable[[float], None] = lambda _: None,
    keep: KeepMoments = keep_nothing,
    ask_person: AskPerson | None = None,
    rewarding: Rewarding | None = None,
) -> tuple[PlayedPage, Trajectory]:
    """Let a solver work on a website.

    Args:
        session: A browser with the task's navigation policy, emptied, with the cookie by which the site knows the
            episode.
        solver: Who works on it.
        work_item: What is needed for that: a ``SiteAssignment`` for a keyed solver.
        limits: What the solver may use.
        actions: The set of actions that it is offered, see ``harness.episode.action_sets``; None for the usual one.
        film: How the pictures of its film are coded; None for no film.
        onlooker: Is told how it goes on; None if nobody is.
        on_open: Called when the first page is open, just before the solver is handed it.
        on_longer: Told by how many seconds the episode is put off because the solver waited for a model's provider.
        keep: Is given what has happened after each step, as of ``harness.episode.moment_log.MomentLog``.
        ask_person: Puts what the solver asks its user, and the task's file does not answer, to a person; None if nobody
            attends.
        rewarding: Who opens the first page, and tells the goal, the end and the reward; None for that page itself, if
            the task says so.

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
    url = work_item.page.url
    if rewarding:
        goal = _goal_told(work_item, rewarding, browser.tab)
        url = browser.tab.url
    else:
        browser.open(url)
        rewarding = RewardingPage(browser.tab.url) if work_item.is_rewarded else None
        goal = _goal_told(work_item, rewarding, browser.tab)
    work_item = replace(work_item, page=replace(work_item.page, url=url, goal=goal))
    clock.lap("open")
    trajectory = begun(limits, browser, film, onlooker)
    act = site_actions_of(actions)(
        browser,
        session.input,
        trajectory,
        actions_of(actions),
        keep=keep,
        rewarding=rewarding,
        user=User(work_item.user_answers, ask_person),
    )
    act.moments.take(None)
    on_open()
    try:
        end = let_work(solver, work_item, act, browser, limits=limits, on_longer=on_longer)
        end = hands_off(session, trajectory, end)
        act.see_reward()
        if rewarding and act.reward is None:
            act.reward = rewarding.final(browser.tabs)
        trajectory.end_film()
        is_of_step = trajectory.steps and not isinstance(solver, DevtoolsSolver)
        act.moments.take(len(trajectory.steps) - 1 if is_of_step else None)
        left = None if work_item.looks is None else look_at_what_is_left(browser, work_item.looks, trajectory)
        clock.solved(trajectory)
    except (BrowserGone, CommandFailed, PageFailed) as error:
        raise PageDied(str(error), trajectory) from error
    messages = {name: count - before[name] for name, count in browser.counts.items()}
    played = played_of(solver, act, end, messages, browser.script_errors)
    site = replace(_site_of(act, browser.refused, browser.late), goal=goal, left=left)
    return replace(played, timing=clock.timing, body=site), trajectory


def _goal_told(work_item: SiteWorkItem, rewarding: Rewarding | None, tab: Tab) -> str:
    """What the solver is told to do: the task's goal, and what the page asks for where that is to be done."""
    asked = rewarding.instruction(tab) if rewarding else ""
    return f"{work_item.page.goal} It asks: {asked}" if asked else work_item.page.goal


def _site_of(act: SiteActions, refused: Sequence[str], late: Sequence[str]) -> PlayedSite:
    """What happened on the website, without its own state."""
    return PlayedSite(
        moments=tuple(act.moments.moments),
        moments_lost=act.moments.lost,
        answer=act.answer,
        reward=act.reward,
        refused=tuple(refused),
        late=tuple(late),
    )
