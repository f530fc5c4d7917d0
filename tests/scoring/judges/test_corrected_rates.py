import numpy as np
import pytest

from harness.kit.statistics.prediction_powered import corrected_mean
from harness.scoring.judges.agent_rates import JudgedTry, NothingToCorrect, corrected_rates
from harness.scoring.judges.judge_results import ALL, read_results
from tests.scoring.judges.places import DATA, needs_data


def tries(agent, rate, kindness, *, known=100, size=300, seed=0):
    """An agent of which the judge says success too often where it failed."""
    chance = np.random.default_rng(seed)
    for number in range(size):
        truth = bool(chance.random() < rate)
        verdict = truth or bool(chance.random() < kindness)
        yield JudgedTry(f"t{number}", agent, verdict, truth if number < known else None)


def test_a_ranking_that_a_judge_has_turned_round_is_put_right():
    told = [*tries("honest", 0.5, 0.0, seed=1), *tries("boastful", 0.3, 0.6, seed=2)]
    honest, boastful = corrected_rates(told, draws=200)
    assert (honest.agent, honest.rank_judged, honest.rank_corrected) == ("honest", 2, 1)
    assert (boastful.agent, boastful.rank_judged, boastful.rank_corrected) == ("boastful", 1, 2)
    assert boastful.judged.value > 0.65
    assert boastful.corrected.estimate.low <= 0.3 <= boastful.corrected.estimate.high
    assert boastful.corrected.bias == pytest.approx(0.42, abs=0.1)
    assert (honest.tries, honest.known) == (300, 100)


def test_the_known_truth_alone_is_shown_beside_it():
    (found,) = corrected_rates(
        [JudgedTry("a", "A", True, False), JudgedTry("b", "A", True, True), JudgedTry("c", "A", None, None)], draws=50
    )
    assert found.by_truth.value == 0.5
    assert found.judged.value == pytest.approx(2 / 3)


def test_equal_rates_share_a_place():
    told = [JudgedTry(task, agent, True, True) for task in "abc" for agent in "XY"]
    assert [each.rank_judged for each in corrected_rates(told, draws=50)] == [1, 1]


def test_an_agent_without_known_truth_is_left_out_and_none_at_all_is_said():
    told = [JudgedTry("a", "A", True, True), JudgedTry("a", "B", True, None)]
    assert [each.agent for each in corrected_rates(told, draws=50)] == ["A"]
    with pytest.raises(NothingToCorrect, match="verdicts of people"):
        corrected_rates(told[1:])


@needs_data
def test_intervals_from_60_verdicts_of_people_hold_the_rate_by_all_of_them():
    agents = read_results(DATA / "webjudge_o4_mini" / "results.json")["webjudge"][ALL]
    chance = np.random.default_rng(0)
    held = []
    for agent in sorted(set(agents) - {ALL}):
        said = agents[agent]["trajectory_success"]
        truth, verdicts = np.array(said.y_human, float), np.array(said.y_judge, float)
        for _ in range(50):
            known = np.full(len(truth), np.nan)
            drawn = chance.choice(len(truth), 60, replace=False)
            known[drawn] = truth[drawn]
            found = corrected_mean(known, verdicts, np.arange(len(truth))).estimate
            held.append(found.low <= truth.mean() <= found.high)
        assert abs(verdicts.mean() - truth.mean()) > 0.05
    assert np.mean(held) >= 0.93
