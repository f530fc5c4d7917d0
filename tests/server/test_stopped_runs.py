"""Runs that stopped, that failed, or in which nothing was done, in the list of runs and on their pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from django.test import Client

from harness.analysis.run_results import RunScores
from harness.models.ledger import Totals
from harness.records.config import RunConfig
from harness.records.episode import Episode
from harness.records.fatal import Stop
from harness.records.folder_lock import FolderLock
from harness.scoring.metrics import PROFILES
from tests.reports.watch.made_runs import answered, failed_step, indexed, write_run
from tests.samples import episode, record
from tests.server.pages import soup, text

REFUSED = Stop(
    kind="refused",
    words="127.0.0.1 refused the request (HTTP 400: no pictures, please); it had 2 pictures.",
    advice="--no-vision",
    at="2026-01-31T12:10:00+00:00",
)


def row(viewer: Client, name: str) -> str:
    """What the list says of a run."""
    return next(text(each) for each in soup(viewer, "/runs/").select("tbody tr") if text(each.find("a")) == name)


def test_a_run_that_failed_says_why_and_how_it_goes_on(viewer: Client, runs_dir: Path) -> None:
    run = indexed(write_run(runs_dir / "a run", status="failed", stopped=REFUSED, planned_episodes=3))
    page = soup(viewer, "/runs/a%20run/")
    assert text(page.select_one("#head .badge.failed")) == "failed"
    said = text(page.select_one("#state"))
    assert "The model's provider refuses the requests for what they are." in said
    assert "no pictures, please); it had 2 pictures." in said
    assert "What to try: --no-vision." in said
    assert "It stopped at 2026-01-31 12:10 UTC" in said
    assert f"python -m harness.evaluate --resume '{run.folder}'" in said


def test_a_run_that_ended_without_an_episode_does_not_say_that_one_is_to_come_or_that_no_action_failed(
    viewer: Client, runs_dir: Path
) -> None:
    indexed(write_run(runs_dir / "r", status="failed", stopped=REFUSED, planned_episodes=3))
    page = text(soup(viewer, "/runs/r/"))
    assert "yet" not in page
    assert "No episode was finished" in page
    assert "No action failed" not in page
    assert "No action was tried." in page


def test_the_list_says_of_a_run_that_failed_why_and_can_choose_such_runs(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "good", answered(0)))
    indexed(write_run(runs_dir / "bad", status="failed", stopped=REFUSED))
    assert "failed" in row(viewer, "bad")
    assert "The model's provider refuses the requests" in row(viewer, "bad")
    chosen = soup(viewer, "/runs/?state=failed")
    assert [text(each) for each in chosen.select("tbody th a")] == ["bad"]
    assert "failed (1)" in text(chosen.select_one("#state"))


@pytest.mark.parametrize(
    ("stop", "said"),
    [
        (Stop(kind="interrupt", words="Ctrl-C", at=REFUSED.at), "The run was told to end. Ctrl-C"),
        (
            Stop(kind="disk", words="/runs/r cannot be written: No space left on device", at=REFUSED.at),
            "The run directory could not be written. /runs/r cannot be written: No space left on device",
        ),
        (
            Stop(kind="provider", words="no answer of api.example (HTTP 503)", at=REFUSED.at),
            "The model's provider does not answer, or gives no access. No answer of api.example (HTTP 503)",
        ),
        (None, "The run was interrupted. It is older than the record of why."),
    ],
)
def test_an_interrupted_run_says_why(viewer: Client, runs_dir: Path, stop: Stop | None, said: str) -> None:
    run = indexed(write_run(runs_dir / "r", answered(0), status="interrupted", stopped=stop, planned_episodes=2))
    state = text(soup(viewer, "/runs/r/").select_one("#state"))
    assert said in state
    assert f"python -m harness.evaluate --resume {run.folder}" in state


def test_a_run_whose_process_was_killed_says_so_and_one_that_goes_on_says_nothing(
    viewer: Client, runs_dir: Path
) -> None:
    run = indexed(write_run(runs_dir / "r", answered(0), status="running", planned_episodes=2))
    killed = "The run ended without a word: its process was killed, or its machine went down."
    assert killed in text(soup(viewer, "/runs/r/").select_one("#state"))
    assert "--resume" in text(soup(viewer, "/runs/r/").select_one("#state"))
    with FolderLock(run.folder):
        assert killed not in text(soup(viewer, "/runs/r/"))
        assert killed not in row(viewer, "r")


def test_episodes_that_ended_by_an_error_are_counted_beside_the_score(viewer: Client, runs_dir: Path) -> None:
    episodes = (answered(0), answered(1, outcome="agent_error", detail="no idea"), answered(2, outcome="limit"))
    run = write_run(runs_dir / "r", *episodes)
    run.add(answered(3, outcome="harness_error", detail="the browser died"), {})
    indexed(run)
    assert "2 of 4 episodes ended by an error" in row(viewer, "r")
    score = soup(viewer, "/runs/r/").select_one("#figures div")
    assert "2 of 4 episodes ended by an error" in text(score)
    indexed(write_run(runs_dir / "good", answered(0)))
    assert "ended by an error" not in row(viewer, "good")


def untouched(index: int, **values: object) -> Episode:
    """An episode whose form is right if nobody touches it."""
    field = record("answer", sent=("yes",), untouched=("yes",))
    return episode(field, **{"index": index, "id": f"{index:012x}", **values})


ASKED = {"config": RunConfig("gpt-6-luna", Path("tasks"))}
"""Of a run whose solver is asked."""


@pytest.mark.parametrize("status", ["complete", "failed", "interrupted"])
def test_a_run_whose_solver_never_replied_has_no_score_though_it_was_written_before_replies_were_counted(
    viewer: Client, runs_dir: Path, status: str
) -> None:
    episodes = [untouched(index, outcome="agent_error", detail="HTTP 400") for index in range(2)]
    indexed(write_run(runs_dir / "r", *episodes, status=status, **ASKED))
    page = soup(viewer, "/runs/r/")
    assert text(page.select_one("#figures dd")) == "–"
    assert "No score: the solver never gave a reply of use." in text(page.select_one("#state"))
    assert text(page.select_one("#head .badge")) == ("interrupted" if status == "interrupted" else "failed")
    assert text(page.select_one("details[data-keep=tasks] tbody td.number")) == "–"
    listed = soup(viewer, "/runs/").select_one("tbody tr")
    assert text(listed.select_one("[data-name=score]")) == "–"
    assert "2 of 2 episodes ended by an error" in text(listed.select_one(".state"))
    assert "No score: the solver never gave a reply of use." in text(listed.select_one(".state"))


def test_a_run_that_is_not_read_yet_shows_no_score_that_it_may_not_have(viewer: Client, runs_dir: Path) -> None:
    run = write_run(runs_dir / "old", untouched(0, outcome="agent_error"), **ASKED)
    results = RunScores.read(run, PROFILES["standard"]).results()
    scored = replace(results, work=None, overall=replace(results.overall, score=0.33))
    run.write(replace(run.read(), results=scored))
    assert text(soup(viewer, "/runs/").select_one("tbody td[data-name=score]")).startswith("–")


def test_a_run_in_which_nothing_was_done_says_so_beside_its_score(viewer: Client, runs_dir: Path) -> None:
    episodes = [untouched(index, steps=(failed_step(),)) for index in range(2)]
    indexed(write_run(runs_dir / "r", *episodes, **ASKED))
    indexed(write_run(runs_dir / "baseline", untouched(0)))
    said = "othing was ever done: this is the score of doing nothing"
    page = soup(viewer, "/runs/r/")
    assert f"N{said}." in text(page.select_one("#state"))
    assert text(page.select_one("#figures dd")) == "100.0"
    assert text(page.select_one("#head .badge")) == "complete"
    assert f"N{said}." in row(viewer, "r")
    assert said not in row(viewer, "baseline")


def test_nothing_is_said_of_going_on_with_a_run_that_would_get_the_same_replies(viewer: Client, runs_dir: Path) -> None:
    stop = replace(REFUSED, kind="no_reply")
    run = write_run(runs_dir / "r", untouched(0, outcome="agent_error"), status="failed", stopped=stop, **ASKED)
    run.write(replace(run.read(), spent=Totals(calls=2)))
    said = text(soup(viewer, f"/runs/{indexed(run).folder.name}/").select_one("#state"))
    assert said.count("The solver never gave a reply of use.") == 1
    assert "--resume" not in said
