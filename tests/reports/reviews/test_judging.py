"""A review judged verdict by verdict, by several at once; and what is said openly."""

from __future__ import annotations

import json
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest

from harness.records.verdict import Judge, MalformedVerdicts, read_verdicts
from harness.reports.reviews.judging import Reviewer, now
from harness.reports.reviews.open_verdicts import OpenVerdicts
from harness.reports.reviews.review import ReviewFolder, WrongReview
from harness.reports.reviews.run_reviews import review_folders, start_review
from harness.reports.reviews.verdict_files import change_verdicts
from tests.reports.reviews.made import a_review, a_run, verdict, verdicts

ADA, GRACE = Judge(name="Ada", kind="person"), Judge(name="Grace", kind="person")
MANY = {"A": [{"r": 1.0, "s": 0.5}] * 30}


def reviewer(tmp_path, judge=ADA, tasks=None) -> Reviewer:
    _, review, folder = a_review(tmp_path, tasks)
    return Reviewer(folder, review, judge)


def test_each_verdict_is_kept_at_once_and_read_back(tmp_path):
    ada = reviewer(tmp_path)
    first, second = ada.review.fields[:2]
    assert ada.said() == {}
    assert not ada.settle(second, "wrong", 2.5).is_other
    ada.settle(first, "correct", None)
    ada.complete(second, "wrong", "both are", (None, ""))
    said = ada.said()
    assert list(said) == [first.place, second.place], "in the order of the draw"
    assert (said[second.place].answer, said[second.place].labels, said[second.place].note) == (
        "wrong",
        "wrong",
        "both are",
    )
    assert (said[second.place].seconds, said[first.place].seconds) == (2.5, None)
    assert all(each.blind for each in said.values())


def test_the_first_verdict_on_an_answer_stands(tmp_path):
    ada = reviewer(tmp_path)
    field = ada.review.fields[0]
    ada.settle(field, "correct", 1.0)
    again = ada.settle(field, "wrong", 1.0)
    assert (again.verdict.answer, again.is_other) == ("correct", True)
    assert not ada.settle(field, "correct", 9.0).is_other
    assert ada.said()[field.place].seconds == 1.0


def test_nothing_is_said_of_labels_before_the_answer(tmp_path):
    ada = reviewer(tmp_path)
    with pytest.raises(WrongReview, match="the labels come after it"):
        ada.complete(ada.review.fields[0], "right", "", (None, ""))
    assert not (ada.folder.folder / "verdicts" / "Ada.json").exists()


def test_what_was_said_of_labels_meanwhile_stays(tmp_path):
    ada = reviewer(tmp_path)
    field = ada.review.fields[0]
    ada.settle(field, "correct", 1.0)
    ada.complete(field, "right", "one", (None, ""))
    other = ada.complete(field, "wrong", "two", (None, ""))
    assert (other.verdict.note, other.is_other) == ("one", True)
    assert not ada.complete(field, "right", "one", (None, "")).is_other, "the same twice is no conflict"
    assert ada.complete(field, "wrong", "two", ("right", "one")).verdict.note == "two"


def test_of_many_who_judge_at_once_nothing_is_lost(tmp_path):
    ada = reviewer(tmp_path, tasks=MANY)
    grace = replace(ada, judge=GRACE)
    ready = threading.Barrier(8)

    def judge(part: int) -> None:
        ready.wait()
        for field in ada.review.fields[part::4]:
            (ada if part % 2 else grace).settle(field, "correct", None)
            (grace if part % 2 else ada).settle(field, "wrong", None)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(judge, [*range(4), *range(4)]))
    assert len(ada.said()) == len(grace.said()) == len(ada.review.fields) == 60


def test_a_change_that_fails_leaves_the_file_as_it_was(tmp_path):
    ada = reviewer(tmp_path)
    ada.settle(ada.review.fields[0], "correct", None)
    folder = ada.folder.folder / "verdicts"
    before = (folder / "Ada.json").read_bytes()

    def fail(_known):
        raise WrongReview("no")

    with pytest.raises(WrongReview):
        change_verdicts(folder, ada.review.run, ADA, fail)
    assert (folder / "Ada.json").read_bytes() == before
    ada.settle(ada.review.fields[1], "correct", None)  # and nothing is locked
    assert [file.name for file in folder.iterdir()] == ["Ada.json"]


def test_what_is_taken_from_a_file_and_what_is_said_on_the_server_go_together(tmp_path):
    ada = reviewer(tmp_path)
    first, second, *_ = ada.review.fields
    ada.settle(second, "wrong", None)
    ada.folder.take(ada.review, verdicts(ada.review, [verdict(first), verdict(second, "wrong", "right")]))
    assert {place: each.labels for place, each in ada.said().items()} == {first.place: "right", second.place: "right"}


def test_a_verdict_that_was_not_blind_is_refused_in_a_review(tmp_path):
    ada = reviewer(tmp_path)
    for values in ({"blind": False}, {"answer": None}):
        change_verdicts(
            ada.folder.folder / "verdicts",
            ada.review.run,
            ADA,
            lambda _, values=values: [replace(verdict(ada.review.fields[0]), **values)],
        )
        with pytest.raises(WrongReview, match="that was said blind"):
            ada.said()


def test_files_from_before_open_verdicts_are_read(tmp_path):
    ada = reviewer(tmp_path)
    ada.settle(ada.review.fields[0], "correct", None)
    file = ada.folder.folder / "verdicts" / "Ada.json"
    old = json.loads(file.read_text())
    for each in old["verdicts"]:
        del each["blind"], each["page_broken"]
    file.write_text(json.dumps(old))
    (found,) = read_verdicts(file).verdicts
    assert (found.blind, found.page_broken) == (True, False)


def test_reviews_beside_a_run_are_numbered_and_those_of_other_runs_left_alone(tmp_path):
    run = a_run(tmp_path / "run")
    assert review_folders(run.folder) == {}
    assert [start_review(run, "standard", 3, seed) for seed in (0, 1, 2)] == [1, 2, 3]
    for name in ("run_review_x", "run_review_02", "run_review_1", "run_reviewed", "other_review"):
        ReviewFolder(tmp_path / name).write(ReviewFolder.beside(run.folder).read(run.read()))
    assert {number: folder.folder.name for number, folder in review_folders(run.folder).items()} == {
        1: "run_review",
        2: "run_review_2",
        3: "run_review_3",
    }


def test_a_review_is_not_started_over_another(tmp_path):
    _, review, folder = a_review(tmp_path)
    assert not folder.start(replace(review, seed=7))
    assert json.loads((folder.folder / "review.json").read_text())["seed"] == review.seed


# ---- openly ----------------------------------------------------------------------------------------------------------


def said_openly(review, **values):
    return replace(verdict(review.fields[0], None, None, at=now()), blind=False, **values)


def test_what_is_said_openly_is_kept_apart_changed_and_taken_back(tmp_path):
    run, review, folder = a_review(tmp_path)
    kept = OpenVerdicts.beside(run.folder)
    first = kept.say(review.run, ADA, said_openly(review, labels="wrong"), "").verdict
    kept.say(review.run, GRACE, said_openly(review, page_broken=True, field=None, sent=()), "")
    assert [(each.judge.name, len(each.verdicts)) for each in kept.read(review.run)] == [("Ada", 1), ("Grace", 1)]
    assert folder.verdicts(review) == [], "it is in no review"
    second = kept.say(review.run, ADA, said_openly(review, note="look"), first.at).verdict
    assert kept.said_by(ADA) == {second.place: second}
    kept.say(review.run, ADA, said_openly(review), second.at)
    assert kept.said_by(ADA) == {}


def test_what_was_said_openly_meanwhile_stays(tmp_path):
    run, review, _ = a_review(tmp_path)
    kept = OpenVerdicts.beside(run.folder)
    first = kept.say(review.run, ADA, said_openly(review, note="one"), "").verdict
    other = kept.say(review.run, ADA, said_openly(review, note="two"), "")
    assert (other.verdict, other.is_other) == (first, True)
    assert kept.said_by(ADA) == {first.place: first}


def test_open_verdicts_of_another_run_or_said_blind_are_refused(tmp_path):
    run, review, _ = a_review(tmp_path)
    kept = OpenVerdicts.beside(run.folder)
    kept.say(review.run, ADA, said_openly(review, note="one"), "")
    with pytest.raises(WrongReview, match="another run"):
        kept.read(replace(review.run, started="never"))
    change_verdicts(kept.folder, review.run, ADA, lambda _: [verdict(review.fields[0])])
    with pytest.raises(WrongReview, match="blind"):
        kept.read(review.run)
    (kept.folder / "Ada.json").write_text("{")
    with pytest.raises(MalformedVerdicts):
        kept.read(review.run)


def test_the_run_itself_is_never_changed(tmp_path):
    run, review, folder = a_review(tmp_path)
    before = sorted((file, file.read_bytes()) for file in run.folder.rglob("*.json"))
    ada = Reviewer(folder, review, ADA)
    ada.settle(review.fields[0], "correct", None)
    OpenVerdicts.beside(run.folder).say(review.run, ADA, said_openly(review, note="one"), "")
    assert sorted((file, file.read_bytes()) for file in run.folder.rglob("*.json")) == before
