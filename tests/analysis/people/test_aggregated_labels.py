"""Aggregated labels; Dawid and Skene's model against crowd-kit, and votes by hand."""

from __future__ import annotations

import sys
import warnings

import numpy as np
import pandas as pd
import pytest

from harness.analysis.people.aggregated_labels import (
    METHODS,
    AggregatedLabels,
    NothingToAggregate,
    agreeing,
    dawid_skene,
    posteriors,
)
from harness.analysis.people.label_aggregations import AGGREGATIONS, MAJORITY
from harness.models.client import MissingExtra
from harness.scoring.metrics import PROFILES
from tests.needs import extra
from tests.samples import episode, record

ABC = ("a", "b", "c")


def first_given(votes):
    """An aggregation for tests: of each task the label of its last worker."""
    return votes.sort_values("worker").groupby("task")["label"].last()


def radio(name, *labels, options=ABC):
    return record(name, "radio", options=options, labels=labels)


def aggregated(*fields_of_instances, by=first_given):
    """The labels of each instance's fields once they are aggregated, and the effect."""
    episodes = [episode(*fields, index=index) for index, fields in enumerate(fields_of_instances)]
    made = AggregatedLabels(iter(episodes), by)
    return [[field.labels for field in made.replaced(each).fields] for each in episodes], made.effect


def simulated(seed, units=400, workers=5):
    """Votes of workers of one kind, who take b for c and seldom err otherwise; a and the rest are not as frequent."""
    chance = np.random.default_rng(seed)
    confusion = np.array([[0.85, 0.1, 0.05], [0.1, 0.6, 0.3], [0.05, 0.1, 0.85]])
    truth = chance.choice(3, size=units, p=[0.5, 0.3, 0.2])
    rows = [(u, u * workers + w, chance.choice(3, p=confusion[truth[u]])) for u in range(units) for w in range(workers)]
    return pd.DataFrame(rows, columns=["task", "worker", "label"]), truth


@pytest.mark.parametrize("seed", range(2))
def test_dawid_and_skene_finds_what_crowd_kit_finds(seed):
    aggregation = pytest.importorskip("crowdkit.aggregation", reason=extra("crowd"))
    votes, _ = simulated(seed)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the library's own
        theirs = aggregation.DawidSkene(n_iter=500, tol=1e-9).fit(votes.assign(worker=0))
    counts = votes.groupby(["task", "label"]).size().unstack(fill_value=0).to_numpy()
    ours = posteriors(counts)
    assert ours.sum(axis=1) == pytest.approx(np.ones(len(ours)))
    assert np.abs(ours - theirs.probas_[[0, 1, 2]].to_numpy()).mean() < 0.02
    assert (dawid_skene(votes) == theirs.labels_).mean() > 0.99


def test_dawid_and_skene_does_better_than_the_vote_where_answers_are_taken_for_each_other():
    votes, truth = simulated(7, units=4000)
    counts = votes.groupby(["task", "label"]).size().unstack(fill_value=0).to_numpy()
    assert (dawid_skene(votes).to_numpy() == truth).mean() > (counts.argmax(axis=1) == truth).mean() + 0.005


def test_where_all_agree_the_model_does_too():
    assert posteriors(np.array([[3, 0], [0, 2], [3, 0]])) == pytest.approx(np.array([[1, 0], [0, 1], [1, 0]]), abs=1e-6)


def test_votes_weigh_as_much_as_their_worker_agrees_with_the_others_on_the_page():
    pytest.importorskip("crowdkit", reason=extra("crowd"))
    # Worker 0 is with the majority on all of x, y and z; worker 3 never is. The tie of w goes to those who are.
    x, y, z = (("a", "a", "a", "b"), ("b", "b", "b", "c"), ("c", "c", "c", "a"))
    page = (radio("x", *x), radio("y", *y), radio("z", *z), radio("w", "c", "", "", "a"))
    assert aggregated(page, by=agreeing)[0] == [[("a",), ("b",), ("c",), ("c",)]]


@pytest.mark.parametrize("swapped", [False, True])
def test_workers_are_not_linked_between_pages(swapped):
    pytest.importorskip("crowdkit", reason=extra("crowd"))
    first = (radio("x", "a", "a", "b"), radio("y", "a", "a", "b"))
    other = (radio("x", "b", "a", "", ""), radio("y", "", "", "c", "c"))
    # On the second page the rows 0 and 1 are as good as each other: the first in page order is taken.
    pages = [other, first] if swapped else [first, other]
    assert aggregated(*pages, by=agreeing)[0][0 if swapped else 1] == [("a",), ("c",)]


def test_each_kind_of_choice_gets_one_label():
    fields = (
        radio("r", "a", "b"),
        record("s", "select", options=("1", "2"), labels=("1.0", "2.0")),
        record("box", "checkbox", options=("on",), labels=("", "on")),
        record("off", "checkbox", options=("on",), labels=("on", "")),
        record("boxes", "checkbox", options=ABC, labels=("a", "a|c")),
        record("none", "checkbox", options=ABC, labels=("a", "")),
    )
    labels, effect = aggregated(fields)
    assert labels == [[("b",), ("2",), ("on",), ("",), ("a|c",), ("",)]]
    assert (effect.fields, effect.replaced, effect.single, effect.kept) == (6, 6, 0, 0)
    assert (effect.overturned, effect.ties) == (0, 6)


def test_answers_against_the_votes_are_counted():
    _, effect = aggregated((radio("r", "a", "a", "b"), radio("s", "a", "a", "a"), radio("t", "a", "b", "b")))
    assert (effect.replaced, effect.overturned, effect.ties) == (3, 1, 0)


def test_texts_numbers_and_what_is_not_scored_keep_their_labels():
    fields = (
        record("t", "text", labels=("x", "y")),
        record("n", "range", labels=("1", "2")),
        record("u", "radio", options=ABC, labels=("a", "b"), status="no row of the task labels it"),
    )
    labels, effect = aggregated(fields)
    assert labels == [[field.labels for field in fields]]
    assert effect.fields == 0


def test_what_one_worker_answered_stays():
    labels, effect = aggregated((radio("r", "a", ""),), (radio("r", "a", "b"),))
    assert labels == [[("a", "")], [("b",)]]
    assert (effect.replaced, effect.single) == (1, 1)


def test_options_that_differ_between_instances_are_left_alone():
    labels, effect = aggregated((radio("r", "a", "b"),), (radio("r", "x", "y", options=("x", "y")),))
    assert labels == [[("a", "b")], [("x", "y")]]
    assert (effect.replaced, effect.kept) == (0, 2)


def test_a_set_that_no_label_can_say_is_left_alone():
    boxes = record("b", "checkbox", options=("a|b", "a", "b"), labels=("b", "a|b"))
    # Both boxes "a" and "b" would be written like the box "a|b".
    several = record("b", "checkbox", options=("a|b", "a", "b"), labels=("a", "b"))
    labels, _ = aggregated((boxes,))
    assert labels == [[("a|b",)]]

    def all_ticked(votes):
        return votes.groupby("task")["label"].max()

    labels, effect = aggregated((several,), by=all_ticked)
    assert labels == [[("a", "b")]]
    assert effect.kept == 1


def test_a_list_of_which_nothing_would_be_chosen_is_left_alone():
    # A blank would take the field out of the denominator.
    chosen = record("s", "select", options=ABC, labels=("a|b", "b|c", "a|c"))

    def never(votes):
        return votes.groupby("task")["label"].min()

    labels, effect = aggregated((chosen,), by=never)
    assert labels == [[chosen.labels]]
    assert effect.kept == 1


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
def test_every_aggregation_leaves_the_same_fields_scored(name, profile):
    pytest.importorskip("crowdkit", reason=extra("crowd"))
    chance = np.random.default_rng(3)
    episodes = []
    for index in range(12):
        fields = [radio(f"r{n}", *(chance.choice(["a", "b", "c", ""], size=4))) for n in range(3)]
        fields.append(record("b", "checkbox", options=ABC, labels=tuple(chance.choice(["a", "a|b", "c", ""], size=4))))
        fields.append(record("l", "checkbox", options=("on",), labels=tuple(chance.choice(["on", ""], size=4))))
        episodes.append(episode(*fields, index=index))
    made = AggregatedLabels(episodes, METHODS[name])
    for each in episodes:
        for old, new in zip(each.fields, made.replaced(each).fields, strict=True):
            scores = [profile.score_field(f.kind, f.options, f.labels, ("a",)) for f in (old, new)]
            assert (scores[0] is None) == (scores[1] is None)
    assert made.effect.replaced > 30


def test_the_workers_themselves_cannot_be_scored_on_one_label():
    with pytest.raises(NothingToAggregate, match="leave --labels out"):
        AggregatedLabels([episode(radio("r", "a", "b"), answered_by="workers", submission=None)], first_given)


def test_a_missing_library_is_said_with_the_line_that_installs_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "crowdkit", None)
    monkeypatch.setitem(sys.modules, "crowdkit.aggregation", None)
    with pytest.raises(MissingExtra, match=r"pip install .*\[crowd\]"):
        aggregated((radio("r", "a", "b"),), by=agreeing)


def test_every_name_but_the_majority_has_a_method():
    assert [MAJORITY, *METHODS] == list(AGGREGATIONS)
