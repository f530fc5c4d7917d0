"""How the server shows a large run with films: the first index, lists of episodes, a run's page, and its memory."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from benchmarks.setting import PROJECT, Setting
from benchmarks.synthetic import film_run, write_run
from harness.catalog import Catalog
from harness.kit.text import aligned
from harness.records.directory import RunDirectory

ROUNDS = 30
_LISTS = {
    "first page": "",
    "worst first": "?sort=worst",
    "a kind and a range": "?kind=radio&low=10&high=60&sort=worst",
    "words": "?q=the+answer&sort=worst",
    "the last page": "?page=9999",
}
_POLL_SECONDS = 0.2


def measure(setting: Setting) -> str:
    """The figures as tables."""
    with tempfile.TemporaryDirectory() as scratch:
        runs = Path(scratch) / "runs"
        write_run(Catalog(setting.tasks_dir), runs / "large", setting.episodes)
        films = film_run(RunDirectory(runs / "large"))
        with served_runs(runs, Path(scratch) / "cache") as (port, pid):
            start = time.perf_counter()
            _wait_for(lambda page: b"data-row" in page, port)
            first = time.perf_counter() - start
            _wait_for(lambda page: b"Reading the episodes" not in page, port)
            indexed = time.perf_counter() - start
            _wait_for(lambda page: b"data-live-every" not in page, port)
            counted = time.perf_counter() - start
            rows = [[name, *answer_times(port, f"/runs/large/{query}")] for name, query in _LISTS.items()]
            rows.append(["list of runs", *answer_times(port, "/runs/")])
            memory = _most(pid)
        size = sum(file.stat().st_size for file in (Path(scratch) / "cache").rglob("*.sqlite3"))
    heading = [
        "watching: episodes",
        "GB of films",
        "first row, s",
        "first index, s",
        "with figures, s",
        "MB of the index",
        "of the server",
    ]
    built = [
        str(setting.episodes),
        f"{films / 1e9:.1f}",
        f"{first:.1f}",
        f"{indexed:.1f}",
        f"{counted:.1f}",
        f"{size / 1e6:.0f}",
        f"{memory:.0f}",
    ]
    return f"{aligned([heading, built])}\n\n{aligned([['page', 'ms at the median', 'ms at most'], *rows])}"


def answer_times(port: int, address: str) -> list[str]:
    """Milliseconds of a page's answers."""
    times = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        _get(port, address)
        times.append(1000 * (time.perf_counter() - start))
    return [f"{statistics.median(times):.1f}", f"{max(times):.1f}"]


@contextlib.contextmanager
def served_runs(runs: Path, cache: Path) -> Iterator[tuple[int, int]]:
    """A server of its own with an empty cache: its port, and the number of its process."""
    command = [sys.executable, str(PROJECT / "manage.py"), "serve", "--port", "0", "--runs", str(runs)]
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    with subprocess.Popen(command, env=environment, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r":(\d+)/", process.stdout.readline())
            assert found is not None
            yield int(found[1]), process.pid
        finally:
            process.kill()


def _wait_for(is_so: Callable[[bytes], bool], port: int) -> None:
    """Look at the page of the run, as a browser does, until something is so: nobody tells of an index."""
    while not is_so(_get(port, "/runs/large/")):
        time.sleep(_POLL_SECONDS)


def _get(port: int, address: str) -> bytes:
    with contextlib.closing(http.client.HTTPConnection("127.0.0.1", port, timeout=600)) as connection:
        connection.request("GET", address)
        response = connection.getresponse()
        body = response.read()
    assert response.status == 200, response.status
    return body


def _most(pid: int) -> float:
    """The most memory that a process has had, in MB."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    found = re.search(r"VmHWM:\s+(\d+) kB", status)
    assert found is not None
    return int(found[1]) / 1024
