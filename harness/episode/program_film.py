"""The film of what a program from outside does with a page: a frame a deed, put together from what passes the gate.

The program is never made to wait: a frame is asked for when a deed has been answered, and comes when it comes. So it
can show a little of what followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.browser.camera.camera import PATIENCE_SECONDS, Camera, Shot
from harness.browser.gate.deeds import Deed, DeedReader
from harness.episode.film_roll import MOST_BYTES, FilmRoll
from harness.runlog.film import MOST_FRAMES

SPACING_SECONDS = 0.2
"""Time between two frames of one deed, such as of a text that is being typed."""
QUIET_SECONDS = 0.3
"""After so long without a message of the deed, its frame is taken again: what it has set off has happened."""
MOST_AT_A_TIME = 2
"""Frames that have been asked for and have not come."""


@dataclass
class _Scene:
    """A deed with what the page showed after it.

    Attributes:
        deed: The deed.
        shot: The last that was taken; None before the first.
        taken: When the last was asked for, by ``time.monotonic``; 0 before the first.
        is_new: Whether the program has gone on with it since.
    """

    deed: Deed
    shot: Shot | None = None
    taken: float = 0.0
    is_new: bool = True


class ProgramFilm:
    """Looks on while programs drive a page; see ``harness.browser.gate.connection.Watcher``.

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
        self._reader = DeedReader()
        self._scenes: list[_Scene] = []
        self._present: _Scene | None = None
        self._left_out: Deed | None = None
        self._asked_for: list[float] = []
        self._bytes = 0
        self._timer: asyncio.TimerHandle | None = None
        # What the page is like now is what later looks are held against.
        camera.shoot(watched=True)

    def asked(self, method: str, params: Mapping[str, Any]) -> None:
        """See ``harness.browser.gate.connection.Watcher``."""
        deed = self._reader.read(method, params)
        if deed is None or deed is self._left_out:
            return
        if self._present is None or self._present.deed is not deed:
            self._close()
            if len(self._scenes) >= MOST_FRAMES:
                self._present, self._left_out = None, deed
                self._roll.leave_out()
                return
            self._present = _Scene(deed)
            self._scenes.append(self._present)
        self._present.is_new = True

    def answered(self, method: str) -> None:
        """See ``harness.browser.gate.connection.Watcher``."""
        scene = self._present
        if scene is None or not scene.is_new or not self._reader.is_deed(method):
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
        now = time.monotonic()
        self._asked_for = [each for each in self._asked_for if now - each < PATIENCE_SECONDS]
        if len(self._asked_for) >= MOST_AT_A_TIME or self._camera.has_given_up:
            return
        self._asked_for.append(now)
        scene.taken, scene.is_new = now, False

        def take(shot: Shot) -> None:
            with contextlib.suppress(ValueError):
                self._asked_for.remove(now)
            self._keep(scene, shot)

        self._camera.begin(take)

    def _keep(self, scene: _Scene, shot: Shot) -> None:
        before = scene.shot
        if shot.picture:
            room = MOST_BYTES - self._bytes + (len(before.picture) if before else 0)
            if len(shot.picture) > room:
                shot = replace(shot, picture=b"")
        scene.shot = _both(before, shot) if before else shot
        self._bytes += len(scene.shot.picture) - (len(before.picture) if before else 0)

    def finish(self) -> None:
        """Take what is left, now that nobody else drives the page, and hand the frames in."""
        if self._timer:
            self._timer.cancel()
        if self._present:
            self._keep(self._present, self._camera.shoot(watched=True))
        shown: list[_Scene] = []
        for scene in self._scenes:
            shot = scene.shot or Shot()
            if scene.deed.kind == "script" and not shot.told.get("changed"):
                # It has only looked. What was seen then is what the deed before has led to.
                if shown:
                    shown[-1].shot = _both(shown[-1].shot or Shot(), shot)
            else:
                shown.append(scene)
        for scene in shown:
            self._roll.add(scene.shot or Shot(), deed=scene.deed.words)


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
