"""Reviews in the report of a run."""

from __future__ import annotations

from dataclasses import replace

from bs4 import BeautifulSoup

from harness.cli.commands import report
from harness.records.verdict import Judge
from harness.reports.reviews.judging import now
from harness.reports.reviews.open_verdicts import OpenVerdicts, open_words
from harness.reports.reviews.report_section import reviews_section
from harness.reports.reviews.run_reviews import start_review
from harness.reports.reviews.web_errors import IN_PAPER, MEANINGS, WEB_ERRORS
from tests.reports.reviews.made import a_review, a_run, verdict, verdicts

ADA = Judge(name="Ada", kind="person")


def tables(section):
    return [block for block in section.blocks if block.template == "table.html"]


def test_a_run_of_which_nobody_said_anything_has_no_section(tmp_path):
    assert reviews_section({"run": a_run(tmp_path / "run").folder}) is None


def test_it_says_how_many_were_reviewed_and_counts_verdicts_and_agreement(tmp_path):
    run, review, folder = a_review(tmp_path)
    folder.take(review, verdicts(review, [verdict(field) for field in review.fields[:4]]))
    folder.take(review, verdicts(review, [verdict(review.fields[0], "wrong")], "Grace"))
    summary, between = tables(reviews_section({"the run": run.folder}))
    assert summary.caption.startswith("the run, review 1: 7 fields drawn.")
    assert [row[:3] for row in summary.rows] == [["Ada", "4", "4"], ["Grace", "1", "0"], ["together", "3", "3"]]
    assert between.rows[0][:3] == ["Ada, Grace", "1", "0.0"]


def test_a_review_of_which_nothing_was_judged_says_so(tmp_path):
    run = a_run(tmp_path / "run")
    start_review(run, "standard", 3, 0)
    section = reviews_section({"run": run.folder})
    assert section.blocks[-1].text == "run, review 1: 3 fields drawn, none reviewed yet."


def test_what_was_said_openly_is_counted_apart(tmp_path):
    run, review, _ = a_review(tmp_path)
    said = replace(verdict(review.fields[0], "correct", "wrong", at=now()), blind=False)
    OpenVerdicts.beside(run.folder).say(review.run, ADA, said, "")
    whole = replace(said, field=None, sent=(), answer=None, labels=None, page_broken=True)
    OpenVerdicts.beside(run.folder).say(review.run, ADA, whole, "")
    assert [list(row) for row in tables(reviews_section({"run": run.folder}))[-1].rows] == [
        ["correct", "1", "–"],
        ["label wrong", "1", "–"],
        ["page broken", "–", "1"],
    ]
    assert open_words(replace(whole, page_broken=False, note="look")) == ["note"]


def test_where_agents_went_wrong_is_counted_by_class_beside_the_papers_shares(tmp_path):
    run, review, _ = a_review(tmp_path)
    said = replace(verdict(review.fields[0], at=now()), field=None, sent=(), answer=None, blind=False, error="pop_up")
    for name, error in (("Ada", "pop_up"), ("Grace", "pop_up"), ("Edsger", "hallucination"), ("Barbara", None)):
        whole = replace(said, error=error, note="look")
        OpenVerdicts.beside(run.folder).say(review.run, Judge(name=name, kind="person"), whole, "")
    open_ones, classes = tables(reviews_section({"run": run.folder}))
    assert [list(row) for row in classes.rows] == [
        ["hallucination", "1", "33.3", "44.0"],
        ["poor graphics", "0", "0.0", "28.0"],
        ["misread context", "0", "0.0", "20.0"],
        ["pop up", "2", "66.7", "8.0"],
    ]
    assert ["pop up", "–", "2"] in [list(row) for row in open_ones.rows]
    assert set(MEANINGS) == set(IN_PAPER) == set(WEB_ERRORS)


def test_what_cannot_be_read_is_a_notice_and_the_rest_is_there(tmp_path):
    run, review, folder = a_review(tmp_path)
    folder.take(review, verdicts(review, [verdict(review.fields[0])]))
    assert start_review(run, "standard", 2, 0) == 2
    (folder.folder / "review.json").write_text("{")
    section = reviews_section({"run": run.folder})
    assert [block.template for block in section.blocks] == ["words.html", "notice.html", "words.html"]
    assert "review.json cannot be read" in section.blocks[1].text


def test_the_command_shows_it(tmp_path):
    run, review, folder = a_review(tmp_path)
    folder.take(review, verdicts(review, [verdict(field) for field in review.fields], "<b>Ada</b>"))
    assert report.main([str(run.folder), "--out", str(tmp_path / "report.html")]) == 0
    page = BeautifulSoup((tmp_path / "report.html").read_text(), "html.parser")
    section = page.find(id="reviews")
    assert "Reviews by people" in section.get_text()
    assert "<b>Ada</b>" in section.get_text()
