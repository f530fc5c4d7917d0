"""For the tests of the server: a client for each mode over a folder of made-up tasks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.test import Client, override_settings


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
