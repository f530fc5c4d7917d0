from pathlib import Path

import pytest

from harness.papers.mind2web.mindact.marked_page import MarkedPage, UnreadableStepPage
from harness.papers.mind2web.mindact.snippet import FROM_WIDE_TO_NARROW, Surroundings, option_words, snippet
from tests.papers.mind2web.mindact.pages import SEARCH, asked, elements, query

GOLDEN = Path(__file__).parent / "golden"


def golden(name: str, text: str) -> None:
    file = GOLDEN / f"{name}.txt"
    assert file.read_text(encoding="utf-8") == text + "\n"


def test_the_query_is_the_task_with_the_last_steps():
    golden("query", query("[input]  q -> TYPE: kettle", "[button]  Search -> CLICK").words)
    assert query().words.endswith("Done so far: nothing")
    assert "step 1 " not in query(*(f"step {number} -> CLICK" for number in range(1, 8))).words


def test_candidates_are_told_by_tag_text_attributes_parent_and_children():
    golden("candidates", "\n\n".join(element.words for element in elements()))


def test_candidates_stand_in_the_order_of_the_page_whatever_the_order_of_the_file():
    forth, back = elements(), elements(ids=tuple(reversed([each.backend_node_id for each in elements()])))
    assert forth == back
    assert [each.place for each in forth] == list(range(19))


def test_what_the_page_does_not_have_is_no_candidate_and_scripts_are_no_text():
    assert [each.backend_node_id for each in elements(ids=("7", "99"))] == ["7"]
    assert not any("steal" in each.words for each in elements())


def test_a_page_without_an_element_is_refused():
    for html in ("", "   ", "<!-- nothing -->"):
        with pytest.raises(UnreadableStepPage):
            MarkedPage(html)


def test_a_page_that_is_deeper_than_the_stack_can_be_read_and_shown():
    depth = 1_500
    html = "".join(f'<div backend_node_id="{number}">' for number in range(depth)) + "end" + "</div>" * depth
    page = MarkedPage(html)
    last = str(depth - 1)
    assert last in page.by_id
    assert "end" in snippet(page, {last: "0"}, FROM_WIDE_TO_NARROW[0])


def test_a_snippet_holds_the_elements_and_what_is_around_them_and_escapes_text():
    page = MarkedPage(SEARCH)
    golden("snippet", snippet(page, {"11": "0", "15": "1"}, FROM_WIDE_TO_NARROW[0]))
    narrow = snippet(page, {"15": "1"}, Surroundings(below=0, beside=0, text=40))
    assert narrow == "<a id=1> Glass kettle &lt;b&gt; </a>"
    assert "Wool socks" not in narrow


def test_an_option_is_one_line():
    page = MarkedPage(SEARCH)
    assert option_words(page, "11", "3") == '<button id=3 type="submit"> <span> Search </span> </button>'
    assert "\n" not in option_words(page, "8", "0")


def test_an_asked_step_says_nothing_of_what_was_done():
    assert not any(each.is_original_target for each in asked().candidates)
