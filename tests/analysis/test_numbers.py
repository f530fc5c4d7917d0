"""The numbers of a report against computations by hand, by pandas, and by the statistics called directly.

Task A (test): instance 0 scores 1 and 0 on two fields, instance 1 scores 1 on one; task B (train): one instance of four
fields, of which one is right. So A is 0.75, B is 0.25 and the headline 0.5.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.analysis.numbers import numbers
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import group
from harness.analysis.summary import summarise
from harness.analysis.tally import Tally
from harness.answers.columns import UNLABELLED
from harness.files.codec import plain
from harness.metrics import PROFILES
from harness.models.messages import Usage
from harness.runlog.directory import RunDirectory
from harness.runlog.episode import Episode
from harness.runlog.turn import Turn
from harness.scoring.scores import score_episode
from harness.statistics.clustered import (
    DIFFERENCES,
    mean_of_clusters,
    mean_of_items,
    mean_of_one,
    ratio_of_means,
)
from tests.analysis.made import scored, write
from tests.samples import episode, record, submission

DRAWS = 200
YES, NO = ("yes",), ("no",)
A = [{"r1": 1.0, "r2": 0.0}, {"r1": 1.0}]
B = [{"r1": 1.0, "r2": 0.0, "r3": 0.0, "r4": 0.0}]


def of(*runs: ScoredRun) -> dict[str, Any]:
    (result,) = group(runs)
    found = numbers(result, draws=DRAWS)
    json.dumps(found, allow_nan=False)
    return found


def read(folder: Path, *played: Episode) -> tuple[ScoredRun, Tally]:
    tally = Tally()
    return read_scored(write(folder, played), people=True, visitors=[tally]), tally


def seen(folder: Path, *played: Episode) -> dict[str, Any]:
    run, tally = read(folder, *played)
    found = numbers(group([run])[0], [tally], draws=DRAWS)
    json.dumps(found, allow_nan=False)
    return found


def choice(
    name: str = "r", labels: tuple[str, ...] = ("yes", "yes"), sent: tuple[str, ...] = YES, **values: Any
) -> Any:
    return record(name, "radio", options=("yes", "no"), labels=labels, sent=sent, **values)


@pytest.fixture(scope="module")
def mixed(tmp_path_factory: pytest.TempPathFactory) -> ScoredRun:
    """Seven tasks of different sizes with sliders, radio buttons, texts, one to four workers and two splits."""
    chance = random.Random(5)  # noqa: S311 - a draw, not a secret

    def one_of(*options: str) -> str:
        return chance.choice(options)

    played = []
    for task in range(7):
        for index in range(chance.randint(2, 9)):
            workers = range(chance.randint(1, 4))
            fields = [
                choice(f"r{number}", tuple(one_of("yes", "no", "") for _ in workers), (one_of("yes", "no"),))
                for number in range(chance.randint(1, 4))
            ]
            slid = tuple(str(chance.randint(0, 9)) for _ in workers)
            fields.append(record("s", "range", labels=slid, sent=(str(chance.randint(0, 9)),), constant=("3",)))
            wrote = tuple(one_of("a dog", "a cat", "the dog") for _ in workers)
            fields.append(record("t", labels=wrote, sent=(one_of("a dog", "one cat"),), untouched=("a",)))
            split = "test" if task < 3 else "train"
            played.append(episode(*fields, task=f"T{task}", index=index, id=f"{task}.{index}", split=split))
    return read_scored(write(tmp_path_factory.mktemp("mixed"), played), people=True)


@pytest.fixture(scope="module")
def found(mixed: ScoredRun) -> dict[str, Any]:
    return of(mixed)


def test_means_over_tasks_instances_and_fields_by_hand(tmp_path: Path) -> None:
    found = of(scored(tmp_path, {"A": A, "B": B}, splits={"A": "test", "B": "train"}))
    assert found["overall"]["score"]["value"] == pytest.approx(0.5)
    assert found["tasks"]["A"]["score"]["value"] == pytest.approx(0.75)
    assert found["tasks"]["B"]["score"]["value"] == pytest.approx(0.25)
    assert {name: split["score"]["value"] for name, split in found["splits"].items()} == {
        "test": pytest.approx(0.75),
        "train": pytest.approx(0.25),
    }
    assert found["instances_mean"]["score"]["value"] == pytest.approx((0.5 + 1 + 0.25) / 3)
    assert found["fields_mean"]["score"]["value"] == pytest.approx(3 / 7)
    counts = ("tasks", "instances", "fields", "episodes")
    assert [found["overall"][name] for name in counts] == [2, 3, 7, 3]
    assert [found["fields_mean"][name] for name in counts] == [2, 3, 7, 3]
    assert [found["tasks"]["A"][name] for name in counts] == [1, 2, 3, 2]
    assert found["tasks"]["A"]["split"] == "test"


def test_the_numbers_without_interval_are_those_of_the_run(mixed: ScoredRun, found: dict[str, Any]) -> None:
    scores = (score_episode(each, PROFILES["standard"]) for each in RunDirectory(mixed.folder).episodes())
    results = plain(summarise(scores))
    groups = [(results["overall"], found["overall"])]
    for part in ("splits", "tasks", "kinds"):
        assert results[part].keys() == found[part].keys()
        groups += [(results[part][name], found[part][name]) for name in results[part]]
    names = ("ceiling", "do_nothing", "constant", "copy", "untied", "skill_over_do_nothing", "skill_over_constant")
    for theirs, ours in groups:
        assert {name: ours[name] for name in names} == {name: theirs[name] for name in names}
        for name in ("score", "of_ceiling"):
            assert ours[name]["value"] == pytest.approx(theirs[name])
    assert found["instances_mean"]["score"]["value"] == pytest.approx(results["overall"]["mean_over_instances"])
    assert found["fields_mean"]["score"]["value"] == pytest.approx(results["overall"]["mean_over_fields"])


def test_intervals_are_those_of_the_statistics(mixed: ScoredRun, found: dict[str, Any]) -> None:
    rows, how = mixed.instances, {"draws": DRAWS, "seed": 0}
    tasks = rows["task"].cat.codes.to_numpy()
    score, ceiling = rows["score"].to_numpy(), rows["ceiling"].to_numpy()
    assert found["overall"]["score"] == pytest.approx(mean_of_clusters(score, tasks, **how).to_json())
    assert found["overall"]["of_ceiling"] == pytest.approx(ratio_of_means(score, ceiling, tasks, **how).to_json())
    expected = mean_of_items(score, np.ones(len(rows)), tasks, **how)
    assert found["instances_mean"]["score"] == pytest.approx(expected.to_json())
    one = rows[rows["task"] == "T4"]["score"].to_numpy()
    assert found["tasks"]["T4"]["score"] == pytest.approx(mean_of_one(one, **how).to_json())
    fields = mixed.fields[mixed.fields["kind"] == "radio"].groupby("instance")["score"]
    expected = mean_of_items(fields.sum(), fields.count(), tasks[fields.sum().index], **how)
    assert found["kinds"]["radio"]["score"] == pytest.approx(expected.to_json())
    assert found["overall"]["score"]["low"] < found["overall"]["score"]["value"] < found["overall"]["score"]["high"]


def test_solver_and_crowd_are_compared_pair_by_pair_where_both_are_known(
    mixed: ScoredRun, found: dict[str, Any]
) -> None:
    rows = mixed.instances.dropna(subset="crowd")
    assert 0 < len(rows) < len(mixed.instances)
    tasks, how = rows["task"].cat.codes.to_numpy(), {"draws": DRAWS, "seed": 0}
    own, crowd = rows["own_left_out"].to_numpy(), rows["crowd"].to_numpy()
    overall = found["overall"]
    assert overall["own_left_out"] == pytest.approx(mean_of_clusters(own, tasks, **how).to_json())
    assert overall["crowd"] == pytest.approx(mean_of_clusters(crowd, tasks, **how).to_json())
    expected = mean_of_clusters(own - crowd, tasks, bounds=DIFFERENCES, **how).to_json()
    assert overall["gap"] == pytest.approx(expected)
    assert overall["crowd"]["items"] == len(rows)
    fields = mixed.fields.dropna(subset="crowd")
    assert found["fields_mean"]["gap"]["value"] == pytest.approx((fields["own_left_out"] - fields["crowd"]).mean())


def test_crowd_and_solver_on_the_same_label_sets_by_hand(tmp_path: Path) -> None:
    # Without either who said yes there is a tie, which yes and no share; without the other yes has all votes.
    found = seen(tmp_path, episode(choice(labels=("yes", "yes", "no"))))
    values = {name: found["overall"][name]["value"] for name in ("own_left_out", "crowd", "gap")}
    assert values == {"own_left_out": 1.0, "crowd": pytest.approx(2 / 3), "gap": pytest.approx(1 / 3)}


def test_an_estimate_of_nothing_is_there_without_a_value(tmp_path: Path) -> None:
    overall = of(scored(tmp_path, {"A": A}))["overall"]
    for name in ("own_left_out", "crowd", "gap"):
        assert overall[name] == {
            "value": None, "low": None, "high": None, "clusters": 0, "items": 0, "method": "none",
        }  # fmt: skip


def test_a_run_of_harness_errors_alone_has_every_key_and_no_number(tmp_path: Path) -> None:
    whole = of(scored(tmp_path / "a", {"A": A}))
    none = seen(tmp_path / "b", episode(outcome="harness_error"))
    assert none.keys() == whole.keys()
    assert none["overall"].keys() == whole["overall"].keys()
    assert (none["overall"]["score"]["value"], none["overall"]["ceiling"], none["kinds"]) == (None, None, {})
    assert none["bounds"] == [0.0, 1.0]
    assert none["rank"] == [{"task": "T", "place": None, "tied": False, "score": None}]
    assert (none["trivial"], none["overall"]["episodes"], none["overall"]["instances"]) == ([], 1, 0)
    assert none["effort"]["steps"] == {"total": None, "per_instance": None, "per_point": None, "known": 0}


def test_the_only_split_is_the_whole(tmp_path: Path) -> None:
    found = of(scored(tmp_path, {"A": A, "B": B}))
    assert found["splits"] == {"train": found["overall"]}


def test_tasks_are_ranked_from_the_hardest_and_equals_share_a_place(tmp_path: Path) -> None:
    right, wrong, half = [{"r1": 1.0}], [{"r1": 0.0}], [{"r1": 1.0, "r2": 0.0}]
    tasks = {"easy": right, "hard": wrong, "b": half, "a": half, "unscored": [{}], "also easy": right}
    ranked = of(scored(tmp_path, tasks))["rank"]
    assert [(each["task"], each["place"], each["tied"]) for each in ranked] == [
        ("hard", 1, False),
        ("a", 2, True),
        ("b", 2, True),
        ("also easy", 4, True),
        ("easy", 4, True),
        ("unscored", None, False),
    ]


def test_floors_that_come_close_to_the_crowd_are_flagged_on_the_crowds_instances(tmp_path: Path) -> None:
    # Of two workers who agree each has 1. The second instance has one worker, and its floors do not count.
    both = choice(labels=("yes", "yes"), sent=NO, constant=YES, untouched=NO)
    alone = choice(labels=("no",), sent=NO, constant=YES, untouched=NO)
    found = seen(tmp_path, episode(both), episode(alone, index=1))
    assert found["trivial"] == [
        {"task": "T", "floor": "constant", "floor_score": 1.0, "against": "crowd", "against_score": 1.0}
    ]


def test_floors_stand_beside_the_solver_where_no_crowd_is_known(tmp_path: Path) -> None:
    def half_right(near: int) -> Episode:
        """Ten of twenty are right; of the untouched form so many."""
        fields = (
            choice(f"r{n}", ("yes",), YES if n < 10 else NO, untouched=YES if n < near else NO) for n in range(20)
        )
        return episode(*fields, task=f"{near}")

    tasks = [half_right(near) for near in (8, 9, 10)]
    flagged = [each for each in seen(tmp_path, *tasks)["trivial"] if each["floor"] == "do_nothing"]
    assert [(each["task"], each["against"]) for each in flagged] == [("10", "solver"), ("9", "solver")]
    assert flagged[1] == {
        "task": "9", "floor": "do_nothing", "floor_score": 0.45, "against": "solver", "against_score": 0.5,
    }  # fmt: skip


def test_a_floor_is_not_held_against_itself_where_no_crowd_is_known(tmp_path: Path) -> None:
    folder = write(tmp_path, [episode(choice(labels=("yes",), constant=YES))], {"solver": "constant"})
    run = read_scored(folder, people=True)
    assert of(run)["overall"]["constant"] == of(run)["overall"]["score"]["value"] == 1.0
    assert of(run)["trivial"] == []


def test_the_crowd_is_at_no_distance_from_itself(tmp_path: Path) -> None:
    answered = episode(choice(labels=("yes", "yes", "no")), answered_by="workers", submission=None)
    found = of(read_scored(write(tmp_path, [answered], {"solver": "crowd"}), people=True))
    assert found["overall"]["crowd"]["value"] == found["overall"]["own_left_out"]["value"] == pytest.approx(2 / 3)
    assert {found["overall"]["gap"]["value"], found["tasks"]["T"]["gap"]["value"]} == {None}


def turn(cost: float | None, *, cached: bool = False) -> Turn:
    return Turn(usage=Usage(input_tokens=100, output_tokens=10), cost=cost, cached=cached)


def test_effort_is_counted_in_all_per_instance_and_per_point(tmp_path: Path) -> None:
    played = [
        episode(choice(), index=0, turns=(turn(0.5), turn(0.25)), timing={"act": 1500.0, "think": 500.0}),
        episode(choice("a"), choice("b", sent=NO), index=1, turns=(turn(0.0, cached=True),)),
        episode(index=2, outcome="harness_error"),
    ]
    effort = seen(tmp_path, *played)["effort"]
    # 1 and 0.5 are 150 points; the instance without a score is in no mean.
    assert effort["cost"] == pytest.approx({"total": 0.75, "per_instance": 0.375, "per_point": 0.75 / 150, "known": 2})
    assert effort["input_tokens"]["per_point"] == pytest.approx(300 / 150)
    assert effort["output_tokens"]["total"] == 30
    assert effort["seconds"]["total"] == pytest.approx(2.0)
    assert (effort["turns"]["total"], effort["turns_from_cache"]) == (3, 1)


def test_a_cost_that_is_not_known_counts_in_no_mean(tmp_path: Path) -> None:
    played = [episode(choice(), index=0, turns=(turn(0.5),)), episode(choice(), index=1, turns=(turn(None),))]
    found = seen(tmp_path / "a", *played)["effort"]
    assert found["cost"] == {"total": 0.5, "per_instance": 0.5, "per_point": 0.005, "known": 1}
    assert found["output_tokens"]["known"] == 2
    unknown = seen(tmp_path / "b", *played[1:])["effort"]["cost"]
    assert unknown == {"total": None, "per_instance": None, "per_point": None, "known": 0}


def test_who_earns_no_point_has_no_cost_per_point(tmp_path: Path) -> None:
    cost = seen(tmp_path, episode(choice(sent=NO), turns=(turn(0.5),)))["effort"]["cost"]
    assert (cost["total"], cost["per_point"]) == (0.5, None)


def test_outcomes_rates_and_what_is_not_scored(tmp_path: Path) -> None:
    played = [
        episode(choice(), record("b", status=UNLABELLED, sent=("something",)), index=0),
        episode(choice(), index=1, outcome="limit", submission=submission(accepted=False)),
        episode(record(status=UNLABELLED), index=2, outcome="unscored"),
    ]
    found = seen(tmp_path, *played)
    assert found["outcomes"] == {"scored": 1, "limit": 1, "agent_error": 0, "unscored": 1, "harness_error": 0}
    assert found["rates"] == pytest.approx(
        {"accepted_submissions": 2 / 3, "filled_where_every_worker_left_blank": 1 / 2}
    )
    assert found["unscored_fields"] == {UNLABELLED: 2}


def test_bounds_are_the_headlines_that_missing_instances_allow(tmp_path: Path) -> None:
    found = seen(tmp_path, episode(choice(), task="A"), episode(task="A", index=1, outcome="harness_error"))
    assert (found["overall"]["score"]["value"], found["bounds"]) == (1.0, [0.5, 1.0])


def test_agreement_tells_how_many_workers_gave_the_solvers_answer_and_how_far_they_agree(tmp_path: Path) -> None:
    played = [
        episode(choice("a", ("yes", "yes", "no")), choice("b", ("yes", "yes", "yes"), NO)),
        episode(choice("a", ("yes", "no")), index=1),
    ]
    found = seen(tmp_path, *played)["agreement"]
    assert found["with_workers"] == {"radio": {"share": pytest.approx((2 / 3 + 0 + 1 / 2) / 3), "fields": 3}}
    labels = found["labels"]["overall"]
    shares = {name: pytest.approx(1 / 3) for name in ("unanimous", "majority", "tie")}
    assert {name: labels[name] for name in shares} == shares
    assert found["labels"]["tasks"]["T"] == found["labels"]["kinds"]["radio"] == labels


def test_without_a_tally_what_it_would_have_seen_is_null(tmp_path: Path) -> None:
    found = of(scored(tmp_path, {"A": A}))
    assert (found["errors"], found["unscored_fields"], found["agreement"]["labels"]) == (None, None, None)
    assert found["rates"]["filled_where_every_worker_left_blank"] is None
    assert found["effort"]["turns_from_cache"] is None


def test_several_seeds_are_one_result_with_the_spread_between_them(tmp_path: Path) -> None:
    runs, tallies = [], []
    for seed, score in enumerate((YES, NO, YES)):
        tally = Tally()
        folder = write(tmp_path / str(seed), [episode(choice(sent=score))], {"solver_seed": seed})
        runs.append(read_scored(folder, people=True, visitors=[tally]))
        tallies.append(tally)
    (result,) = group(runs)
    found = numbers(result, tallies, draws=DRAWS)
    assert found["overall"]["score"]["value"] == pytest.approx(2 / 3)
    assert found["between_seeds"] == {
        "seeds": [0, 1, 2],
        "headlines": [1.0, 0.0, 1.0],
        "standard_deviation": pytest.approx(np.std([1, 0, 1], ddof=1)),
        "dropped": {},
    }
    assert (found["outcomes"]["scored"], found["errors"]["episodes"]) == (3, 3)
    assert found["agreement"]["labels"]["overall"]["units"] == 1
    assert of(runs[0])["between_seeds"] is None


def test_of_several_seeds_the_bounds_are_means_over_seeds(tmp_path: Path) -> None:
    runs = []
    for seed, outcome in enumerate(("scored", "harness_error")):
        other = episode(*([choice()] if outcome == "scored" else []), index=1, id="1" * 12, outcome=outcome)
        folder = write(tmp_path / str(seed), [episode(choice()), other], {"solver_seed": seed})
        runs.append(read_scored(folder))
    assert of(*runs)["bounds"] == [0.75, 1.0]


def test_equal_seeds_give_equal_numbers_and_other_seeds_other_limits(mixed: ScoredRun, found: dict[str, Any]) -> None:
    assert of(mixed) == found
    other = numbers(group([mixed])[0], draws=DRAWS, seed=1)
    assert other["overall"]["score"]["value"] == found["overall"]["score"]["value"]
    assert other["overall"]["score"]["low"] != found["overall"]["score"]["low"]
