"""The terminal's summary of a run on websites."""

from __future__ import annotations

from pathlib import Path

from harness.actions.result import Step
from harness.analysis.run_results import RunScores
from harness.analysis.site_results import SiteTally
from harness.kit.text import NOTHING
from harness.records.config import RunConfig
from harness.records.episode import Episode
from harness.reports.run_summary import summary_table
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests import samples
from tests.analysis.site_episodes import on_site
from tests.samples import episode

STEP = Step("reload()", True, "", 1.0)
A = on_site({"key_nodes": 0.5, "final_state": 0.0}, level="easy", task="A", steps=(STEP,) * 3)
B = on_site({"key_nodes": 1.0, "final_state": 0.0}, level="hard", task="B", steps=(STEP,) * 4)
B_AGAIN = on_site({"key_nodes": 0.0}, level="hard", task="B", index=1, steps=(STEP,) * 7)
UNKNOWN = on_site({"key_nodes": None}, level="hard", task="C", outcome="unscored")
LOST = episode(task="D", outcome="harness_error", detail="no browser")


def summary(*episodes: Episode) -> str:
    tally = SiteTally()
    scores = [score_episode(each, PROFILES["standard"]) for each in episodes]
    for each in scores:
        tally.see(each)
    record = samples.run_record(
        config=RunConfig("random", Path("tasks"), kind="site"),
        comparability_id="0123456789",
        planned_episodes=len(episodes),
        results=RunScores.of(scores).results(),
    )
    return summary_table(record, sites=tally.found())


def rows(text: str, title: str) -> list[list[str]]:
    table = next(part for part in text.split("\n\n") if part.startswith(title)).splitlines()
    return [line.split() for line in table[2:]]


def test_each_task_has_its_level_its_site_what_each_evaluator_says_and_its_steps():
    text = summary(A, B, B_AGAIN)
    heading = next(line for line in text.splitlines() if line.startswith("task"))
    assert heading.split("  ")[-2:] == ["final state", "steps"]
    assert rows(text, "task") == [
        ["A", "easy", "not", "said", "1", "50.0", NOTHING, "50.0", "0.0", "3.0"],
        ["B", "hard", "not", "said", "2", "50.0", NOTHING, "50.0", "0.0", "5.5"],
    ]


def test_levels_have_means_over_tasks_of_the_score_and_over_episodes_of_evaluators():
    third = on_site({"key_nodes": 1.0}, level="hard", task="C", steps=())
    text = summary(A, B, B_AGAIN, third)
    assert rows(text, "level") == [
        ["easy", "1", "50.0", NOTHING, "50.0", "0.0", "3.0"],
        ["hard", "3", "75.0", NOTHING, "66.7", "0.0", "3.7"],
    ]
    assert rows(text, "overall") == [["4", "66.7", NOTHING, "62.5", "0.0", "3.5"]]


def test_nothing_of_fields_or_profiles_stands_there():
    text = summary(A, B)
    for word in ("field", "skill", "constant", "copy", "Submissions", "profile", "tie"):
        assert word not in text
    assert "Solver random · evaluators of websites · comparability id 0123456789" in text


def test_goals_are_counted_and_evaluators_that_disagree():
    assert "Goals reached: 1 of 3." in summary(A, B, B_AGAIN)
    assert "one evaluator says so and another does not: 1." in summary(A, B, B_AGAIN)


def test_what_is_not_known_is_a_dash_and_counted():
    text = summary(A, UNKNOWN)
    assert rows(text, "task")[1] == ["C", "hard", "not", "said", "0", NOTHING, NOTHING, NOTHING, NOTHING, "0.0"]
    assert "Goals reached: 0 of 2, not known of 1." in text


def test_run_in_which_nothing_could_be_evaluated_still_names_its_tasks():
    text = summary(LOST)
    assert "NO SCORE" in text
    assert rows(text, "task") == [["D", *[NOTHING] * 2, "0", *[NOTHING] * 3]]
    assert "Goals" not in text


def test_splits_are_shown_if_there_are_several():
    other = on_site({"key_nodes": 1.0}, task="E", split="dev")
    assert "split" not in summary(A, B)
    assert rows(summary(A, other), "split") == [["dev", "100.0", NOTHING], ["train", "50.0", NOTHING]]
