"""What the box costs: a message through the gate against one without, and a clean start against none."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from functools import partial

from websockets.sync.client import ClientConnection, connect

from benchmarks.setting import Setting
from harness.browser.browser import Browser
from harness.browser.devtools import Devtools
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.kit.text import aligned
from harness.run.server import own_server, page_url

MESSAGES = 300
"""Of each kind, in turns of ``TURN``."""
TURN = 50


class _NoCleanStart:
    """Clears nothing."""

    def expect(self) -> None:
        """Hold no page."""

    def give_up(self) -> None:
        """Nothing is held."""

    def clear(self, url: str, loader: str) -> None:
        """Let all stay."""


def measure(setting: Setting) -> str:
    """The figures as two tables."""
    catalog = Catalog(setting.tasks_dir)
    tasks = [task for task in map(catalog.task, catalog.names()) if len(task.instances) > 1][: setting.pages]
    with own_server(setting.tasks_dir, None) as origin, Browser(BrowserSettings(origin)) as browser:
        pairs = [[page_url(origin, instance) for instance in task.instances[:2]] for task in tasks]
        opened = _openings(browser, pairs)
        browser.open(pairs[0][0])
        asked = _messages(browser)
    return f"{_table('ms a message', asked, 'without the gate', 'through it')}\n\n{opened}"


def _messages(browser: Browser) -> dict[str, list[float]]:
    """Milliseconds of a message and its answer, directly and through the gate, in turns."""
    found: dict[str, list[float]] = {"without the gate": [], "through it": []}
    for _ in range(MESSAGES // TURN):
        for _ in range(TURN):
            found["without the gate"].append(_timed(lambda: browser.channel.call("Runtime.evaluate", expression="1")))
        with Devtools(browser) as devtools, connect(devtools.page, proxy=None) as socket:
            for _ in range(TURN):
                found["through it"].append(_timed(partial(_ask, socket)))
    return found


def _ask(socket: ClientConnection) -> None:
    socket.send(json.dumps({"id": 1, "method": "Runtime.evaluate", "params": {"expression": "1"}}))
    socket.recv(30)


def _openings(browser: Browser, pairs: list[list[str]]) -> str:
    """Milliseconds of opening a page: the second instance of a task after the first, clean and not, in turns."""
    clean = browser._clean_start
    found: dict[str, list[float]] = {"not clean": [], "clean": []}
    for first, second in pairs:
        for name, how in (("not clean", _NoCleanStart()), ("clean", clean)):
            browser._clean_start = how  # type: ignore[assignment]
            browser.open(first)
            found[name].append(_timed(partial(browser.open, second)))
    browser._clean_start = clean
    return _table("ms to open a page", found, "not clean", "clean")


def _table(head: str, found: dict[str, list[float]], less: str, more: str) -> str:
    differences = [after - before for before, after in zip(found[less], found[more], strict=True)]
    rows = [[head, "median"], *([name, f"{statistics.median(each):.2f}"] for name, each in found.items())]
    return aligned([*rows, ["more, paired", f"{statistics.median(differences):.2f}"]])


def _timed(work: Callable[[], object]) -> float:
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000
