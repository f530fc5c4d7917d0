from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import pytest

from harness.analysis.endings import Endings
from harness.analysis.run_results import RunScores
from harness.catalog.mirror.manifest import entries
from harness.models.ledger import Totals
from harness.models.messages import Usage
from harness.records.agent_report import AgentReport, ReportedTotals
from harness.records.config import RunConfig
from harness.records.results import RunTime
from harness.reports.run_summary import summary_table
from harness.scoring.answers.columns import UNLABELLED
from harness.scoring.metrics import PROFILES
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


def test_the_columns_that_do_not_explain_themselves_are_explained():
    said = summary_table(run_record(episode(RIGHT)))
    for column in ("of ceil.", "nothing", "constant", "copy", "skill/n", "skill/c"):
        assert column in said.partition("of ceil.: ")[0].splitlines()[2]
        assert column in f"of ceil.: {said.partition('of ceil.: ')[2]}".partition("\n\n")[0]


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
            left_out={"tasks that cannot be read": 2, "instances that nobody labelled": 1},
            identical_tasks=[["One", "Two"]],
        )
    )
    assert f"Fields not scored: 1 × {UNLABELLED}." in text
    assert "Left out: 2 tasks that cannot be read, 1 instance that nobody labelled." in text
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


def endings(*episodes):
    found = Endings(Path("run"))
    for each in episodes:
        found.see(score_episode(each, PROFILES["standard"]))
    return found


LOST = [episode(index=place, outcome="harness_error", detail="the model gave no answer: HTTP 503") for place in (1, 2)]


def test_reasons_follow_the_tables_with_counts_and_an_example():
    played = [episode(RIGHT), *LOST]
    text = summary_table(run_record(*played), endings(*played))
    assert text.split("\n\n")[-1].splitlines() == [
        "Why, the most frequent reasons first:",
        "harness_error 2:",
        "  2 × the model gave no answer: HTTP 503",
        "      for example T, instance 1: run/episodes/T/1.json",
    ]


def test_second_attempts_are_counted_before_the_reasons():
    played = [episode(RIGHT, attempts=2), episode(RIGHT, index=1, attempts=1), episode(RIGHT, index=2)]
    text = summary_table(run_record(*played), endings(*played))
    assert text.split("\n\n")[-1] == (
        "1 episode had a second attempt: page, browser or process died while the solver worked."
    )


def test_reasons_come_first_where_nothing_has_a_score():
    text = summary_table(run_record(*LOST), endings(*LOST))
    assert text.split("\n\n")[1].splitlines()[0] == "NO SCORE: no instance has one."
    assert text.index("HTTP 503") < text.index("overall")
    assert text.count("HTTP 503") == 1


def test_episodes_that_ended_by_themselves_need_no_reasons():
    assert "Why" not in summary_table(run_record(episode(RIGHT)), endings(episode(RIGHT)))


SPENT = Totals(calls=3, cached=1, usage=Usage(12_000, 345), cost=Decimal("0.42"))


@pytest.mark.parametrize(
    ("spent", "options", "said"),
    [
        (SPENT, {}, "Spent: 3 calls of the model, 12,345 tokens (12,000 in, 345 out), $0.4200."),
        (SPENT, {"max_cost": 5.0}, "345 out), $0.4200 of $5.00 (8%)."),
        (SPENT, {"max_tokens": 100_000}, "model, 12,345 of 100,000 tokens (12%) (12,000 in"),
        (replace(SPENT, cost=None), {"max_tokens": 100_000}, "345 out), cost unknown."),
        (SPENT, {}, "Replies that had been paid for before: 1."),
        (
            replace(SPENT, open_calls=1, open_tokens=9_000, open_cost=Decimal(2)),
            {},
            "up to 9,000 tokens and $2.00 more.",
        ),
    ],
)
def test_what_a_model_cost_is_told_beside_what_it_may(spent, options, said):
    config = RunConfig("gpt-4o", Path("tasks"), options=options)
    assert said in summary_table(run_record(episode(RIGHT), spent=spent, config=config))


@pytest.mark.parametrize(
    ("reports", "said"),
    [
        ([{"input_tokens": 1000, "output_tokens": 20, "cost": 0.5}], "1,020 tokens reported, $0.5000 reported."),
        ([{"cost": 0.5}, {}], "tokens unknown, $0.5000 reported (1 of 2 episodes)."),
        ([{}], "tokens unknown, cost unknown."),
    ],
)
def test_what_agents_say_that_they_spent_is_told_as_theirs(reports, said):
    totals = ReportedTotals()
    for report in reports:
        totals = totals.plus(ReportedTotals.of(AgentReport(**report)))
    assert f"Spent, as the agents say: {said}" in summary_table(run_record(episode(RIGHT), reported=totals))
    own = summary_table(run_record(episode(RIGHT), reported=totals, spent=SPENT))
    assert "as the agents say" not in own  # the harness has seen what the model took


def test_a_run_without_a_model_has_spent_nothing_to_tell():
    assert "Spent" not in summary_table(run_record(episode(RIGHT)))


@pytest.mark.parametrize(
    ("isolation", "said"),
    [
        ("box", "The program worked in a box in which nothing of its user exists but what the program needs"),
        ("masked", "The program worked in a box of an earlier version"),
        ("none", "NOT SHUT IN: the program worked in no box"),
        (None, "NOT SHUT IN: the program worked in a box or in none, which is not known"),
    ],
)
def test_a_reader_is_told_how_the_program_was_shut_in(isolation, said):
    config = RunConfig("command", Path("tasks"), options={"command": "agent"})
    assert said in summary_table(run_record(episode(RIGHT), config=config, isolation=isolation))
    assert "SHUT IN" not in summary_table(run_record(episode(RIGHT)))


def missing(**values):
    outside = samples.missed_outside(missing_assets={"https://x.example/a.js": 3, "https://x.example/b.css": 1})
    return [
        line
        for line in summary_table(run_record(episode(RIGHT), **{"outside": outside, **values})).splitlines()
        if line.startswith("OUTSIDE FILES MISSING")
    ]


def test_what_pages_asked_for_in_vain_is_counted_by_page_and_the_most_wanted_is_named():
    (line,) = missing(pages_lacking_assets=3)
    assert ": 3 pages did not get 2 outside scripts, styles or fonts, e.g. https://x.example/a.js, " in line
    (old,) = missing()
    assert ": pages did not get 2 outside" in old


def test_nothing_is_said_of_outside_files_where_all_are_there():
    assert missing(outside=samples.missed_outside()) == []


def test_no_command_is_told_for_what_nobody_has_or_nobody_wanted():
    gaps = [entry.url for entry in entries().values() if entry.source is None]
    (line,) = missing(outside=samples.missed_outside(missing_assets=dict.fromkeys(gaps, 1)))
    assert line.endswith("; no package holds what is missing")
    (line,) = missing(outside=samples.missed_outside(network="none", missing_assets={"https://x.example/a.js": 1}))
    assert line.endswith("or work wrongly")


def took(**values):
    known = {"wall_seconds": 754.2, "pages": 448, "pages_per_second": 0.594, "model_seconds": 1100.0, "model_told": 440}
    return RunTime(**{**known, **values})


MODEL = RunConfig("gpt-4o", Path("tasks"))


def test_the_summary_says_how_long_the_run_took_and_how_much_of_it_was_waiting_for_the_model():
    said = summary_table(run_record(episode(RIGHT), config=MODEL, time=took()))
    assert (
        "Wall time: 12 min 34 s; pages a second: 0.594. "
        "Waiting for the model: 18 min 20 s, added up over 440 pages." in said.splitlines()
    )


def test_times_that_are_not_known_are_said_to_be_unknown():
    unknown = took(wall_seconds=None, pages_per_second=None, model_seconds=None, model_told=0)
    said = summary_table(run_record(episode(RIGHT), config=MODEL, time=unknown))
    assert "Wall time: unknown; pages a second: unknown. Waiting for the model: unknown." in said.splitlines()


def test_of_a_solver_without_a_model_no_waiting_is_told():
    said = summary_table(run_record(episode(RIGHT), time=took(model_seconds=None, model_told=0)))
    assert "Wall time: 12 min 34 s; pages a second: 0.594." in said.splitlines()


def test_a_run_from_before_times_were_kept_has_a_summary_without_them():
    assert "Wall time" not in summary_table(run_record(episode(RIGHT), time=None))
