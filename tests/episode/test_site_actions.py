"""The actions on a website, in a real browser: what each does, where it leads, and why it cannot be done."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from harness.actions.parser import parse
from harness.actions.result import ActionResult, ErrorCode
from harness.actions.spec import check_examples
from harness.episode.element_editor import best_option
from harness.episode.site_actions import SITE_ACTIONS, SiteActions
from harness.episode.trajectory import LimitReached
from harness.records.config import Limits
from tests.site import Site, done, refused
from tests.websites import ORIGIN, Acting, Website, website

LINK = "<a id=link href=/two>Two</a>"
LIST = """<select id=list aria-label="Sort by">
<option value=a>Relevance<option value=p>Price: low to high<option value=d disabled>Rating</select>"""


@pytest.fixture(scope="module")
def shop(site: Site) -> Iterator[Website]:
    with website(site) as made:
        made.put("/two", "<a id=home href=/>Home</a>", "Two")
        made.put("/found", "<p>found</p>", "Found")
        yield made


def value(shown: Acting, mark: str) -> str | None:
    nodes = shown.act.observation.snapshot().nodes
    return next(node.control.value for node in nodes if node.get("id") == mark and node.control)


def test_pressing_a_link_ends_when_the_page_that_it_leads_to_has_loaded(shop: Website) -> None:
    shown = shop.show(LINK)
    result = shown.act.click_element(shown.ref("link"))
    assert (result.ok, result.message) == (True, f'pressed [1] <a> "Two"; the page is {ORIGIN}/two now')
    assert shown.act.tabs()[0].title == "Two"


def test_a_press_upon_which_the_same_page_comes_again_says_so(shop: Website) -> None:
    shown = shop.show("<form method=post><button id=save>Save</button></form>")
    assert shown.act.click_element(shown.ref("save")).message == (
        'pressed [1] <button> "Save"; the page was loaded anew'
    )


def test_a_link_to_another_window_opens_a_tab_that_is_shown_then(shop: Website) -> None:
    shown = shop.show("<a id=link href=/two target=_blank>Two</a>")
    result = shown.act.click_element(shown.ref("link"))
    assert result.message == f'pressed [1] <a> "Two"; tab 1 is shown now: {ORIGIN}/two'
    assert [(tab.number, tab.url, tab.title, tab.shown) for tab in shown.act.tabs()] == [
        (0, f"{ORIGIN}/", "Home", False),
        (1, f"{ORIGIN}/two", "Two", True),
    ]


def test_elements_are_pressed_in_the_tab_that_is_shown(shop: Website) -> None:
    shown = shop.show("<button id=press onclick=\"this.textContent = 'pressed'\">one</button>")
    done(shown.act.new_tab("/two"))
    done(shown.act.switch_tab(0))
    assert shown.act.click_element(shown.ref("press")).ok
    assert "pressed" in shown.act.get_html().text


def test_elements_are_pressed_in_a_tab_that_knows_its_opener(shop: Website) -> None:
    shop.put("/opened", "<button id=press onclick=\"this.textContent = 'pressed'\">one</button>")
    shown = shop.show("<a id=link href=/opened target=_blank rel=opener>Two</a>")
    done(shown.act.click_element(shown.ref("link")))
    done(shown.act.click_element(shown.ref("press")))
    assert "pressed" in shown.act.get_html().text


def test_a_number_is_good_on_the_page_that_was_looked_at_and_on_no_other(shop: Website) -> None:
    shown = shop.show(LINK)
    ref = shown.ref("link")
    done(shown.act.click_element(ref))
    refused(shown.act.click_element(ref), ErrorCode.NO_SUCH_ELEMENT, "no observation of this page")


def test_hovering_over_an_element_brings_out_what_shows_itself_then(shop: Website) -> None:
    shown = shop.show(
        "<style>#menu { display: none } #top:hover #menu { display: block }</style>"
        "<div id=top role=button tabindex=0>Menu<div id=menu><a id=deep href=/two>Two</a></div></div>"
    )
    done(shown.act.hover_element(shown.ref("top")))
    done(shown.act.click_element(shown.ref("deep")))
    assert shown.url == f"{ORIGIN}/two"


@pytest.mark.parametrize(
    ("control", "before", "text"),
    [
        ("<input id=x>", "", "Lisbon"),
        ("<input id=x value=old>", "old", ""),
        ("<input id=x value=same>", "same", "same"),
        ("<textarea id=x>old</textarea>", "old", "two\nlines"),
        ("<input id=x type=date>", "", "2024-05-06"),
        ("<input id=x type=range min=0 max=100 step=5 value=10>", "10", "35"),
        ("<input id=x type=color value='#000000'>", "#000000", "#12ab34"),
        ("<input id=x type=number value=3>", "3", "12"),
    ],
)
def test_what_is_filled_in_is_what_the_element_holds(shop: Website, control: str, before: str, text: str) -> None:
    shown = shop.show(control)
    assert value(shown, "x") == before
    done(shown.act.fill(shown.ref("x"), text))
    assert value(shown, "x") == text


def test_what_can_be_edited_and_is_no_control_can_be_filled(shop: Website) -> None:
    shown = shop.show("<div id=x contenteditable>old words</div>")
    done(shown.act.fill(shown.ref("x"), "new words"))
    assert "new words" in shown.act.get_html().text
    assert "old" not in shown.act.get_html().text


def test_filling_stays_in_the_field_so_that_what_it_suggests_stays_open(shop: Website) -> None:
    shown = shop.show(
        "<input id=x oninput='box.hidden = false' onblur='box.hidden = true'>"
        "<div id=box hidden><button id=first onmousedown='event.preventDefault()'"
        " onclick=\"x.value = 'Lisbon'\">L</button></div>"
    )
    done(shown.act.fill(shown.ref("x"), "Li"))
    done(shown.act.click_element(shown.ref("first")))
    assert value(shown, "x") == "Lisbon"


def test_searching_fills_and_presses_enter(shop: Website) -> None:
    shown = shop.show("<form action=/found><input id=q name=q></form>")
    result = shown.act.fill_search(shown.ref("q"), "wool socks")
    assert (
        result.message
        == f"[1] <input> \"q\" holds 'wool socks'; pressed Enter; the page is {ORIGIN}/found?q=wool+socks now"
    )
    assert ("input", "#q", "wool socks") in shown.acted(0)


def test_enter_is_pressed_on_no_other_page_than_the_one_that_was_written_in(shop: Website) -> None:
    shop.put("/as-you-type", "<form action=/found><input name=q autofocus></form>", "Found as you type")
    shown = shop.show("<input id=q oninput='location = \"/as-you-type\"'>")
    result = shown.act.fill_search(shown.ref("q"), "wool")
    assert result.ok
    assert (shown.act.tabs()[0].url, "Enter" in result.message) == (f"{ORIGIN}/as-you-type", False)


def test_an_option_is_chosen_by_the_text_that_is_most_like_it(shop: Website) -> None:
    shown = shop.show(LIST)
    result = shown.act.select_option(shown.ref("list"), "price low to high")
    assert (result.ok, result.message) == (True, "[1] <select> \"Sort by\" holds 'Price: low to high'")
    assert ("change", "#list", "p") in shown.acted(0)


def test_an_option_upon_which_the_page_goes_on_is_chosen(shop: Website) -> None:
    shown = shop.show(LIST.replace("<select", "<select onchange=\"location = '/found?sort=' + this.value\""))
    result = shown.act.select_option(shown.ref("list"), "Price: low to high")
    assert result.ok
    assert shown.url == f"{ORIGIN}/found?sort=p"


def test_of_a_list_of_several_one_more_is_chosen(shop: Website) -> None:
    shown = shop.show("<select id=list multiple><option selected>one<option>two<option>three</select>")
    done(shown.act.select_option(shown.ref("list"), "three"))
    chosen = [
        node.control.states for node in shown.act.observation.snapshot().nodes if node.text == "option" and node.control
    ]
    assert chosen == [("selected",), ("selected",)]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Price: high to low", "h"),
        (" price:  LOW to high ", "l"),
        ("l", "l"),
        ("prise low to hihg", "l"),
        ("weight", None),
    ],
)
def test_the_option_that_is_meant(text: str, value: str | None) -> None:
    options = [
        {"value": v, "text": t, "visible": True} for v, t in (("h", "Price: high to low"), ("l", "Price: low to high"))
    ]
    option = best_option(text, options)
    assert (option and option["value"]) == value


def test_an_option_that_cannot_be_chosen_is_not_meant() -> None:
    assert best_option("Rating", [{"value": "d", "text": "Rating", "visible": False}]) is None


def test_addresses_and_the_history_of_a_tab(shop: Website) -> None:
    shown = shop.show("")
    for act, path in (
        (lambda: shown.act.goto(f"{ORIGIN}/two"), "/two"),
        (shown.act.go_back, "/"),
        (shown.act.go_forward, "/two"),
        (shown.act.reload, "/two"),
        (lambda: shown.act.goto("found?q=1"), "/found?q=1"),
        (lambda: shown.act.goto("shop.test/two"), "/two"),
    ):
        result = act()
        assert (result.ok, result.message) == (True, f"tab 0 shows {ORIGIN}{path}")


def test_tabs_are_opened_shown_and_closed(shop: Website) -> None:
    shown = shop.show("")
    done(shown.act.new_tab())
    done(shown.act.new_tab("http://shop.test/two"))
    assert [tab.number for tab in shown.act.tabs()] == [0, 1, 2]
    done(shown.act.close_tab(1))
    done(shown.act.switch_tab(0))
    done(shown.act.close_tab())
    assert [(tab.number, tab.url) for tab in shown.act.tabs()] == [(2, f"{ORIGIN}/two")]


def test_finish_ends_the_work_and_takes_the_answer(shop: Website) -> None:
    shown = shop.show(LINK)
    assert (shown.act.finished, shown.act.answer) == (False, None)
    done(shown.act.finish("17.50"))
    assert (shown.act.finished, shown.act.answer) == (True, "17.50")
    refused(shown.act.goto("/two"), ErrorCode.ALREADY_SUBMITTED, "finished")
    assert shown.url == f"{ORIGIN}/"


def test_the_limit_of_steps_holds_for_every_action(shop: Website) -> None:
    shown = shop.show("", limits=Limits(max_steps=1))
    done(shown.act.reload())
    with pytest.raises(LimitReached, match="steps"):
        shown.act.finish()
    assert not shown.act.finished


@dataclass(frozen=True)
class Provocation:
    """What an action answers with a code, and the page on which it does."""

    code: ErrorCode
    body: str
    act: Callable[[SiteActions], ActionResult]
    words: str


FIRST = "<button id=x onclick='y.remove()'>x</button><button id=y>y</button>"


def gone(act: SiteActions) -> ActionResult:
    act.click_element(1)
    return act.click_element(2)


PROVOCATIONS = [
    Provocation(ErrorCode.NOT_ALLOWED, "", lambda act: act.goto("http://evil.test/"), "http://shop.test"),
    Provocation(ErrorCode.NOT_ALLOWED, "", lambda act: act.goto("file:///etc/passwd"), "http://shop.test"),
    Provocation(ErrorCode.NOT_ALLOWED, "", lambda act: act.goto("javascript:alert(1)"), "http://shop.test"),
    Provocation(ErrorCode.NOT_ALLOWED, "", lambda act: act.goto("http://[shop.test]/"), "http://shop.test"),
    Provocation(ErrorCode.NOT_ALLOWED, "", lambda act: act.goto("http://evil.test\\@shop.test/"), "http://shop.test"),
    Provocation(ErrorCode.NOT_ALLOWED, "", lambda act: act.new_tab("https://shop.test/"), "http://shop.test"),
    Provocation(ErrorCode.NO_HISTORY, "", lambda act: act.go_back(), "back"),
    Provocation(ErrorCode.NO_HISTORY, "", lambda act: act.go_forward(), "forward"),
    Provocation(ErrorCode.NO_SUCH_TAB, "", lambda act: act.switch_tab(7), "there is no tab 7"),
    Provocation(ErrorCode.NO_SUCH_TAB, "", lambda act: act.close_tab(7), "there is no tab 7"),
    Provocation(ErrorCode.NO_SUCH_TAB, "", lambda act: act.close_tab(), "only tab"),
    Provocation(ErrorCode.NO_SUCH_ELEMENT, LINK, lambda act: act.click_element(99), "[99]"),
    Provocation(ErrorCode.NO_SUCH_ELEMENT, LINK, lambda act: act.hover_element("link"), "no number"),
    Provocation(ErrorCode.ELEMENT_GONE, FIRST, gone, "look again"),
    Provocation(ErrorCode.ANOTHER_KIND, LIST, lambda act: act.click_element(1), "select_option"),
    Provocation(ErrorCode.ANOTHER_KIND, LIST, lambda act: act.fill(1, "x"), "select_option"),
    Provocation(ErrorCode.ANOTHER_KIND, LINK, lambda act: act.fill(1, "x"), "click_element"),
    Provocation(ErrorCode.ANOTHER_KIND, LINK, lambda act: act.select_option(1, "x"), "click_element"),
    Provocation(ErrorCode.ANOTHER_KIND, "<input>", lambda act: act.select_option(1, "x"), "use fill"),
    Provocation(ErrorCode.NO_SUCH_OPTION, LIST, lambda act: act.select_option(1, "weight"), "'Price: low to high'"),
    Provocation(ErrorCode.NO_SUCH_OPTION, LIST, lambda act: act.select_option(1, "Rating"), "no option like 'Rating'"),
    Provocation(ErrorCode.READ_ONLY, "<input readonly>", lambda act: act.fill(1, "x"), "read-only"),
    Provocation(ErrorCode.TAKES_FILE, "<input type=file>", lambda act: act.click_element(1), "file"),
    Provocation(ErrorCode.TOO_LONG, "<input maxlength=2>", lambda act: act.fill(1, "long"), "2 characters"),
    Provocation(
        ErrorCode.NOT_TAKEN, "<input oninput=\"this.value = ''\">", lambda act: act.fill(1, "x"), "does not take it"
    ),
    Provocation(ErrorCode.NOT_A_NUMBER, "<input type=number>", lambda act: act.fill(1, "much"), "it takes a number"),
    Provocation(ErrorCode.NOT_A_NUMBER, "<input type=range>", lambda act: act.fill(1, "much"), "number"),
    Provocation(ErrorCode.OUT_OF_RANGE, "<input type=range max=10>", lambda act: act.fill(1, "11"), "10"),
    Provocation(
        ErrorCode.COVERED,
        "<button>x</button><div style='position: fixed; inset: 0; background: red'></div>",
        lambda act: act.click_element(1),
        "<div>",
    ),
]


@pytest.mark.parametrize("made", PROVOCATIONS, ids=lambda made: f"{made.code}-{made.words}")
def test_what_cannot_be_done_has_a_code_and_says_why(shop: Website, made: Provocation) -> None:
    shown = shop.show(made.body)
    shown.act.observation.snapshot()
    refused(made.act(shown.act), made.code, made.words)


def test_a_disabled_element_is_not_pressed(shop: Website) -> None:
    shown = shop.show("<button id=x>x</button><script>setTimeout(() => {}, 0)</script>")
    ref = shown.ref("x")
    shop.browser.channel.call("Runtime.evaluate", expression="x.disabled = true")
    refused(shown.act.click_element(ref), ErrorCode.DISABLED, "disabled")


def test_an_address_where_nobody_answers_is_not_opened(shop: Website) -> None:
    shown = shop.show("")
    shop.site.put("", "/broken", status=204)
    refused(shown.act.goto("/broken"), ErrorCode.NOT_OPENED, "/broken")


def test_a_page_that_goes_on_by_itself_while_a_field_is_worked_on_ends_no_episode(shop: Website) -> None:
    shown = shop.show("<form><select name=s onchange=\"location = '/two'\"><option>a<option>b</select></form>")
    result = shown.act.modify_select("s", "b")
    assert result.ok or result.code in (ErrorCode.ELEMENT_GONE, ErrorCode.FIELD_REMOVED, ErrorCode.NO_SUCH_FIELD)
    done(shown.act.goto("/two"))
    assert shown.ref("home")


def test_the_examples_of_all_actions_are_right() -> None:
    assert check_examples(SITE_ACTIONS) == []


@pytest.mark.parametrize(
    "act", [lambda act: act.fill(1, 'it\'s "x"'), lambda act: act.new_tab(), lambda act: act.finish("1")]
)
def test_the_recorded_text_is_the_call(shop: Website, act: Callable[[SiteActions], ActionResult]) -> None:
    shown = shop.show("<input>")
    shown.act.observation.snapshot()
    done(act(shown.act))
    step = shown.act.trajectory.steps[-1]
    assert [str(call) for call in parse(step.action, SITE_ACTIONS)] == [step.action]


def test_moments_are_handed_out_with_the_step_during_which_they_came(shop: Website) -> None:
    shown = shop.show(f"<input id=x>{LINK}")
    done(shown.act.fill(shown.ref("x"), "one"))
    done(shown.act.click_element(shown.ref("link")))
    told = [(each.step, each.kind, each.event, each.url) for each in shown.act.moments.moments]
    assert (None, "moved", "", f"{ORIGIN}/") in told
    assert (0, "acted", "input", f"{ORIGIN}/") in told
    assert (1, "acted", "click", f"{ORIGIN}/") in told
    assert told[-1] == (1, "moved", "", f"{ORIGIN}/two")


def test_the_page_of_a_moment_is_a_text_of_the_trajectory(shop: Website) -> None:
    shown = shop.show(LINK)
    done(shown.act.click_element(shown.ref("link")))
    (moment,) = [each for each in shown.act.moments.moments if each.event == "click"]
    assert '["a",{"id":"link","href":"/two"},["Two"]]' in shown.act.trajectory.texts[moment.dom]


def test_pixels_and_keys_make_moments_as_numbers_do(shop: Website) -> None:
    shown = shop.show("<form action=/found><input id=q name=q style='position: fixed; left: 0; top: 0; width: 200px'>")
    done(shown.act.click(50, 10))
    done(shown.act.type("socks"))
    done(shown.act.press("Enter"))
    assert shown.url == f"{ORIGIN}/found?q=socks"
    assert shown.acted(0) == [("click", "#q", "")]
    assert ("input", "#q", "socks") in shown.acted(1)
    assert ("keydown", "#q", "socks") in shown.acted(2)
