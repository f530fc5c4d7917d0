"""Help from a run: who gets it, what stands in their sheet, and what it does."""

from __future__ import annotations

import csv
import json
import re
import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from harness.catalog.annotations.help_drawing import is_drawn
from harness.records.directory import RunDirectory
from tests import samples
from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import batch, worker
from tests.server.pages import soup, text
from turkle_app.annotation.claims import claim, give_back, submit
from turkle_app.annotation.instances import instance_ids
from turkle_app.annotation.models import Assignment, Batch, Copilot, State
from turkle_app.annotation.sheet_token import sheet_token

EVIL = "</script><script>alert(1)</script>"


@pytest.fixture
def run(accounts: Path, tmp_path: Path) -> Path:  # noqa: ARG001 - its task
    """A run that sent something on three of the four instances, on one of them nothing, and that failed on the last."""
    directory = RunDirectory(tmp_path / "model-7")
    directory.write(samples.run_record())
    for index, instance_id in enumerate(instance_ids(TASK)):
        sent = ("",) if index == 2 else (f"model {index} {EVIL}",)
        fields = [samples.record("a", sent=sent), samples.record("hidden", "hidden", sent=("h",), told=False)]
        outcome = "harness_error" if index == 3 else "scored"
        directory.add(samples.episode(*fields, task=TASK, index=index, id=instance_id, outcome=outcome), {})
    other = samples.episode(samples.record("a", sent=("x",)), task="another", index=0, id=instance_ids(TASK)[3])
    directory.add(other, {})
    return directory.folder


def set_up(made: Batch, run: Path, *options: str) -> str:
    shown = StringIO()
    call_command("copilot", str(made.project_id), "--from", str(run), *options, stdout=shown)
    return shown.getvalue()


def told(client: Client, assignment: Assignment) -> dict[str, object] | None:
    """The help that stands in a sheet."""
    page = client.get(f"/sheet/{sheet_token(assignment.pk)}/").content.decode()
    assert EVIL not in page
    found = re.search(r"var help = (\{.*\});", page)
    return json.loads(found[1]) if found else None


def test_what_a_run_sent_helps_with_the_instances_that_it_answered(run: Path) -> None:
    made = batch()
    assert set_up(made, run) == "'Which one?, Batch 1': help on 2 instances, for 50% of the assignments\n"
    copilot = Copilot.objects.get(batch=made)
    assert (copilot.run, copilot.way, copilot.share, copilot.active) == ("model-7", "fill", 0.5, True)
    ids = instance_ids(TASK)
    assert dict(copilot.suggestions.values_list("instance_id", "answers")) == {
        **{ids[index]: {"a": [f"model {index} {EVIL}"]} for index in (0, 1)},
        ids[2]: {},
    }


def test_help_is_drawn_by_worker_and_instance_and_written_down_with_the_assignment(run: Path) -> None:
    made, people = batch(asked=20), [worker(f"w{number}") for number in range(20)]
    set_up(made, run, "--seed", "5")
    for each in people:
        claimed = claim(made.pk, each)
        assert claimed.helped == is_drawn(5, 0.5, str(each.pk), claimed.instance_id)
        give_back(claimed, State.RETURNED)
    drawn = {bool(each) for each in Assignment.objects.values_list("helped", flat=True)}
    assert drawn == {True, False}


def test_where_the_run_has_nothing_to_say_nothing_is_drawn(run: Path) -> None:
    made, anna = batch(), worker("anna")
    set_up(made, run, "--share", "1")
    drawn = [submit(claim(made.pk, anna).pk, {"a": ["x"]}).helped for _ in range(4)]
    assert drawn == [True, True, None, None]


@pytest.mark.claim("web-help")
@pytest.mark.parametrize("way", ["fill", "mark"])
def test_the_sheet_of_who_gets_help_holds_the_runs_answers_and_no_other_sheet_does(run: Path, way: str) -> None:
    made, anna = batch(asked=2), worker("anna")
    set_up(made, run, "--share", "1", "--way", way)
    helped = claim(made.pk, anna)
    assert told(client_of(), helped) == {"way": way, "answers": {"a": [f"model 0 {EVIL}"]}}
    page = client_of(anna).get(f"/work/assignment/{helped.pk}/").content.decode()
    assert "A model has answered this instance before" in page
    Assignment.objects.filter(pk=helped.pk).update(helped=False)
    assert told(client_of(), helped) is None
    assert "A model has answered" not in client_of(anna).get(f"/work/assignment/{helped.pk}/").content.decode()


def test_switched_off_nothing_is_drawn_any_more_and_what_was_drawn_is_kept(run: Path) -> None:
    made, anna = batch(), worker("anna")
    set_up(made, run, "--share", "1")
    first = claim(made.pk, anna)
    call_command("copilot", str(made.project_id), "--off", stdout=StringIO())
    assert told(client_of(), first) is not None
    submit(first.pk, {"a": ["x"]})
    assert claim(made.pk, anna).helped is None
    assert Assignment.objects.get(pk=first.pk).helped is True


def test_nothing_of_the_draw_changes_once_workers_have_begun(run: Path) -> None:
    made = batch()
    set_up(made, run)
    set_up(made, run, "--share", "1")
    claim(made.pk, worker("anna"))
    with pytest.raises(CommandError, match="workers of 'Which one\\?, Batch 1' have begun with this help"):
        set_up(made, run, "--share", "0.1")
    staff = client_of(worker("stan", staff=True))
    staff.post(f"/manage/batch/{made.pk}/help/", {"way": "mark", "percent": "10", "seed": "1"})
    copilot = Copilot.objects.get(batch=made)
    assert (copilot.way, copilot.share) == ("fill", 1.0)
    assert "stay as they are" in text(soup(staff, f"/manage/batch/{made.pk}/help/"))


def test_staff_change_how_help_is_given_before_it_begins(run: Path) -> None:
    made, staff = batch(), client_of(worker("stan", staff=True))
    address = f"/manage/batch/{made.pk}/help/"
    assert "Workers get no help in this batch" in text(soup(staff, address))
    set_up(made, run)
    assert "2 of 4" in text(soup(staff, address))
    staff.post(address, {"way": "mark", "percent": "25", "seed": "9"})
    copilot = Copilot.objects.get(batch=made)
    assert (copilot.way, copilot.share, copilot.seed) == ("mark", 0.25, 9)
    for wrong in ({"percent": "101"}, {"percent": "nan"}, {"seed": "-1"}, {"seed": "x"}, {"way": "other"}):
        staff.post(address, {"way": "fill", "percent": "50", "seed": "0"} | wrong)
        copilot.refresh_from_db()
        assert (copilot.way, copilot.share, copilot.seed) == ("mark", 0.25, 9)
    staff.post(address, {"active": "no"})
    copilot.refresh_from_db()
    assert not copilot.active


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--from", "nowhere"], "is no run directory"),
        (["--from", "RUN", "--share", "2"], "--share 2.0 is not from 0 to 1"),
        ([], "gives no help; set it up with --from RUN"),
    ],
)
def test_what_cannot_be_is_one_line_with_what_to_do(run: Path, options: list[str], said: str) -> None:
    made = batch()
    with pytest.raises(CommandError, match=re.escape(said)):
        call_command("copilot", str(made.project_id), *[str(run) if each == "RUN" else each for each in options])


def test_a_run_of_other_tasks_gives_no_help(run: Path, accounts: Path) -> None:
    shutil.copytree(accounts / TASK, accounts / "renamed")
    with pytest.raises(CommandError, match="sent nothing on the task 'renamed'; take a run of this task"):
        set_up(batch(task="renamed"), run)


def test_page_and_command_say_what_help_does(run: Path) -> None:
    made = batch(asked=2)
    set_up(made, run)
    for name, seconds in (("anna", (10, 20)), ("bert", (20, 50))):
        user = worker(name)
        for helped, took in zip((True, False), seconds, strict=True):
            done = submit(claim(made.pk, user).pk, {"a": ["x"]})
            Assignment.objects.filter(pk=done.pk).update(helped=helped, seconds=took)
    shown = StringIO()
    call_command("copilot", str(made.project_id), stdout=shown)
    assert "2 assignments with help, 2 without" in shown.getvalue()
    row = next(line for line in shown.getvalue().splitlines() if line.startswith("seconds an assignment"))
    assert row.split()[3:6] == ["15.0", "35.0", "-20.0"]
    page = text(soup(client_of(worker("stan", staff=True)), f"/manage/batch/{made.pk}/help/"))
    assert "seconds an assignment 15.0 35.0 -20.0" in page


def test_results_say_who_had_help(run: Path, tmp_path: Path) -> None:
    made, anna = batch(), worker("anna")
    set_up(made, run, "--share", "1")
    for _ in range(3):
        submit(claim(made.pk, anna).pk, {"a": ["x"]})
    call_command("results", str(made.project_id), "--out", str(tmp_path / "results.csv"), stderr=StringIO())
    with (tmp_path / "results.csv").open(newline="") as file:
        assert [row["Turkbench.Helped"] for row in csv.DictReader(file)] == ["yes", "yes", ""]
