"""Where annotation is on, and what that changes; where it is off, nothing of it is there."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from harness.kit.files.installation import installing
from tests.checkout import PROJECT
from tests.needs import extra
from tests.server.addresses import LOADED
from tests.server.serving import command, environment, refused, serving
from tests.task_folders import make_task
from turkle_app.annotation.database_url import database
from turkle_app.annotation.secret_key import secret_key

STORE = ("turkle_app.annotation", "django.contrib.auth.models", "django.contrib.sessions", "sqlite3", "psycopg")


def loaded(tasks: Path, *options: str, **extra: str) -> str:
    """Which modules of a store a server has imported when it listens."""
    code = LOADED.replace('named = ("turkle_app.viewer"', f"named = (*{STORE!r}, 'turkle_app.viewer'")
    assert code != LOADED
    words = [sys.executable, "-c", code, "--tasks-dir", str(tasks), "--port", "0", *options]
    done = subprocess.run(words, cwd=PROJECT, env=environment(**extra), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.parametrize("options", [["--agent"], []])
def test_agent_mode_and_browsing_import_nothing_of_a_store(tmp_path: Path, options: list[str]) -> None:
    assert loaded(tmp_path, *options) == "[]"


def test_annotating_imports_its_store(tmp_path: Path) -> None:
    found = loaded(tmp_path, "--annotate", XDG_DATA_HOME=str(tmp_path))
    assert "turkle_app.annotation" in found
    assert "sqlite3" in found


def test_agent_mode_keeps_nothing(tmp_path: Path) -> None:
    (line,) = refused("--tasks-dir", tmp_path, "--agent", "--annotate").splitlines()
    assert line == "CommandError: Agent mode keeps nothing: it cannot be combined with --annotate."


def test_the_first_start_makes_the_tables_and_says_so_and_the_second_has_nothing_to_say(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "a")
    said = []
    for _ in range(2):
        with serving("--tasks-dir", tmp_path / "tasks", "--annotate", XDG_DATA_HOME=str(tmp_path)) as server:
            assert server.get("/")[0].status == 302
            assert server.get("/account/login/")[0].status == 200
            server.process.terminate()
            assert server.process.stderr is not None
            said.append(server.process.stderr.read())
    file = tmp_path / "turkbench" / "annotation.sqlite3"
    assert said[0].startswith(f"Brought the database {file} up to date: ")
    assert said[1] == ""
    for private in (file, file.with_name("secret-key")):
        assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert stat.S_IMODE(file.parent.stat().st_mode) == 0o700


def test_a_session_outlives_the_server_since_its_key_does(tmp_path: Path) -> None:
    keys = {secret_key(tmp_path / "x") for _ in range(2)}
    assert len(keys) == 1
    assert len(keys.pop()) >= 50


def test_a_key_that_others_can_read_or_that_is_none_is_refused(tmp_path: Path) -> None:
    secret_key(tmp_path)
    file = tmp_path / "secret-key"
    file.chmod(0o640)
    with pytest.raises(ImproperlyConfigured, match="can be read by others: run chmod 600"):
        secret_key(tmp_path)
    file.chmod(0o600)
    file.write_text("short")
    with pytest.raises(ImproperlyConfigured, match="holds no key"):
        secret_key(tmp_path)


def test_a_database_of_sqlite_is_shared_well() -> None:
    found = database("sqlite:////a%20b/c.sqlite3")
    assert found["NAME"] == "/a b/c.sqlite3"
    assert found["OPTIONS"]["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in found["OPTIONS"]["init_command"]
    assert found["OPTIONS"]["timeout"] >= 10
    assert database("sqlite:///c.sqlite3")["NAME"] == "c.sqlite3"


def test_a_server_of_postgresql_is_named_in_full() -> None:
    found = database("postgres://us%40er:p%2Fw%3A@db.example:5433/na%20me?sslmode=require")
    named = {key: found[key] for key in ("NAME", "USER", "PASSWORD", "HOST", "PORT", "OPTIONS")}
    assert named == {
        "NAME": "na me", "USER": "us@er", "PASSWORD": "p/w:", "HOST": "db.example", "PORT": "5433",
        "OPTIONS": {"sslmode": "require"},
    }  # fmt: skip
    assert database("postgresql:///tasks?host=/run/postgresql")["HOST"] == "/run/postgresql"


@pytest.mark.parametrize(
    ("url", "why"),
    [
        ("mysql://user:hidden@h/d", "of an unknown kind"),
        ("hidden", "of an unknown kind"),
        ("sqlite://file", "names no file"),
        ("sqlite:///", "names no file"),
        ("sqlite:///a?b=c", "names no file"),
        ("postgres://user:hidden@h:port/d", "cannot be read"),
        ("postgres://user:hidden@h", "names no database"),
        ("postgres://user:hidden@h/a/b", "names no database"),
        ("postgres://user:hidden@h/d?sslmod=x", "unknown option 'sslmod'"),
    ],
)
def test_an_address_that_cannot_be_used_is_said_without_its_password(url: str, why: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=why) as caught:
        database(url)
    assert "hidden" not in str(caught.value)


def test_without_psycopg_a_line_says_what_to_install(tmp_path: Path) -> None:
    hiding = """
import importlib.util, sys
find = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "psycopg" else find(name, *rest)
from turkle_app.__main__ import main
sys.exit(main(["--annotate", "--database", "postgres://u@h/d"]))
"""
    done = subprocess.run(
        [sys.executable, "-c", hiding],
        cwd=PROJECT,
        env=environment(XDG_DATA_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2
    assert line.endswith(f"for which psycopg is missing: {installing('postgres')}")


@pytest.mark.parametrize("url", ["sqlite:////nowhere/at/all.sqlite3", "postgres://u:hidden@127.0.0.1:1/d"])
def test_a_database_that_cannot_be_reached_is_one_clear_line(tmp_path: Path, url: str) -> None:
    if url.startswith("postgres"):
        pytest.importorskip("psycopg", reason=extra("postgres"))
    done = subprocess.run(
        command("--tasks-dir", tmp_path, "--port", "0", "--annotate", "--database", url),
        env=environment(XDG_DATA_HOME=str(tmp_path)),
        capture_output=True,
        text=True,
        check=False,
    )
    (line,) = done.stderr.splitlines()
    assert done.returncode == 2
    assert line.startswith("CommandError: The database ")
    assert line.endswith("Mend --database or DATABASE_URL.")
    assert "hidden" not in line


DEPLOYED = {
    "TURKLE_ANNOTATION": "1",
    "TURKLE_ORIGINS": "https://work.example.org,https://pages.example.org",
}


def manage(data: Path, *words: str, **extra: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, str(PROJECT / "manage.py"), *words],
        env=environment(XDG_DATA_HOME=str(data), **extra),
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_documented_deployment_passes_djangos_own_check(tmp_path: Path) -> None:
    done = manage(tmp_path, "check", "--deploy", "--fail-level", "WARNING", **DEPLOYED)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout
    assert "2 silenced" in done.stdout


@pytest.mark.parametrize(("origins", "status"), [(DEPLOYED["TURKLE_ORIGINS"], 302), ("", 400)])
def test_what_the_proxy_says_reaches_the_server_where_one_is_configured(
    tmp_path: Path, origins: str, status: int
) -> None:
    make_task(tmp_path / "tasks", "A")
    extra = {"XDG_DATA_HOME": str(tmp_path), "TURKLE_ORIGINS": origins}
    told = {"Host": "work.example.org", "X-Forwarded-Proto": "https", "X-Forwarded-For": "1.2.3.4"}
    with (
        serving("--tasks-dir", tmp_path / "tasks", "--annotate", **extra) as server,
        closing(HTTPConnection("127.0.0.1", server.port, timeout=60)) as connection,
    ):
        connection.request("GET", "/work/", headers=told)
        with connection.getresponse() as answer:
            # To the log-in, and not to the same address by HTTPS, which it came by.
            assert answer.status == status
            assert status != 302 or answer.headers["Location"].startswith("/account/login/")


@pytest.mark.parametrize(
    "origins", ["https://one.example", "http://a.example,https://b.example", "https://a.example,https://a.example",
                "https://a.example/x,https://b.example", "https://u@a.example,https://b.example"],
)  # fmt: skip
def test_origins_that_cannot_be_used_are_one_clear_line(tmp_path: Path, origins: str) -> None:
    done = manage(tmp_path, "check", **DEPLOYED | {"TURKLE_ORIGINS": origins})
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert line.startswith("CommandError: TURKLE_ORIGINS ")


ASKING = """
import json, os, django
django.setup()
from django.test import Client
from turkle_app.annotation.prepared import bring_up_to_date
bring_up_to_date()
def ask(host, path, scheme="https", **headers):
    answer = Client(headers={"Host": host, "X-Forwarded-Proto": scheme}).get(path, headers=headers)
    return [answer.status_code, dict(answer.headers), [(c.key, bool(c["secure"])) for c in answer.cookies.values()]]
print(json.dumps([
    ask("work.example.org", "/account/login/"),
    ask("pages.example.org", "/account/login/"),
    ask("work.example.org", "/page/a/0/"),
    ask("pages.example.org", "/page/a/0/"),
    ask("work.example.org", "/account/login/", "http"),
    ask("evil.example.org", "/account/login/"),
]))
"""


def test_behind_a_proxy_names_tell_people_and_pages_apart_and_all_goes_by_https(tmp_path: Path) -> None:
    make_task(tmp_path / "tasks", "a")
    where = {"XDG_DATA_HOME": str(tmp_path), "TURKLE_TASKS_DIR": str(tmp_path / "tasks")}
    env = environment(DJANGO_SETTINGS_MODULE="turkle_app.settings", **where, **DEPLOYED)
    done = subprocess.run(
        [sys.executable, "-c", ASKING], cwd=PROJECT, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    people, misplaced, misplaced_page, page, plain, stranger = json.loads(done.stdout)
    assert [each[0] for each in (people, misplaced, misplaced_page, page, plain, stranger)] == [
        200, 404, 404, 200, 301, 400,
    ]  # fmt: skip
    assert people[1]["Strict-Transport-Security"] == "max-age=31536000"
    assert "frame-src https://pages.example.org" in people[1]["Content-Security-Policy"]
    assert people[2] == [["__Host-turkle_csrf", True]]
    assert page[1]["Content-Security-Policy"].endswith("frame-ancestors https://work.example.org")
    assert plain[1]["Location"] == "https://work.example.org/account/login/"
    assert os.environ.get("TURKLE_ANNOTATION") is None
