"""Browsers that are not the harness's: one that somebody runs, and those of a small Grid."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from harness.browser.launch import find_browser
from harness.browser.webdriver.driver_process import find_driver
from tests.browser.remote import small_grid

_LISTENS = re.compile(r"DevTools listening on ws://([\d.]+:\d+)/")


class SomebodysBrowser:
    """A Chromium whose DevTools listen at a port.

    Attributes:
        url: Their address.
    """

    def __init__(self, url: str) -> None:
        self.url = url

    def pages(self) -> list[str]:
        """The addresses of its pages."""
        return [target["url"] for target in self._asked("list") if target["type"] == "page"]

    def open(self, url: str) -> None:
        """A page of its owner's."""
        self._asked(f"new?{url}", method="PUT")

    def _asked(self, what: str, method: str = "GET") -> Any:
        request = urllib.request.Request(f"{self.url}/json/{what}", method=method)  # noqa: S310
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)


@contextmanager
def somebodys_browser() -> Iterator[SomebodysBrowser]:
    program = find_browser()
    assert program
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        flags = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={folder}", "--no-first-run"]
        flags += ["--no-sandbox"] if os.geteuid() == 0 else []
        with subprocess.Popen(
            [program, *flags, "data:,theirs"],
            env={**os.environ, "HOME": folder},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                assert process.stderr
                found = next(filter(None, map(_LISTENS.search, process.stderr)))
                yield SomebodysBrowser(f"http://{found[1]}")
            finally:
                os.killpg(process.pid, 9)


@dataclass(frozen=True)
class RunningGrid:
    """A small Grid.

    Attributes:
        url: Its address.
    """

    url: str
    _said: IO[str]

    def commands(self) -> list[str]:
        """What it was asked for so far, each as method and path within its session."""
        self._said.seek(0)
        return [line.strip() for line in self._said]


@contextmanager
def grid(host: str = "127.0.0.1", *options: str, inside: Sequence[str] = ()) -> Iterator[RunningGrid]:
    """A small Grid at an address of this machine.

    Args:
        host: Where it listens.
        *options: Of ``small_grid``.
        inside: A command that runs others, such as in a network namespace.
    """
    driver = find_driver()
    assert driver
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            [*inside, sys.executable, str(Path(small_grid.__file__)), host, driver, *options],
            env={**os.environ, "TMPDIR": folder, "HOME": folder},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
            start_new_session=True,
        ) as process,
    ):
        try:
            assert process.stdout
            yield RunningGrid(f"http://{host}:{int(process.stdout.readline())}", said)
            process.communicate(timeout=60)
        finally:
            process.kill()
