"""Programs at a server that runs: the commands ``turkbench annotate``, and Turkle's own client as it is."""

from __future__ import annotations

import csv
import json
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.cli.commands.annotate import main
from tests.annotation.served import Annotating, annotating
from tests.clients.environments import client, python_of
from tests.needs import needs

pytestmark = pytest.mark.slow  # a server of its own

TEMPLATE = "<p>${text}</p><input name=a>"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Annotating]:
    folder = tmp_path_factory.mktemp("api")
    (folder / "tasks").mkdir()
    with annotating(folder / "tasks", folder / "data") as running:
        running.command("annotators", "add", "stan", "--staff", "--group", "film")
        yield running


@pytest.fixture(scope="module")
def token(server: Annotating) -> str:
    return server.command("annotators", "token", "stan").strip().splitlines()[-1]


@pytest.fixture
def in_environment(token: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURKBENCH_TOKEN", token)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "page.html").write_text(TEMPLATE)
    (tmp_path / "table.csv").write_text("text\none\ntwo\n")
    (tmp_path / "people.csv").write_text("username,groups\nanna,film\n")
    return tmp_path


@pytest.mark.usefixtures("in_environment")
def test_the_commands_go_from_a_template_to_results(
    server: Annotating, files: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*words: str) -> str:
        assert main([*words, "--server", server.people]) == 0, capsys.readouterr().err
        return capsys.readouterr().out

    run("new", "Films", "--template", str(files / "page.html"), "--group", "film")
    uploaded = json.loads(run("upload", "Films", str(files / "table.csv"), "--workers", "2", "--draft", "--json"))
    assert (uploaded["name"], uploaded["state"], uploaded["expiry_seconds"]) == ("table", "draft", 3600)
    number = str(uploaded["id"])
    assert run("publish", number).splitlines()[1].endswith("published")
    line = run("batches", "Films").splitlines()[1].split("\t")
    assert line[2:] == ["table", "published", "0", "4", "0", "2"]
    run("results", number, "--out", str(files / "results.csv"))
    assert (files / "results.csv").read_text().startswith("HITId,")
    run("add-users", str(files / "people.csv"), "--out", str(files / "links.csv"))
    (row,) = csv.DictReader((files / "links.csv").read_text().splitlines())
    assert row["link"].startswith(f"{server.people}/account/password/")
    assert [line.split("\t")[1] for line in run("users").splitlines()] == ["username", "stan", "anna"]
    assert run("close", number).splitlines()[1].endswith("closed")


@pytest.mark.usefixtures("in_environment")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("batches", "None"), "there is no project 'None'"),
        (("publish", "99"), "There is no such thing"),
        (("upload", "x", "nowhere.csv"), "there is no project 'x'"),
        (("projects", "--server", "ftp://x"), "give an address such as"),
        (("projects", "--server", "http://work.example.org"), "others can read the token"),
        (("projects", "--server", "http://127.0.0.1:1"), "cannot be reached"),
    ],
)
def test_what_cannot_be_done_is_told_in_a_line(
    server: Annotating, words: tuple[str, ...], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    given = () if "--server" in words else ("--server", server.people)
    assert main([*words, *given]) == 2
    (said,) = capsys.readouterr().err.splitlines()
    assert told in said


@needs(client("turkle"))
def test_turkles_own_client_works_as_it_is(server: Annotating, token: str, files: Path) -> None:
    def turkle(*words: str) -> str:
        command = [str(python_of("turkle")), "-m", "turkle_client.bin", "-u", server.people, "-t", token, *words]
        environment = {**os.environ, "XDG_CONFIG_HOME": str(files)}
        said = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()
        assert not said.startswith("Error"), (words, said)
        return said

    def kept(name: str, *records: object) -> str:
        (files / name).write_text("\n".join(json.dumps(record) for record in records))
        return str(files / name)

    people = [{"username": name, "password": "quite a long password", "email": f"{name}@example.org"} for name in "xy"]
    assert turkle("users", "create", "--file", kept("users.jsonl", *people)) == "2 users created"
    (files / "more.csv").write_text("username,password\nz,quite a long password\n")
    assert turkle("users", "create", "--file", str(files / "more.csv")) == "1 user created"
    user = json.loads(turkle("users", "retrieve", "--username", "x"))
    assert turkle("users", "update", "--file", kept("user.json", user | {"last_name": "New"})) == "1 user updated"
    assert json.loads(turkle("users", "retrieve", "--id", str(user["id"])))["last_name"] == "New"
    assert "x" in [each["username"] for each in json.loads(turkle("users", "list"))]

    turkle("groups", "create", "--file", kept("group.json", {"name": "spanish", "users": [user["id"]]}))
    (group,) = json.loads(turkle("groups", "retrieve", "--name", "spanish"))
    turkle("groups", "add_users", "--id", str(group["id"]), "--file", kept("ids.json", [1]))
    assert json.loads(turkle("groups", "retrieve", "--id", str(group["id"])))["users"] == [1, user["id"]]

    project = {"name": "From Turkle", "filename": str(files / "page.html")}
    assert turkle("projects", "create", "--file", kept("project.json", project)) == "1 project created"
    number = str(json.loads(turkle("projects", "list"))[-1]["id"])
    assert json.loads(turkle("projects", "retrieve", "--id", number))["html_template"] == TEMPLATE
    batch = {"name": "First", "project": int(number), "filename": str(files / "table.csv"), "assignments_per_task": 2}
    assert turkle("batches", "create", "--file", kept("batch.json", batch)) == "1 batch created"
    (found,) = json.loads(turkle("projects", "batches", "--id", number))
    of_batch = ("--id", str(found["id"]))
    assert turkle("batches", "update", "--file", kept("change.json", {"id": found["id"], "active": False})) == (
        "1 batch updated"
    )
    assert json.loads(turkle("batches", "retrieve", *of_batch))["active"] is False
    (files / "rows.csv").write_text("text\nthree\n")
    assert turkle("batches", "add_tasks", *of_batch, "--file", str(files / "rows.csv")) == "Batch now has 3 tasks"
    assert turkle("batches", "input", *of_batch).split() == ["text", "one", "two", "three"]
    assert turkle("batches", "results", *of_batch).startswith("HITId,")
    assert json.loads(turkle("batches", "progress", *of_batch))["total_task_assignments"] == 6
    assert found["id"] in [each["id"] for each in json.loads(turkle("batches", "list"))]

    allowed = kept("allowed.json", {"users": [], "groups": [group["id"]]})
    turkle("permissions", "add", "--pid", number, "--file", allowed)
    turkle("permissions", "replace", "--pid", number, "--file", allowed)
    for whose in (("--pid", number), ("--bid", str(found["id"]))):
        assert json.loads(turkle("permissions", "retrieve", *whose)) == {"users": [], "groups": [group["id"]]}
