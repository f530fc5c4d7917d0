from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from harness.reports.watch.found_marks import MOST_MARKS, marked
from harness.reports.watch.search_terms import SearchTerms, Snippet


def page_of(html: str, words: str, **texts: str) -> BeautifulSoup:
    return BeautifulSoup(marked(html, SearchTerms.of(words), texts.__getitem__).html, "html.parser")


def marks(html: str, words: str, **texts: str) -> list[str]:
    return [mark.get_text() for mark in page_of(html, words, **texts).select("mark.hit")]


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("A Café, caffeine, decaf", "caf", ["Café", "caffeine"]),
        ("cafe\u0301 au lait", "CAFÉ", ["cafe\u0301"]),
        ("red cat; red, cat; redcat", '"red cat"', ["red cat", "red, cat"]),
        ("red cats", '"red cat"', []),
        ("field_name and name", "name", ["name", "name"]),
        ("a (b) [c] .* d", ".*", []),
        ("Straße 5", '"strasse" 5', ["5"]),
        ("", "word", []),
    ],
)
def test_terms_are_found_as_the_index_finds_them(text: str, words: str, expected: list[str]) -> None:
    assert [text[first:end] for first, end in SearchTerms.of(words).places(text)] == expected


def test_a_snippet_is_cut_out_of_the_text_around_the_first_place() -> None:
    text = f"{'x' * 100} a zebra\nruns {'y' * 100} zebra"
    assert SearchTerms.of("zebra").snippet(text) == Snippet(f"…{'x' * 57} a ", "zebra", f" runs {'y' * 54}…")
    assert SearchTerms.of("lion").snippet(text) is None


def test_only_what_comes_from_the_run_is_marked_and_stays_escaped() -> None:
    html = (
        '<p title="lt">lt</p><pre class="said">&lt;b&gt; lt</pre><p class="result"><span class="badge">lt</span> lt</p>'
    )
    page = marked(html, SearchTerms.of("lt b"), str)
    assert page.marks == 3
    assert '<pre class="said">&lt;<mark class="hit" id="hit-1">b</mark>&gt; <mark class="hit" id="hit-2">lt</mark>' in (
        page.html
    )
    assert '<p title="lt">lt</p>' in page.html


def test_all_that_folds_around_a_mark_is_open_and_nothing_else() -> None:
    fold = (
        '<details class="fold"><summary>s</summary><details><img src="a"><pre class="said">{}</pre></details></details>'
    )
    page = page_of(fold.format("zebra") + fold.format("lion"), "zebra")
    assert [each.has_attr("open") for each in page.select("details")] == [True, True, False, False]


def test_of_a_long_text_that_is_loaded_later_the_first_places_are_shown() -> None:
    link = '<div class="whole"{}><a href="long" data-text="long">Text</a></div>'
    text = "begin " + f"zebra <i> {'y ' * 300}" * 5
    page = page_of(link.format(""), "zebra", long=text)
    assert [each.get_text()[:20] for each in page.select("pre.excerpt")] == [
        "begin zebra <i> y y ",
        *["…y y y y y y y y y y "[:20]] * 2,
    ]
    assert "5 places in this text:" in page.get_text()
    assert len(page.select("mark.hit")) == 3
    assert marks(link.format(" data-closed"), "zebra", long=text) == []


def test_marks_of_a_page_have_an_end() -> None:
    page = marked(f'<pre class="said">{"cat " * 2 * MOST_MARKS}</pre>', SearchTerms.of("cat"), str)
    assert page.marks == MOST_MARKS
    assert page.html.count("cat") == 2 * MOST_MARKS
