"""The contestant that only opens: ``Page.navigate`` over DevTools, and its load event.

Its browser has the switches that the harness starts one with, so that what the harness does is all that differs.
"""

from __future__ import annotations

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from websockets.sync.client import connect

from benchmarks.peers.turns import FLAGS, HEIGHT, PATIENCE, WIDTH, Held, Job, Play, RacePage, take_part
from harness.browser.flags import FLAGS as SWITCHES
from harness.browser.flags import PIPE, without_features


@contextmanager
def begin(job: Job) -> Iterator[Play]:
    """Start a browser and talk to its page."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        switches = [each for each in SWITCHES if each != PIPE]
        command = [
            job["browser"],
            "--headless",
            *switches,
            without_features(is_seen=False),
            "--remote-debugging-port=0",
        ]
        command += [f"--user-data-dir={folder}", f"--window-size={WIDTH},{HEIGHT}", *FLAGS, "about:blank"]
        with subprocess.Popen(command) as process:
            try:
                with connect(_page(Path(folder)), max_size=None, compression=None) as socket:
                    numbers = count(1)

                    def say(method: str, **parameters: Any) -> None:
                        socket.send(json.dumps({"id": next(numbers), "method": method, "params": parameters}))

                    def play(page: RacePage) -> Held:
                        say("Page.navigate", url=page["url"])
                        while json.loads(socket.recv(PATIENCE)).get("method") != "Page.loadEventFired":
                            pass
                        return {}

                    say("Page.enable")
                    yield play
            finally:
                process.terminate()


def _page(folder: Path) -> str:
    """The address of the page that a browser with this folder opens by itself."""
    told = folder / "DevToolsActivePort"
    while not told.is_file() or "\n" not in told.read_text():
        time.sleep(0.01)  # nobody tells that the file is there; the race ends who takes too long
    port = told.read_text().split("\n")[0]
    while True:
        with urlopen(f"http://127.0.0.1:{port}/json/list") as answer:
            pages = [each["webSocketDebuggerUrl"] for each in json.load(answer) if each["type"] == "page"]
        if pages:
            return str(pages[0])
        time.sleep(0.01)  # nor that the page is


if __name__ == "__main__":
    take_part(begin, "websockets")
