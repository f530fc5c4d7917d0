"""The numbers of a report against computations by hand, by pandas, and by the statistics called directly.

Task A (test): instance 0 scores 1 and 0 on two fields, instance 1 scores 1 on one; task B (train): one instance of four
fields, of which one is right. So A is 0.75, B is 0.25 and the headline 0.5.
"""

from __future__ import annotations

import json
import random
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from harness.analysis.aggregation import Sizes
from harness.analysis.estimation import Estimates
from harness.analysis.result_numbers import (
    BetweenSeeds,
    CloseFloor,
    Effort,
    GroupNumbers,
    RankedTask,
    ResultNumbers,
    WithWorkers,
    numbers,
)
from harness.analysis.run_results import RunScores
from harness.analysis.scored_run import ScoredRun, read_scored
from harness.analysis.seeds import group
from harness.analysis.tally import Tally
from harness.kit.statistics.clustered import (
    DIFFERENCES,
    mean_of_clusters,
    mean_of_items,
    mean_of_one,
    ratio_of_means,
)
from harness.kit.statistics.estimate import Estimate
from harness.models.messages import Usage
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.results import MeanScores
from harness.records.turn import Turn
from harness.scoring.answers.columns import UNLABELLED
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.analysis.made import scored, write
from tests.samples import episode, record, submission

DRAWS = 200
YES, NO = ("yes",), ("no",)
A = [{"r1": 1.0, "r2": 0.0}, {"r1": 1.0}]
B = [{"r1": 1.0, "r2": 0.0, "r3": 0.0, "r4": 0.0}]


def of(*runs: ScoredRun, tallies: Sequence[Tally] = ()) -> ResultNumbers:
    (result,) = group(runs)
    found = numbers(result, tallies, draws=DRAWS)
    json.dumps(asdict(found), allow_nan=False)
    return found


def read(folder: Path, *played: Episode) -> tuple[ScoredRun, Tally]:
    tally = Tally()
    return read_scored(write(folder, played), people=True, visitors=[tally]), tally


def seen(folder: Path, *played: Episode) -> ResultNumbers:
    run, tally = read(folder, *played)
    return of(run, tallies=[tally])


def overall(found: ResultNumbers) -> Estimates:
    return found.groups.overall.estimates


def approximately(estimate: Estimate) -> Any:
    return pytest.approx(estimate.to_json())


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
def found(mixed: ScoredRun) -> ResultNumbers:
    return of(mixed)


def test_means_over_tasks_instances_and_fields_by_hand(tmp_path: Path) -> None:
    found = of(scored(tmp_path, {"A": A, "B": B}, splits={"A": "test", "B": "train"}))
    scores = found.groups.each(lambda group: group.estimates.score.value)
    assert scores.overall == pytest.approx(0.5)
    assert scores.tasks == {"A": pytest.approx(0.75), "B": pytest.approx(0.25)}
    assert scores.splits == {"test": pytest.approx(0.75), "train": pytest.approx(0.25)}
    assert scores.instances == pytest.approx((0.5 + 1 + 0.25) / 3)
    assert scores.fields == pytest.approx(3 / 7)
    sizes = found.groups.each(lambda group: group.sizes)
    assert sizes.overall == sizes.fields == Sizes(tasks=2, instances=3, fields=7, episodes=3)
    assert sizes.tasks["A"] == Sizes(tasks=1, instances=2, fields=3, episodes=2)
    assert found.split_of == {"A": "test", "B": "train"}


def test_the_numbers_without_interval_are_those_of_the_run(mixed: ScoredRun, found: ResultNumbers) -> None:
    scores = RunScores.of(score_episode(each, PROFILES["standard"]) for each in RunDirectory(mixed.folder).episodes())
    results = scores.results()
    parts = (("splits", results.splits), ("tasks", results.tasks), ("kinds", results.kinds))
    pairs: list[tuple[MeanScores, GroupNumbers]] = [(results.overall, found.groups.overall)]
    for which, theirs in parts:
        ours = found.groups.parts(which)
        assert theirs.keys() == ours.keys()
        pairs += [(theirs[name], ours[name]) for name in theirs]
    for means, numbers_ in pairs:
        assert asdict(numbers_.means).items() <= asdict(means).items()
        assert numbers_.estimates.score.value == pytest.approx(means.score)
        assert numbers_.estimates.of_ceiling.value == pytest.approx(means.of_ceiling)
    assert found.groups.instances.estimates.score.value == pytest.approx(results.overall.mean_over_instances)
    assert found.groups.fields.estimates.score.value == pytest.approx(results.overall.mean_over_fields)


def test_intervals_are_those_of_the_statistics(mixed: ScoredRun, found: ResultNumbers) -> None:
    rows, how = mixed.instances, {"draws": DRAWS, "seed": 0}
    tasks = rows["task"].cat.codes.to_numpy()
    score, ceiling = rows["score"].to_numpy(), rows["ceiling"].to_numpy()
    estimated = found.groups.each(lambda group: group.estimates.score.to_json())
    assert estimated.overall == approximately(mean_of_clusters(score, tasks, **how))
    assert overall(found).of_ceiling.to_json() == approximately(ratio_of_means(score, ceiling, tasks, **how))
    assert estimated.instances == approximately(mean_of_items(score, np.ones(len(rows)), tasks, **how))
    one = rows[rows["task"] == "T4"]["score"].to_numpy()
    assert estimated.tasks["T4"] == approximately(mean_of_one(one, **how))
    fields = mixed.fields[mixed.fields["kind"] == "radio"].groupby("instance")["score"]
    expected = mean_of_items(fields.sum(), fields.count(), tasks[fields.sum().index], **how)
    assert estimated.kinds["radio"] == approximately(expected)
    headline = overall(found).score
    assert None not in (headline.low, headline.value, headline.high)
    assert headline.low < headline.value < headline.high  # type: ignore[operator]


def test_solver_and_crowd_are_compared_pair_by_pair_where_both_are_known(
    mixed: ScoredRun, found: ResultNumbers
) -> None:
    rows = mixed.instances.dropna(subset="crowd")
    assert 0 < len(rows) < len(mixed.instances)
    tasks, how = rows["task"].cat.codes.to_numpy(), {"draws": DRAWS, "seed": 0}
    own, crowd = rows["own_left_out"].to_numpy(), rows["crowd"].to_numpy()
    estimates = overall(found)
    assert estimates.own_left_out.to_json() == approximately(mean_of_clusters(own, tasks, **how))
    assert estimates.crowd.to_json() == approximately(mean_of_clusters(crowd, tasks, **how))
    expected = mean_of_clusters(own - crowd, tasks, bounds=DIFFERENCES, **how)
    assert estimates.gap.to_json() == approximately(expected)
    assert estimates.crowd.items == len(rows)
    fields = mixed.fields.dropna(subset="crowd")
    assert found.groups.fields.estimates.gap.value == pytest.approx((fields["own_left_out"] - fields["crowd"]).mean())


def test_crowd_and_solver_on_the_same_label_sets_by_hand(tmp_path: Path) -> None:
    # Without either who said yes there is a tie, which yes and no share; without the other yes has all votes.
    found = overall(seen(tmp_path, episode(choice(labels=("yes", "yes", "no")))))
    assert (found.own_left_out.value, found.crowd.value) == (1.0, pytest.approx(2 / 3))
    assert found.gap.value == pytest.approx(1 / 3)


def test_an_estimate_of_nothing_is_there_without_a_value(tmp_path: Path) -> None:
    found = overall(of(scored(tmp_path, {"A": A})))
    nothing = Estimate(value=None, low=None, high=None, clusters=0, items=0, method="none")
    assert found.own_left_out == found.crowd == found.gap == nothing


def test_a_run_of_harness_errors_alone_has_no_number(tmp_path: Path) -> None:
    found = seen(tmp_path, episode(outcome="harness_error"))
    assert (overall(found).score.value, found.groups.overall.means.ceiling, found.groups.kinds) == (None, None, {})
    assert found.bounds == (0.0, 1.0)
    assert found.rank == (RankedTask("T", place=None, tied=False, score=None),)
    assert found.trivial == []
    assert (found.groups.overall.sizes.episodes, found.groups.overall.sizes.instances) == (1, 0)
    assert found.effort["steps"] == Effort(total=None, per_instance=None, per_point=None, known=0)


def test_the_only_split_is_the_whole(tmp_path: Path) -> None:
    found = of(scored(tmp_path, {"A": A, "B": B})).groups
    assert found.splits == {"train": found.overall}


def test_tasks_are_ranked_from_the_hardest_and_equals_share_a_place(tmp_path: Path) -> None:
    right, wrong, half = [{"r1": 1.0}], [{"r1": 0.0}], [{"r1": 1.0, "r2": 0.0}]
    tasks = {"easy": right, "hard": wrong, "b": half, "a": half, "unscored": [{}], "also easy": right}
    ranked = of(scored(tmp_path, tasks)).rank
    assert [(each.task, each.place, each.tied) for each in ranked] == [
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
    assert found.trivial == [
        CloseFloor(task="T", floor="constant", floor_score=1.0, against="crowd", against_score=1.0)
    ]


def test_floors_stand_beside_the_solver_where_no_crowd_is_known(tmp_path: Path) -> None:
    def half_right(near: int) -> Episode:
        """Ten of twenty are right; of the untouched form so many."""
        fields = (
            choice(f"r{n}", ("yes",), YES if n < 10 else NO, untouched=YES if n < near else NO) for n in range(20)
        )
        return episode(*fields, task=f"{near}")

    tasks = [half_right(near) for near in (8, 9, 10)]
    flagged = [each for each in seen(tmp_path, *tasks).trivial if each.floor == "do_nothing"]
    assert [(each.task, each.against) for each in flagged] == [("10", "solver"), ("9", "solver")]
    assert (flagged[1].floor_score, flagged[1].against_score) == (0.45, 0.5)


def test_a_floor_is_not_held_against_itself_where_no_crowd_is_known(tmp_path: Path) -> None:
    folder = write(tmp_path, [episode(choice(labels=("yes",), constant=YES))], {"solver": "constant"})
    run = read_scored(folder, people=True)
    assert of(run).groups.overall.means.constant == overall(of(run)).score.value == 1.0
    assert of(run).trivial == []


def test_the_crowd_is_at_no_distance_from_itself(tmp_path: Path) -> None:
    answered = episode(choice(labels=("yes", "yes", "no")), answered_by="workers", submission=None)
    found = of(read_scored(write(tmp_path, [answered], {"solver": "crowd"}), people=True))
    assert overall(found).crowd.value == overall(found).own_left_out.value == pytest.approx(2 / 3)
    assert {overall(found).gap.value, found.groups.tasks["T"].estimates.gap.value} == {None}


def turn(cost: float | None, *, cached: bool = False) -> Turn:
    return Turn(calls=("finish()",), usage=Usage(input_tokens=100, output_tokens=10), cost=cost, cached=cached)


def test_effort_is_counted_in_all_per_instance_and_per_point(tmp_path: Path) -> None:
    played = [
        episode(choice(), index=0, turns=(turn(0.5), turn(0.25)), timing={"act": 1500.0, "think": 500.0}),
        episode(choice("a"), choice("b", sent=NO), index=1, turns=(turn(0.0, cached=True),)),
        episode(index=2, outcome="harness_error"),
    ]
    found = seen(tmp_path, *played)
    effort = found.effort
    # 1 and 0.5 are 150 points; the instance without a score is in no mean.
    assert effort["cost"] == Effort(0.75, 0.375, pytest.approx(0.75 / 150), known=2, unknown=0)
    assert effort["input_tokens"].per_point == pytest.approx(300 / 150)
    assert effort["output_tokens"].total == 30
    assert effort["seconds"].total == pytest.approx(2.0)
    assert (effort["turns"].total, found.turns_from_cache) == (3, 1)


def test_a_cost_that_is_not_known_counts_in_no_mean(tmp_path: Path) -> None:
    played = [episode(choice(), index=0, turns=(turn(0.5),)), episode(choice(), index=1, turns=(turn(None),))]
    found = seen(tmp_path / "a", *played).effort
    assert found["cost"] == Effort(total=0.5, per_instance=0.5, per_point=0.005, known=1, unknown=1)
    assert found["output_tokens"].known == 2
    unknown = seen(tmp_path / "b", *played[1:]).effort["cost"]
    assert unknown == Effort(total=None, per_instance=None, per_point=None, known=0, unknown=1)


def test_who_earns_no_point_has_no_cost_per_point(tmp_path: Path) -> None:
    cost = seen(tmp_path, episode(choice(sent=NO), turns=(turn(0.5),))).effort["cost"]
    assert (cost.total, cost.per_point) == (0.5, None)


def test_outcomes_rates_and_what_is_not_scored(tmp_path: Path) -> None:
    played = [
        episode(choice(), record("b", status=UNLABELLED, sent=("something",)), index=0),
        episode(choice(), index=1, outcome="limit", submission=submission(accepted=False)),
        episode(record(status=UNLABELLED), index=2, outcome="unscored"),
    ]
    found = seen(tmp_path, *played)
    assert found.outcomes == {"scored": 1, "limit": 1, "agent_error": 0, "unscored": 1, "harness_error": 0}
    assert found.rates.accepted_submissions == pytest.approx(2 / 3)
    assert found.rates.filled_where_every_worker_left_blank == 1 / 2
    assert found.unscored_fields == {UNLABELLED: 2}


def test_bounds_are_the_headlines_that_missing_instances_allow(tmp_path: Path) -> None:
    found = seen(tmp_path, episode(choice(), task="A"), episode(task="A", index=1, outcome="harness_error"))
    assert (overall(found).score.value, found.bounds) == (1.0, (0.5, 1.0))


def test_agreement_tells_how_many_workers_gave_the_solvers_answer_and_how_far_they_agree(tmp_path: Path) -> None:
    played = [
        episode(choice("a", ("yes", "yes", "no")), choice("b", ("yes", "yes", "yes"), NO)),
        episode(choice("a", ("yes", "no")), index=1),
    ]
    found = seen(tmp_path, *played)
    assert found.with_workers == {"radio": WithWorkers(share=pytest.approx((2 / 3 + 0 + 1 / 2) / 3), fields=3)}
    labels = found.agreement.overall
    assert (labels.unanimous, labels.majority, labels.tie) == pytest.approx((1 / 3, 1 / 3, 1 / 3))
    assert found.agreement.tasks["T"] == found.agreement.kinds["radio"] == labels


def test_several_seeds_are_one_result_with_the_spread_between_them(tmp_path: Path) -> None:
    runs, tallies = [], []
    for seed, score in enumerate((YES, NO, YES)):
        tally = Tally()
        folder = write(tmp_path / str(seed), [episode(choice(sent=score))], {"solver_seed": seed})
        runs.append(read_scored(folder, people=True, visitors=[tally]))
        tallies.append(tally)
    found = of(*runs, tallies=tallies)
    assert overall(found).score.value == pytest.approx(2 / 3)
    deviation = pytest.approx(np.std([1, 0, 1], ddof=1))
    assert found.between_seeds == BetweenSeeds((0, 1, 2), (1.0, 0.0, 1.0), deviation, dropped={})
    assert (found.outcomes["scored"], found.failures.episodes) == (3, 3)
    assert found.agreement.overall.units == 1
    assert of(runs[0]).between_seeds is None


def test_of_several_seeds_the_bounds_are_means_over_seeds(tmp_path: Path) -> None:
    runs = []
    for seed, outcome in enumerate(("scored", "harness_error")):
        other = episode(*([choice()] if outcome == "scored" else []), index=1, id="1" * 12, outcome=outcome)
        folder = write(tmp_path / str(seed), [episode(choice()), other], {"solver_seed": seed})
        runs.append(read_scored(folder))
    assert of(*runs).bounds == (0.75, 1.0)


def test_equal_seeds_give_equal_numbers_and_other_seeds_other_limits(mixed: ScoredRun, found: ResultNumbers) -> None:
    assert of(mixed) == found
    other = overall(numbers(group([mixed])[0], [], draws=DRAWS, seed=1)).score
    assert other.value == overall(found).score.value
    assert other.low != overall(found).score.low
