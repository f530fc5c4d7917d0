"""Alpha against the published examples, and against the definition, pair by pair."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from scipy import stats

from harness.analysis.people.ballots import FieldVotes
from harness.analysis.people.label_agreement import (
    Agreements,
    agreement_of,
    disagreements,
    expected_disagreement,
    level_of,
    pooled,
)
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode, record

# K. Krippendorff, "Computing Krippendorff's Alpha-Reliability" (2011): four observers, twelve units.
KRIPPENDORFF = [
    "1 2 3 3 2 1 4 1 2 . . .",
    "1 2 3 3 2 2 4 1 2 5 . 3",
    ". 3 3 3 2 3 4 2 2 5 1 .",
    "1 2 3 3 2 4 4 1 2 5 1 .",
]
TWO_OBSERVERS = [(("0100000010", "1110010000"), 0.095), (("aabbdcccedda", "babbbccceddd"), 0.692)]
"""Of the same text: answers of the one, of the other, and alpha."""
KINDS = {
    "nominal": ("radio", ("a", "b", "c", "d")),
    "ordinal": ("radio", ("1", "2", "3", "7")),
    "interval": ("range", ()),
    "text": ("text", ()),
}


def column(kind, options, rows):
    made = FieldVotes(kind)
    for index, labels in enumerate(rows):
        made.add(index, record(kind=kind, options=options, labels=tuple(labels)), range(len(labels)))
    return made


def drawn(kind, seed, instances=60):
    """Labels of 0 to 5 workers an instance who mostly agree, some of them blank."""
    chance, options = np.random.default_rng(seed), KINDS[kind][1]
    answers = options or tuple(str(value) for value in (0, 2, 3, 10, 11, 40))
    rows = []
    for _ in range(instances):
        truth = chance.integers(len(answers))
        given = [truth if chance.random() < 0.6 else chance.integers(len(answers)) for _ in range(chance.integers(6))]
        rows.append([answers[each] if chance.random() < 0.9 else "" for each in given])
    return rows


@pytest.mark.parametrize(("name", "published"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)])
def test_alpha_is_that_of_the_published_example(name, published):
    rows = [
        ["" if label == "." else label for label in unit] for unit in zip(*map(str.split, KRIPPENDORFF), strict=True)
    ]
    options = {"nominal": (), "ordinal": ("1", "2", "3", "4", "5"), "interval": ()}[name]
    kind = {"nominal": "text", "ordinal": "radio", "interval": "range"}[name]
    made = column(kind, options, rows)
    assert level_of(made) == name
    assert agreement_of(made).alpha == pytest.approx(published, abs=0.0005)


@pytest.mark.parametrize(("units", "published"), TWO_OBSERVERS)
def test_alpha_is_that_of_the_published_examples_of_two_observers(units, published):
    assert agreement_of(column("text", (), list(zip(*units, strict=True)))).alpha == pytest.approx(
        published, abs=0.0005
    )


@pytest.mark.parametrize(("kind", "seed"), list(itertools.product(KINDS, range(3))))
def test_alpha_is_that_of_every_pair_of_labels(kind, seed):
    rows = drawn(kind, seed)
    made = column(*KINDS[kind], rows)
    level = level_of(made)
    assert level == (kind if kind != "text" else "nominal")
    assert agreement_of(made).alpha == pytest.approx(by_hand(rows, level))


def by_hand(rows, level):
    """One less the mean squared distance of pairs within units over that of all pairs of labels."""
    units = [[label for label in labels if label] for labels in rows]
    units = [labels for labels in units if len(labels) > 1]
    every = [label for labels in units for label in labels]
    if level == "nominal":
        places = {label: {label} for label in every}

        def distance(a, b):
            return float(places[a] != places[b])
    else:
        numbers = np.array([float(label) for label in every])
        at = dict(zip(every, stats.rankdata(numbers) if level == "ordinal" else numbers, strict=True))

        def distance(a, b):
            return (at[a] - at[b]) ** 2

    within = sum(
        sum(distance(a, b) for a, b in itertools.permutations(labels, 2)) / (len(labels) - 1) for labels in units
    ) / len(every)
    chance = sum(distance(a, b) for a, b in itertools.permutations(every, 2)) / (len(every) * (len(every) - 1))
    return 1 - within / chance


@pytest.mark.parametrize("kind", KINDS)
def test_disagreement_is_the_mean_distance_of_pairs_over_the_largest(kind):
    rows = drawn(kind, seed=5)
    made = column(*KINDS[kind], rows)
    tallies, level = made.tallies(), level_of(made)
    found = disagreements(tallies, level)
    assert found.min() >= 0
    assert found.max() <= 1
    first = [label for label in rows[tallies.instances[0]] if label]
    if level == "nominal":
        assert found[0] == pytest.approx(np.mean([a != b for a, b in itertools.combinations(first, 2)]))


@pytest.mark.parametrize(
    "rows",
    [[], [["a", "b"]], [["a"], ["b"], ["a", ""]], [["a", "a"], ["a", "a", "a"]]],
    ids=["nothing", "one unit", "no pairs", "one answer"],
)
def test_alpha_is_not_defined_for(rows):
    assert agreement_of(column("radio", ("a", "b"), rows)).alpha is None


def test_shares_of_unanimous_majority_and_tie_by_hand():
    rows = [["a", "a"], ["a", "a", "b"], ["a", "b"], ["a", "b", "c", "c"], ["a", ""]]
    found = agreement_of(column("radio", ("a", "b", "c"), rows))
    assert (found.units, found.labels) == (4, 11)
    assert (found.unanimous, found.majority, found.tie) == (0.25, 0.5, 0.25)


def test_boxes_are_units_of_their_own():
    made = column("checkbox", ("a", "b"), [["a", "a|b"], ["b", "b"], ["", ""]])
    ticks = [[1, 1], [0, 1], [0, 0], [1, 1], [0, 0], [0, 0]]
    found = agreement_of(made)
    assert found.units == 6
    assert found.unanimous == pytest.approx(5 / 6)
    assert found.tie == pytest.approx(1 / 6)
    assert found.alpha == pytest.approx(by_hand([[str(tick) for tick in unit] for unit in ticks], "nominal"))


def test_several_fields_are_pooled_by_what_chance_would_make_of_each():
    columns = [column("radio", ("a", "b", "c", "d"), drawn("nominal", seed)) for seed in (1, 2)]
    fields = [agreement_of(each) for each in columns]
    observed = expected = 0.0
    for each in columns:
        tallies = each.tallies()
        observed += float(disagreements(tallies, "nominal") @ tallies.sizes)
        expected += expected_disagreement(tallies, "nominal") * tallies.sizes.sum()
    found = pooled(fields)
    assert found.alpha == pytest.approx(1 - observed / expected)
    assert min(each.alpha for each in fields) < found.alpha < max(each.alpha for each in fields)
    assert found.units == sum(each.units for each in fields)
    assert found.unanimous + found.majority + found.tie == pytest.approx(1)


def test_fields_without_an_alpha_weigh_nothing_in_it_and_count_in_the_shares():
    same = agreement_of(column("radio", ("a", "b"), [["a", "a"], ["a", "a"]]))
    other = agreement_of(column("radio", ("a", "b"), [["a", "b"], ["b", "b"]]))
    both = pooled([same, other])
    assert both.alpha == other.alpha
    assert both.unanimous == 0.75
    nothing = pooled([])
    assert (nothing.alpha, nothing.unanimous, nothing.units) == (None, None, 0)


def test_a_run_is_looked_at_field_by_field_without_those_that_are_not_scored():
    agreements = Agreements()
    for index, labels in enumerate([("a", "a", ""), ("b", "a", "")]):
        fields = (
            record("r", "radio", options=("a", "b"), labels=labels),
            record("n", "range", labels=("1", "2", "9")),
            record("x", "radio", labels=labels, status="no row of the task labels it"),
        )
        agreements.see(score_episode(episode(*fields, index=index), PROFILES["standard"]))
    found = {each.name: each for each in agreements.fields()}
    assert list(found) == ["n", "r"]
    assert (found["n"].level, found["r"].level) == ("interval", "nominal")
    assert found["r"].agreement.unanimous == 0.5
    assert (found["n"].agreement.units, found["n"].agreement.labels) == (2, 6)
    assert "weight" not in found["n"].agreement.to_json()
