from __future__ import annotations

from pathlib import Path

import pytest

from harness.analysis.run_results import RunScores
from harness.answers.columns import UNLABELLED
from harness.metrics import PROFILES
from harness.reports.run_summary import summary_table
from harness.runlog.config import RunConfig
from harness.scoring.scores import score_episode
from tests import samples
from tests.samples import episode, record


def run_record(*episodes, **values):
    scores = [score_episode(each, PROFILES["standard"]) for each in episodes]
    given = {
        "config": RunConfig("oracle", Path("tasks")),
        "comparability_id": "0123456789",
        "planned_episodes": len(episodes),
        "results": RunScores.of(scores).results() if scores else None,
    }
    return samples.run_record(**{**given, **values})


def row(text: str, start: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if line.startswith(start)]
    return line.removeprefix(start).split()


RIGHT = record(sent=("yes",))
WRONG = record("b", sent=("no",), constant=("yes",))


def test_scores_are_shown_as_percentages_with_ceiling_floors_and_skill():
    text = summary_table(run_record(episode(RIGHT, WRONG, task="My task")))
    assert row(text, "My task") == ["1", "50.0", "100.0", "50.0", "0.0", "50.0", "0.0", "50.0", "0.0"]
    assert row(text, "text") == ["2", "50.0", "100.0", "50.0", "0.0", "50.0", "0.0", "50.0", "0.0"]


def test_the_comparability_id_and_the_profile_stand_above_the_numbers():
    assert "profile standard · comparability id 0123456789" in summary_table(run_record(episode(RIGHT)))


def test_a_number_that_nothing_was_measured_for_is_a_dash():
    text = summary_table(run_record(episode(outcome="harness_error", task="My task")))
    assert row(text, "My task") == ["0", *["–"] * 8]


def test_every_outcome_is_shown_with_what_was_planned():
    text = summary_table(run_record(episode(RIGHT), episode(RIGHT, index=1, outcome="limit"), planned_episodes=5))
    assert "Outcomes: scored 1, limit 1, agent_error 0, unscored 0, harness_error 0 of 5 planned." in text


def test_an_incomplete_run_shows_the_bounds_of_its_headline():
    text = summary_table(run_record(episode(RIGHT), episode(index=1, outcome="harness_error"), status="incomplete"))
    assert "INCOMPLETE: instances without a score allow any headline from 50.0 to 100.0." in text


@pytest.mark.parametrize(("status", "said"), [("interrupted", True), ("complete", False)])
def test_an_interrupted_run_says_so(status, said):
    assert ("INTERRUPTED" in summary_table(run_record(episode(RIGHT), status=status))) is said


def test_what_is_not_scored_or_left_out_is_listed():
    text = summary_table(
        run_record(
            episode(RIGHT, record("b", status=UNLABELLED)),
            left_out={"tasks that cannot be read": 2},
            identical_tasks=[["One", "Two"]],
        )
    )
    assert f"Fields not scored: 1 × {UNLABELLED}." in text
    assert "Left out: 2 tasks that cannot be read." in text
    assert "Identical tasks (leakage): One = Two." in text


def test_reasons_that_differ_in_a_name_alone_are_counted_together():
    echoes = [record(name, status=f"not an answer: repeats the input {name!r}") for name in ("b", "c's")]
    assert "Fields not scored: 2 × not an answer: repeats the input." in summary_table(
        run_record(episode(RIGHT, *echoes))
    )


def test_pages_without_a_field_that_the_profile_scores_are_counted():
    unseen = score_episode(episode(record(visible=False)), PROFILES["turkingbench-2024"])
    seen = score_episode(episode(RIGHT, index=1), PROFILES["turkingbench-2024"])
    text = summary_table(run_record(episode(RIGHT), results=RunScores.of([unseen, seen]).results()))
    assert "Pages without a field that this profile scores: 1; they count in no mean." in text


def test_a_run_without_episodes_says_so():
    assert summary_table(run_record()) == "No episode was finished."


def test_a_long_task_name_is_cut_and_the_columns_stay_aligned():
    text = summary_table(run_record(episode(RIGHT, task="n" * 200), episode(RIGHT, task="short")))
    first, second = [line for line in text.splitlines() if line.startswith(("nnn", "short"))]
    assert len(first) == len(second)
    assert "…" in first
