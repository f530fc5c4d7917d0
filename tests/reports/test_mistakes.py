from __future__ import annotations

import random

import pytest

from harness.reports.mistakes import collection as mistakes
from harness.reports.mistakes.collection import Mistakes
from harness.reports.mistakes.findings import CountedField, ExampleTable, LabelText, LossyField, SilentField
from harness.reports.mistakes.word_difference import CutText
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.samples import episode, record

STANDARD = PROFILES["standard"]


def found(*episodes, profile: str = "standard", **limits):
    collector = Mistakes(PROFILES[profile], **limits)
    for each in episodes:
        collector.see(score_episode(each, PROFILES[profile]))
    return collector.found()


def radio(sent: str | None, labels=("b", "b", "c"), name: str = "r", **values):
    return record(name, "radio", options=("a", "b", "c"), labels=labels, sent=(sent,) if sent else (), **values)


def pairs(told, place: int = 0):
    return {(pair.sent, pair.right): (pair.times, pair.ok) for pair in told.choices.rows[place].pairs}


# ---- choices ------------------------------------------------------------------------------------------------------


def test_what_was_sent_is_counted_against_what_the_workers_vote_for():
    told = found(*(episode(radio(sent), index=index) for index, sent in enumerate(["a", "a", "b", None])))
    assert pairs(told) == {("a", "b"): (2, False), ("b", "b"): (1, True), (None, "b"): (1, False)}
    row = told.choices.rows[0]
    assert row.losses == LossyField(CountedField("T", "r", "radio"), scored=4, wrong=3, lost=3.0, blank=1)
    assert row.tied == 0


def test_each_profile_says_itself_what_would_have_been_right():
    field = radio("a", labels=("", "", "b"))
    assert pairs(found(episode(field))) == {("a", "b"): (1, False)}
    assert pairs(found(episode(field), profile="turkingbench-2024")) == {("a", None): (1, False)}


def test_a_wrong_answer_against_a_tie_is_told():
    told = found(episode(radio("a", labels=("b", "c"))), episode(radio("c", labels=("b", "c")), index=1))
    assert pairs(told) == {("a", "b"): (1, False), ("c", "c"): (1, True)}
    assert told.choices.rows[0].tied == 1


def test_what_the_page_does_not_offer_is_nobodys_mistake():
    told = found(episode(radio("a", labels=("z", "z"))), episode(radio("a"), index=1))
    row = told.choices.rows[0]
    assert (row.unreachable, row.losses.wrong, row.losses.scored) == (1, 1, 2)
    assert pairs(told) == {("a", "b"): (1, False)}


def test_of_several_boxes_each_stands_for_itself():
    boxes = record("k", "checkbox", options=("x", "y", "z"), labels=("x|y", "x|y", "y"), sent=("x", "z"))
    told = found(episode(boxes))
    assert told.choices.rows[0].each_box
    assert pairs(told) == {("x", "x"): (1, True), (None, "y"): (1, False), ("z", None): (1, False)}


def test_a_set_that_reached_its_ceiling_holds_no_mistake():
    right = record("k", "checkbox", options=("x", "y"), labels=("x|y", "x", "x"), sent=("x", "y"))
    wrong = record("k", "checkbox", options=("x", "y"), labels=("x",), sent=())
    assert pairs(found(episode(right), episode(wrong, index=1)))["y", "y"] == (1, True)


def test_a_field_without_a_mistake_is_in_no_table():
    told = found(episode(radio("b")))
    assert told.choices.rows == told.fields.rows == []


def test_fields_come_by_what_they_lost_and_the_others_are_counted():
    several = [radio("a", name=name) for name in ("p", "q", "r")]
    told = found(episode(*several), episode(several[2], index=1), fields=2)
    assert [row.losses.of.field for row in told.choices.rows] == ["r", "p"]
    assert (told.choices.left_out, told.choices.lost) == (1, 1.0)


def test_no_task_takes_all_rows():
    made = episode(*(radio("a", name=name) for name in "pqrst"))
    told = found(made, episode(radio("a"), task="U"), fields_a_task=2)
    shown = [row.losses.of for row in told.choices.rows]
    assert [(of.task, of.field) for of in shown] == [("T", "p"), ("T", "q"), ("U", "r")]
    assert (told.choices.left_out, told.choices.lost) == (3, 3.0)


def test_a_choice_that_was_never_made_is_unanswered_and_no_confusion():
    told = found(
        episode(radio(None, name="silent"), radio("a", name="wrong")), episode(radio(None, name="silent"), index=1)
    )
    assert [row.losses.of.field for row in told.choices.rows] == ["wrong"]
    assert [row.of.field for row in told.unanswered.rows] == ["silent"]
    assert [row.of.field for row in told.fields.rows] == ["silent", "wrong"]


def test_pairs_beyond_those_that_are_shown_or_followed_are_counted(monkeypatch):
    monkeypatch.setattr(mistakes, "FOLLOWED_PAIRS", 4)
    made = [
        episode(record("r", "radio", options=("a", "b"), labels=(f"l{n}", "b", "b"), sent=(f"{n}",)), index=n)
        for n in range(7)
    ]
    row = found(*made, pairs=3).choices.rows[0]
    assert len(row.pairs) == 3
    assert row.times_left_out == 4


def test_fields_beyond_those_that_are_followed_are_counted(monkeypatch):
    monkeypatch.setattr(mistakes, "FOLLOWED_FIELDS", 2)
    told = found(episode(*(radio("a", name=name) for name in "pqrs")))
    assert (told.counts.scored, told.counts.unfollowed) == (4, 2)


def test_a_long_answer_is_cut():
    told = found(episode(radio("v" * 500)))
    assert len(told.choices.rows[0].pairs[0].sent) == mistakes.ANSWER_CHARACTERS


# ---- texts --------------------------------------------------------------------------------------------------------


def text(sent: str, *labels: str, name: str = "t", **values):
    return record(name, labels=labels, sent=(sent,), **values)


def test_the_worst_texts_come_first_with_the_nearest_label_and_the_difference():
    told = found(
        episode(text("the cat ate", "a dog", "the cat sat down", "a dog"), index=0),
        episode(text("nothing at all", "blue"), index=1),
        episode(text("blue", "blue"), index=2),
    )
    first, second = told.texts.rows
    assert (first.place.index, first.place.score, first.place.ceiling) == (1, 0.0, 1.0)
    assert second.labels[0] == LabelText(CutText("the cat sat down", 16), workers=1, nearest=True)
    assert second.labels[1] == LabelText(CutText("a dog", 5), workers=2, nearest=False)
    assert second.diff == [("both", "the cat "), ("sent", "ate "), ("label", "sat down ")]
    assert second.place.score == pytest.approx(4 / 7)
    assert told.texts.left_out == 0


def test_of_equal_scores_the_text_that_most_workers_would_have_written_otherwise_comes_first():
    told = found(
        episode(text("wrong", "one", "two"), index=0),
        episode(text("wrong", "one", "one"), index=1),
    )
    assert [row.place.index for row in told.texts.rows] == [1, 0]


def test_no_task_takes_all_places_and_the_others_are_counted():
    made = [episode(text("wrong", "right"), task=task, index=n) for task in ("A", "B") for n in range(5)]
    told = found(*made, examples=4, examples_a_task=3)
    assert [(row.place.task, row.place.index) for row in told.texts.rows] == [("A", 0), ("A", 1), ("A", 2), ("B", 0)]
    assert told.texts.left_out == 6


def test_what_is_kept_does_not_depend_on_the_order_and_is_the_worst_of_all():
    chance = random.Random(3)  # noqa: S311 - a draw, not a secret
    words = ["red", "green", "blue", "white", "black"]
    made = []
    for n in range(300):
        said = " ".join(chance.choices(words, k=6))
        task = f"T{int(chance.random() ** 2 * 9)}"
        made.append(episode(text(" ".join(chance.choices(words, k=5)), said, said), task=task, index=n))
    kept = [(row.place.task, row.place.index) for row in found(*made, examples=10, examples_a_task=2).texts.rows]
    scores = sorted((score_episode(each, STANDARD).score, each.task, each.index) for each in made)
    best, seen = [], {}
    for points, task, index in scores:
        if seen.get(task, 0) < 2 and len(best) < 10 and points < 1:
            seen[task] = seen.get(task, 0) + 1
            best.append((task, index))
    assert kept == best
    chance.shuffle(made)
    assert kept == [
        (row.place.task, row.place.index) for row in found(*made, examples=10, examples_a_task=2).texts.rows
    ]


def test_a_text_left_blank_is_not_among_the_worst_but_unanswered():
    told = found(episode(text(" ", "right")))
    assert told.texts == ExampleTable([], 0)
    silent = SilentField(CountedField("T", "t", "text"), scored=1, lost=1.0, hidden_at_first=0)
    assert told.unanswered.rows == [silent]


def test_long_texts_and_many_labels_are_cut():
    row = found(episode(text("x " * 5000, *(f"label {n}" for n in range(9))))).texts.rows[0]
    assert row.sent.characters == 10_000
    assert row.sent.cut is row.diff_cut is True
    assert len(row.sent.text) == 600
    assert (len(row.labels), row.labels_left_out) == (mistakes.SHOWN_LABELS, 3)


# ---- numbers, silence, what holds no mistake ----------------------------------------------------------------------


def test_the_numbers_that_lost_most_come_first_with_their_distance():
    near = record("s", "range", labels=("20", "40", "80"), sent=("20",))
    far = record("s", "range", labels=("20", "40", "80"), sent=("0",))
    best = record("s", "range", labels=("20", "40", "80"), sent=("40",))
    told = found(*(episode(each, index=n) for n, each in enumerate((near, far, best))))
    assert [row.place.index for row in told.ranges.rows] == [1, 0]
    row = told.ranges.rows[0]
    assert row.labels == [20, 40, 80]
    assert row.distance == pytest.approx(140 / 3)
    assert row.sent.text == "0"


def test_an_answer_that_is_no_number_has_no_distance():
    row = found(episode(record("s", "range", labels=("20",), sent=("much",)))).ranges.rows[0]
    assert row.distance is None


def test_of_many_labels_of_a_number_some_are_shown_the_extremes_among_them():
    labels = tuple(str(n) for n in range(100))
    row = found(episode(record("s", "range", labels=labels, sent=("99",)))).ranges.rows[0]
    assert (row.labels[0], row.labels[-1], len(row.labels), row.labels_left_out) == (0, 99, 12, 88)


def test_a_field_is_unanswered_only_if_no_instance_has_an_answer():
    told = found(
        episode(text("", "yes", name="never"), text("", "yes", name="once"), index=0),
        episode(text("", "yes", name="never", visible=False), text("yes", "yes", name="once"), index=1),
    )
    assert [(row.of.field, row.hidden_at_first) for row in told.unanswered.rows] == [("never", 1)]
    assert (told.counts.blank, told.counts.answerable) == (3, 4)


def test_boxes_without_a_tick_are_an_answer():
    boxes = record("k", "checkbox", options=("x", "y"), labels=("x",), sent=())
    assert found(episode(boxes)).unanswered.rows == []


def test_workers_and_pages_without_a_score_make_no_mistakes():
    told = found(
        episode(radio("a"), answered_by="workers"),
        episode(radio("a"), outcome="harness_error", index=1),
    )
    assert told.counts.skipped == {"no score": 1, "workers": 1}
    assert (told.counts.episodes, told.counts.scored, told.fields.rows) == (2, 0, [])
