"""Cleaning leaves what is seen and means something, and hoists what wrappers hold."""

from __future__ import annotations

import re

import pytest
from lxml import etree

from harness.papers.mind2web.demonstrations.cleaning import cleaned
from harness.papers.mind2web.demonstrations.page_tree import UnreadablePage
from tests.papers.mind2web.demonstrations.pages import HIDDEN, a_page, an_element


def body_of(html: str) -> str:
    """What is left of a page's body."""
    found = re.fullmatch(r'<html backend_node_id="1"> ?<body backend_node_id="2">(.*)</body> ?</html>', cleaned(html))
    assert found
    return found[1].strip()


def ids_of(html: str) -> list[str]:
    return [str(each.get("backend_node_id")) for each in etree.fromstring(cleaned(html)).iter()]


def test_a_text_stays_with_its_element_and_without_attributes_that_say_nothing() -> None:
    page = a_page(an_element("p", 3, " Two\n  seats ", said='class="big" style="x" data-x="1" onclick="x()"'))

    assert body_of(page) == '<p backend_node_id="3"> Two seats </p>'


def test_wrappers_give_way_to_what_they_hold() -> None:
    button = an_element("button", 5, "Go")

    assert body_of(a_page(an_element("div", 3, an_element("div", 4, button)))) == (
        '<button backend_node_id="5">Go</button>'
    )


def test_what_holds_neighbours_stays() -> None:
    row = an_element("li", 3, an_element("a", 4, "One", said='href="/1"') + an_element("a", 5, "Two", said='href="/2"'))

    assert ids_of(a_page(row)) == ["1", "2", "3", "4", "5"]


def test_what_is_not_rendered_is_left_out_with_its_text() -> None:
    hidden = an_element("p", 3, f"secret {an_element('a', 4, 'link', box=HIDDEN)} more", box=HIDDEN)

    assert body_of(a_page(hidden + an_element("p", 5, "seen"))) == '<p backend_node_id="5">seen</p>'


def test_scripts_and_styles_are_left_out() -> None:
    scripts = an_element("script", 3, "if (1) go()", box=HIDDEN) + an_element("style", 4, "p {}", box=HIDDEN)

    assert body_of(a_page(scripts)) == ""


def test_what_takes_no_room_itself_is_seen_if_it_holds_what_does() -> None:
    link = an_element("a", 3, an_element("b", 4, "Sale"), box="0,0,0,0", said='href="/sale"')

    assert ids_of(a_page(link)) == ["1", "2", "3", "4"]


def test_options_stay_with_their_list() -> None:
    options = an_element("option", 4, "Red", box=HIDDEN) + an_element(
        "optgroup", 5, an_element("option", 6, "Blue", box=HIDDEN, said="selected=''"), box=HIDDEN, said='label="Cold"'
    )

    seen = a_page(an_element("select", 3, options))
    assert ids_of(seen) == ["1", "2", "3", "4", "5", "6"]
    assert 'selected=""' in cleaned(seen)
    assert ids_of(a_page(an_element("select", 3, options, box=HIDDEN))) == ["1", "2"]


@pytest.mark.parametrize(
    "said",
    [
        'alt="A shoe"',
        'title="More"',
        'aria-label="Close"',
        'aria_label="Close"',
        'role="navigation"',
        'is_clickable="true"',
        'contenteditable="true"',
    ],
)
def test_what_tells_or_can_be_pressed_stays_without_text(said: str) -> None:
    assert "3" in ids_of(a_page(an_element("i", 3, said=said)))


@pytest.mark.parametrize("said", ["", 'alt=" "', 'class="x"', 'role="presentation"', 'aria-hidden="true"'])
def test_what_tells_nothing_goes(said: str) -> None:
    assert "3" not in ids_of(a_page(an_element("i", 3, said=said)))


def test_what_a_control_is_called_and_holds_stays() -> None:
    page = a_page(
        an_element("label", 3, "City", said='for="c"')
        + '<input backend_node_id="4" bounding_box_rect="0,0,9,9" id="c" class="x" value="A &amp; &quot;B&quot;" '
        'checked="" aria-expanded="true"/>'
    )

    assert body_of(page) == (
        '<label backend_node_id="3" for="c">City</label>'
        '<input backend_node_id="4" id="c" value="A &amp; &quot;B&quot;" checked="" aria-expanded="true"/>'
    )


def test_words_on_both_sides_of_what_is_left_out_stay_apart() -> None:
    assert body_of(a_page(an_element("p", 3, 'Rome<br backend_node_id="4"/>Paris&lt;b&gt;'))) == (
        '<p backend_node_id="3">Rome Paris&lt;b&gt;</p>'
    )


def test_texts_in_elements_of_their_own_stay_as_the_public_files_have_them() -> None:
    page = a_page(an_element("div", 3, an_element("span", 4, an_element("text", 5, "Search"))))

    assert body_of(page) == '<span backend_node_id="4"><text backend_node_id="5">Search</text></span>'


def test_pages_without_boxes_keep_what_can_be_seen() -> None:
    page = '<html backend_node_id="1"><script backend_node_id="2">x</script><p backend_node_id="3">Hello</p></html>'

    assert ids_of(page) == ["1", "3"]


def test_html_that_is_no_xml_is_cleaned_to_xml() -> None:
    page = (
        '<!DOCTYPE html><html backend_node_id="1"><body backend_node_id="2"><o:p backend_node_id="3" @click="x" '
        'aria-x:y="1">Grüße&nbsp;世界 \x0b<br>🙂</o:p><input backend_node_id="4" disabled><p backend_node_id="5">a'
    )

    root = etree.fromstring(cleaned(page))
    assert [each.get("backend_node_id") for each in root.iter()] == ["1", "2", "3", "4", "5"]
    assert " ".join(root.itertext()).split() == ["Grüße", "世界", "🙂", "a"]


def test_entities_of_a_page_are_not_expanded() -> None:
    bomb = '<!DOCTYPE html [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;">]><html backend_node_id="1"><p>&b;</p></html>'

    assert "aaaa" not in cleaned(bomb)


def test_two_megabytes_in_deep_nests_are_cleaned() -> None:
    deep = "<div>" * 1500 + an_element("b", 3, "deep") + "</div>" * 1500
    wide = "".join(f"<script>x</script>word {number}" for number in range(60_000))

    left = cleaned(a_page(deep + wide))

    assert '<b backend_node_id="3">deep</b>' in left
    assert left.count("word") == 60_000


def test_nests_beyond_all_measure_do_no_harm() -> None:
    assert cleaned("<div>" * 100_000).startswith("<html>")


def test_cleaning_again_changes_nothing() -> None:
    once = cleaned(a_page(an_element("div", 3, f"a {an_element('b', 4, 'c')} d") + an_element("a", 5, "e")))

    assert cleaned(once) == once


@pytest.mark.parametrize("html", ["", "   ", "<!-- nothing -->"])
def test_what_holds_no_element_is_said_to_be_unreadable(html: str) -> None:
    with pytest.raises(UnreadablePage):
        cleaned(html)
