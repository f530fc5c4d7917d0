import numpy as np
import pytest
from statsmodels.stats.inter_rater import cohens_kappa as known_kappa

from harness.kit.statistics.classification import UNREAD, VerdictCounts, count_verdicts, verdict_agreement


def verdicts_of(seed, size=200):
    chance = np.random.default_rng(seed)
    truth = chance.integers(0, 2, size)
    said = np.where(chance.random(size) < 0.8, truth, 1 - truth)
    return truth, said, np.arange(size) // 4


@pytest.mark.parametrize("seed", range(3))
def test_the_numbers_are_those_of_their_definitions(seed):
    truth, said, clusters = verdicts_of(seed)
    found = verdict_agreement(truth, said, clusters, draws=200)
    assert found.agreement.value == pytest.approx((truth == said).mean())
    precision, recall = truth[said == 1].mean(), said[truth == 1].mean()
    assert found.precision.value == pytest.approx(precision)
    assert found.recall.value == pytest.approx(recall)
    assert found.f1.value == pytest.approx(2 / (1 / precision + 1 / recall))
    assert found.negative_predictive_value.value == pytest.approx(1 - truth[said == 0].mean())
    assert found.true_negative_rate.value == pytest.approx(1 - said[truth == 0].mean())
    table = np.zeros((2, 2))
    np.add.at(table, (truth, said), 1)
    assert found.kappa.value == pytest.approx(known_kappa(table).kappa)
    assert found.truth_rate.value == pytest.approx(truth.mean())
    assert found.verdict_rate.value == pytest.approx(said.mean())


def test_each_kind_of_item_is_counted():
    truth = [1, 0, 0, 1, 1, 1, 0, 0, 0, 0]
    said = [1, 1, 1, 0, 0, 0, 0, UNREAD, UNREAD, UNREAD]
    assert count_verdicts(truth, said) == VerdictCounts(1, 2, 3, 1, 0, 3)
    assert count_verdicts([1], [UNREAD]) == VerdictCounts(0, 0, 0, 0, 1, 0)
    assert count_verdicts(truth, said).items == 10
    assert count_verdicts(truth, said).unread == 3


def test_a_verdict_that_cannot_be_read_agrees_with_nothing_and_stays_in_every_denominator():
    found = verdict_agreement([1, 1, 0, 0], [1, UNREAD, 0, UNREAD], [0, 1, 2, 3], draws=50)
    assert found.agreement.value == 0.5
    assert found.recall.value == 0.5
    assert found.true_negative_rate.value == 0.5
    assert found.precision.value == 1.0
    assert found.f1.value == pytest.approx(2 / 3)
    assert found.verdict_rate.value == 0.25


def test_the_interval_of_five_agents_on_the_same_tasks_is_wider_than_that_of_as_many_tasks():
    chance = np.random.default_rng(3)
    hard = np.repeat(chance.random(40) < 0.4, 5)
    said = np.where(hard, 0, 1)
    truth = np.ones(200, dtype=int)
    together = verdict_agreement(truth, said, np.arange(200) // 5, draws=500).agreement
    apart = verdict_agreement(truth, said, np.arange(200), draws=500).agreement
    assert together.clusters == 40
    assert together.high - together.low > 1.5 * (apart.high - apart.low)


def test_what_has_nothing_to_divide_by_has_no_value():
    found = verdict_agreement([0, 0, 0], [0, 0, 0], [0, 1, 2], draws=50)
    assert found.precision.value is None
    assert found.recall.value is None
    assert found.f1.value is None
    assert found.kappa.value is None
    assert found.agreement.value == 1.0


@pytest.mark.parametrize(("truth", "said"), [([1, 2], [1, 1]), ([1, 0], [1, 2]), ([1], [1, 0]), ([UNREAD], [0])])
def test_what_is_no_verdict_is_refused(truth, said):
    with pytest.raises(ValueError, match="a truth"):
        verdict_agreement(truth, said, range(len(truth)))
