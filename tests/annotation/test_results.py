"""What was submitted, as a file: on the page of staff, by the command, and back as labels."""

from __future__ import annotations

import csv
import io
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from harness.catalog import Catalog
from harness.catalog.annotations.results_file import read_results
from harness.datasets.collecting import collect
from tests.annotation.conftest import TASK, TEMPLATE, client_of
from tests.annotation.people import another, batch, worker
from tests.task_folders import csv_text
from turkle_app.annotation.claims import change_state, claim, reject, submit
from turkle_app.annotation.models import Assignment, Batch, BatchState
from turkle_app.annotation.project_results import results_of


@pytest.fixture
def made(accounts: Path) -> Batch:  # noqa: ARG001 - what it is made in
    """A batch with one answer of anna and two of bert, one of which was rejected."""
    found = batch(asked=2)
    anna, bert = worker("anna"), worker("bert")
    submit(claim(found.pk, anna).pk, {"a": ["=1+1"], "b": ["x", "y"], "workerId": ["worker"]})
    submit(claim(found.pk, bert).pk, {"a": ["two"]})
    junk = submit(claim(found.pk, bert).pk, {"a": ["junk"]})
    reject(junk, worker("stan", staff=True), "no answer")
    claim(found.pk, anna)  # not submitted yet
    return found


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


def test_staff_download_what_was_submitted_and_not_rejected(made: Batch) -> None:
    response = client_of(worker("sue", staff=True)).get(f"/manage/batch/{made.pk}/results.csv")
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert response["Content-Disposition"] == 'attachment; filename="which%20one-results.csv"'
    found = rows(response.content.decode())
    assert [(row["Turkle.Username"], row["Answer.a"], row["Answer.b"]) for row in found] == [
        ("anna", "=1+1", "x|y"), ("bert", "two", "")
    ]  # fmt: skip
    first = found[0]
    assert (first["Input.text"], first["Turkbench.Task"], first["Turkbench.Index"]) == ("text 0", TASK, "0")
    assert (first["HITTypeId"], first["Title"], first["MaxAssignments"]) == (str(made.project_id), "Which one?", "2")
    assert first["Turkbench.Helped"] == ""
    assert "secret" not in response.content.decode()  # the labels of the table
    assert not [name for name in first if "workerId" in name]


def test_names_that_stand_nowhere_in_the_page_become_no_columns_and_are_counted(made: Batch) -> None:
    sent = {"a": ["three"], **{f"evil{number}": ["x" * 1000] for number in range(300)}}
    submit(claim(made.pk, worker("eve")).pk, sent)
    found = rows(results_of([made]).csv)
    assert [name for name in found[0] if name.startswith("Answer.")] == ["Answer.a", "Answer.b"]
    assert [(row["Turkle.Username"], row["Turkbench.Others"]) for row in found] == [
        ("anna", "0"), ("bert", "0"), ("eve", "300")
    ]  # fmt: skip


def test_a_field_that_a_script_adds_has_its_column(made: Batch, accounts: Path) -> None:
    scripts = (
        "<script>const more = document.createElement('input'); more.name = 'literal'; form.append(more);"
        "for (let n = 0; n < 3; n++) box.innerHTML += '<input name=\"child_' + n + '_age\">';</script>"
        "<script src=elsewhere.js></script><input type=image name=go>"
    )
    (accounts / TASK / "template.html").write_text(TEMPLATE + scripts)
    own = {"literal": ["1"], "child_2_age": ["7"], "go.x": ["3"], "go.y": ["4"]}
    from_elsewhere = {"added": ["by the other script"]}
    submit(claim(made.pk, worker("eve")).pk, own | from_elsewhere)
    assert columns(made) == ["Answer.a", "Answer.b", *(f"Answer.{name}" for name in sorted(own))]
    submit(claim(made.pk, worker("uwe")).pk, from_elsewhere)
    assert "Answer.added" in columns(made)


def columns(made: Batch) -> list[str]:
    return [name for name in rows(results_of([made]).csv)[0] if name.startswith("Answer.")]


@pytest.mark.parametrize("name", ["which one", "Which one?", "number"])
def test_the_command_finds_a_project_by_task_title_or_number(made: Batch, name: str, tmp_path, capsys) -> None:
    wanted = str(made.project_id) if name == "number" else name
    out = tmp_path / "results.csv"
    said = StringIO()
    call_command("results", wanted, "--out", str(out), stderr=said)
    assert [row["Turkle.Username"] for row in rows(out.read_bytes().decode())] == ["anna", "bert"]
    assert said.getvalue() == "2 answers in 'Which one?'\n"
    assert capsys.readouterr().out == ""


def test_the_command_prints_to_standard_output_the_very_bytes(made: Batch, tmp_path) -> None:
    shown = StringIO()
    call_command("results", str(made.project_id), stdout=shown, stderr=StringIO())
    call_command("results", str(made.project_id), "--out", str(tmp_path / "results.csv"), stderr=StringIO())
    assert shown.getvalue() == (tmp_path / "results.csv").read_bytes().decode()


def test_a_name_of_no_project_or_of_several_is_told_with_what_there_is(made: Batch) -> None:
    with pytest.raises(CommandError, match=rf"no project is called 'other'. There are {made.project_id}: Which one\?"):
        call_command("results", "other")
    batch()
    with pytest.raises(CommandError, match="'which one' names several projects; give the number of one"):
        call_command("results", "which one")


def test_results_are_of_one_batch_or_of_all_of_a_project(made: Batch) -> None:
    later = another(made.project, name="Later")
    submit(Assignment.objects.get(state="claimed").pk, {"a": ["of the first"]})
    change_state(later, BatchState.PUBLISHED)
    submit(claim(later.pk, worker("cleo")).pk, {"a": ["of the later"]})
    staff = client_of(worker("sue", staff=True))

    def given(*words: str) -> list[tuple[str, str]]:
        shown = StringIO()
        call_command("results", str(made.project_id), *words, stdout=shown, stderr=StringIO())
        return [(row["Turkbench.Batch"], row["Answer.a"]) for row in rows(shown.getvalue())]

    first = [("Batch 1", "=1+1"), ("Batch 1", "two"), ("Batch 1", "of the first")]
    assert given("--batch", "Later") == given("--batch", str(later.pk)) == [("Later", "of the later")]
    assert given() == [*first, ("Later", "of the later")]
    whole = rows(staff.get(f"/manage/{made.project_id}/results.csv").content.decode())
    assert [row["Turkbench.Batch"] for row in whole] == ["Batch 1"] * 3 + ["Later"]
    with pytest.raises(CommandError, match=f"no batch is called 'x'. There are {made.pk}: Batch 1"):
        given("--batch", "x")


def test_answers_to_instances_that_are_gone_are_left_out_and_counted(made: Batch, accounts: Path, tmp_path) -> None:
    table = csv_text(["text", "Answer.a"], ["another", ""])
    (accounts / TASK / "batch.csv").write_text(table)
    said = StringIO()
    call_command("results", str(made.project_id), "--out", str(tmp_path / "results.csv"), stderr=said)
    assert rows((tmp_path / "results.csv").read_bytes().decode()) == []
    assert "left out: 2 answers to instances that are no longer in the table" in said.getvalue()


def test_a_task_that_is_gone_is_said_and_no_failure(made: Batch, accounts: Path) -> None:
    (accounts / TASK).rename(accounts / "elsewhere")
    response = client_of(worker("sue", staff=True)).get(f"/manage/batch/{made.pk}/results.csv")
    assert response.status_code == 503
    assert "is no longer in the served folder" in response.content.decode()
    with pytest.raises(CommandError, match="give its folder with --tasks-dir"):
        call_command("results", str(made.project_id))


def test_results_become_labels_of_a_new_task_set(made: Batch, accounts: Path, tmp_path) -> None:
    call_command("results", str(made.project_id), "--out", str(tmp_path / "results.csv"), stderr=StringIO())
    collect(read_results([tmp_path / "results.csv"]), Catalog(accounts), tmp_path / "new")
    (instance,) = Catalog(tmp_path / "new").task(TASK).instances
    assert instance.labels == {"a": ("=1+1", "two"), "b": ("x|y", "")}
    assert (tmp_path / "new" / TASK / "template.html").read_text() == TEMPLATE
