"""What a run did on websites, done again from its action text on a site made anew; and the records compared."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.result import Step
from harness.browser.browser_session import BrowserSession
from harness.browser.camera.picture_format import PictureFormat
from harness.catalog import Catalog
from harness.catalog.task import Instance, Task
from harness.episode.assignment import Page
from harness.episode.filmed_trajectory import FilmedTrajectory
from harness.episode.library import Actions
from harness.episode.play_site import play_site
from harness.kit.text.shortening import shorten
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.site_record import Moment, SiteRecord
from harness.run.player import prepare_site
from harness.run.site_desk import SiteDesk

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


def refusal_of(episode: Episode, task: Task, *, live: bool) -> str:
    """Why an episode cannot be done again on what its task is now; empty if it can.

    Args:
        episode: Of the run.
        task: Of the task set that was given, not of the run's own word.
        live: Whether pages reach the web.
    """
    if (episode.site is None) != (task.site is None):
        return "the task is of another kind now"
    if task.site and not task.site.site and not live:
        return "its website is on the web, which only --network live reaches"
    return ""


class SiteReplay:
    """Does episodes on websites again, in a worker's process."""

    def __init__(
        self, catalog: Catalog, config: RunConfig, backstage_key: str, film: tuple[RunDirectory, PictureFormat] | None
    ) -> None:
        """Prepare.

        Args:
            catalog: Has the tasks.
            config: Of the run that is done again.
            backstage_key: Of the task server; opens what sets bundled sites.
            film: Where the films of episodes without one go, and how their pictures are coded; None for no films.
        """
        self._catalog = catalog
        self._config = config
        self._texts: dict[str, str] = {}
        self._desk = SiteDesk(config, backstage_key, self._texts.get)
        self._film = film

    def replay(
        self, session: BrowserSession, episode: Episode, instance: Instance, calls: Sequence[ActionCall], seconds: float
    ) -> tuple[list[SiteDifference], bool]:
        """As ``again``, but gives in what the episode came out otherwise."""
        again, filmed = self.again(session, episode, instance, calls, seconds)
        return list(compare_sites(episode, again)), filmed

    def again(
        self, session: BrowserSession, episode: Episode, instance: Instance, calls: Sequence[ActionCall], seconds: float
    ) -> tuple[Episode, bool]:
        """Do an episode again.

        Args:
            session: A browser that may go where the task may.
            episode: Of the run.
            instance: Of the task.
            calls: What was done.
            seconds: How long it may take.

        Returns:
            The episode as it came out now, and whether a film was made of it.

        Raises:
            harness.run.backstage.BackstageRefused: the bundled website cannot be set.
            harness.records.fatal.CannotWrite: the run directory cannot be written.
        """
        assignment = self._desk.begin(self._catalog.task(instance.task), instance, session.browser.settings.origin)
        prepare_site(session, assignment)
        film = self._film if self._film and not _has_film(self._film[0], episode) else None
        played, trajectory = play_site(
            session,
            _DoesAgain(calls, episode.steps),
            assignment.sheet,
            Limits(len(calls), seconds),
            actions="all",  # What was done is recorded in actions of the library, whatever set was offered.
            film=film[1] if film else None,
        )
        self._texts.clear()
        self._texts.update(trajectory.texts)
        again = self._desk.episode(assignment, played)
        if film and isinstance(trajectory, FilmedTrajectory):
            made = trajectory.film(replayed=True)
            film[0].write_film(episode.task, episode.index, made.film, made.pictures)
        return again, film is not None


def _has_film(run: RunDirectory, episode: Episode) -> bool:
    return run.films.file(episode.task, episode.index).exists()


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
