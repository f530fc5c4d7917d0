"""For the tests of tasks done by hand: the same server with a database of either kind, people, and a project."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import call_command
from django.test import Client

from benchmarks.postgres_cluster import postgres_cluster
from tests.annotation.stores import empty, load_models, settings_with_accounts, switched_on
from tests.needs import POSTGRES, require
from tests.server.conftest import tasks_dir  # noqa: F401 - a fixture
from tests.task_folders import csv_text, make_task

load_models()

TASK = "which one"
TEMPLATE = "<p>${text}</p><input name=a><textarea name=b></textarea>"


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a PostgreSQL server of this process."""
    require(POSTGRES)
    with postgres_cluster(durable=False) as url:
        yield url


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """Settings with a database of each kind, whose tables are made."""
    folder = tmp_path_factory.mktemp(request.param)
    url = f"sqlite:///{folder}/tasks.sqlite3" if request.param == "sqlite" else request.getfixturevalue("postgres")
    settings = settings_with_accounts(url, folder)
    with switched_on(settings):
        call_command("migrate", interactive=False, verbosity=0)
    return settings


@pytest.fixture
def accounts(store: dict[str, object], tasks_dir: Path) -> Iterator[Path]:  # noqa: F811
    """A server with accounts, an empty database, and one task of four instances; gives the folder of tasks."""
    table = csv_text(["text", "Answer.a", "Answer.b"], *([f"text {number}", "secret", ""] for number in range(4)))
    make_task(tasks_dir, TASK, template=TEMPLATE, table=table, facts={"title": "Which one?"})
    with switched_on(store, TURKLE_TASKS_DIR=tasks_dir, TURKLE_OVERLAY=None):
        empty()
        yield tasks_dir


def client_of(user: object = None, *, strict: bool = False) -> Client:
    """A client, logged in as somebody."""
    client = Client(SERVER_NAME="localhost", raise_request_exception=False, enforce_csrf_checks=strict)
    if user is not None:
        client.force_login(user)
    return client


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what a test that is marked ``sqlite`` would do with another database."""
    items[:] = [each for each in items if not (each.get_closest_marker("sqlite") and _is_of_another_store(each))]


def _is_of_another_store(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    return call is not None and call.params.get("store") == "postgresql"
