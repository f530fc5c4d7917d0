"""What tests share: Django set up, and for the browser layer a server of pages and one headless browser a process."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import django
import pytest

from harness.browser.browser import Browser
from harness.browser.desktop.desktop_input import desktop_sessions
from harness.browser.input_back_end import BrowserSession, DevtoolsInput, InputBackEnd
from harness.browser.launch import BrowserSettings
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from harness.models.tokens.vocabulary import folder_of_vocabularies
from harness.reports.watch import background_workers as workers
from harness.run import server
from tests.forked_python import FORK_SERVER, ForkedPython
from tests.needs import DISPLAY, pytest_terminal_summary, require  # noqa: F401 - a hook
from tests.site import PAGES, Shown, Site, whole_page

# Setting up Django closes every log handler there is. That of absl (rouge-score brings it) takes the captured standard
# error with it, so Django comes first.
os.environ["DJANGO_SETTINGS_MODULE"] = "turkle_app.settings"
django.setup()

# Properties are tried with the same examples each time, however slow a busy machine makes them. An environment of one
# extra is without.
with contextlib.suppress(ModuleNotFoundError):
    from hypothesis import settings as hypothesis_settings

    hypothesis_settings.load_profile("ci")

# A shell that starts the tests in the background has them ignore Ctrl-C, and so would each program that they start and
# end by one.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

Show = Callable[..., Shown]
_START_SERVER = server.start_server


def pytest_collection_finish() -> None:
    """All tests, and all that they import, are there to the end: they are not looked through for garbage again."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session", autouse=True)
def _servers_are_forked() -> Iterator[None]:
    """Task servers, and what works beside a server, are forked from a process that has imported what they need; see
    ``real_servers``."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "start_server", ForkedPython)
        patch.setattr(workers, "start_worker", partial(ForkedPython, stderr=sys.__stderr__, text=False))
        yield
    FORK_SERVER.close()


@pytest.fixture(scope="session", autouse=True)
def _workers_are_gone_at_the_end() -> Iterator[None]:
    """BackgroundWorkers have a thread and pipes until there has been nothing to do for a while."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "IDLE", 3.0)
        yield
        for thread in threading.enumerate():
            if thread.name == "worker":
                thread.join()


@pytest.fixture(scope="session", autouse=True)
def _cache_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing is kept in the user's cache, and nothing found there, but for the vocabularies."""
    vocabularies, folder = folder_of_vocabularies(), tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        folder_of_vocabularies().parent.mkdir()
        folder_of_vocabularies().symlink_to(vocabularies)
        yield


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache for one test: the folder."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


@pytest.fixture(scope="module")
def module_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """An empty cache for the tests of a module: the folder."""
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture
def real_servers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Task servers are started as they are for users."""
    monkeypatch.setattr(server, "start_server", _START_SERVER)


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """A server of pages on a free port."""
    server = Site()
    yield server
    server.close()


@pytest.fixture(scope="session")
def browser(site: Site) -> Iterator[Browser]:
    """The one browser of this test process; every page replaces the one before."""
    with Browser(BrowserSettings(site.origin)) as live:
        yield live


@pytest.fixture(scope="module")
def desktop(site: Site) -> Iterator[BrowserSession]:
    """A browser on an X display of its own; a process has one display at a time."""
    require(*DISPLAY)
    with desktop_sessions(virtual=True) as sessions:
        session = sessions.session(BrowserSettings(site.origin))
        yield session
        session.input.close()
        session.browser.close()


def shower(site: Site, browser: Browser, back_end: InputBackEnd) -> Show:
    """What opens pages whose actions go by an input back end; see ``show``."""

    def open_page(body: str = "", *, file: str = "", whole: str = "", head: str = "", form: str = "") -> Shown:
        if file:
            body = (PAGES / f"{file}.html").read_text(encoding="utf-8")
        html = whole or (whole_page(body, head=head, form=form) if form else whole_page(body, head=head))
        url = site.put(html)
        browser.open(url)
        return Shown(browser, Actions(browser, back_end, Trajectory()), url)

    return open_page


@pytest.fixture
def show(site: Site, browser: Browser) -> Show:
    """``show(body)`` opens a page with ``body`` in its form; ``show(file="radio")`` a page of ``tests/pages``;
    ``show(whole=html)`` a page as it is. Gives the page with the actions on it."""
    return shower(site, browser, DevtoolsInput(browser))
