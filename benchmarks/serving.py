"""What a page of about 4 KB costs the task server in processor time."""

from __future__ import annotations

import os
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

from benchmarks.processes import children, processor_seconds
from benchmarks.setting import PROJECT, Setting
from harness.catalog import Catalog
from harness.catalog.template import render
from harness.kit.text import aligned
from harness.run.server import own_server, page_url

_BYTES = 4096
_REQUESTS = 2000
_WARM = 200


def measure(_setting: Setting) -> str:
    """The figures as a table, on the bundled page whose size is nearest."""
    tasks_dir = PROJECT / "tasks"
    catalog = Catalog(tasks_dir)
    tasks = [task for task in map(catalog.task, catalog.names()) if task.evaluable]
    pages = [(task.instances[0], len(render(task.template, task.instances[0].inputs).encode())) for task in tasks]
    instance, size = min(pages, key=lambda page: abs(page[1] - _BYTES))
    with own_server(tasks_dir, None) as origin:
        (server, *_) = [each for each in children(os.getpid())[1:] if _listens(each)]
        url = urlsplit(page_url(origin, instance))
        # As browsers do: one connection for many requests.
        with closing(HTTPConnection(url.netloc, timeout=10)) as connection:
            for _ in range(_WARM):
                _get(connection, url.path)
            before = processor_seconds(server)
            for _ in range(_REQUESTS):
                _get(connection, url.path)
            spent = processor_seconds(server) - before
    row = [str(size), str(_REQUESTS), f"{1000 * spent / _REQUESTS:.2f}"]
    return aligned([["serving a page: bytes", "requests", "ms of the processor each"], row])


def _listens(process: int) -> bool:
    return b"turkle_app" in Path(f"/proc/{process}/cmdline").read_bytes()


def _get(connection: HTTPConnection, path: str) -> None:
    connection.request("GET", path)
    answer = connection.getresponse()
    assert answer.read(), f"{path} gives status {answer.status}"
