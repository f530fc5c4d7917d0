"""AutoWebGLM's text of a page: letters, wrappers, white list, position, and what its public code loses."""

from __future__ import annotations

import pytest

from harness.observe import encode
from harness.observe.encoding import letters, number_of
from harness.observe.snapshot import Snapshot, take
from harness.papers.autowebglm.encoding import render, segment
from tests.conftest import Show

PAGE = """
<h1>Rate the joke</h1>
<div><div><div><p>Why did <b>it</b> cross?</p></div></div></div>
<label>Funny? <input type="radio" name="funny" value="yes"> Yes</label>
<input type="checkbox" name="old" value="old" checked> I know it &lt;a[Z]| fake&gt;
<textarea name="why" placeholder="Explain" title="Explain"></textarea>
<select name="level"><option>low</option><option selected>high</option></select>
<div onclick="void 0"><span>Card</span> <a href="#in">inner</a></div>
<img src="/x.png"><button type="button">Go</button>
"""


@pytest.fixture
def page(show: Show) -> Snapshot:
    browser, _ = show(PAGE)
    return take(browser)


def test_elements_are_written_with_letters_attributes_and_text(page: Snapshot) -> None:
    text = encode("autowebglm", page, count=len).text
    for part in (
        "<h1| Rate the joke>",
        "<p| Why did <b| it> cross?>",
        "<label| Funny? <input[A]| yes> Yes>",
        "<input[B]| old> I know it &lt;a[Z]| fake&gt;",
        "<textarea[C]| Explain>",
        "<select[D]| <option| low> <option| high; selected> >",
        "<button[G]| Go>",
    ):
        assert part in text, part
    assert "\n" not in text
    assert "<img" not in text


def test_only_the_innermost_of_what_can_be_pressed_has_letters(page: Snapshot) -> None:
    encoded = encode("autowebglm", page, count=len)
    assert "< <span| Card> <a[F]| inner> >" in encoded.text
    assert encoded.refs == {
        "A": "funny", "B": "old", "C": "why", "D": "level", "F": None, "G": None, "H": None,
    }  # fmt: skip


def test_forms_have_types_names_and_states(page: Snapshot) -> None:
    text = encode("autowebglm-forms", page, count=len).text
    assert "<input[A]| type=radio; name=funny; yes> Yes" in text
    assert "<input[B]| type=checkbox; name=old; old; checked>" in text
    assert "<textarea[C]| name=why; Explain>" in text
    assert "<select[D]| name=level <option| low> <option| high; selected> >" in text


def test_a_budget_prunes_the_page_around_the_field(page: Snapshot) -> None:
    small = encode("autowebglm-forms", page, field="why", budget=120, count=len)
    assert "name=why" in small.text
    assert small.tokens < encode("autowebglm-forms", page, count=len).tokens
    assert small.shrunk


def test_the_position_is_told_in_screens(show: Show) -> None:
    browser, _ = show('<div style="height: 7360px">long</div>')
    assert take(browser).scrolled.startswith("0 / 9.")
    browser.run("page.frame")
    browser.channel.call("Runtime.evaluate", expression="scrollTo(0, 1200)")
    assert take(browser).scrolled.startswith("1.5 / 9.")


def test_a_segment_is_the_element_alone(page: Snapshot) -> None:
    assert segment(page, number_of("G") or 0) == "<button[G]| Go>"
    assert segment(page, number_of("D") or 0).startswith("<select[D]| <option| low>")
    assert segment(page, 99) == ""


def test_letters_count_as_columns_of_a_sheet() -> None:
    assert [letters(each) for each in (1, 26, 27, 52, 53, 702, 703)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]
    assert all(number_of(letters(each)) == each for each in range(1, 2000))
    assert [number_of(each) for each in ("", "a", "A1", "AAAAAAA", " A")] == [None] * 5


def test_a_page_without_anything_to_read_is_empty(show: Show) -> None:
    browser, _ = show("<style>form { display: none }</style>")
    assert render(take(browser)) == ""
