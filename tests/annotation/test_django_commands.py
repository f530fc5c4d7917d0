"""What a Django user types: migrate, createsuperuser, runserver; and what runserver is before that."""

from __future__ import annotations

import contextlib
import re
import socket
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.checkout import PROJECT
from tests.forked_python import ForkedPython, printed_by
from tests.server.serving import Server, environment
from tests.task_folders import make_task

MANAGE = [sys.executable, str(PROJECT / "manage.py")]
ADA = {
    "DJANGO_SUPERUSER_USERNAME": "ada",
    "DJANGO_SUPERUSER_PASSWORD": "a rather long one",
    "DJANGO_SUPERUSER_EMAIL": "ada@example.org",
}
HERE = "127.0.0.1"


@pytest.fixture
def where(tmp_path: Path) -> dict[str, str]:
    """An environment with a folder of tasks, and one of data that is not there yet."""
    make_task(tmp_path / "tasks", "a")
    return environment(XDG_DATA_HOME=str(tmp_path / "data"), TURKLE_TASKS_DIR=str(tmp_path / "tasks"))


@contextlib.contextmanager
def running(env: dict[str, str]) -> Iterator[tuple[Server, str]]:
    """A development server, and what it said when it was ready."""
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    with ForkedPython([*MANAGE, "runserver", f"{HERE}:{port}", "--noreload"], env) as process:
        try:
            said = ""
            while not re.search(r"^With(out)? accounts", said, re.MULTILINE):
                line = process.stdout.readline()
                assert line, said
                said += line
            yield Server(process, said, port, port), said
        finally:
            process.kill()


def test_after_migrate_and_createsuperuser_the_development_server_has_accounts_and_the_admin(
    where: dict[str, str],
) -> None:
    file = Path(where["XDG_DATA_HOME"]) / "turkbench" / "annotation.sqlite3"
    assert printed_by([*MANAGE, "migrate"], where).startswith(f"Database: {file}\n")
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    printed_by([*MANAGE, "createsuperuser", "--noinput"], where | ADA)
    with running(where) as (server, said):
        assert "unapplied" not in said
        assert f"With accounts, in {file}" in said
        for path in ("/", "/admin/"):
            assert server.get(path)[0].headers["Location"].startswith("/account/login/?next=/")
        style, body = server.get("/static/admin/css/base.css")
        assert (style.status, style.headers["Content-Type"]) == (200, "text/css")
        assert body
        for outside in ("/static/../__init__.py", "/static/admin/", "/static/admin/../../__init__.py"):
            assert server.get(outside)[0].status in {400, 404}


def test_without_a_database_the_development_server_shows_the_tasks_to_all_and_says_how_to_have_accounts(
    where: dict[str, str],
) -> None:
    with running(where) as (server, said):
        assert "Without accounts: migrate and createsuperuser make them" in said
        page, body = server.get("/")
        assert page.status == 200
        assert b"/task/a/" in body
        missing, body = server.get("/admin/")
        assert missing.status == 404
        assert b"turkbench manage createsuperuser" in body
    assert not Path(where["XDG_DATA_HOME"]).exists()


def test_a_database_that_is_there_is_left_alone_where_accounts_are_switched_off_or_agents_are_served(
    where: dict[str, str],
) -> None:
    printed_by([*MANAGE, "migrate", "--verbosity", "0"], where)
    with running(where | {"TURKLE_ANNOTATION": "0"}) as (server, said):
        assert "Without accounts" in said
        assert server.get("/")[0].status == 200
    with running(where | {"TURKLE_AGENT_MODE": "1"}) as (server, said):
        assert "Without accounts" in said
        assert server.get("/agent-mode/")[0].status == 200
        for path in ("/", "/admin/", "/static/admin/css/base.css", "/thumbnail/a/", "/account/login/"):
            missing, body = server.get(path)
            assert (missing.status, body) == (404, b"There is no such page.\n")
