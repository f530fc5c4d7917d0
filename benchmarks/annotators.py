"""Many workers at once: what claiming and submitting costs over HTTP, and that nothing is lost or given too often."""

from __future__ import annotations

import csv
import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import dataclass, field
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from benchmarks.postgres_cluster import missing, postgres_cluster
from benchmarks.setting import PROJECT, Setting
from harness.kit.text import aligned

WORKERS, EACH, ASKED, BATCHES = 200, 3, 3, 4
_SECONDS = 300
_TOKEN = "x" * 32
"""Of cookie and header alike: it only has to be the same."""


@dataclass
class Load:
    """What was kept, and how long requests took.

    Attributes:
        kept: Figures of `benchmarks.annotation_store.count`.
        seconds: From the first request to the last answer.
        claims: Seconds of each request that claimed.
        submissions: Seconds of each request that submitted.
    """

    kept: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0
    claims: list[float] = field(default_factory=list)
    submissions: list[float] = field(default_factory=list)


def measure(_setting: Setting) -> str:
    """The figures as a table, a row for each database that can be had here."""
    rows = [
        [
            "database",
            "workers",
            "batches",
            "kept",
            "of",
            "most/instance",
            "assignments/s",
            "ms a claim p50/p95",
            "a submission p50/p95",
        ]
    ]
    for name in ("SQLite", "PostgreSQL"):
        if name == "PostgreSQL" and missing():
            rows.append([name, missing(), *[""] * 7])
            continue
        with tempfile.TemporaryDirectory() as folder, _database(name, Path(folder)) as url:
            load = under_load(url, Path(folder), WORKERS, EACH, ASKED)
        kept = load.kept
        assert (kept["submitted"], kept["twice"], kept["mixed_up"]) == (WORKERS * EACH, 0, 0), kept
        assert kept["most"] <= ASKED, kept
        rate = f"{kept['submitted'] / load.seconds:.0f}"
        times = [f"{_ms(each, 50)}/{_ms(each, 95)}" for each in (load.claims, load.submissions)]
        counts = [WORKERS, kept["batches"], kept["submitted"], WORKERS * EACH, kept["most"]]
        rows.append([name, *map(str, counts), rate, *times])
    return aligned(rows)


def under_load(url: str, folder: Path, workers: int, each: int, asked: int) -> Load:
    """Let workers claim and submit at once in a project of several batches, each until it has done its share.

    Hardly a place is left over, and the same instances are in all batches.

    Args:
        url: An empty database.
        folder: An empty folder.
        workers: How many there are at once.
        each: How many assignments each of them does.
        asked: How many workers an instance gets.
    """
    tasks = folder / "tasks"
    # So many more that there is always one that a worker has not done.
    instances = workers * each // asked + each
    names = [f"load {number}" for number in range(BATCHES)]
    for number, name in enumerate(names):
        _make_task(tasks / name, len(range(number, instances, BATCHES)))
    env = {name: value for name, value in os.environ.items() if not name.startswith("TURKLE_")}
    env |= {"DATABASE_URL": url, "XDG_DATA_HOME": str(folder), "TURKLE_ANNOTATION": "1"}
    env |= {"DJANGO_SETTINGS_MODULE": "turkle_app.settings", "TURKLE_TASKS_DIR": str(tasks)}
    made = _store(env, "make", str(workers), str(asked), *names)
    load, lock, gate = Load(), threading.Lock(), threading.Barrier(workers + 1)
    with _server(env) as (people, pages), ThreadPoolExecutor(workers) as threads:

        def work(name: str, session: str) -> None:
            visitor = _Visitor(people, pages, name, session)
            gate.wait(_SECONDS)
            for _ in range(each):
                claimed, submitted = visitor.do_one(made["project"])
                with lock:
                    load.claims.append(claimed)
                    load.submissions.append(submitted)

        running = [threads.submit(work, *entry) for entry in made["sessions"].items()]
        gate.wait(_SECONDS)
        begun = time.perf_counter()
        for task in running:
            task.result()
        load.seconds = time.perf_counter() - begun
    load.kept = _store(env, "count")
    return load


class _Visitor:
    """One worker: claims over the origin of people, submits over that of pages."""

    def __init__(self, people: str, pages: str, name: str, session: str) -> None:
        self._people, self._pages, self._name = people, pages, name
        self._headers = {
            "Cookie": f"turkle_session={session}; turkle_csrf={_TOKEN}",
            "X-CSRFToken": _TOKEN,
            "Content-Type": "application/x-www-form-urlencoded",
        }

    def do_one(self, project: int) -> tuple[float, float]:
        """Claim an instance and submit it; gives the seconds of the one and the other."""
        begun = time.perf_counter()
        place = self._ask(self._people, "POST", f"/work/{project}/accept/")[0]
        claimed = time.perf_counter() - begun
        page = self._ask(self._people, "GET", place)[1]
        sheet = re.search(r'src="http://[^/]+(/sheet/[^"]+)"', page)
        assert sheet is not None, page
        begun = time.perf_counter()
        said = self._ask(self._pages, "POST", sheet[1], urlencode({"a": self._name}))[1]
        assert "have arrived" in said, said
        return claimed, time.perf_counter() - begun

    def _ask(self, host: str, method: str, path: str, body: str = "") -> tuple[str, str]:
        with closing(HTTPConnection(host, timeout=_SECONDS)) as connection:
            connection.request(method, path, body or None, self._headers)
            answer = connection.getresponse()
            return answer.headers.get("Location", ""), answer.read().decode()


def _store(env: dict[str, str], *words: str) -> dict[str, Any]:
    command = [sys.executable, "-m", "benchmarks.annotation_store", *words]
    done = subprocess.run(command, env=env, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@contextmanager
def _server(env: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The server's two addresses, host and port, while it runs."""
    command = [sys.executable, "manage.py", "serve", "--annotate", "--port", "0"]
    with subprocess.Popen(command, env=env, cwd=PROJECT, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            line = process.stdout.readline()
            people, pages = re.search(r"at (\S+)", line), re.search(r"pages from port (\d+)", line)
            assert people is not None, line
            assert pages is not None, line
            yield urlsplit(people[1]).netloc, f"127.0.0.1:{pages[1]}"
        finally:
            process.kill()


def _database(name: str, folder: Path) -> AbstractContextManager[str]:
    return nullcontext(f"sqlite:///{folder}/load.sqlite3") if name == "SQLite" else postgres_cluster()


def _make_task(folder: Path, instances: int) -> None:
    folder.mkdir(parents=True)
    (folder / "template.html").write_text("<p>${text}</p><input name=a>")
    with (folder / "batch.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["text", "Answer.a"], *([f"text {number}", ""] for number in range(instances))])


def _ms(seconds: list[float], percent: int) -> str:
    return f"{1000 * statistics.quantiles(seconds, n=100)[percent - 1]:.0f}"
