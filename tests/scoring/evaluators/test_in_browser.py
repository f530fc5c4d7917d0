"""Key nodes over what a real browser tells of real input."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.catalog.site_facts import KeyNode
from harness.records.site_record import EvaluatedPart, SiteRecord
from harness.scoring.evaluators.evaluate import evaluate
from tests.scoring.evaluators.made import path, url, value
from tests.scoring.evaluators.made import site as facts
from tests.site import Site, done
from tests.websites import ORIGIN, Acting, Website, website

PAGE = """<style>button { padding: 20px } span, b { padding: 2px }</style>
<p>Before</p><button id=buy onclick="this.className = 'bought'"><span id=word>Buy</span></button>
<a id=link href=/leads><h2 id=title>Shoes</h2></a><a id=other href=/two target=_blank>Two</a>
<label>Size <select id=size><option value=s>Small<option value=l>Large</select></label>
<input id=who aria-label=Name><input id=secret type=password aria-label=Secret>
<label><input type=checkbox id=agree value=yes> I agree</label>"""


@pytest.fixture(scope="module")
def shop(site: Site) -> Iterator[Website]:
    with website(site) as made:
        made.put("/leads", "<script>location.replace('/thanks?for=50%25%20off')</script>", "Leads")
        made.put("/thanks", "<p>thanks</p>", "Thanks")
        made.put("/two", "<p>two</p>", "Two")
        yield made


@pytest.fixture
def shown(shop: Website) -> Acting:
    return shop.show(PAGE)


def parts(shown: Acting, *nodes: KeyNode) -> tuple[EvaluatedPart, ...]:
    shown.act.moments.take(len(shown.act.trajectory.steps) - 1)
    record = SiteRecord(task=facts(key_nodes=nodes, start=f"{ORIGIN}/"), moments=tuple(shown.act.moments.moments))
    (found,) = evaluate(record, shown.act.trajectory.texts.get, None)
    return found.parts


def scores(shown: Acting, *nodes: KeyNode) -> list[float | None]:
    return [part.score for part in parts(shown, *nodes)]


def test_nothing_done_meets_no_node_of_elements(shown: Acting):
    assert scores(shown, path("#buy"), value("exact", "", "#who"), value("exact", "Buy")) == [0, 0, 0]


def test_pressed_button_is_met_whether_the_node_names_it_or_the_word_on_it(shown: Acting):
    done(shown.act.click_element(shown.ref("buy")))
    nodes = path("#buy"), path("#word"), path(".bought"), path("#link"), value("exact", "Buy", "#buy")
    assert scores(shown, *nodes) == [1, 1, 0, 0, 1]


def test_button_whose_drawing_is_pressed_by_pixel_is_met(shop: Website):
    place = "position: fixed; left: 0; top: 0"
    drawing = '<svg width=80 height=80><g><path id=line d="M0 0h80v80h-80z"/></g></svg>'
    shown = shop.show(f"<button>First</button><button id=close style='{place}'>{drawing}</button>")
    done(shown.act.click(40, 40))
    assert [css for event, css, _ in shown.acted(0) if event == "click"] == ["#line"]
    assert scores(shown, path("#close"), path("button:nth-child(2)"), path("button:nth-child(1)")) == [1, 1, 0]


def test_text_that_was_typed_is_what_the_field_holds(shown: Acting):
    done(shown.act.fill(shown.ref("who"), "Ann O'Neil"))
    nodes = value("exact", "Ann O'Neil", "#who"), value("exact", "Ann", "#who"), value("include", "O'N"), path("#who")
    assert scores(shown, *nodes) == [1, 0, 1, 1]


def test_text_that_was_written_over_was_there_once(shown: Acting):
    done(shown.act.fill(shown.ref("who"), "Ann"))
    done(shown.act.fill(shown.ref("who"), "Bob"))
    first, second = parts(shown, value("exact", "Ann", "#who"), value("exact", "Bob", "#who"))
    assert (first.score, first.step, second.score, second.step) == (1, 0, 1, 1)


def test_option_is_met_by_its_path_its_value_and_its_text(shown: Acting):
    done(shown.act.select_option(shown.ref("size"), "Large"))
    nodes = (
        path("#size > option:nth-child(2)"),
        path("#size > option:nth-child(1)"),
        path("#size"),
        value("exact", "l", "#size"),
        value("exact", "Large", "#size"),
        value("exact", "Small", "#size"),
    )
    assert scores(shown, *nodes) == [1, 0, 1, 1, 1, 0]


def test_box_is_worth_its_value_only_while_it_is_ticked(shown: Acting):
    done(shown.act.click_element(shown.ref("agree")))
    assert scores(shown, value("exact", "yes", "#agree"), value("exact", "", "#agree")) == [1, 0]


def test_box_that_is_ticked_by_its_label_is_met(shop: Website):
    place = "position: fixed; left: 0; top: 0; width: 80px; height: 80px"
    box = "<p style='margin-top: 200px'><input type=checkbox id=agree value=yes>"
    shown = shop.show(f"<label for=agree style='{place}'>I agree</label>{box}")
    done(shown.act.click(20, 60))
    assert scores(shown, path("#agree"), value("exact", "yes", "#agree"), path("label")) == [1, 1, 1]


def test_of_a_password_only_the_length_can_be_asked_for(shown: Acting):
    done(shown.act.fill(shown.ref("secret"), "abc"))
    assert scores(shown, value("exact", "abc", "#secret"), value("exact", "•••", "#secret")) == [0, 1]


def test_address_that_the_site_leads_on_from_counts_and_so_does_where_it_leads(shown: Acting):
    done(shown.act.click_element(shown.ref("link")))
    nodes = url("include", "/leads"), url("exact", "50% off", "for"), path("#title"), url("include", "/two")
    assert scores(shown, *nodes) == [1, 1, 1, 0]


def test_address_of_a_tab_that_a_link_opens_counts(shown: Acting):
    done(shown.act.click_element(shown.ref("other")))
    assert scores(shown, url("include", "/two"), path("#other")) == [1, 1]


def test_page_that_a_script_acts_on_by_itself_meets_nothing(shop: Website):
    shown = shop.show("<button id=buy>Buy</button><input id=who><script>buy.click(); who.value = 'Ann'</script>")
    done(shown.act.reload())
    assert scores(shown, path("#buy"), value("exact", "Ann", "#who")) == [0, 0]
