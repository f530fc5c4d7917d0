"""What happened in an episode, in its order: turns with their steps, and the frames of the film after each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.actions.result import Step
from harness.records.episode import Episode
from harness.records.film import Film, Frame
from harness.records.turn import Turn

OPENING = "opening"
"""The moment at which the page has opened."""


@dataclass(frozen=True)
class StoryMoment:
    """One place of a story at which one can stop.

    Attributes:
        ident: Its name in addresses: ``step-12``, ``turn-3``, ``frame-5``, ``opening``.
        number: Of the step, from 1; None if it is none.
        step: What was done; None if nothing was.
        frame: What the page then showed; None without a film.
        fresh: Whether the frame was taken at this moment; else it is the one before.
    """

    ident: str
    number: int | None = None
    step: Step | None = None
    frame: Frame | None = None
    fresh: bool = True


@dataclass(frozen=True)
class Scene:
    """A turn with its moments; or a moment that no turn led to.

    Attributes:
        ident: Its name in addresses.
        moments: At least one.
        turn: What was said to a model, and what came back; None if nothing was.
        number: Of the turn, from 1; None without one.
        lost: Whether it belongs to an attempt that came to nothing.
    """

    ident: str
    moments: tuple[StoryMoment, ...]
    turn: Turn | None = None
    number: int | None = None
    lost: bool = False


@dataclass(frozen=True)
class Story:
    """An episode in its order.

    Attributes:
        scenes: What happened.
        filmed: Whether there are frames.
        replayed: Whether the film was made by doing the episode's actions again.
        frames_left_out: Steps and deeds that a long film has no frames of.
        film_trouble: Why the film cannot be read; empty if it can, or if there is none.
    """

    scenes: tuple[Scene, ...]
    filmed: bool
    replayed: bool = False
    frames_left_out: int = 0
    film_trouble: str = ""

    @property
    def moments(self) -> tuple[StoryMoment, ...]:
        """All of them, in order."""
        return tuple(moment for scene in self.scenes for moment in scene.moments)


def story_of(episode: Episode, film: Film | None, film_trouble: str = "") -> Story:
    """Put an episode in its order.

    Args:
        episode: The episode. What its turns say of steps that there are not is passed over.
        film: Its film; None if it has none.
        film_trouble: Why the film cannot be read.
    """
    frames = film.frames if film else ()
    groups = _moments(episode.steps, frames)
    scenes = [*_lost(episode.lost_turns or ()), *_scenes(episode.turns, groups)]
    return Story(
        scenes=tuple(_with_frames_before(scenes)),
        filmed=bool(frames),
        replayed=film.replayed if film else False,
        frames_left_out=film.left_out if film else 0,
        film_trouble=film_trouble,
    )


def _moments(steps: Sequence[Step], frames: Sequence[Frame]) -> list[list[StoryMoment]]:
    """What happened before the first step, and then with each step and until the next."""
    groups: list[list[StoryMoment]] = [[], *([] for _ in steps)]
    own: dict[int, Frame] = {}
    last = 0
    for place, frame in enumerate(frames):
        if frame.step is not None and 0 <= frame.step < len(steps):
            own.setdefault(frame.step, frame)
            last = frame.step + 1
        else:
            opening = not place and not frame.deed
            groups[last].append(StoryMoment(OPENING if opening else f"frame-{place + 1}", frame=frame))
    for place, step in enumerate(steps):
        groups[place + 1].insert(0, StoryMoment(f"step-{place + 1}", place + 1, step, own.get(place)))
    return groups


def _lost(turns: Sequence[Turn]) -> Iterator[Scene]:
    for number, turn in enumerate(turns, start=1):
        ident = f"lost-turn-{number}"
        yield Scene(ident, (StoryMoment(ident),), turn, number, lost=True)


def _scenes(turns: Sequence[Turn], groups: Sequence[Sequence[StoryMoment]]) -> Iterator[Scene]:
    yield from map(_alone, groups[0])
    steps = groups[1:]
    done = 0
    for number, turn in enumerate(turns, start=1):
        first = min(max(turn.steps[0], done), len(steps))
        end = min(max(turn.steps[1], first), len(steps))
        yield from (_alone(moment) for group in steps[done:first] for moment in group)
        ident = f"turn-{number}"
        yield Scene(ident, tuple(m for group in steps[first:end] for m in group) or (StoryMoment(ident),), turn, number)
        done = end
    yield from (_alone(moment) for group in steps[done:] for moment in group)


def _alone(moment: StoryMoment) -> Scene:
    return Scene(moment.ident, (moment,))


def _with_frames_before(scenes: Sequence[Scene]) -> Iterator[Scene]:
    """Where nothing was filmed the page is as it was before."""
    frame: Frame | None = None
    for scene in scenes:
        moments = []
        for moment in scene.moments:
            if moment.frame is None:
                moments.append(replace(moment, frame=frame, fresh=False))
            else:
                frame = moment.frame
                moments.append(moment)
        yield replace(scene, moments=tuple(moments))
