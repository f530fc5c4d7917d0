"""The site of the documentation, built and opened as its readers do."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.by import By

from tests.checkout import PROJECT
from tests.person import person_browser
from tests.server.person import hindrances, until

pytestmark = pytest.mark.slow


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "sphinx", "--quiet", "--fail-on-warning", "--keep-going"]
    done = subprocess.run(
        [*command, "-d", str(place / "read"), str(PROJECT / "docs"), str(place / "html")],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return place / "html"


@pytest.fixture(scope="module")
def address(built: Path) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(built))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def live() -> Iterator[webdriver.Chrome]:
    with person_browser() as browser:
        yield browser


@pytest.mark.parametrize(
    "page", ["index", "tutorials/score-your-model", "how-to/index", "reference/api", "reference/options", "search"]
)
def test_nothing_keeps_people_from_reading_it(address: str, live: webdriver.Chrome, page: str) -> None:
    live.get(f"{address}/{page}.html")
    assert hindrances(live) == []


def test_what_is_sought_is_found(address: str, live: webdriver.Chrome) -> None:
    live.get(f"{address}/search.html?q=modify_radio")
    until(live, "document.querySelectorAll('ul.search li a').length > 0")
    found = [each.get_attribute("href") or "" for each in live.find_elements(By.CSS_SELECTOR, "ul.search li a")]
    assert any("/reference/action-library.html" in each for each in found)


def test_programs_that_read_find_a_list_of_all_pages(built: Path) -> None:
    listed = (built / "llms.txt").read_text(encoding="utf-8")
    pages = [each.relative_to(PROJECT / "docs") for each in (PROJECT / "docs").rglob("*.md")]
    assert [str(each) for each in pages if f"{each}.txt" not in listed] == []


def test_nothing_of_the_machine_that_built_it_stands_in_it(built: Path) -> None:
    assert [str(each) for each in built.rglob("*.html") if str(PROJECT) in each.read_text(encoding="utf-8")] == []
