"""What a run did on websites, done again from its action text on a site made anew; and the records compared."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.result import Step
from harness.browser.input_back_end import BrowserSession
from harness.catalog.task import Instance
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.play_site import play_site
from harness.kit.text import shorten
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.site_record import Moment, SiteRecord
from harness.run.replaying import Mismatch, mismatched_outcome
from harness.run.task_kind import ReplaySetup
from harness.sites.site_labels import SiteLabelSide
from harness.sites.site_player import prepare_site

MOST_PLACES = 5
"""Places of a site's state that are named of one episode."""
_LONGEST = 200
_NOTHING = "nothing"


@dataclass(frozen=True)
class SiteDifference:
    """Something on a website that a replay left otherwise than the run did.

    Attributes:
        episode: Of the run.
        what: What is otherwise, by name.
        before: What the run did or found, in words.
        now: The same of the replay.
    """

    episode: Episode
    what: str
    before: str
    now: str

    def __str__(self) -> str:
        place = f"{self.episode.task}, instance {self.episode.index}"
        return f"{place}, {self.what}: the run {self.before}, the replay {self.now}"


class SiteReplay:
    """Does episodes on websites again, in a worker's process."""

    def __init__(self, setup: ReplaySetup) -> None:
        """Prepare."""
        self._catalog = setup.catalog
        self._seconds = setup.seconds
        self._texts: dict[str, str] = {}
        self._store = SiteLabelSide(setup.config, setup.key, self._texts.get)
        self._film = setup.film

    def differences(
        self, session: BrowserSession, episode: Episode, instance: Instance, calls: Sequence[ActionCall]
    ) -> tuple[Sequence[SiteDifference], bool]:
        """See ``TaskReplay``."""
        again, filmed = self.again(session, episode, instance, calls)
        return list(compare_sites(episode, again)), filmed

    def reproduction(
        self,
        session: BrowserSession,
        episode: Episode,
        instance: Instance,
        calls: Sequence[ActionCall],
        say: Callable[[str], None],
    ) -> Sequence[SiteDifference | Mismatch]:
        """See ``TaskReplay``."""
        made, _ = self.again(session, episode, instance, calls)
        return [*compare_sites(episode, made), *_otherwise_made(episode, made)]

    def again(
        self, session: BrowserSession, episode: Episode, instance: Instance, calls: Sequence[ActionCall]
    ) -> tuple[Episode, bool]:
        """Do an episode again.

        Args:
            session: A browser that may go where the task may.
            episode: Of the run.
            instance: Of the task.
            calls: What was done.

        Returns:
            The episode as it came out now, and whether a film was made of it.

        Raises:
            harness.run.site_control.SiteControlRefused: the bundled website cannot be set.
            harness.records.fatal.CannotWrite: the run directory cannot be written.
        """
        assignment = self._store.begin(self._catalog.task(instance.task), instance, session.browser.settings.origin)
        prepare_site(session, assignment)
        film = self._film if self._film and not _has_film(self._film[0], episode) else None
        played, trajectory = play_site(
            session,
            _DoesAgain(calls, episode.steps),
            assignment.work_item,
            Limits(len(calls), self._seconds),
            actions="all",  # What was done is recorded in actions of the library, whatever set was offered.
            film=film[1] if film else None,
        )
        self._texts.clear()
        self._texts.update(trajectory.texts)
        again = self._store.finish(assignment, played)
        if film and (made := trajectory.film(replayed=True)):
            film[0].write_film(episode.task, episode.index, made.film, made.pictures)
        return again, film is not None


def _has_film(run: RunDirectory, episode: Episode) -> bool:
    return run.films.file(episode.task, episode.index).exists()


def _otherwise_made(episode: Episode, made: Episode) -> list[Mismatch]:
    """What comparing two records of a website leaves open."""
    if made.site and made.site.awaits_judge:
        return [Mismatch(episode, "a model compares by meaning what it is scored by, and is not asked again")]
    found = mismatched_outcome(episode, made)
    if _evaluated(episode) != _evaluated(made):
        found.append(Mismatch(episode, "its evaluators say something else of the replay"))
    return found


def _evaluated(episode: Episode) -> list[tuple[object, ...]]:
    evaluations = episode.site.evaluations if episode.site else ()
    return [(each.evaluator, each.score, each.success, each.floor) for each in evaluations]


class _DoesAgain:
    """A solver that does what was done before, and looks where it was looked, since elements get their numbers then."""

    def __init__(self, calls: Sequence[ActionCall], steps: Sequence[Step]) -> None:
        self._calls = calls
        self._steps = steps

    def solve(self, _page: Page, act: Actions) -> None:
        """See ``harness.episode.solver``."""
        for call, step in zip(self._calls, self._steps, strict=True):
            if step.looked:
                act.observation.snapshot()
            act.call(call)


def compare_sites(episode: Episode, again: Episode) -> Iterator[SiteDifference]:
    """In what a replay of an episode on a website came out otherwise: steps, moments, answer, state and evaluations.

    Args:
        episode: Of the run.
        again: Of the replay.
    """

    def other(what: str, before: object, now: object) -> Iterator[SiteDifference]:
        if before != now:
            yield SiteDifference(episode, what, shorten(str(before), _LONGEST), shorten(str(now), _LONGEST))

    for number, (before, now) in enumerate(zip(episode.steps, again.steps, strict=False)):
        yield from other(f"step {number} ({before.action})", before.message, now.message)
    yield from other("number of steps", len(episode.steps), len(again.steps))
    then, found = episode.site, again.site
    if then is None or found is None:
        raise ValueError("both are to be of a website")
    yield from _first(episode, "moment", list(map(_moment, then.moments)), list(map(_moment, found.moments)))
    yield from other("answer", then.answer, found.answer)
    yield from other("reward", then.reward, found.reward)
    yield from other("what was refused", list(then.refused), list(found.refused))
    for place in list(_places(then.state, found.state, ""))[:MOST_PLACES]:
        yield from other(f"state {place[0] or '/'}", place[1], place[2])
    yield from _evaluations(episode, then, found)


def _first(episode: Episode, what: str, before: Sequence[str], now: Sequence[str]) -> Iterator[SiteDifference]:
    """The first of two lists that is otherwise: what follows mostly is because of it."""
    for number in range(max(len(before), len(now))):
        each = [shown[number] if number < len(shown) else _NOTHING for shown in (before, now)]
        if each[0] != each[1]:
            yield SiteDifference(episode, f"{what} {number}", each[0], each[1])
            return


def _moment(moment: Moment) -> str:
    """A moment in words, without times and trees of pages."""
    words = f"{moment.kind} tab {moment.tab} {moment.url}"
    if element := moment.element:
        words += f" {moment.event} {element.css or element.tag}" + (f" {element.value!r}" if element.value else "")
    return shorten(words if moment.step is None else f"{words} (step {moment.step})", _LONGEST)


def _places(before: Any, now: Any, at: str) -> Iterator[tuple[str, str, str]]:
    """Where two JSON values differ: the pointer, and both."""
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys((*before, *now)):
            there = f"{at}/{str(key).replace('~', '~0').replace('/', '~1')}"
            if key in before and key in now:
                yield from _places(before[key], now[key], there)
            else:
                yield (
                    there,
                    repr(before[key]) if key in before else _NOTHING,
                    repr(now[key]) if key in now else _NOTHING,
                )
    elif isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        for number, (one, other) in enumerate(zip(before, now, strict=True)):
            yield from _places(one, other, f"{at}/{number}")
    elif before != now:
        yield at, repr(before), repr(now)


def _evaluations(episode: Episode, then: SiteRecord, found: SiteRecord) -> Iterator[SiteDifference]:
    """Evaluations with another score; what only a judge can tell, who is not asked here, is none."""
    before = {each.evaluator: each for each in then.evaluations}
    for each in found.evaluations:
        old = before.get(each.evaluator)
        if each.score is not None and (old is None or old.score != each.score):
            score = _NOTHING if old is None or old.score is None else f"{old.score:g}"
            yield SiteDifference(episode, f"score by {each.evaluator}", score, f"{each.score:g}")
