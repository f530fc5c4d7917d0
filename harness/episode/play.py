"""One page from open to read back: let a solver work on it within limits, and submit it."""

from __future__ import annotations

import hashlib
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.actions.result import Step
from harness.answers.baselines import ConstantAnswers, longest_input
from harness.answers.columns import Answer, AnswerColumns
from harness.browser.browser import Browser, PageFailed
from harness.browser.channel import BrowserGone, CommandFailed
from harness.browser.display import Display
from harness.browser.left_page import LeftPage
from harness.catalog.task import Instance, Task
from harness.episode.library import Actions, LimitReached
from harness.episode.phases import Clock
from harness.episode.solver import AnswerKey, KeyedSolver, Page, Solver
from harness.episode.watchdog import Overdue, run_within
from harness.models.client import ModelError, NoAccess, Refused
from harness.page.inventory import PageFacts, page_digest
from harness.page.submission import Submission, submit
from harness.runlog.config import Limits
from harness.runlog.episode import Episode, EpisodeRecord, FieldRecord, Outcome
from harness.runlog.turn import Turn

GRACE_SECONDS = 60.0
"""How much longer than its time limit a solver may go without an action, at which it would have been told."""


@dataclass(frozen=True)
class TaskKey:
    """What a run knows of a task beyond its pages: made once, used by all of its episodes."""

    task: Task
    columns: AnswerColumns
    constants: ConstantAnswers

    @classmethod
    def of(cls, task: Task) -> TaskKey:
        """Judge the answer columns of ``task``."""
        columns = AnswerColumns(task)
        return cls(task, columns, ConstantAnswers(columns))


def run_episode(
    browser: Browser,
    display: Display,
    url: str,
    solver: Solver | KeyedSolver,
    key: AnswerKey,
    *,
    page: PageFacts,
    task: TaskKey,
    seed: int,
    limits: Limits,
    on_longer: Callable[[float], None] = lambda _: None,
) -> EpisodeRecord:
    """Run one instance.

    Args:
        browser: Any page it shows is replaced.
        display: Its screen.
        url: The instance's page.
        solver: Who works on it.
        key: The instance with its labels; handed on only to a keyed solver.
        page: What the reference pass found.
        task: The task's columns and floors.
        seed: The run's seed.
        limits: What the solver may use.
        on_longer: Told by how many seconds the episode is put off because the solver waited for a model's provider.

    Returns:
        The episode, with what it names.

    Raises:
        harness.browser.channel.BrowserGone: the browser died; the instance can be tried again.
        harness.browser.channel.CommandFailed: the browser refused something.
        harness.browser.browser.PageFailed: the page cannot be opened or read.
        harness.models.client.ModelError: the solver's model gives no answer, whatever it is asked.
    """
    before = (browser.channel.messages, browser.channel.waits)
    clock = Clock()
    browser.open(url)
    clock.lap("open")
    act = Actions(browser, display, max_steps=limits.max_steps, max_seconds=limits.max_seconds)
    outcome, detail = _solve(
        solver, page_for(url, key, page, seed), act, key, limits=limits, browser=browser, on_longer=on_longer
    )
    clock.solved(act)
    if act.lost:
        submission = replace(page.untouched, accepted=False, via="untouched", blocked=act.lost)
    else:
        submission = submit(browser)
    clock.lap("submit")
    made = make_episode(
        key,
        page,
        task,
        submission,
        outcome=outcome,
        detail=detail,
        steps=tuple(act.steps),
        turns=tuple(act.turns),
        script_errors=tuple(browser.script_errors),
    )
    clock.lap("read")
    messages = {
        "messages": browser.channel.messages - before[0],
        "waits": browser.channel.waits - before[1],
    }
    return EpisodeRecord(replace(made, messages=messages, timing=clock.timing), act.images, act.texts)


def read_left_page(
    address: str, key: AnswerKey, *, page: PageFacts, task: TaskKey, limits: Limits, timeout: float
) -> Episode:
    """The episode of a solver whose process had to be killed: what the page holds that it left open.

    Args:
        address: The page's DevTools address.
        key: As for ``run_episode``.
        page: As for ``run_episode``.
        task: As for ``run_episode``.
        limits: As for ``run_episode``.
        timeout: Seconds that the browser may take for an answer.

    Raises:
        harness.browser.channel.BrowserGone: the browser is gone, too, or hangs.
        harness.browser.browser.PageFailed: the page cannot be read.
    """
    with LeftPage(address, timeout) as left:
        clock = Clock()
        submission = submit(left)
        clock.lap("submit")
    detail = f"time: nothing but killing its process ended it after {limits.max_seconds:g} s; its steps are lost"
    return replace(make_episode(key, page, task, submission, outcome="limit", detail=detail), timing=clock.timing)


def make_episode(
    key: AnswerKey,
    page: PageFacts,
    task: TaskKey,
    submission: Submission | None,
    *,
    outcome: Outcome = "scored",
    detail: str = "",
    steps: tuple[Step, ...] = (),
    turns: tuple[Turn, ...] = (),
    script_errors: tuple[str, ...] = (),
) -> Episode:
    """The record of an episode that came to its end, without its times.

    Without a submission nobody worked on the page, and the workers' own answers are scored.
    """
    instance = key.instance
    return Episode(
        task=instance.task,
        index=instance.index,
        id=instance.id,
        split=task.task.split,
        outcome=outcome if any(answer.scored for answer in key.answers) else "unscored",
        detail=detail,
        page=page_digest(page),
        fields=tuple(field_records(key.answers, page, submission.values if submission else {}, instance, task)),
        submission=submission,
        steps=steps,
        turns=turns,
        script_errors=script_errors,
        longest_input=longest_input(instance),
        answered_by="solver" if submission else "workers",
    )


def field_records(
    answers: Sequence[Answer],
    page: PageFacts,
    sent: Mapping[str, tuple[str, ...]],
    instance: Instance,
    task: TaskKey,
) -> list[FieldRecord]:
    """The answer fields of an episode with what was sent and with both floors."""
    on_page = {each.name: each for each in page.fields}
    records = []
    for answer in answers:
        found = on_page.get(answer.name)
        visible = bool(found and found.visible)
        untouched = page.untouched.values.get(answer.name, ())
        guess = None
        if answer.scored and found and found.visible and not found.disabled:
            guess = task.constants.answer(instance, answer)
        records.append(
            FieldRecord(
                name=answer.name,
                kind=answer.kind,
                options=answer.options,
                labels=answer.labels,
                status=answer.status,
                told=answer.told,
                visible=visible,
                sent=sent.get(answer.name, ()),
                untouched=untouched,
                constant=untouched if guess is None else guess,
            )
        )
    return records


def page_for(url: str, key: AnswerKey, page: PageFacts, seed: int) -> Page:
    """What a solver is told of an instance; ``seed`` is the run's."""
    told = {answer.name for answer in key.answers if answer.told}
    text = f"{seed}:{key.instance.task}:{key.instance.id}"
    return Page(
        url=url,
        names=tuple(answer.name for answer in key.answers if answer.told),
        fields=tuple(each for each in page.fields if each.name in told),
        seed=int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big"),
    )


def _solve(
    solver: Solver | KeyedSolver,
    page: Page,
    act: Actions,
    key: AnswerKey,
    *,
    limits: Limits,
    browser: Browser,
    on_longer: Callable[[float], None],
) -> tuple[Outcome, str]:
    """Let the solver work; its own errors end its episode and are told, whatever they are."""

    def solve() -> None:
        if isinstance(solver, KeyedSolver):
            solver.solve_with_key(page, act, key)
        else:
            solver.solve(page, act)

    try:
        run_within(limits.max_seconds + GRACE_SECONDS, solve, excused=act.waited, on_longer=on_longer)
    except LimitReached as limit:
        return "limit", limit.which
    except Overdue as overdue:
        if overdue.left_behind:
            # Should it ever go on, then not on this page.
            browser.channel.take()
        return "limit", act.limit or "time"
    except (BrowserGone, CommandFailed, PageFailed, ModelError) as error:
        if isinstance(error, Refused) and not isinstance(error, NoAccess):
            # Another request would have been answered, and it is the solver that made this one.
            return "agent_error", str(error)
        raise
    except (Exception, SystemExit) as error:  # noqa: BLE001 - what a solver does wrong is its own score, not the run's end
        where = traceback.extract_tb(error.__traceback__)[-1]
        return "agent_error", f"{type(error).__name__}: {error} ({where.name}, line {where.lineno})"
    # A solver may have swallowed the error that told it of a limit.
    return ("limit", act.limit) if act.limit else ("scored", "")
