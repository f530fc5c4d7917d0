"""What tests of this room share: a run that is somebody else's, pages that leave something, programs at a gate."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import pytest

from harness.browser.devtools import Devtools
from harness.records.directory import RunDirectory
from harness.records.planned import PlannedSample
from tests.conftest import Show
from tests.reports.played import always, make_tasks, play
from tests.site import Site, whole_page
from tests.trust.mechanisms import WORKER_THAT_WRITES
from tests.trust.program import Program
from tests.walks import Walk, walking

FORM = "<input name=a><input type=file name=f><iframe srcdoc='<p>inside'></iframe>"


@pytest.fixture(scope="module")
def original(tmp_path_factory) -> RunDirectory:
    folder = tmp_path_factory.mktemp("runs")
    run = play(
        folder / "run",
        make_tasks(folder / "tasks", "A", "B"),
        always(a="cat", r="1", s="10"),
        config={"solver": "random"},
    )
    run.write_sample(PlannedSample.of((each.task, each.index, each.id) for each in run.episodes()))
    return run


@pytest.fixture
def run(original, tmp_path) -> RunDirectory:
    """A copy, to be tampered with."""
    shutil.copytree(original.folder, tmp_path / "run")
    return RunDirectory(tmp_path / "run")


@pytest.fixture(scope="module")
def pages(site: Site) -> tuple[str, str]:
    """The addresses of the page that leaves something, and of the one that looks; scripts for both."""
    script = {"kind": "text/javascript", "headers": {"Service-Worker-Allowed": "/"}}
    site.put("onfetch = () => {};" + WORKER_THAT_WRITES, "/page/service.js", **script)
    site.put("stored", "/asset/stored.txt", kind="text/plain", headers={"Cache-Control": "max-age=3600"})
    return site.put(whole_page("<input name=a>")), site.put(whole_page("<input name=a>"))


@pytest.fixture
def devtools(show: Show) -> Iterator[Devtools]:
    """The way to a page with a small form."""
    with Devtools(show(FORM).browser) as open_gate:
        yield open_gate


@pytest.fixture
def program(devtools: Devtools) -> Iterator[Program]:
    """A program at that page."""
    client = Program(devtools.page)
    yield client
    client.close()


@pytest.fixture(scope="module")
def walk_of_all() -> Iterator[Walk]:
    """The one browser for sites of a module."""
    with walking() as walk:
        yield walk
