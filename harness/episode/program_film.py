"""The film of what a program from outside does with a page: a frame a deed, put together from what passes the gate.

The program is never made to wait: a frame is asked for when a deed has been answered, and comes when it comes. So it
can show a little of what followed.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from harness.browser.camera.camera import PATIENCE_SECONDS, Camera, Shot
from harness.browser.gate.recorded_actions import ActionReader, RecordedAction
from harness.episode.film_roll import FilmRoll

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
