"""get_html: the whole page, or the neighbourhood of a field (TurkingBench, appendix C)."""

from __future__ import annotations

import pytest

from harness.actions.result import ErrorCode
from tests.conftest import Show
from tests.site import done, refused

pytestmark = pytest.mark.devtools


def test_the_whole_page_is_given_as_it_is_now(show: Show) -> None:
    shown = show("<p id=p>before</p><input name=a>")
    shown.page("document.getElementById('p').textContent = 'after ' + 'a'.repeat(3)")
    result = shown.actions.get_html()
    done(result)
    assert result.text == shown.page("document.documentElement.outerHTML")
    assert "after aaa" in result.text
    assert str(len(result.text)) in result.message


def around(before: int, after: int, field: str = '<input name="a">') -> str:
    """A field in a grandparent with this number of elements (two pieces each) before and behind it."""
    items = [f"<i>{number}</i>" for number in range(before + after)]
    return f"<section><p>{''.join(items[:before])}{field}{''.join(items[before:])}</p></section>"


def test_a_small_neighbourhood_is_the_grandparents_html(show: Show) -> None:
    html = around(2, 3)
    assert show(html).actions.get_html("a").text == html


def test_a_large_neighbourhood_is_cut_15_pieces_before_and_30_behind_the_one_that_opens_the_field(show: Show) -> None:
    html = around(50, 50)
    text = show(html).actions.get_html("a").text
    pieces = html.split(">")
    here = next(number for number, piece in enumerate(pieces) if "<input" in piece)
    assert text == ">".join(pieces[here - 15 : here + 31]) + ">"
    before, _, behind = text.partition('<input name="a">')
    assert before.count(">") == 15
    assert behind.count(">") == 30


def test_the_piece_that_opens_the_field_is_found_whatever_its_attributes_hold(show: Show) -> None:
    html = around(20, 40, '<input title="a > b <i> c" name="a" value="<b>>">')
    text = show(html).actions.get_html("a").text
    before = text.partition("<input")[0]
    assert before.count(">") == 15


def test_a_field_whose_text_looks_like_markup_is_escaped(show: Show) -> None:
    text = show("<section><p><textarea name=a>&lt;input name=a&gt;</textarea></p></section>").actions.get_html("a").text
    assert text == '<section><p><textarea name="a">&lt;input name=a&gt;</textarea></p></section>'


def test_of_a_group_the_first_visible_option_is_the_middle(show: Show) -> None:
    options = [
        f'<div><p><input type="radio" name="a" value="{value}"{style}></p></div>'
        for value, style in ((1, ' style="display: none"'), (2, ""), (3, ""))
    ]
    assert show("".join(options)).actions.get_html("a").text == options[1]


def test_the_neighbourhood_of_an_unseen_field_is_given_too(show: Show) -> None:
    html = '<section><p><input type="hidden" name="a" value="1"></p></section>'
    assert show(html).actions.get_html("a").text == html


def test_the_live_document_counts_and_the_page_notices_nothing(show: Show) -> None:
    shown = show("<section><p id=p><input name=a></p></section><script>window.changes = 0;</script>")
    shown.page("document.getElementById('p').insertAdjacentHTML('beforeend', '<b>late</b>')")
    shown.page(
        "new MutationObserver((all) => { changes += all.length; })"
        ".observe(document, {subtree: true, childList: true, attributes: true})"
    )
    text = shown.actions.get_html("a").text
    assert text == '<section><p id="p"><input name="a"><b>late</b></p></section>'
    assert shown.page("new Promise((resume) => setTimeout(() => resume(changes)))") == 0


def test_a_name_that_no_field_has_lists_the_names(show: Show) -> None:
    refused(show(file="text").actions.get_html("nobody"), ErrorCode.NO_SUCH_FIELD, "'nobody'", "'person'", "'filled'")


def test_a_page_that_replaces_its_own_tools_is_read_all_the_same(show: Show) -> None:
    shown = show(
        "<section><p><input name=a></p></section><script>Element.prototype.closest = document.querySelectorAll = null;"
        "Object.defineProperty(Element.prototype, 'outerHTML', { get() { return 'nothing'; } });</script>"
    )
    assert shown.actions.get_html("a").text == '<section><p><input name="a"></p></section>'
