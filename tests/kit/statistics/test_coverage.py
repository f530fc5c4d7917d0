"""The simulation behind docs/notes/statistics.md: its populations, and that it notices a failing method."""

import numpy as np
import pytest

from benchmarks import coverage


@pytest.mark.parametrize(
    ("population", "mean"),
    [
        (lambda shape, random: coverage.scores(shape, random, mean=0.75, spread=0.12), 0.75),
        (coverage.nearly_perfect, 0.95),
        (lambda shape, random: coverage.fields(shape, random, number=3, mean=0.8), 0.8),
    ],
)
def test_scores_have_the_expectation_that_intervals_are_judged_by(population, mean):
    drawn = population((50, 4, 2_000), np.random.default_rng(1))
    assert drawn.shape == (50, 4, 2_000)
    assert 0 <= drawn.min() <= drawn.max() <= 1
    assert drawn.mean() == pytest.approx(mean, abs=0.004)


@pytest.mark.parametrize("spread", coverage.SPREADS.values())
def test_tasks_differ_as_much_as_they_are_said_to(spread):
    drawn = coverage.scores((50, 400, 40), np.random.default_rng(2), mean=0.75, spread=spread)
    assert drawn.mean(axis=1).std() == pytest.approx(spread, rel=0.25)


def test_a_tally_counts_intervals_that_hold_the_truth_and_cuts_their_width():
    tally = coverage.Tally(0.5)
    tally.add([{"a": (0.4, 0.6)}, {"a": (0.5, 3.0)}, {"a": (-1.0, 0.3)}, {"a": (0.6, 0.8)}])
    assert tally.cells(["a"]) == ["50.0 (30)"]


def test_a_table_has_a_row_for_each_design():
    rows = list(coverage.comparison(runs=5, batch=5, draws=100))
    assert [row[0] for row in rows[1:]] == ["6"] * 4 + ["16"] * 4 + ["100"] * 4
    assert {len(row) for row in rows} == {4}


def test_slopes_and_verdicts_have_the_expectations_that_intervals_are_judged_by():
    random = np.random.default_rng(3)
    for growing in (False, True):
        assert np.polyfit(*coverage.points(200_000, random, growing=growing), 1)[0] == pytest.approx(
            coverage.SLOPE, abs=0.003
        )
    person, metric, codes = coverage.verdicts(50_000, random, each=4)
    assert coverage.cohens_kappa(person, metric, codes).value == pytest.approx(coverage.KAPPA, abs=0.01)


def test_intervals_that_there_are_not_are_counted():
    made = [coverage.Estimate(0.5, low, high, 1, 1) for low, high in ((0.4, 0.6), (0.6, 0.7), (None, None), (0.5, 1.0))]
    assert coverage.share_held(made, 0.5) == "66.7 (none in 25.0)"


def test_the_tables_of_slopes_and_kappa_have_a_row_for_each_design():
    assert [row[0] for row in list(coverage.slopes(runs=20))[1:]] == ["6", "6", "16", "16", "100", "100"]
    assert [row[:2] for row in list(coverage.kappas(runs=20))[1:3]] == [["6", "1"], ["6", "9"]]
