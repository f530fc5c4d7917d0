"""What a run did on forms, done again from its action text; and what the forms send, compared."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from harness.actions.call import ActionCall
from harness.actions.result import Step
from harness.browser.browser_choice import PictureFormat
from harness.browser.camera.camera import Camera
from harness.browser.form.submission import submit
from harness.browser.input_back_end import BrowserSession
from harness.catalog.task import Instance
from harness.episode.film import FilmedTrajectory
from harness.episode.library import Actions
from harness.episode.play import make_episode
from harness.episode.probe import Probe
from harness.episode.trajectory import Trajectory
from harness.forms.task_pages import TaskPages
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run.replaying import Mismatch, mismatched_outcome
from harness.run.server import page_url
from harness.run.task_kind import ReplaySetup

Values = Mapping[str, tuple[str, ...]]
"""What a form sends: field -> values."""


@dataclass(frozen=True)
class Difference:
    """A field that a replay left otherwise than the run did.

    Attributes:
        episode: Of the run.
        field: The field's name.
        before: What the run's form sent.
        now: What the replayed form sent.
    """

    episode: Episode
    field: str
    before: Sequence[str] = ()
    now: Sequence[str] = ()

    def __str__(self) -> str:
        place = f"{self.episode.task}, instance {self.episode.index}"
        return f"{place}, field {self.field!r}: the run sent {list(self.before)}, the replay {list(self.now)}"


def compare(episode: Episode, now: Values) -> list[Difference]:
    """The fields, scored or not, in which a replay differs from the run."""
    before: Values = episode.submission.values if episode.submission else {}
    names = sorted(set(before) | set(now))
    return [
        Difference(episode, name, before.get(name, ()), now.get(name, ()))
        for name in names
        if before.get(name, ()) != now.get(name, ())
    ]


class FormReplay:
    """See ``harness.run.task_kind.TaskReplay``."""

    def __init__(self, setup: ReplaySetup) -> None:
        """Prepare."""
        self._film = setup.film
        self._pages_of = cache(lambda name: TaskPages(setup.catalog.task(name), setup.config, setup.outside))

    def differences(
        self, session: BrowserSession, episode: Episode, instance: Instance, calls: Sequence[ActionCall]
    ) -> tuple[Sequence[Difference], bool]:
        """See ``TaskReplay``.

        Raises:
            harness.records.fatal.CannotWrite: the run directory cannot be written.
        """
        url = page_url(session.browser.settings.origin, instance)
        if self._film is None or self._film[0].films.file(episode.task, episode.index).exists():
            return compare(episode, replay_episode(session, url, calls, episode.steps)), False
        return compare(episode, _filmed(session, url, episode, calls, self._film)), True

    def reproduction(
        self,
        session: BrowserSession,
        episode: Episode,
        instance: Instance,
        calls: Sequence[ActionCall],
        say: Callable[[str], None],
    ) -> Sequence[Difference | Mismatch]:
        """See ``TaskReplay``."""
        assignment = self._pages_of(instance.task).assignment(session.browser, instance, say)
        sent = replay_episode(session, assignment.page.url, calls, episode.steps)
        made = make_episode(assignment, episode.submission)
        return [*compare(episode, sent), *_otherwise_made(episode, made)]


def _otherwise_made(episode: Episode, made: Episode) -> list[Mismatch]:
    """In what a record is not made of its page and its labels as they are, whatever was sent."""
    fields = {each.name: each for each in made.fields}
    other = [each.name for each in episode.fields if each != fields.pop(each.name, None)]
    found = [Mismatch(episode, f"the page gives another record of the field {name!r}") for name in other]
    found += [Mismatch(episode, f"the page has a field {name!r} that the run left out") for name in fields]
    if (episode.page, episode.longest_input) != (made.page, made.longest_input):
        found.append(Mismatch(episode, "the page has other fields, or other inputs, than the run says"))
    return found + mismatched_outcome(episode, made)


def _filmed(
    session: BrowserSession,
    url: str,
    episode: Episode,
    calls: Sequence[ActionCall],
    film: tuple[RunDirectory, PictureFormat],
) -> Values:
    """Do the actions of an episode again, film them, and write the film; gives what the form sends."""
    run, pictures = film
    session.browser.open(url)
    trajectory = FilmedTrajectory(_no_limits(calls), Camera(session.browser, pictures))
    sent = _replay(session, trajectory, calls, episode.steps)
    made = trajectory.film(replayed=True)
    run.write_film(episode.task, episode.index, made.film, made.pictures)
    return sent


def look_as_before(act: Actions, probe: Probe, step: Step) -> None:
    """Look at the page as the solver had before a step, as far as looking leaves something behind."""
    if step.rehearsed:
        probe.rehearse()
    if step.looked:
        act.observation.snapshot()


def replay_episode(
    session: BrowserSession, url: str, calls: Sequence[ActionCall], steps: Sequence[Step] = ()
) -> Values:
    """Perform actions on a fresh page and submit it.

    Args:
        session: Whose browser is used.
        url: The page.
        calls: The actions.
        steps: Their record, which says what was looked at in between; none if nothing was.

    Returns:
        What the form sends.
    """
    session.browser.open(url)
    return _replay(session, Trajectory(_no_limits(calls)), calls, steps)


def _no_limits(calls: Sequence[ActionCall]) -> Limits:
    """What an action did within a limit it may do again, however long it takes now."""
    return Limits(max_steps=len(calls), max_seconds=math.inf)


def _replay(
    session: BrowserSession, trajectory: Trajectory, calls: Sequence[ActionCall], steps: Sequence[Step]
) -> Values:
    """Perform actions on the page that is open, and submit it."""
    act = Actions(session.browser, session.input, trajectory)
    probe = Probe(session.browser, trajectory)
    for number, call in enumerate(calls):
        if steps:
            look_as_before(act, probe, steps[number])
        act.call(call)
    return submit(session.browser).values
