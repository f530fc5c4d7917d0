"""The server as a process of its own: started, asked, refused."""

from __future__ import annotations

import contextlib
import http.client
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.checkout import PROJECT
from tests.forked_python import ForkedPython

SECONDS = 60


@dataclass
class Server:
    """A running server, what it printed when it was ready, and its ports: of people, and of pages."""

    process: ForkedPython
    line: str
    port: int
    pages: int

    def get(self, path: str, method: str = "GET") -> tuple[http.client.HTTPResponse, bytes]:
        port = self.pages if path.startswith("/page/") else self.port
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=SECONDS)
        with contextlib.closing(connection):
            connection.request(method, path)
            response = connection.getresponse()
            return response, response.read()


def command(*options: str | Path) -> list[str]:
    return [sys.executable, str(PROJECT / "manage.py"), "serve", *map(str, options)]


def environment(**extra: str) -> dict[str, str]:
    inherited = {key: value for key, value in os.environ.items() if not key.startswith("TURKLE_")}
    return inherited | {"TURKLE_CARDS": "0"} | extra  # no browser beside each server whose list is looked at


@contextlib.contextmanager
def serving(*options: str | Path, **extra: str) -> Iterator[Server]:
    with ForkedPython(command("--port", "0", *options), environment(**extra)) as process:
        try:
            line = process.stdout.readline()
            found = re.search(r":(\d+)/", line)
            assert found is not None, line
            pages = re.search(r"pages from port (\d+)", line)
            yield Server(process, line, int(found[1]), int(pages[1] if pages else found[1]))
        finally:
            process.kill()


def refused(*options: str | Path) -> str:
    result = subprocess.run(
        command(*options), env=environment(), capture_output=True, text=True, check=False, timeout=SECONDS
    )
    assert result.returncode == 2
    assert result.stdout == ""
    return result.stderr
