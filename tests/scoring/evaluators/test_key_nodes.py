"""Key nodes: for each kind of target and match what meets it and what does not, by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.catalog.site_facts import KeyNode
from tests.scoring.evaluators.made import SHOP, Recording, ScriptedJudge, path, site, url, value

SEARCH = "http://shop.test/search?q=red%20shoes&size=42&size=43&empty=#page-2"


@pytest.mark.parametrize(
    ("match", "key", "reference", "shown", "is_hit"),
    [
        # The whole address, decoded.
        ("exact", "", "http://shop.test/cart", "http://shop.test/cart", True),
        ("exact", "", "http://shop.test/cart", "http://shop.test/cart/", False),
        ("exact", "", "http://shop.test/cart", "http://shop.test/cart?from=home", False),
        ("exact", "", "http://shop.test/a b", "http://shop.test/a%20b", True),
        ("exact", "", "http://shop.test/a%20b", "http://shop.test/a%20b", True),
        ("exact", "", "http://shop.test/größe", "http://shop.test/gr%C3%B6%C3%9Fe", True),
        # A key's first value.
        ("exact", "q", "red shoes", SEARCH, True),
        ("exact", "q", "red shoes", "http://shop.test/search?q=red+shoes", True),
        ("exact", "q", "red shoe", SEARCH, False),
        ("exact", "size", "42", SEARCH, True),
        ("exact", "size", "43", SEARCH, False),
        ("exact", "empty", "", SEARCH, True),
        ("exact", "absent", "", SEARCH, False),
        ("exact", "Q", "red shoes", SEARCH, False),
        ("exact", "department[0]", "Sales - North", "http://shop.test/?department[0]=Sales%20-%20North", True),
        ("exact", "department[0]", "Sales - North", "http://shop.test/?department%5B0%5D=Sales+-+North", True),
        ("exact", "sort", "price|desc", "http://shop.test/?sort=price%7Cdesc", True),
        ("exact", "cut", "50% off", "http://shop.test/?cut=50%25+off", True),
        # What a value says is not decoded a second time.
        ("exact", "cut", "A", "http://shop.test/?cut=%2541", False),
        ("include", "q", "shoes", SEARCH, True),
        ("include", "q", "Shoes", SEARCH, False),
        ("include", "q", "42", SEARCH, False),
        ("include", "absent", "shoes", SEARCH, False),
        # Without a key: host, path and fragment.
        ("include", "", "shop.", SEARCH, True),
        ("include", "", "/search", SEARCH, True),
        ("include", "", "test/search", SEARCH, True),
        ("include", "", "#page-2", SEARCH, True),
        ("include", "", "page-3", SEARCH, False),
        ("include", "", "red", SEARCH, False),
        ("include", "", "size=42", SEARCH, False),
        ("include", "", "http://", SEARCH, False),
        ("include", "", "shop.", "http://other.test/?to=shop.test", False),
        ("include", "", "shop.", "http://shop.test@other.test/", False),
        ("include", "", "/a b", "http://shop.test/a%20b/c", True),
        ("include", "", "/cart", "about:blank", False),
    ],
)
def test_url_is_compared(match: str, key: str, reference: str, shown: str, is_hit: bool):
    assert Recording().shows(shown).part(url(match, reference, key)).score == float(is_hit)


def test_url_by_meaning_asks_the_judge_about_the_decoded_value_of_its_key():
    judge = ScriptedJudge({"red shoes": 1.0})
    node = url("semantic", "Decide whether shoes are looked for", "q")
    assert Recording().shows(SEARCH).part(node, judge).score == 1
    assert judge.asked == [("Decide whether shoes are looked for", "red shoes")]


def test_url_by_meaning_without_a_key_asks_about_the_whole_address():
    judge = ScriptedJudge({})
    Recording().shows("http://shop.test/a%20b?c=d").part(url("semantic", "the rule"), judge)
    assert ("the rule", "http://shop.test/a b?c=d") in judge.asked


def test_key_that_no_address_has_is_not_met_whether_there_is_a_judge_or_not():
    assert Recording().shows(SHOP).part(url("semantic", "Decide", "q")).score == 0


PAGE = """<html><body>
<nav><ul id="menu"><li id="first"><div id="box"><p id="deep">Offers</p></div></li></ul></nav>
<main id="main">
 <div id="row"><button id="buy"><span id="icon">+</span><b id="bold">Buy</b></button></div>
 <a id="link" href="/x"><h2 id="title">Shoe</h2><svg id="draw"><g><path id="line"/></g></svg></a>
 <button id="close"><svg id="cross"><path id="stroke"/></svg></button>
 <label id="label">Colour <select id="colour"><option value="r">Red</option><option value="g">Green</option></select>
 </label>
 <form id="form"><input id="email" name="email"><input id="other" name="other"><textarea id="note"></textarea></form>
</main></body></html>"""


@pytest.mark.parametrize(
    ("reference", "acted", "is_hit"),
    [
        ("#buy", "#buy", True),
        ("#main > div > button", "#buy", True),
        (" #buy ", "#buy", True),
        ("#buy", "#link", False),
        ("#absent", "#buy", False),
        # A reference that does nothing by itself: what it stands in, up to three above.
        ("#icon", "#buy", True),
        ("#title", "#link", True),
        ("#deep", "#box", True),
        ("#deep", "#first", True),
        ("#deep", "#menu", True),
        ("#deep", "nav", False),
        # ... but nothing beyond what can be pressed.
        ("#icon", "#row", False),
        ("#title", "#main", False),
        # One that does something is itself alone.
        ("#buy", "#row", False),
        ("#email", "#form", False),
        ("#bold", "#buy", False),
        # An event reaches the innermost element.
        ("#buy", "#icon", True),
        ("#buy", "#bold", True),
        ("#link", "#line", True),
        ("#close", "#stroke", True),
        ("#cross", "#stroke", True),
        ("#icon", "#bold", True),
        ("#row", "#icon", False),
        ("#main", "#icon", False),
        ("#form", "#email", False),
        ("#first", "#deep", True),
        ("nav", "#deep", False),
    ],
)
def test_path_is_met_by_acting_on_the_element_or_what_it_is_pressed_with(reference: str, acted: str, is_hit: bool):
    assert Recording().acts(PAGE, acted).part(path(reference)).score == float(is_hit)


@pytest.mark.parametrize(
    ("reference", "is_hit"),
    [
        ("//button[contains(., 'Buy')]", True),
        ("/html/body/main/div/button", True),
        ("//button[@id='close']", False),
        ("//button[9]", False),
    ],
)
def test_path_can_be_an_xpath(reference: str, is_hit: bool):
    assert Recording().acts(PAGE, "#buy").part(path(reference, method="xpath")).score == float(is_hit)


def test_path_that_finds_several_elements_means_the_first():
    page = "<ul><li><button>one</button></li><li><button>two</button></li></ul>"
    assert Recording().acts(page, "li:nth-child(1) > button").part(path("li > button")).score == 1
    assert Recording().acts(page, "li:nth-child(2) > button").part(path("li > button")).score == 0


def test_nth_child_counts_all_siblings_and_not_those_of_the_same_tag():
    page = "<div><p>a</p><button id='x'>one</button><p>b</p><button id='y'>two</button></div>"
    assert Recording().acts(page, "#x").part(path("button:nth-child(2)")).score == 1
    assert Recording().acts(page, "#y").part(path("button:nth-child(2)")).score == 0


@pytest.mark.parametrize(
    ("event", "chosen", "is_hit"),
    [("change", "g", True), ("input", "g", True), ("change", "r", False), ("click", "g", False)],
)
def test_option_is_met_by_choosing_it_in_its_list(event: str, chosen: str, is_hit: bool):
    recording = Recording().acts(PAGE, "#colour", value=chosen, event=event)
    assert recording.part(path("#colour > option:nth-child(2)")).score == float(is_hit)


def test_path_is_resolved_in_the_page_as_it_was_when_the_event_came():
    before = "<div><button id='a'>A</button></div>"
    after = "<div><i></i><button id='a'>A</button></div>"
    node = path("div > button:nth-child(1)")
    assert Recording().acts(before, "#a").part(node).score == 1
    assert Recording().acts(after, "#a").part(node).score == 0


@pytest.mark.parametrize(
    ("address", "host", "is_hit"),
    [
        ("https://www.google.com.hk/x", "google", True),
        ("https://google.com/x", "google", True),
        ("https://new.mta.info/alerts", "new", True),
        ("https://new.mta.info/alerts", "mta", False),
        ("https://www.google.com/x", "goog", False),
        ("https://evil.test/google", "google", False),
        ("https://www.google.com/x", "", True),
    ],
)
def test_element_has_to_be_on_a_page_of_the_named_site(address: str, host: str, is_hit: bool):
    recording = Recording().acts(PAGE, "#buy", url=address).acts(PAGE, "#email", url=address, value="a", event="input")
    assert recording.part(path("#buy", host=host)).score == float(is_hit)
    assert recording.part(value("exact", "a", host=host)).score == float(is_hit)


@pytest.mark.parametrize(
    ("match", "reference", "at", "held", "is_hit"),
    [
        ("exact", "ann@example.test", "#email", "ann@example.test", True),
        ("exact", "ann@example.test", "#email", "Ann@example.test", False),
        ("exact", "ann@example.test", "#email", " ann@example.test", False),
        ("exact", "ann", "#email", "ann@example.test", False),
        ("exact", "ann", "", "ann", True),
        ("exact", "ann", "#other", "ann", False),
        ("exact", "", "#email", "", True),
        ("exact", "100%25", "#email", "100%25", True),
        ("include", "example", "#email", "ann@example.test", True),
        ("include", "Example", "#email", "ann@example.test", False),
        ("include", "example", "#other", "ann@example.test", False),
        ("include", "example", "", "ann@example.test", True),
    ],
)
def test_value_is_what_the_element_holds_after_the_action(match: str, reference: str, at: str, held: str, is_hit: bool):
    recording = Recording().acts(PAGE, "#email", value=held, event="input")
    assert recording.part(value(match, reference, at)).score == float(is_hit)


def test_value_by_meaning_asks_the_judge_about_the_named_element_only():
    judge = ScriptedJudge({"A present for you": 0.9})
    recording = Recording().acts(PAGE, "#email", value="A present for you", event="input")
    recording.acts(PAGE, "#note", value="A present for you", event="input", step=1)
    part = recording.part(value("semantic", "Decide whether it means a present", "#note"), judge)
    assert (part.score, part.step, len(judge.asked)) == (0.9, 1, 1)


def test_value_of_what_holds_nothing_is_what_it_says():
    recording = Recording().acts(PAGE, "#link")
    assert recording.part(value("exact", "Shoe")).score == 1
    assert recording.part(value("exact", "Shoe", "#link")).score == 1
    assert recording.part(value("exact", "Shoe", "#buy")).score == 0


def test_value_of_a_list_is_the_option_s_value_or_its_text():
    recording = Recording().acts(PAGE, "#colour", value="g", event="change")
    assert [recording.part(value("exact", each)).score for each in ("g", "Green", "r", "Red")] == [1, 1, 0, 0]


def test_text_that_an_agent_only_says_it_typed_is_worth_nothing():
    recording = Recording().acts(PAGE, "#email", value="", event="click")
    (found,) = recording.evaluated(site(key_nodes=(value("exact", "ann@example.test"),)), answer="ann@example.test")
    assert found.score == 0


def test_node_that_was_met_once_stays_met():
    recording = Recording().shows("http://shop.test/cart", step=1).shows("http://shop.test/", step=2)
    part = recording.part(url("include", "/cart"))
    assert (part.score, part.step, part.moment) == (1, 1, 0)


def test_address_that_the_site_leads_to_by_itself_counts():
    recording = Recording().acts(PAGE, "#buy", step=3).shows("http://shop.test/thanks", step=3)
    recording.shows("http://shop.test/", step=3)
    assert recording.part(url("exact", "http://shop.test/thanks")).step == 3


def test_node_is_met_in_any_tab():
    recording = Recording().shows(SHOP, tab=0).shows("http://shop.test/help", tab=1, kind="opened", step=1)
    assert recording.part(url("include", "/help")).score == 1


def test_address_of_a_tab_that_is_closed_is_no_visit():
    assert Recording().shows("http://shop.test/help", kind="closed").part(url("include", "/help")).score == 0


def test_node_is_met_without_any_step_by_a_program_that_drives_the_browser_itself():
    part = Recording().acts(PAGE, "#icon", step=None).part(path("#buy"))
    assert (part.score, part.step, part.moment) == (1, None, 0)


def test_nodes_count_as_a_set_and_not_in_order():
    recording = Recording().shows("http://shop.test/b").shows("http://shop.test/a")
    found = recording.nodes(url("include", "/a"), url("include", "/b"), url("include", "/c"))
    assert (found.score, found.success, found.why) == (pytest.approx(2 / 3), False, "2 of 3 key nodes met")


def test_floor_is_what_the_first_page_meets_by_itself():
    found = Recording().shows(SHOP).nodes(url("include", "shop."), url("include", "/cart"), start=SHOP)
    assert (found.score, found.floor) == (0.5, 0.5)


def test_match_by_meaning_has_no_score_without_a_judge_and_neither_has_the_task():
    found = Recording().shows(SEARCH).nodes(url("semantic", "Decide", "q"), url("include", "/search"))
    assert [part.score for part in found.parts] == [None, 1]
    assert (found.score, found.success) == (None, None)


def test_task_has_failed_if_a_known_node_is_not_met_whatever_the_unknown_one_is():
    found = Recording().shows(SEARCH).nodes(url("semantic", "Decide", "q"), url("include", "/cart"))
    assert (found.score, found.success) == (None, False)


def test_judge_that_cannot_tell_leaves_the_node_unknown_unless_another_moment_meets_it():
    judge = ScriptedJudge({"first": None, "second": 1.0})
    one = Recording().shows("http://shop.test/?q=first")
    assert one.part(url("semantic", "Decide", "q"), judge).score is None
    one.shows("http://shop.test/?q=second")
    assert one.part(url("semantic", "Decide", "q"), judge).score == 1


def test_judge_is_asked_once_about_the_same_answer():
    judge = ScriptedJudge({"x": 0.5})
    recording = Recording()
    for step in range(5):
        recording.shows("http://shop.test/?q=x", step=step)
    assert recording.part(url("semantic", "Decide", "q"), judge).score == 0.5
    assert len(judge.asked) == 1


@pytest.mark.parametrize(("score", "success"), [(0.95, True), (0.8, True), (0.79, False), (0.5, False)])
def test_task_succeeds_if_what_is_judged_is_good_enough_and_keeps_its_fraction(score: float, success: bool):
    judge = ScriptedJudge({"x": score})
    found = Recording().shows("http://shop.test/?q=x").nodes(url("semantic", "Decide", "q"), judge=judge)
    assert (found.score, found.success) == (score, success)


def test_best_of_what_was_judged_counts_until_one_is_good_enough():
    judge = ScriptedJudge({"a": 0.3, "b": 0.6, "c": 0.4})
    recording = Recording()
    for each in "abc":
        recording.shows(f"http://shop.test/?q={each}")
    part = recording.part(url("semantic", "Decide", "q"), judge)
    assert (part.score, part.moment) == (0.6, None)


def test_path_is_unknown_where_the_page_was_not_kept():
    recording = Recording().acts(PAGE, "#buy")
    recording.texts.clear()
    part = recording.part(path("#buy"))
    assert (part.score, part.why) == (None, "the tree of the page was not kept")


def test_path_is_unknown_where_the_page_has_another_element_at_that_place():
    recording = Recording().acts(PAGE, "#buy")
    (name,) = recording.texts
    recording.texts[name] = '["html", {}, []]'
    assert recording.part(path("#buy")).score is None


@pytest.mark.parametrize("tag", ["o:p", "O:P", "x-card"])
def test_element_whose_tag_is_no_name_of_xml_can_be_acted_on(tag: str):
    recording = Recording().acts(f"<button id=buy><{tag} id=in>Buy</{tag}></button>", "#in")
    (moment,) = recording.moments
    assert moment.element is not None
    recording.moments = [replace(moment, element=replace(moment.element, tag=tag))]
    assert recording.part(path("#buy")).score == 1


@pytest.mark.parametrize("broken", ["", "[", '{"tag": "html"}', '["html", {}]', '["html", {}, [7]]', "[" * 100_000])
def test_page_that_cannot_be_read_is_unknown_and_ends_nothing(broken: str):
    recording = Recording().acts(PAGE, "#buy")
    (name,) = recording.texts
    recording.texts[name] = broken
    part = recording.part(path("#buy"))
    assert part.score is None
    assert "the tree of the page cannot be read" in part.why


@pytest.mark.parametrize(
    ("reference", "method"),
    [
        *(("#", "css"), ("div >", "css"), ("//[", "xpath"), ("count(//a)", "xpath"), ("string(//a)", "xpath")),
        *(("a:contains('\x01')", "css"), ("//a[\x00]", "xpath")),
    ],
)
def test_path_that_cannot_be_resolved_is_unknown_and_said(reference: str, method: str):
    part = Recording().acts(PAGE, "#buy").part(path(reference, method=method))
    assert part.score is None
    assert repr(reference) in part.why


def test_part_is_named_by_its_note_or_by_what_it_looks_for():
    found = Recording().nodes(
        url("include", "/cart", note="the cart was opened"), url("exact", "42", "size"), value("exact", "ann", "#email")
    )
    assert [part.name for part in found.parts] == [
        "the cart was opened",
        "url, size, exact: 42",
        "element value of #email, exact: ann",
    ]


def test_untouched_page_meets_no_node_of_elements():
    nodes: list[KeyNode] = [path("#buy"), value("exact", "ann", "#email"), value("include", "a")]
    assert Recording().shows(SHOP, kind="opened").nodes(*nodes).score == 0
