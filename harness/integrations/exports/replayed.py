"""Episodes without a model, done again in a browser to see each page as it was before it was acted on."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from harness.actions.call import ActionCall
from harness.browser.form.submission import submit
from harness.browser.input_back_end import BrowserSession
from harness.episode.library import Actions
from harness.episode.observation import Observation
from harness.episode.probe import Probe
from harness.episode.trajectory import Trajectory
from harness.forms.form_replaying import compare, look_as_before
from harness.integrations.exports.exported_runs import ExportedEpisode
from harness.observe import NoSuchField
from harness.records.config import Limits
from harness.records.episode import Episode
from harness.run.page_source import PageSource
from harness.run.progress import Mode
from harness.run.replaying import ReplayJob, again
from harness.run.server import page_url
from harness.run.worker import JobReport

Seen = TypeVar("Seen")
Look = Callable[[Observation, str | None], Seen]
"""Looks at the open page: around a field, or (None) at the whole of it."""

DIFFERS = "the replay gave other answers than the run"
NOT_FOUND = "the field is not on the page before it is written"
_WRITES = "modify_"


@dataclass(frozen=True)
class PageMoment(Generic[Seen]):
    """A page just before something is done to it.

    Attributes:
        field: The field that is written; empty for the whole form.
        calls: What is done; nothing after the last action.
        seen: The page.
    """

    field: str
    calls: tuple[ActionCall, ...]
    seen: Seen


@dataclass(frozen=True)
class ObservedEpisode(Generic[Seen]):
    """An episode that was done again.

    Attributes:
        moments: In order.
        left_out: Reason -> how many moments are missing for it.
        differs: Whether answers came out otherwise than in the run, so that nothing of it can be relied on.
    """

    moments: tuple[PageMoment[Seen], ...]
    left_out: Counter[str]
    differs: bool


class ObservationWork(Generic[Seen]):
    """Does episodes again and looks before each answer or action, in a worker's process.

    See ``harness.run.worker.Work``.
    """

    spent = False

    def __init__(self, look: Look[Seen], *, by_field: bool) -> None:
        """Prepare.

        Args:
            look: How to look.
            by_field: Look before each field is written for the first time, at all that the episode writes into it; else
                before every action, and at the end.
        """
        self._look = look
        self._by_field = by_field

    def do(self, session: BrowserSession, job: ReplayJob, _report: JobReport) -> ObservedEpisode[Seen]:
        """Do one episode again."""
        session.browser.open(page_url(session.browser.settings.origin, job.instance))
        # To bring a field into view may be an action of its own.
        act = Actions(
            session.browser, session.input, Trajectory(Limits(max_steps=sys.maxsize, max_seconds=sys.maxsize))
        )
        probe = Probe(session.browser, act.trajectory)
        moments: list[PageMoment[Seen]] = []
        left_out: Counter[str] = Counter()
        plan = _by_field(job) if self._by_field else _by_action(job)
        for number in range(len(job.calls) + 1):
            if moment := plan.get(number):
                try:
                    seen = self._look(act.observation, moment[0] or None)
                    moments.append(PageMoment(moment[0], moment[1], seen))
                except NoSuchField:
                    left_out[NOT_FOUND] += 1
            if number < len(job.calls):
                look_as_before(act, probe, job.episode.steps[number])
                act.call(job.calls[number])
        answers = {field.name for field in job.episode.fields if field.told}
        # What else a form sends, such as the time, may differ.
        differs = any(each.field in answers for each in compare(job.episode, submit(session.browser).values))
        return ObservedEpisode(tuple(moments), left_out, differs)


Plan = dict[int, tuple[str, tuple[ActionCall, ...]]]
"""Number of a step -> before it, what field is looked at, and what is done then."""


def _by_field(job: ReplayJob) -> Plan:
    first: dict[str, int] = {}
    calls: dict[str, list[ActionCall]] = {}
    for number, (call, step) in enumerate(zip(job.calls, job.episode.steps, strict=True)):
        if step.ok and call.name.startswith(_WRITES):
            name = str(call.args["name"])
            first.setdefault(name, number)
            calls.setdefault(name, []).append(call)
    return {number: (name, tuple(calls[name])) for name, number in first.items()}


def _by_action(job: ReplayJob) -> Plan:
    plan: Plan = {
        number: ("", (call,))
        for number, (call, step) in enumerate(zip(job.calls, job.episode.steps, strict=True))
        if step.ok
    }
    return {**plan, len(job.calls): ("", ())}


def watch(
    episodes: Sequence[ExportedEpisode],
    look: Look[Seen],
    *,
    by_field: bool,
    on_watched: Callable[[ExportedEpisode, ObservedEpisode[Seen]], None],
    on_failed: Callable[[ExportedEpisode, str], None],
    pages: PageSource,
    workers: int = 1,
    mode: Mode | None = None,
) -> None:
    """Do episodes again, run by run.

    Args:
        episodes: The episodes; those without a form are told as failed.
        look: How to look; it goes to the workers with the fork.
        by_field: As for ``ObservationWork``.
        on_watched: Called with each episode, in any order.
        on_failed: Called with each that cannot be done again, and the reason.
        pages: Where pages come from, and what they reach.
        workers: Browsers at a time.
        mode: How to tell how it gets on.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    for group in _by_run(episodes):
        found = {(each.episode.task, each.episode.index): each for each in group}

        def exported(episode: Episode, found: dict[tuple[str, int], ExportedEpisode] = found) -> ExportedEpisode:
            return found[episode.task, episode.index]

        for each in group:
            if each.episode.submission is None:
                on_failed(each, "it has no form")
        again(
            group[0].source.run,
            [each.episode for each in group if each.episode.submission is not None],
            lambda: ObservationWork(look, by_field=by_field),
            lambda job, watched: on_watched(exported(job.episode), watched),
            lambda episode, reason: on_failed(exported(episode), reason),
            pages=pages,
            workers=workers,
            mode=mode,
        )


def _by_run(episodes: Sequence[ExportedEpisode]) -> Iterator[list[ExportedEpisode]]:
    names = dict.fromkeys(each.source.name for each in episodes)
    for name in names:
        yield [each for each in episodes if each.source.name == name]
