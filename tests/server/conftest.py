"""For the tests of the server: a client for each mode over a folder of made-up tasks."""

from __future__ import annotations

import contextlib
import importlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client, override_settings
from django.urls import clear_url_caches

import turkle_app.urls
from turkle_app.viewer.watched import watched


@pytest.fixture
def tasks_dir(tmp_path: Path) -> Path:
    """An empty folder for tasks."""
    folder = tmp_path / "tasks"
    folder.mkdir()
    return folder


def client() -> Client:
    return Client(SERVER_NAME="localhost", raise_request_exception=False)


@pytest.fixture
def browse(tasks_dir: Path) -> Iterator[Client]:
    """A client of a server in browse mode."""
    settings = {"TURKLE_AGENT_MODE": False, "ROOT_URLCONF": "turkle_app.urls"}
    with override_settings(TURKLE_TASKS_DIR=tasks_dir, TURKLE_OVERLAY=None, **settings):
        yield client()


@pytest.fixture
def agent(tasks_dir: Path) -> Iterator[Client]:
    """A client of a server in agent mode."""
    settings = {"TURKLE_AGENT_MODE": True, "ROOT_URLCONF": "turkle_app.agent_urls"}
    with override_settings(TURKLE_TASKS_DIR=tasks_dir, TURKLE_OVERLAY=None, **settings):
        yield client()


@contextlib.contextmanager
def with_apps(*names: str, **settings: object) -> Iterator[None]:
    """Browse mode with further apps of the server on."""
    on = override_settings(
        INSTALLED_APPS=["turkle_app", *names], TURKLE_AGENT_MODE=False, ROOT_URLCONF="turkle_app.urls", **settings
    )
    with on:
        try:
            _read_addresses()
            yield
        finally:
            on.disable()
            _read_addresses()
            on.enable()


def _read_addresses() -> None:
    # The addresses depend on the apps, and are read once a process.
    importlib.reload(turkle_app.urls)
    clear_url_caches()


@pytest.fixture
def runs_dir(tmp_path: Path, own_cache: Path) -> Iterator[Path]:
    """An empty folder for runs, none of which anybody has looked at yet."""
    del own_cache
    folder = tmp_path / "runs"
    folder.mkdir()
    watched.cache_clear()
    yield folder
    watched.cache_clear()


@pytest.fixture
def viewer(tasks_dir: Path, runs_dir: Path) -> Iterator[Client]:
    """A client of a server that shows runs, too, as only its own machine reaches it."""
    folders = {"TURKLE_TASKS_DIR": tasks_dir, "TURKLE_OVERLAY": None, "TURKLE_RUNS_DIR": runs_dir}
    with with_apps("turkle_app.viewer", TURKLE_LOOPBACK=True, **folders):
        yield client()
