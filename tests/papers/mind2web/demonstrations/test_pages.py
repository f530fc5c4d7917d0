"""Pages of demonstrations, written; steps made of them, and elements in words."""

import pytest

from harness.papers.mind2web.demonstrations.demonstration import Demonstration, DoneOperation
from harness.papers.mind2web.demonstrations.element_words import step_words
from harness.papers.mind2web.demonstrations.making import TargetGone, made_step
from harness.papers.mind2web.demonstrations.mind2web_file import read_demonstrations, written
from harness.papers.mind2web.demonstrations.page_tree import page_tree, serialised

CLICK = DoneOperation(op="CLICK", original_op="CLICK")
HIDDEN = 'bounding_box_rect="-1,-1,-1,-1"'


def box(left=0, top=0, width=10, height=10):
    return f'bounding_box_rect="{left},{top},{width},{height}"'


def page(body):
    return page_tree(f"<html {box()}><head {HIDDEN}><title>t</title></head><body {box()}>{body}</body></html>")


def by_id(tree, name):
    return tree.xpath(f"//*[@id='{name}' or @backend_node_id='{name}']")[0]


@pytest.mark.parametrize(
    "html",
    [
        "<html><body><p>One<br/>two</p><div></div></body></html>",
        "<html><body><script></script><p>ä &lt; 東京 &amp; 🛫</p></body></html>",
        "<html><body><p>outer<p>inner</p></p><iframe><html><body>in</body></html></iframe></body></html>",
    ],
)
def test_a_page_is_read_and_written_as_it_is(html):
    assert serialised(page_tree(html)) == html


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
    assert step_words(by_id(page_tree(f"<html><body>{body}</body></html>"), "x"), done) == words


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
