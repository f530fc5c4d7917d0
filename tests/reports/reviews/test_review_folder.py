from __future__ import annotations

import json
from dataclasses import replace

import pytest

from harness.actions.result import ErrorCode, Step
from harness.records.directory import RunDirectory
from harness.records.turn import Turn
from harness.records.verdict import MalformedVerdicts, read_verdicts, write_verdicts
from harness.reports.reviews.answers_given import draw_review, given_answers, scores_of
from harness.reports.reviews.review import ReviewFolder, WrongReview, check
from harness.scoring.metrics import PROFILES
from tests.analysis.made import episodes, write
from tests.reports.reviews.made import a_review, a_run, drawn, verdict, verdicts
from tests.samples import episode, record


def test_a_review_is_beside_its_run_and_the_run_stays_as_it_was(tmp_path):
    run = a_run(tmp_path / "run")
    before = sorted((file, file.read_bytes()) for file in run.folder.rglob("*.json"))
    _, review, folder = a_review(tmp_path / "other")
    folder.take(review, verdicts(review, [verdict(review.fields[0])]))
    assert folder.folder == tmp_path / "other" / "run_review"
    assert sorted((file, file.read_bytes()) for file in run.folder.rglob("*.json")) == before


def test_a_draw_is_read_back(tmp_path):
    run, review, folder = a_review(tmp_path)
    assert folder.read(run.read()) == review
    assert (review.scored_fields, len(review.fields)) == (7, 7)
    assert {field.place for field in review.fields} == {
        *(("A", index, name) for index in (0, 1) for name in ("r", "s")),
        *(("B", index, "r") for index in (0, 1, 2)),
    }


def test_the_scores_decide_nothing_of_the_draw(tmp_path):
    right = drawn(a_run(tmp_path / "right", {"A": [{"r": 1.0}] * 20}), 5)
    wrong = drawn(a_run(tmp_path / "wrong", {"A": [{"r": 0.0}] * 20}), 5)
    assert [field.place for field in right.fields] == [field.place for field in wrong.fields]


def test_nothing_is_drawn_where_nobody_worked_or_nothing_is_scored(tmp_path):
    workers = [replace(each, answered_by="workers") for each in episodes({"A": [{"r": 1.0}]})]
    with pytest.raises(WrongReview, match="no solver answered"):
        drawn(RunDirectory(write(tmp_path / "crowd", workers)))
    with pytest.raises(WrongReview, match="no scored field"):
        drawn(a_run(tmp_path / "none", {"A": [{}]}))


def test_of_another_run_a_review_is_not_read(tmp_path):
    _, _, folder = a_review(tmp_path)
    with pytest.raises(WrongReview, match="is the review of another run"):
        folder.read(a_run(tmp_path / "other", started="2026-02-01T00:00:00+00:00").read())
    with pytest.raises(WrongReview, match="holds no review: draw one"):
        ReviewFolder(tmp_path / "nowhere").read(a_run(tmp_path / "third").read())


def test_a_damaged_draw_is_refused_in_a_sentence(tmp_path):
    run, _, folder = a_review(tmp_path)
    (folder.folder / "review.json").write_text('{"schema": 2}')
    with pytest.raises(WrongReview, match=r"review\.json cannot be read: \$\.schema"):
        folder.read(run.read())


def test_verdicts_are_kept_by_reviewer_and_read_back(tmp_path):
    _, review, folder = a_review(tmp_path)
    mine = verdicts(review, [verdict(field) for field in review.fields[:2]])
    hers = verdicts(review, [verdict(review.fields[0], "wrong")], "Grace / Hopper")
    assert folder.take(review, mine) == (2, 0)
    assert folder.take(review, hers) == (1, 0)
    assert sorted(each.judge.name for each in folder.verdicts(review)) == ["Ada", "Grace / Hopper"]
    assert folder.verdicts(review)[0] == mine
    assert len(list((folder.folder / "verdicts").iterdir())) == 2, "nothing half-written is left"


def test_a_review_goes_on_where_it_was_left(tmp_path):
    _, review, folder = a_review(tmp_path)
    said = [verdict(field) for field in review.fields]
    folder.take(review, verdicts(review, said[:3]))
    assert folder.take(review, verdicts(review, said)) == (4, 0)
    assert folder.verdicts(review)[0].verdicts == tuple(said)


def test_the_first_verdict_stands_since_it_was_blind(tmp_path):
    _, review, folder = a_review(tmp_path)
    first = review.fields[0]
    folder.take(review, verdicts(review, [verdict(first, "wrong")]))
    assert folder.take(review, verdicts(review, [verdict(first, "correct")])) == (0, 1)
    assert folder.verdicts(review)[0].verdicts[0].answer == "wrong"


def test_labels_are_added_to_a_verdict_that_left_them_open(tmp_path):
    _, review, folder = a_review(tmp_path)
    first = review.fields[0]
    folder.take(review, verdicts(review, [verdict(first, "wrong", None)]))
    assert folder.take(review, verdicts(review, [verdict(first, "correct", "right")])) == (0, 1)
    assert folder.take(review, verdicts(review, [verdict(first, "wrong", "right")])) == (1, 0)
    assert folder.verdicts(review)[0].verdicts[0].labels == "right"


def test_verdicts_on_something_else_are_refused(tmp_path):
    _, review, _ = a_review(tmp_path)
    first = review.fields[0]
    for said, words in (
        (verdicts(review, [verdict(first, index=77)]), "which was not drawn"),
        (verdicts(review, [verdict(first, field=None)]), "which was not drawn"),
        (verdicts(review, [verdict(first, sent=("another",))]), "another answer"),
        (replace(verdicts(review, []), run=replace(review.run, started="never")), "another run"),
    ):
        with pytest.raises(WrongReview, match=words):
            check(review, said, tmp_path / "file.json")


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"schema": 2}, r"holds no verdicts: \$\.schema"),
        ({"judge": {"name": " ", "kind": "person"}}, r"\$\.judge\.name"),
        ({"judge": {"name": "a\nb", "kind": "person"}}, r"\$\.judge\.name"),
        ({"judge": {"name": "a", "kind": "cat"}}, r"\$\.judge\.kind"),
        ({"verdicts": [1]}, r"\$\.verdicts"),
    ],
)
def test_files_that_hold_no_verdicts_are_refused_in_a_sentence(tmp_path, change, words):
    _, review, _ = a_review(tmp_path)
    file = tmp_path / "verdicts.json"
    write_verdicts(file, verdicts(review, []))
    file.write_text(json.dumps({**json.loads(file.read_text()), **change}))
    with pytest.raises(MalformedVerdicts, match=words):
        read_verdicts(file)


def test_a_file_that_says_two_things_of_one_answer_is_refused(tmp_path):
    _, review, _ = a_review(tmp_path)
    file = tmp_path / "verdicts.json"
    write_verdicts(file, verdicts(review, [verdict(review.fields[0])] * 2))
    with pytest.raises(MalformedVerdicts, match="says two things of"):
        read_verdicts(file)


def test_scores_are_those_of_the_metric(tmp_path):
    run, review, _ = a_review(tmp_path)
    scores = scores_of(run, review, PROFILES["standard"])
    assert {place: score for place, (_, score, _) in scores.items()} == pytest.approx(
        {("A", 0, "r"): 1, ("A", 0, "s"): 0.9, ("A", 1, "r"): 0, ("A", 1, "s"): 0.2}
        | {("B", index, "r"): score for index, score in enumerate((1, 0, 1))}
    )
    assert scores["A", 0, "s"][0] == "range"


def test_a_run_that_has_changed_since_the_draw_is_told_of(tmp_path):
    run, review, _ = a_review(tmp_path)
    write(
        run.folder,
        episodes({"A": [{"r": 0.0, "s": 0.9}, {"r": 0.0, "s": 0.2}], "B": [{"r": 1.0}, {"r": 0.0}, {"r": 1.0}]}),
    )
    for read in (lambda: given_answers(run, review), lambda: scores_of(run, review, PROFILES["standard"])):
        with pytest.raises(WrongReview, match="has changed since the draw: 'A', instance 0, field 'r'"):
            read()


def test_what_a_solver_did_about_a_field_is_told_and_nothing_of_other_fields(tmp_path):
    steps = (
        Step("modify_text('a', 'x')", False, "no", 1.0, code=ErrorCode.TOO_LONG),
        Step("modify_text('b', 'x')", False, "no", 1.0, code=ErrorCode.TOO_LONG),
        Step("modify_text('a', 'y')", True, "yes", 1.0),
    )
    turns = (
        Turn(reply="I think so", calls=("error: nothing",), note="field 'a'; left out of the page: much"),
        Turn(reply="modify_text('a', 'y')", calls=("modify_text('a', 'y')",), note="field 'a'"),
        Turn(reply="what?", calls=("error: nothing",), note="field 'b'"),
        Turn(reply=" ", calls=(), note="field 'a'"),
    )
    fields = [record("a", sent=("y",), untouched=("",), labels=("yes", "no", "yes ", "")), record("b", sent=())]
    run = RunDirectory(write(tmp_path / "run", [episode(*fields, steps=steps, turns=turns)]))
    review = draw_review(run, PROFILES["standard"], 9, 0)
    told = {place[2]: answer for place, answer in given_answers(run, review).items()}
    assert told["a"].failed == ("modify_text('a', 'x'): no",)
    assert told["a"].unread == ("I think so", "(an empty reply)")
    assert told["a"].labels == (("yes", 2), ("no", 1), ("(left blank)", 1))
    assert (told["a"].untouched, told["b"].untouched) == (False, True)
