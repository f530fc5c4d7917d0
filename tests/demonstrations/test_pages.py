"""Pages of demonstrations: read and written, cleaned, their acceptable elements, and elements in words."""

import pytest

from harness.demonstrations.acceptable import acceptable_elements
from harness.demonstrations.cleaning import cleaned
from harness.demonstrations.demonstration import Demonstration, DoneOperation
from harness.demonstrations.element_words import step_words
from harness.demonstrations.making import TargetGone, made_step
from harness.demonstrations.mind2web_file import read_demonstrations, written
from harness.demonstrations.page_html import UnreadablePage, parsed, serialised

CLICK = DoneOperation(op="CLICK", original_op="CLICK")
HIDDEN = 'bounding_box_rect="-1,-1,-1,-1"'


def box(left=0, top=0, width=10, height=10):
    return f'bounding_box_rect="{left},{top},{width},{height}"'


def page(body):
    return parsed(f"<html {box()}><head {HIDDEN}><title>t</title></head><body {box()}>{body}</body></html>")


def by_id(tree, name):
    return tree.xpath(f"//*[@id='{name}' or @backend_node_id='{name}']")[0]


def clean_body(body):
    text = serialised(cleaned(page(body)))
    return text.removeprefix("<html><body>").removesuffix("</body></html>")


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><p>One<br/>two</p><div></div></body></html>",
        "<html><body><script></script><p>ä &lt; 東京 &amp; 🛫</p></body></html>",
        "<html><body><p>outer<p>inner</p></p><iframe><html><body>in</body></html></iframe></body></html>",
    ],
)
def test_a_page_is_read_and_written_as_it_is(html):
    assert serialised(parsed(html)) == html


def test_what_is_no_xml_is_read_as_html():
    assert by_id(parsed("<p id=a>One<p id=b>two & three"), "b").text == "two & three"


def test_what_a_page_asks_to_be_expanded_is_not():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY f SYSTEM "file:///etc/passwd">]><html><b>&a;&f;</b></html>'
    assert "root:" not in "".join(parsed(bomb).itertext(with_tail=True))


@pytest.mark.parametrize("html", ["", "   ", "<!-- only this -->"])
def test_a_page_without_an_element_is_said(html):
    with pytest.raises(UnreadablePage):
        parsed(html)


@pytest.mark.parametrize(
    ("body", "kept"),
    [
        (f"<div {box()}><div {box()}><a href='/x' {box()}>Go</a></div></div>", '<a href="/x">Go</a>'),
        (f"<div {box()}>Say <i {box()}></i>this</div>", "<div>Say this</div>"),
        (f"<p {HIDDEN}>not seen</p><p {box()}>seen</p>", "<p>seen</p>"),
        (f"<p {HIDDEN}>not seen <b {box()}>seen</b> nor this</p>", "<b>seen</b>"),
        (f"<img {box()} src='/a.png'/><img {box()} alt='A tent'/>", '<img alt="A tent"/>'),
        (f"<span {box(width=0)} title='x'></span>", ""),
        (f"<ul {box()}><li {box()}>1</li><li {box()}>2</li></ul>", "<ul><li>1</li><li>2</li></ul>"),
        (f"<ul {box()}><li {box()}>1</li></ul>", "<li>1</li>"),
        (f"<div {box()} is_clickable='true' class='x' onclick='y()'></div>", "<div></div>"),
        (
            f"<select {box()}><option {HIDDEN}>a</option></select>"
            f"<select {HIDDEN}><option {HIDDEN}>b</option></select>",
            "<select><option>a</option></select>",
        ),
        (f"<p {box()}>  One\n two <b {box()}> three</b></p>", "<p> One two <b> three</b></p>"),
    ],
)
def test_cleaning_keeps_what_is_seen_and_means_something(body, kept):
    assert clean_body(body) == kept


def test_cleaning_leaves_the_page_itself_as_it_was():
    whole = page(f"<div {box()}><p {HIDDEN}>x</p></div>")
    before = serialised(whole)
    cleaned(whole)
    assert serialised(whole) == before


def test_a_page_nested_very_deep_is_cleaned():
    tree = page(f"<div {box()}>" * 1500 + "x" + "</div>" * 1500)
    assert serialised(cleaned(tree)) == "<html><body><div>x</div></body></html>"


def test_a_page_without_boxes_is_cleaned_by_the_kinds_of_its_elements():
    tree = parsed("<html><head><title>t</title></head><body><script>x</script><p>seen</p></body></html>")
    assert serialised(cleaned(tree)) == "<html><body><p>seen</p></body></html>"


def acceptable(body, target):
    return [each.get("id") for each in acceptable_elements(by_id(page(body), target))]


def test_what_is_seen_within_the_nearest_clickable_element_is_acceptable():
    body = (
        f"<div id='card' {box()}><a id='link' href='/x' {box(0, 0, 100, 20)}>"
        f"<span id='text' {box(0, 0, 50, 20)}>Go</span><i id='out' {box(90, 0, 50, 20)}>!</i>"
        f"<b id='hidden' {HIDDEN}>h</b></a></div>"
    )
    assert acceptable(body, "text") == ["link", "text"]
    assert acceptable(body, "link") == ["link", "text"]


def test_the_target_itself_is_acceptable_wherever_it_is():
    body = f"<a id='link' href='/x' {box(0, 0, 9, 9)}><i id='out' {box(90, 0, 50, 20)}>!</i></a>"
    assert acceptable(body, "out") == ["link", "out"]


def test_without_a_clickable_element_the_target_is_the_outermost():
    assert acceptable(f"<div id='d' {box()}><p id='p' {box()}>x</p></div>", "p") == ["p"]


def test_the_whole_page_is_not_clickable():
    tree = parsed(f"<html {box()}><body is_clickable='true' {box()}><p id='p' {box()}>x</p></body></html>")
    assert [each.tag for each in acceptable_elements(by_id(tree, "p"))] == ["p"]


@pytest.mark.parametrize(
    ("body", "done", "words"),
    [
        ("<button id='x'> Find  <b>it</b> </button>", CLICK, "[button]  Find it -> CLICK"),
        ("<svg id='x'></svg>", CLICK, "[svg]   -> CLICK"),
        ("<a id='x' href='/'>Home</a>", DoneOperation(op="CLICK", original_op="HOVER"), "[link]  Home -> CLICK"),
        (
            "<label for='x'>To</label><input id='x'/>",
            DoneOperation(op="TYPE", original_op="TYPE", value="New\nYork"),
            "[textbox]  To -> TYPE: New York",
        ),
        (
            "<label>Make <select id='x'><option>Fiat</option></select></label>",
            DoneOperation(op="SELECT", original_op="SELECT", value="Fiat"),
            "[combobox]  Make -> SELECT: Fiat",
        ),
        ("<input id='x' type='submit' value='Send'/>", CLICK, "[button]  Send -> CLICK"),
        ("<input id='x' type='search' placeholder='Find'/>", CLICK, "[searchbox]  Find -> CLICK"),
        ("<div id='x' role='Tab' aria-label='News'></div>", CLICK, "[tab]  News -> CLICK"),
    ],
)
def test_a_step_in_words(body, done, words):
    assert step_words(by_id(parsed(f"<html><body>{body}</body></html>"), "x"), done) == words


def test_a_step_has_its_acceptable_elements_and_all_others_as_candidates():
    tree = page(
        f"<a backend_node_id='7' href='/x' {box()}><span backend_node_id='8' {box(1, 1, 3, 3)}>Go</span></a>"
        f"<p backend_node_id='9' {box()}>Text</p><div backend_node_id='10' {HIDDEN}>h</div>"
    )
    made = made_step(tree, "8", CLICK, "u-1")
    assert made.words == "[span]  Go -> CLICK"
    assert [
        (each.backend_node_id, each.is_original_target, each.is_top_level_target) for each in made.step.positives
    ] == [
        ("7", False, True),
        ("8", True, False),
    ]
    assert [each.backend_node_id for each in made.step.negatives] == ["9"]
    assert made.step.positives[0].attributes["bounding_box_rect"] == "0,0,10,10"
    assert "bounding_box_rect" not in made.step.cleaned_html


def test_an_acceptable_element_that_cleaning_loses_is_no_positive():
    tree = page(f"<div backend_node_id='7' {box()}><i backend_node_id='8' {box()}></i></div>")
    assert made_step(tree, "8", CLICK, "u-1").step.positives == ()


def test_what_the_page_does_not_have_cannot_be_made_a_step():
    with pytest.raises(TargetGone):
        made_step(page(""), "8", CLICK, "u-1")


def test_fifty_demonstrations_are_written_and_read_again_as_they_were(tmp_path):
    def one(number):
        links = "".join(
            f"<a backend_node_id='{each}' href='/{each}' {box(each)}>"
            f"<b backend_node_id='{each}000' {box(each)}>Link {each}</b></a>"
            for each in range(10, 12 + number)
        )
        made = [made_step(page(links), str(10 + step), CLICK, f"{number}-{step}") for step in range(1 + number % 5)]
        return Demonstration(
            annotation_id=f"d{number}",
            website="örtlich",
            domain="Information",
            subdomain="",
            confirmed_task=f"Press {number % 5} links",
            action_reprs=tuple(each.words for each in made),
            steps=tuple(each.step for each in made),
            more={"made_from": "a test", "seed": number},
        )

    demonstrations = [one(number) for number in range(50)]
    assert written(demonstrations, tmp_path / "fifty.json.gz") == 50
    assert list(read_demonstrations(tmp_path / "fifty.json.gz")) == demonstrations
