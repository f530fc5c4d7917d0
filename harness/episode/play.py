"""One page from open to read back: let a solver work on it within limits, and submit it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from harness.actions.result import Step
from harness.browser.browser import PageFailed
from harness.browser.browser_choice import PictureFormat
from harness.browser.channel import CommandFailed
from harness.browser.form.inventory import page_digest
from harness.browser.form.submission import Submission, submit
from harness.browser.input_back_end import BrowserSession
from harness.browser.wire import BrowserGone
from harness.episode.assignment import Assignment, FormWorkItem
from harness.episode.clock import Clock
from harness.episode.library import Actions
from harness.episode.solver import AnySolver, DevtoolsSolver
from harness.episode.trajectory import Trajectory
from harness.episode.work import EpisodeEnd, begun, hands_off, killed_end, let_work
from harness.records.agent_report import AgentReport
from harness.records.config import Limits
from harness.records.episode import Episode, EpisodeRecord, FieldRecord
from harness.records.turn import Turn
from harness.records.under_way import UnderWayFile
from harness.scoring.answers.baselines import longest_input

if TYPE_CHECKING:
    from harness.browser.left_page import LeftPage


@dataclass(frozen=True)
class PlayedPage:
    """The outcome of one episode, made without the labels.

    Attributes:
        body: What its kind of task has of it: of a form the ``Submission``, of a website the ``PlayedSite``; None if
            nobody worked on it.
        end: How the solver's work ended.
        steps: What the solver did.
        turns: What it said to a model, and what came back.
        lost_turns: As of ``Episode``.
        attempts: As of ``Episode``.
        script_errors: Errors that the page's own scripts raised.
        messages: As of ``Episode``.
        timing: As of ``Episode``.
        agent_report: As of ``Episode``.
        unseen: As of ``Episode``.
    """

    body: Any = None
    end: EpisodeEnd = field(default_factory=EpisodeEnd)
    steps: tuple[Step, ...] = ()
    turns: tuple[Turn, ...] = ()
    lost_turns: tuple[Turn, ...] | None = ()
    attempts: int = 0
    script_errors: tuple[str, ...] = ()
    messages: Mapping[str, int] = field(default_factory=dict)
    timing: Mapping[str, float] = field(default_factory=dict)
    agent_report: AgentReport | None = None
    unseen: bool = False


class PageDied(BrowserGone):
    """Page or browser died while a solver worked, or could not be read afterwards for what was done there.

    Attributes:
        trajectory: What the solver had done.
    """

    def __init__(self, reason: str, trajectory: Trajectory) -> None:
        super().__init__(reason)
        self.trajectory = trajectory


def run_episode(session: BrowserSession, solver: AnySolver, assignment: Assignment, limits: Limits) -> EpisodeRecord:
    """Run one instance.

    Args:
        session: A browser, of which any page it shows is replaced, and its screen.
        solver: Who works on it.
        assignment: The instance, with its labels; handed on as a whole only to a keyed solver.
        limits: What the solver may use.

    Returns:
        The episode, with what it names.

    Raises:
        Exception: as ``play_page``.
    """
    played, trajectory = play_page(session, solver, assignment, limits)
    return EpisodeRecord(episode_of(assignment, played), trajectory.images, trajectory.texts)


def play_page(
    session: BrowserSession,
    solver: AnySolver,
    work_item: FormWorkItem,
    limits: Limits,
    *,
    film: PictureFormat | None = None,
    onlooker: UnderWayFile | None = None,
    on_open: Callable[[], None] = lambda: None,
    on_longer: Callable[[float], None] = lambda _: None,
) -> tuple[PlayedPage, Trajectory]:
    """Let a solver work on a page, and read back what its form sends.

    Args:
        session: A browser, of which any page it shows is replaced, and its screen.
        solver: Who works on it.
        work_item: What is needed for that: an ``Assignment`` for a keyed solver.
        limits: What the solver may use.
        film: How the pictures of its film are coded; None for no film.
        onlooker: Is told how it goes on; None if nobody is.
        on_open: Called when the page is open, just before the solver is handed it.
        on_longer: Told by how many seconds the episode is put off because the solver waited for a model's provider.

    Returns:
        The outcome, and the solver's trajectory, which holds pictures and texts.

    Raises:
        PageDied: page or browser died after the solver had been handed it.
        harness.browser.wire.BrowserGone: the browser died before; the instance can be tried again.
        harness.browser.channel.CommandFailed: the browser refused something before.
        harness.browser.browser.PageFailed: the page cannot be opened.
        harness.models.client.ModelError: the solver's model gives no answer, whatever it is asked, as the harness's own
            service has seen.
    """
    browser = session.browser
    before = (browser.channel.messages, browser.channel.waits)
    clock = Clock()
    browser.open(work_item.page.url)
    clock.lap("open")
    trajectory = begun(limits, browser, film, onlooker)
    act = Actions(browser, session.input, trajectory)
    on_open()
    try:
        end = let_work(solver, work_item, act, browser, limits=limits, on_longer=on_longer)
        end = hands_off(session, trajectory, end)
        trajectory.end_film()
        clock.solved(trajectory)
        submission = untouched(work_item, trajectory.lost) if trajectory.lost else submit(browser)
    except (BrowserGone, CommandFailed, PageFailed) as error:
        raise PageDied(str(error), trajectory) from error
    clock.lap("submit")
    messages = {"messages": browser.channel.messages - before[0], "waits": browser.channel.waits - before[1]}
    played = played_of(solver, act, end, messages, browser.script_errors)
    return replace(played, body=submission, timing=clock.timing), trajectory


def played_of(
    solver: AnySolver, act: Actions, end: EpisodeEnd, messages: Mapping[str, int], script_errors: Iterable[str]
) -> PlayedPage:
    """What is known of any page that a solver worked on, form or website.

    Args:
        solver: Who worked on it.
        act: Its actions.
        end: How its work ended.
        messages: As of ``Episode``.
        script_errors: As of ``PlayedPage``.
    """
    trajectory = act.trajectory
    return PlayedPage(
        end=end,
        steps=tuple(trajectory.steps),
        turns=tuple(trajectory.turns),
        attempts=1,
        script_errors=tuple(script_errors),
        messages=messages,
        agent_report=trajectory.agent_report,
        unseen=isinstance(solver, DevtoolsSolver) or act.has_given_driver,
    )


def untouched(work_item: FormWorkItem, why: str) -> Submission:
    """What a page counts as having sent that was lost: what it sends if nobody touches it.

    Args:
        work_item: Of the page.
        why: How it was lost.
    """
    return replace(work_item.reference.untouched, accepted=False, via="untouched", blocked=why)


def read_left_page(left: LeftPage, limits: Limits) -> PlayedPage:
    """The outcome of an episode whose solver's process had to be killed, from what the page holds.

    Args:
        left: The page.
        limits: What the solver might use.

    Raises:
        harness.browser.wire.BrowserGone: the browser is gone, too, or hangs.
        harness.browser.browser.PageFailed: the page cannot be read.
    """
    clock = Clock()
    submission = submit(left)
    clock.lap("submit")
    return replace(left_unseen(limits, submission), timing=clock.timing)


def left_unseen(limits: Limits, body: Any = None) -> PlayedPage:
    """The outcome of an episode whose solver's process had to be killed, where nothing could be read.

    Args:
        limits: What the solver might use.
        body: What its kind of task knows of it all the same.
    """
    # Of what it did nothing is known, which is not the same as that it did nothing.
    return PlayedPage(body, killed_end(limits), attempts=1, agent_report=AgentReport(), unseen=True)


def episode_of(assignment: Assignment, played: PlayedPage) -> Episode:
    """The record of a page that was played: what became of it, with the labels."""
    clock = Clock()
    made = make_episode(
        assignment,
        played.body,
        end=played.end,
        steps=played.steps,
        turns=played.turns,
        script_errors=played.script_errors,
    )
    clock.lap("read")
    return replace(
        made,
        attempts=played.attempts,
        lost_turns=played.lost_turns,
        messages=played.messages,
        timing={**played.timing, **clock.timing},
        agent_report=played.agent_report,
        unseen=played.unseen,
    )


def make_episode(
    assignment: Assignment,
    submission: Submission | None,
    *,
    end: EpisodeEnd | None = None,
    steps: tuple[Step, ...] = (),
    turns: tuple[Turn, ...] = (),
    script_errors: tuple[str, ...] = (),
) -> Episode:
    """The record of an episode that came to its end, without its times.

    Without a submission nobody worked on the page, and the workers' own answers are scored.
    """
    instance, end = assignment.instance, end or EpisodeEnd()
    return Episode(
        task=instance.task,
        index=instance.index,
        id=instance.id,
        split=assignment.split,
        outcome=end.outcome if any(answer.scored for answer in assignment.answers) else "unscored",
        detail=end.detail,
        limit=end.limit,
        page=page_digest(assignment.reference),
        fields=tuple(_field_records(assignment, submission.values if submission else {})),
        submission=submission,
        steps=steps,
        turns=turns,
        script_errors=script_errors,
        longest_input=longest_input(instance),
        answered_by="solver" if submission else "workers",
    )


def _field_records(assignment: Assignment, sent: Mapping[str, tuple[str, ...]]) -> Iterator[FieldRecord]:
    """The answer fields of an episode with what was sent and with both floors."""
    on_page = {each.name: each for each in assignment.reference.fields}
    for answer in assignment.answers:
        found = on_page.get(answer.name)
        own, untouched = sent.get(answer.name, ()), assignment.reference.untouched.values.get(answer.name, ())
        if found:
            own, untouched = found.answered(own), found.answered(untouched)
        guess = None
        if answer.scored and found and found.visible and not found.disabled:
            guess = assignment.constants.answer(assignment.instance, answer)
        yield FieldRecord(
            name=answer.name,
            kind=answer.kind,
            options=answer.options,
            labels=answer.labels,
            status=answer.status,
            told=answer.told,
            visible=bool(found and found.visible),
            sent=own,
            untouched=untouched,
            constant=untouched if guess is None else guess,
        )
