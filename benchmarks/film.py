"""What a film costs: milliseconds and bytes a frame, episodes with and without, and a program that is looked at.

On one instance each of up to 100 tasks the oracle works twice, filmed and not, in turns; all frames after its actions
count. It works there again with a pause before each action, as a solver that thinks. Beside it stand the same pages
taken in each format, and in WebP by the browser itself, in turns on each page. A program's messages pass the gate in
turns, filmed and not.
"""

from __future__ import annotations

import base64
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, cast, get_args

from websockets.sync.client import ClientConnection, connect

from benchmarks.episodes import sample
from benchmarks.setting import Setting
from harness.browser.browser import Browser
from harness.browser.browser_choice import QUALITY, PictureFormat
from harness.browser.camera.camera import Camera, coded
from harness.browser.devtools import Devtools
from harness.browser.form.inventory import inspect_page
from harness.browser.input_back_end import BrowserSession, DevtoolsInput
from harness.browser.launch import BrowserSettings
from harness.episode.assignment import Assignment, TaskAssignments
from harness.episode.film import FilmedTrajectory
from harness.episode.library import Actions
from harness.episode.play import play_page
from harness.episode.probe import Probe
from harness.episode.registry import find_solver
from harness.episode.solver import KeyedSolver
from harness.kit.text import aligned
from harness.records.config import Limits
from harness.run.selection import Job
from harness.run.server import own_server, page_url
from harness.scoring.metrics import PROFILES

KIND: PictureFormat = "webp"
PRESSES, TURNS = 25, 8
"""Presses of a program in a turn, and turns."""
THOUGHTS = (10, 25, 50, 250)
"""Milliseconds that a solver thinks before each action; a model takes longer."""


class Thinking:
    """The actions of a solver that thinks before each of them."""

    def __init__(self, act: Actions, ms: int) -> None:
        self._act = act
        self._ms = ms

    def __getattr__(self, name: str) -> Any:
        member = getattr(self._act, name)
        if not callable(member):
            return member

        def after_a_thought(*arguments: Any, **named: Any) -> Any:
            time.sleep(self._ms / 1000)  # the time itself is what is asked for
            return member(*arguments, **named)

        return after_a_thought


class ThinkingOracle:
    """The oracle, if it had to think."""

    def __init__(self, ms: int) -> None:
        self._oracle = cast(KeyedSolver, find_solver("oracle").make())
        self._ms = ms

    def solve_with_key(self, assignment: Assignment, act: Actions, probe: Probe) -> None:
        """See ``harness.episode.solver.KeyedSolver``."""
        self._oracle.solve_with_key(assignment, cast(Actions, Thinking(act, self._ms)), probe)


class Filmed:
    """What filmed and other episodes took."""

    def __init__(self, browser: Browser, origin: str) -> None:
        self.seconds: dict[bool, list[float]] = {False: [], True: []}
        self.frames: list[float] = []
        self.sizes: list[int] = []
        self.after_thoughts: dict[int, list[float]] = {ms: [] for ms in THOUGHTS}
        self._browser = browser
        self._session = BrowserSession(browser, DevtoolsInput(browser))
        self._origin = origin
        self._solver = find_solver("oracle").make()

    def page(self, job: Job, turn: int) -> None:
        """Work on a page twice, beginning with the other way each turn."""
        url = page_url(self._origin, job.instance)
        assignments = TaskAssignments(job.task, PROFILES["standard"])
        assignment = assignments.make(job.instance, url, inspect_page(self._browser, url))
        for is_filmed in (turn % 2 == 0, turn % 2 == 1):
            start = time.perf_counter()
            _, trajectory = play_page(
                self._session, self._solver, assignment, Limits(), film=KIND if is_filmed else None
            )
            self.seconds[is_filmed].append(time.perf_counter() - start)
            if isinstance(trajectory, FilmedTrajectory):
                made = trajectory.film()
                shown = made.film.frames[1:]
                self.frames += [frame.ms for frame in shown]
                self.sizes += [len(made.pictures[frame.picture]) for frame in shown if frame.picture]
        for ms, frames in self.after_thoughts.items():
            _, trajectory = play_page(self._session, ThinkingOracle(ms), assignment, Limits(), film=KIND)
            if isinstance(trajectory, FilmedTrajectory):
                frames += [frame.ms for frame in trajectory.film().film.frames[1:]]

    def table(self) -> str:
        """The figures."""
        without, filmed = self.seconds[False], self.seconds[True]
        pages = len(filmed)
        return aligned(
            [
                ["", "median", "95 of 100"],
                [f"ms a frame ({len(self.frames)})", *_spread(self.frames)],
                *(
                    [f"ms a frame, of a solver that thinks for {ms} ms", *_spread(each)]
                    for ms, each in self.after_thoughts.items()
                ),
                ["KB a picture", *_spread([size / 1024 for size in self.sizes])],
                [
                    "episode, filmed of not filmed",
                    *_spread([on / off for on, off in zip(filmed, without, strict=True)]),
                ],
                [f"ms an episode, not filmed ({pages})", *_spread([each * 1000 for each in without])],
                ["ms an episode, filmed", *_spread([each * 1000 for each in filmed])],
            ]
        )


def formats(browser: Browser, urls: Sequence[str]) -> str:
    """Milliseconds that a page waits for a picture, those that coding takes beside that, and its size."""
    waited, beside, sizes = (defaultdict[str, list[float]](list) for _ in range(3))
    own = f"webp by the browser, quality {QUALITY[KIND]}"
    for url in urls:
        browser.open(url)
        browser.picture()
        for kind in get_args(PictureFormat):
            shot = Camera(browser, kind).shoot()
            ms, picture = _timed(lambda kind=kind, shot=shot: coded(shot.picture, kind))  # type: ignore[misc]
            waited[kind].append(shot.ms)
            beside[kind].append(ms)
            sizes[kind].append(len(picture) / 1024)
        ms, picture = _timed(lambda: _own_webp(browser))
        waited[own].append(ms)
        beside[own].append(0.0)
        sizes[own].append(len(picture) / 1024)
    rows = [["median of a page", "ms waited", "ms coded beside", "KB", "KB, 95 of 100"]]
    for name, each in sizes.items():
        times = (statistics.median(waited[name]), statistics.median(beside[name]))
        rows.append([name, *(f"{ms:.1f}" for ms in times), *_spread(each)])
    return aligned(rows)


def _own_webp(browser: Browser) -> bytes:
    answer = browser.channel.call("Page.captureScreenshot", format="webp", quality=QUALITY[KIND], optimizeForSpeed=True)
    return base64.b64decode(answer["data"])


def program(browser: Browser, url: str) -> str:
    """Milliseconds of a program's press and look, filmed and not, in turns."""
    found: dict[str, list[float]] = {"not filmed": [], "filmed": []}
    for _ in range(TURNS):
        for name in found:
            browser.open(url)
            trajectory = FilmedTrajectory(Limits(), Camera(browser, KIND))
            watcher = trajectory.watch_program() if name == "filmed" else None
            with Devtools(browser, watcher=watcher) as devtools, connect(devtools.page, proxy=None) as socket:
                found[name] += [_timed(lambda: _press_and_look(socket))[0] for _ in range(PRESSES)]
            trajectory.end_film()
    rows = [["ms of four messages through the gate", "median", "95 of 100"]]
    return aligned([*rows, *([name, *_spread(each)] for name, each in found.items())])


def _press_and_look(socket: ClientConnection) -> None:
    place = {"x": 5, "y": 5, "button": "left", "clickCount": 1}
    for method, params in (
        ("Input.dispatchMouseEvent", {"type": "mousePressed", **place}),
        ("Input.dispatchMouseEvent", {"type": "mouseReleased", **place}),
        ("Runtime.evaluate", {"expression": "document.title"}),
        ("Runtime.evaluate", {"expression": "document.readyState"}),
    ):
        socket.send(json.dumps({"id": 1, "method": method, "params": params}))
        socket.recv(30)


def _timed(work: Callable[[], bytes | None]) -> tuple[float, bytes]:
    start = time.perf_counter()
    made = work()
    return (time.perf_counter() - start) * 1000, made or b""


def _spread(values: Sequence[float]) -> tuple[str, str]:
    """Median, and what 95 of 100 do not exceed."""
    ranked = sorted(values)
    return f"{statistics.median(ranked):.2f}", f"{ranked[int(0.95 * (len(ranked) - 1))]:.2f}"


def measure(setting: Setting) -> str:
    """The figures as three tables."""
    jobs = sample(setting.tasks_dir, setting.pages)
    with own_server(setting.tasks_dir, None) as origin, Browser(BrowserSettings(origin=origin)) as browser:
        filmed = Filmed(browser, origin)
        for turn, job in enumerate(jobs):
            filmed.page(job, turn)
        urls = [page_url(origin, job.instance) for job in jobs]
        tables = (filmed.table(), formats(browser, urls), program(browser, urls[0]))
    return "\n\n".join(tables)
