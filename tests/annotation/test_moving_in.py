"""What a server of Turkle holds, here: accounts, projects, batches and answers, all of it or nothing."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import Group, User
from django.core.management import CommandError, call_command

from tests.annotation.people import worker
from tests.annotation.turkle_files import PASSWORD, Rows, as_database, as_export, rows
from turkle_app.annotation.claims import open_projects
from turkle_app.annotation.models import AnonymousWorker, Assignment, Batch, BatchState, Project
from turkle_app.annotation.project_results import results_of

Kept = Callable[[Path, Rows], Path]


def move(file: Path) -> str:
    said = io.StringIO()
    call_command("move_in", str(file), stdout=said)
    return said.getvalue()


@pytest.mark.parametrize("kept", [as_database, as_export])
def test_accounts_projects_batches_and_answers_move_in(kept: Kept, accounts: Path, tmp_path: Path) -> None:
    said = move(kept(tmp_path / "turkle", rows()))
    assert said.startswith("Moved in: 3 accounts, 2 projects, 2 batches, 3 answers.\n")
    anna, ben = (User.objects.get(username=name) for name in ("anna", "ben"))
    assert anna.check_password(PASSWORD)
    assert User.objects.get(username="admin").is_staff
    assert not User.objects.filter(username="AnonymousUser").exists()
    films, everybodys = (Project.objects.get(title=title) for title in ("Film reviews", "Open/one"))
    assert [group.name for group in films.groups.all()] == ["spanish"]
    assert (films.everybody, films.anonymous, everybodys.everybody, everybodys.anonymous) == (False, False, True, True)
    assert [project.title for project in open_projects(anna)] == ["Film reviews"]
    assert open_projects(ben).count() == 0  # the batch for all is not active
    batch = films.batches.get()
    assert (batch.state, batch.assignments_per_instance, batch.expiry_seconds) == (BatchState.PUBLISHED, 2, 86400)
    assert batch.created.isoformat() == "2024-05-01T10:00:00+00:00"
    assert (accounts / batch.task / "template.html").is_file()
    found = list(csv.DictReader(io.StringIO(results_of([batch]).csv)))
    assert [(row["Turkle.Username"], row["Input.text"], row["Answer.a"], row["Answer.b"]) for row in found] == [
        ("anna", "good, very", "1", "x|y"), ("ben", "good, very", "2", "")
    ]  # fmt: skip
    assert [row["WorkTimeInSeconds"] for row in found] == ["30", "30"]


def test_what_does_not_move_as_it_was_is_told(accounts: Path, tmp_path: Path) -> None:
    del accounts
    kept = rows()
    kept["turkle_project"][1]["html_template"] = "${text} ${missing} <input name=a>"
    kept["guardian_groupobjectpermission"].pop()
    said = move(as_database(tmp_path / "turkle", kept))
    assert "2 projects, 1 batch, 2 answers" in said
    for told in (
        "“First”, leaves 1 assignment behind that nobody completed.",
        "leaves 1 answer behind by people who had answered an equal row before.",
        "“Empty”, is left out: it has no tasks.",
        "“First”, is left out, with 1 answer:",
        "is offered to the project's groups, and not to its own.",
    ):
        assert told in said


def test_answers_without_an_account_are_one_workers_and_said_to_be_of_unknown_number(
    accounts: Path, tmp_path: Path
) -> None:
    del accounts
    said = move(as_database(tmp_path / "turkle", rows()))
    assert "has answers without an account; they count as one worker, of unknown number." in said
    assert Assignment.objects.get(worker=AnonymousWorker.objects.get().user).answers == {"a": ["4"]}


def test_accounts_that_are_here_stay_as_they_were_and_are_named(accounts: Path, tmp_path: Path) -> None:
    del accounts
    worker("admin", "others")
    said = move(as_database(tmp_path / "turkle", rows()))
    assert "Taken for the accounts that were here before: admin." in said
    here = User.objects.get(username="admin")
    assert not here.is_staff
    assert not here.check_password(PASSWORD)


def test_moving_in_twice_makes_the_projects_twice_and_no_account_twice(accounts: Path, tmp_path: Path) -> None:
    file = as_database(tmp_path / "turkle", rows())
    move(file)
    assert "0 accounts, 2 projects" in move(file)
    assert User.objects.filter(anonymous=None).count() == 3
    assert len({batch.task for batch in Batch.objects.all()}) == 4
    assert sum(1 for _ in accounts.iterdir()) == 1 + 4


@pytest.mark.parametrize("text", [b"", b"[]", b"no database", b"SQLite format 3\0 and nothing", b'[{"model": "x"}]'])
def test_another_file_is_refused_and_nothing_moves(accounts: Path, tmp_path: Path, text: bytes) -> None:
    (tmp_path / "file").write_bytes(text)
    with pytest.raises(CommandError) as caught:
        move(tmp_path / "file")
    assert caught.value.returncode == 2
    assert Project.objects.count() == Group.objects.count() == 0
    assert sum(1 for _ in accounts.iterdir()) == 1


def test_if_something_is_missing_halfway_nothing_has_moved(accounts: Path, tmp_path: Path) -> None:
    kept = rows()
    kept["turkle_taskassignment"][0]["answers"] = "no json"
    with pytest.raises(CommandError, match="a row of it cannot be read"):
        move(as_database(tmp_path / "turkle", kept))
    assert Project.objects.count() == User.objects.count() == 0
    assert sum(1 for _ in accounts.iterdir()) == 1
