from __future__ import annotations

import pytest

from oracle.check.validity_page import render, share, write
from tests.oracle.check.reports import finding, mistake, report, verdict


@pytest.mark.parametrize(("part", "whole", "said"), [(199_999, 200_000, "99.99 %"), (2, 2, "100.00 %"), (0, 0, "–")])
def test_a_share_is_never_rounded_up(part, whole, said):
    assert share(part, whole) == said


def test_the_page_shows_counts_causes_exclusions_and_explanations():
    made = report(verdict(finding(explained="a known fault"), echo=4), warning="rude words", issues=("an old page",))
    page = render(made)
    for text in (
        "1 of 2 scored fields at their ceiling",
        "50.00 %",
        "field never reachable",
        "nobody knows",
        "a known fault",
        "answer fields that are not scored: echo",
        "tasks without a table of labels",
        "rude words",
        "an old page",
        "0123456789",
    ):
        assert text in page, text


def test_mistakes_stand_in_the_page_with_what_to_do():
    made = report(verdict())
    assert "Nowhere." in render(made)
    made.mistakes = (mistake(rows=(4,), wanted="<b>x", possible=("y",)),)
    page = render(made)
    for text in (
        "batch.csv row 4, field &#x27;a&#x27;",
        "mistake</b>: wrong",
        "&lt;b&gt;x",
        "<code>y</code>",
        "Mend it.",
    ):
        assert text in page, text


def test_a_clean_report_says_that_nothing_was_found():
    page = render(report(verdict()))
    assert "2 of 2 scored fields at their ceiling" in page
    assert "None." in page


def test_text_of_labels_and_names_is_shown_and_never_run():
    page = render(report(verdict(finding(labels=("<script>alert(1)</script>",))), name="<img src=x>"))
    assert "<script>" not in page
    assert "<img" not in page
    assert "&lt;script&gt;alert(1)" in page


def test_the_page_needs_no_other_file(tmp_path):
    page = write(report(verdict(finding())), tmp_path).read_text(encoding="utf-8")
    assert "src=" not in page
    assert "http:" not in page
    assert "https:" not in page
