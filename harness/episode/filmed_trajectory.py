"""A trajectory that is filmed: a frame when the page has opened, and one after each step."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.camera.camera import Camera, Exposure
from harness.episode.element_number import element_number
from harness.episode.film_roll import FilmRoll
from harness.episode.program_film import ProgramFilm
from harness.episode.trajectory import Trajectory
from harness.records.config import Limits
from harness.records.film import EpisodeFilm
from harness.records.under_way import UnderWayFile


class FilmedTrajectory(Trajectory):
    """As ``Trajectory``. What a film takes is neither the solver's time nor an action's.

    The browser is asked for the frame of a step when that is done, and its answer is waited for before the next step: a
    solver that thinks in between, as models do, hardly waits.

    Attributes:
        film_ms: Milliseconds that all frames together have taken.
    """

    def __init__(self, limits: Limits, camera: Camera, onlooker: UnderWayFile | None = None) -> None:
        """Begin one, and take the frame of the page as it has opened.

        Args:
            limits: What the solver may use.
            camera: Of the browser that shows the page.
            onlooker: As of ``Trajectory``; it is shown the frames, too.
        """
        self._camera = camera
        self._roll = FilmRoll(camera.kind, onlooker)
        self._program: ProgramFilm | None = None
        self._asked: tuple[Exposure, int] | None = None
        opened = camera.shoot()
        self._roll.add(opened)
        super().__init__(limits, onlooker)
        self.film_ms = opened.ms

    def record(self, call: ActionCall, work: Callable[[], ActionResult]) -> ActionResult:
        """As ``Trajectory.record``; then a frame."""
        self._take_frame()
        result = super().record(call, work)
        if self._roll.is_full:
            self._roll.leave_out()
        else:
            with self._filming():
                self._asked = self._camera.expose(*_meant(call)), len(self.steps) - 1
        return result

    def _take_frame(self) -> None:
        """Take the frame of the last step, if it was not yet."""
        if self._asked:
            (exposure, step), self._asked = self._asked, None
            with self._filming():
                self._roll.add(self._camera.develop(exposure), step=step)

    def watch_program(self) -> ProgramFilm:
        """What films a program from outside that drives the page itself."""
        with self._filming():
            self._program = ProgramFilm(self._camera, self._roll)
        return self._program

    def end_film(self) -> None:
        """Take what is left to be taken: the solver has done its work, and the form is not submitted yet."""
        self._take_frame()
        if self._program:
            with self._filming():
                self._program.finish()

    def film(self, *, replayed: bool = False) -> EpisodeFilm:
        """The film.

        Args:
            replayed: Whether an episode's actions were done again for it.
        """
        self._take_frame()
        return self._roll.film(replayed=replayed)

    @contextlib.contextmanager
    def _filming(self) -> Iterator[None]:
        """A context whose time is put on top of the solver's limits."""
        start = time.perf_counter()
        try:
            yield
        finally:
            seconds = time.perf_counter() - start
            self.film_ms += seconds * 1000
            self.excuse(seconds)


def _meant(call: ActionCall) -> tuple[str | None, int | None]:
    """Which field or element an action names, for the case that the page hears nothing of it."""
    arguments: Mapping[str, Any] = call.args
    name = arguments.get("name")
    return (
        name if isinstance(name, str) else None,
        element_number(arguments.get("ref", "")),
    )
