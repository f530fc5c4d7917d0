"""Tokens of a page in each encoding, and what it takes to look at a page; on one instance each of many tasks."""

from __future__ import annotations

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

from benchmarks.setting import Setting
from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.kit.text import aligned
from harness.models.tokens.counting import tokens_for
from harness.observe import ENCODINGS, encode
from harness.observe.outline import with_outline
from harness.observe.snapshot import Snapshot, take
from harness.run.server import own_server, page_url

Done = TypeVar("Done")
MODEL = "gpt-4o"
"""Whose tokens are counted."""
LATE = 0.95
LOOKS = 3


def measure(setting: Setting) -> str:
    """The figures as two tables: tokens, and milliseconds."""
    tokens: dict[str, list[int]] = defaultdict(list)
    ms: dict[str, list[float]] = defaultdict(list)
    counter = tokens_for(MODEL)
    for browser in _pages(setting.tasks_dir, setting.pages):
        snapshot = _look(browser, ms)
        for name in ENCODINGS:
            encoded, took = _best(partial(encode, name, snapshot, count=len))
            ms[name].append(took)
            tokens[name].append(counter.text(encoded.text))
        for field in snapshot.visible_fields:
            one = encode("relevant", snapshot, field=field, count=len)
            tokens["relevant, one field"].append(counter.text(one.text))
    pages = len(ms["snapshot"])
    head = f"tokens of {pages} pages ({counter.name})"
    rows = [[head, "median", "95th percentile", "most"]]
    rows += [
        [name, f"{_median(found):,.0f}", f"{_late(found):,.0f}", f"{max(found):,}"] for name, found in tokens.items()
    ]
    times = [["milliseconds a page", "median", "95th percentile", "most"]]
    times += [[name, f"{_median(found):.1f}", f"{_late(found):.1f}", f"{max(found):.1f}"] for name, found in ms.items()]
    return f"{aligned(rows)}\n\n{aligned(times)}"


def _pages(tasks_dir: Path, most: int) -> Iterator[Browser]:
    """A browser that shows the first instance of one task after another."""
    catalog = Catalog(tasks_dir)
    tasks = [task for task in map(catalog.task, catalog.names()) if task.instances]
    with own_server(tasks_dir, None) as origin, Browser(BrowserSettings(origin=origin)) as browser:
        for task in tasks[:most]:
            browser.open(page_url(origin, task.instances[0]))
            browser.run("page.quiet")
            yield browser


def _look(browser: Browser, ms: dict[str, list[float]]) -> Snapshot:
    snapshot, took = _best(partial(take, browser))
    ms["snapshot"].append(took)
    snapshot, took = _best(partial(with_outline, browser, snapshot))
    ms["accessibility tree"].append(took)
    return snapshot


def _best(work: Callable[[], Done]) -> tuple[Done, float]:
    """What is done, and the milliseconds of the best of a few times: what else the machine does is no cost of it."""
    found = []
    for _ in range(LOOKS):
        start = time.perf_counter()
        done = work()
        found.append((time.perf_counter() - start) * 1000)
    return done, min(found)


def _median(found: Sequence[float]) -> float:
    return statistics.median(found)


def _late(found: Sequence[float]) -> float:
    return sorted(found)[min(int(LATE * len(found)), len(found) - 1)]
