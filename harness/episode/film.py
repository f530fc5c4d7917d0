"""The film of an episode as it grows, within bounds: of a solver's steps, or of a program's work."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.browser.browser_choice import PictureFormat
from harness.browser.camera.camera import PATIENCE_SECONDS, Camera, Exposure, Shot, coded
from harness.browser.gate.recorded_actions import ActionReader, RecordedAction
from harness.browser.launch import SCREEN
from harness.episode.observation import element_number
from harness.episode.trajectory import Trajectory
from harness.kit.files import codec
from harness.records.config import Limits
from harness.records.film import MOST_FRAMES, EpisodeFilm, Film, Frame, Target, page_name, picture_name
from harness.records.under_way import UnderWayFile

MOST_BYTES = 128 * 1024 * 1024
"""Of the pictures of one film, which are in memory until the episode is written; frames after them have none."""
_EFFORT = 3
"""Of 9: more makes pages hardly smaller, and takes longer."""
MOST_WAITING = 8
"""Pictures that wait to be coded."""


class FilmRoll:
    """Frames of one episode. Their pictures are coded in a thread of their own, while the solver goes on."""

    def __init__(self, kind: PictureFormat, onlooker: UnderWayFile | None = None) -> None:
        """Begin one, whose pictures are of a format; an onlooker is shown them as they are taken."""
        self._onlooker = onlooker
        self._kind = kind
        self._coder = ThreadPoolExecutor(1, "film")
        self._frames: list[Frame] = []
        self._waiting: deque[tuple[int, Future[bytes]]] = deque()
        self._pictures: dict[str, bytes] = {}
        self._bytes = 0
        self._left_out = 0

    @property
    def is_full(self) -> bool:
        """Whether there is no room for another frame."""
        return len(self._frames) >= MOST_FRAMES

    def leave_out(self) -> None:
        """Count a step or a deed of which there is to be no frame."""
        self._left_out += 1

    def add(self, shot: Shot, *, step: int | None = None, deed: str = "") -> None:
        """Add a frame, or count what has no room.

        Args:
            shot: What the page showed.
            step: After which step.
            deed: After which deed of a program.
        """
        if self.is_full:
            self.leave_out()
            return
        if shot.picture:
            if self._onlooker:
                self._onlooker.sees(shot.picture)
            self._waiting.append((len(self._frames), self._coder.submit(coded, shot.picture, self._kind)))
        html = self._page(shot.told["html"]) if shot.told and shot.told["html"] else ""
        self._frames.append(replace(_frame(shot, step, deed), html=html, console=shot.console))
        self._take_in(MOST_WAITING)

    def _take_in(self, most: int) -> None:
        """Take what is coded, until no more than ``most`` pictures wait."""
        while len(self._waiting) > most:
            place, made = self._waiting.popleft()
            self._frames[place] = replace(self._frames[place], picture=self._kept(made))

    def _kept(self, made: Future[bytes]) -> str:
        """The name of a picture; empty if it is none, or there is no room for it."""
        try:
            picture = made.result()
        except (OSError, ValueError):
            return ""
        return self._named(picture_name(picture, self._kind), picture)

    def _page(self, html: str) -> str:
        """The name of what a page holds; empty if there is no room for it."""
        data = gzip.compress(html.encode("utf-8", "replace"), _EFFORT, mtime=0)
        return self._named(page_name(data), data)

    def _named(self, name: str, data: bytes) -> str:
        if name not in self._pictures:
            if self._bytes + len(data) > MOST_BYTES:
                return ""
            self._bytes += len(data)
            self._pictures[name] = data
        return name

    def film(self, *, replayed: bool = False) -> EpisodeFilm:
        """All that there is.

        Args:
            replayed: Whether the episode's actions were done again for it.
        """
        self._take_in(0)
        return EpisodeFilm(
            Film(frames=tuple(self._frames), left_out=self._left_out, replayed=replayed), dict(self._pictures)
        )


def _frame(shot: Shot, step: int | None, deed: str) -> Frame:
    frame, told = Frame(step=step, deed=deed, size=SCREEN, ms=shot.ms), shot.told
    if not told:
        return frame
    return replace(
        frame,
        url=told["url"],
        title=told["title"],
        size=tuple(told["size"]),
        scroll=tuple(told["scroll"]),
        target=_target(told["target"]),
        presses=told["presses"],
        keys=told["keys"],
    )


def _target(told: Any) -> Target | None:
    return codec.typed(told, Target) if told else None


SPACING_SECONDS = 0.25
"""Time between two pictures, and between two looks at one deed, such as a text that is being typed. Of what a program
does faster there are frames without a picture: to be photographed more often would slow it down."""
QUIET_SECONDS = 0.3
"""After so long without a message of the deed, its frame is taken again: what it has set off has happened."""
REST = 4.0
"""After a picture that took so long, none is taken for so many times that: on a busy machine there are fewer."""
MOST_OPEN = 8
"""Deeds whose frames may still change: those before have got what they get."""


@dataclass
class _Scene:
    """A deed with what the page showed after it.

    Attributes:
        deed: The deed.
        shot: The last that was taken; None before the first.
        taken: When the last was asked for, by ``time.monotonic``; 0 before the first.
        is_new: Whether the program has gone on with it since.
    """

    deed: RecordedAction
    shot: Shot | None = None
    taken: float = 0.0
    is_new: bool = True

    def keep(self, shot: Shot) -> None:
        """Show a later moment; what was counted before counts on."""
        self.shot = _both(self.shot, shot) if self.shot else shot


class ProgramFilm:
    """Looks on while programs drive a page; see ``harness.browser.gate.gate_access.Watcher``.

    All but ``finish`` is called in the thread of the gate.
    """

    def __init__(self, camera: Camera, roll: FilmRoll) -> None:
        """Prepare.

        Args:
            camera: Of the page.
            roll: Takes the frames in the end.
        """
        self._camera = camera
        self._roll = roll
        self._reader = ActionReader()
        self._scenes: deque[_Scene] = deque()
        self._shown: _Scene | None = None
        self._early: Shot | None = None
        self._present: _Scene | None = None
        self._left_out: RecordedAction | None = None
        self._next_picture = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._open = threading.Lock()
        self._is_over = False
        camera.stay()
        # What the page is like now is what later looks are held against.
        camera.shoot(watched=True)

    def asked(self, method: str, params: Mapping[str, Any]) -> None:
        """See ``harness.browser.gate.gate_access.Watcher``."""
        with self._open:
            if not self._is_over:
                self._see(self._reader.read(method, params))

    def _see(self, deed: RecordedAction | None) -> None:
        """The present deed is this one; None if it is that of before."""
        if deed is None or deed is self._left_out:
            return
        if self._present is None or self._present.deed is not deed:
            self._close()
            if self._roll.is_full:
                self._present, self._left_out = None, deed
                self._roll.leave_out()
                return
            self._present = _Scene(deed)
            self._scenes.append(self._present)
            self._hand_in(MOST_OPEN)
        self._present.is_new = True

    def answered(self, method: str) -> None:
        """See ``harness.browser.gate.gate_access.Watcher``."""
        scene = self._present
        if self._is_over or scene is None or not scene.is_new or not self._reader.is_page_action(method):
            return
        # Most scripts only look: they are looked at when they are over.
        if scene.deed.is_whole and scene.deed.kind != "script" and time.monotonic() - scene.taken >= SPACING_SECONDS:
            self._begin(scene)
        self._wait_for_quiet(scene)

    def _wait_for_quiet(self, scene: _Scene) -> None:
        if self._timer:
            self._timer.cancel()
        with contextlib.suppress(RuntimeError):  # the gate is being shut: ``finish`` comes next
            self._timer = asyncio.get_running_loop().call_later(QUIET_SECONDS, self._settle, scene)

    def _settle(self, scene: _Scene) -> None:
        if scene is self._present:
            self._begin(scene)

    def _close(self) -> None:
        """The present deed is over, since another begins."""
        if self._timer:
            self._timer.cancel()
        if self._present and self._present.is_new:
            self._begin(self._present)

    def _begin(self, scene: _Scene) -> None:
        if self._camera.has_given_up:
            return
        now = time.monotonic()
        has_picture = now >= self._next_picture
        if has_picture:
            # Until it has come there is no other, unless it never comes.
            self._next_picture = now + PATIENCE_SECONDS
        scene.taken, scene.is_new = now, False

        def take(shot: Shot) -> None:
            if has_picture:
                self._next_picture = now + max(SPACING_SECONDS, (1 + REST) * shot.ms / 1000)
            scene.keep(shot)

        self._camera.begin(take, picture=has_picture)

    def _hand_in(self, most: int) -> None:
        """Hand frames in, in order, until no more than ``most`` deeds are open."""
        while len(self._scenes) > most:
            scene = self._scenes.popleft()
            if self._early:
                scene.shot = _both(self._early, scene.shot or Shot())
                self._early = None
            shot = scene.shot or Shot()
            heard = shot.told.get("presses") or shot.told.get("keys")
            if scene.deed.kind == "script" and shot.told and not heard:
                # What the pointer is over was not acted on: it is on its way to the next press.
                scene.shot = shot = replace(shot, told={**shot.told, "target": None})
            if scene.deed.kind != "script" or (shot.told.get("changed") and not heard):
                self._hand_in_shown()
                self._shown = scene
            elif heard:
                # The look came behind the press that ended the scripts: pages are given input before all else.
                self._early = shot
            elif self._shown:
                # They have only looked. What was seen then is what the deed before has led to.
                self._shown.keep(shot)

    def _hand_in_shown(self) -> None:
        if self._shown:
            self._roll.add(self._shown.shot or Shot(), deed=self._shown.deed.words)

    def finish(self) -> None:
        """Take what is left, now that nobody else drives the page, and hand in the rest.

        A program that was left behind may still ask; it is not looked at any more.
        """
        with self._open:
            self._is_over = True
        if self._timer:
            self._timer.cancel()
        if self._present:
            self._present.keep(self._camera.shoot(watched=True))
        self._camera.leave()
        self._hand_in(0)
        if self._shown and self._early:
            self._shown.keep(self._early)
        self._hand_in_shown()
        self._present = self._shown = None


def _both(before: Shot, after: Shot) -> Shot:
    """One shot of two, which shows what the later does and counts what was done before either."""
    if not after.told or not before.told:
        told = after.told or before.told
    else:
        keys = (before.told["keys"], after.told["keys"])
        told = {
            **after.told,
            "target": after.told["target"] or before.told["target"],
            "presses": before.told["presses"] + after.told["presses"],
            "keys": None if None in keys else sum(keys),
            "changed": before.told["changed"] or after.told["changed"],
        }
    return Shot(told, after.picture or before.picture, round(before.ms + after.ms, 2))


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
