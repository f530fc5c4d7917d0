"""What a contestant does: it takes a job, gets ready, and does all pages when it is told to.

Nothing here needs a package, so that each contestant runs where only its own packages are. It reads a line with the job
from its standard input, then an empty line that starts the race, and ends when the input does. It writes two lines of
JSON: its versions when it is ready, and what came of each page when all are done.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from importlib.metadata import version
from typing import TypedDict

READ = """() => {
  const held = {};
  for (const form of document.forms)
    for (const [name, value] of new FormData(form)) (held[name] ||= []).push(String(value));
  return held;
}"""
"""Reads back what the page's forms would submit."""
FLAGS = ("--no-sandbox", "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1")
"""Of all browsers but the harness's, which has more: no sandbox, as Playwright has it, and nothing but our server."""
WIDTH, HEIGHT = 1280, 800
PATIENCE = 10
"""Seconds that a page or a control is waited for before the page counts as failed."""


class Fill(TypedDict):
    """A field, its kind (``text``, ``radio``, ``checkbox``, ``select``), what it is to hold, and its control in CSS."""

    name: str
    kind: str
    value: str
    selector: str


class RacePage(TypedDict):
    """An instance of a task, its page's address, and what is filled in."""

    url: str
    task: str
    row: int
    fills: list[Fill]


class Job(TypedDict):
    """Folder of tasks, their server, browser and chromedriver, TurkingBench's code for who works by it, and pages."""

    tasks_dir: str
    origin: str
    browser: str
    driver: str
    code: str
    pages: list[RacePage]


Held = Mapping[str, Sequence[str]]
"""Name of a field -> the values that the form would submit."""


class Turn(TypedDict):
    """What a page took, what was read back of it, and what went wrong in one line; empty if nothing did."""

    seconds: float
    held: Held
    error: str


Play = Callable[[RacePage], Held]
"""Opens a page, fills it in and reads it back."""


def take_part(begin: Callable[[Job], AbstractContextManager[Play]], *packages: str) -> None:
    """Be a contestant.

    Args:
        begin: Gets ready, for as long as the context lasts.
        packages: Names of packages whose versions are told.
    """
    # What a library prints is no answer.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    job: Job = json.loads(sys.stdin.readline())
    with begin(job) as play:
        # The first page of a browser takes longer than any other.
        _turn(play, {**job["pages"][0], "fills": []})
        print(json.dumps({each: version(each) for each in packages}), file=answers, flush=True)
        if sys.stdin.readline():
            print(json.dumps([_turn(play, page) for page in job["pages"]]), file=answers, flush=True)
            sys.stdin.read()


def _turn(play: Play, page: RacePage) -> Turn:
    start = time.perf_counter()
    held: Held = {}
    error = ""
    try:
        held = play(page)
    except Exception as failure:  # noqa: BLE001 - whatever a library raises, the page is not right
        error = f"{type(failure).__name__}: {str(failure).strip()}".splitlines()[0]
    return {"seconds": time.perf_counter() - start, "held": held, "error": error}
