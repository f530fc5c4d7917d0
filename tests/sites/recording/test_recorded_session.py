"""What is heard of a person in a recorded browser, and what steps it comes to; a program plays the person."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest

from harness.browser.live_page import PageClosed
from harness.episode.site_assignment import SiteSetting
from harness.sites.recording.draft import CannotDo
from harness.sites.recording.order import RecordingOrder
from harness.sites.recording.recorded_session import RecordedSession
from harness.sites.recording.recorded_step import NOT_RECORDED, RecordedStep
from harness.sites.recording.recorder import SecretWords
from harness.sites.recording.step_maker import StepMaker
from tests.site import Site, in_page
from tests.websites import ORIGIN, whole


@dataclass
class Recorded:
    """A page that is shown, and the person on it."""

    session: RecordedSession
    maker: StepMaker = field(default_factory=StepMaker)
    secrets: SecretWords = field(default_factory=SecretWords)

    def point(self, css: str) -> tuple[float, float]:
        """Where the middle of an element is."""
        box = f"const b = document.querySelector({css!r}).getBoundingClientRect()"
        x, y = in_page(self.session.site, f"(() => {{ {box}; return [b.x + b.width / 2, b.y + b.height / 2] }})()")
        return x, y

    def press(self, css: str) -> None:
        """Press the middle of an element."""
        self.session.input.click(*self.point(css))
        self.hear()

    def type(self, text: str) -> None:
        self.session.input.type(text)
        self.hear()

    def key(self, name: str) -> None:
        self.session.press(name)
        self.hear()

    def hear(self) -> None:
        """Take down what was done, as the recorder does, once the page has told it."""
        with contextlib.suppress(PageClosed):
            self.session.site.channel.answers(30)
        for act in self.session.listen():
            self.secrets.learn(act)
            self.maker.take(self.secrets.cleaned(act))

    @property
    def steps(self) -> list[RecordedStep]:
        return self.maker.steps

    @property
    def brief(self) -> list[tuple[str, str, str]]:
        """What is done, to what, and the value."""
        return [(step.do, step.element.css if step.element else "", step.value) for step in self.steps]


@pytest.fixture(scope="module")
def session(site: Site) -> Iterator[RecordedSession]:
    order = RecordingOrder(start=f"{ORIGIN}/", origins=(ORIGIN,), setting=SiteSetting("shop"))
    with contextlib.closing(RecordedSession(order, site.origin)) as live:
        yield live


Show = Callable[[str], Recorded]


@pytest.fixture
def show(site: Site, session: RecordedSession) -> Show:
    """``show(body)`` begins a recording with a page; ``/next/`` is another."""

    def begin(body: str) -> Recorded:
        site.put(whole("Next", "<p>There</p>"), "/next/")
        site.put(whole("Home", body), "/")
        session.open("")
        return Recorded(session)

    return begin


def test_words_in_a_field_and_enter_are_a_search_with_the_address_that_it_leads_to(show: Show) -> None:
    shown = show("<form action='/next/'><label>Find <input id=q name=q></label><button>Go</button></form>")
    shown.press("#q")
    shown.type("two words")
    shown.key("Enter")
    assert shown.brief == [("fill_search", "#q", "two words")]
    step = shown.steps[0]
    assert (step.url, step.after, step.label, step.held) == (
        f"{ORIGIN}/",
        f"{ORIGIN}/next/?q=two+words",
        "Find",
        "two words",
    )


def test_a_label_is_the_box_that_it_belongs_to(show: Show) -> None:
    shown = show("<label id=words>Black <input type=radio name=colour value=black></label>")
    shown.press("#words")
    assert shown.brief == [("click", 'input[name="colour"]', "")]
    assert shown.steps[0].held == "black"


def test_what_stands_in_a_link_is_the_link_and_it_is_known_by_where_it_leads(show: Show) -> None:
    shown = show("<div><a href='/next/'><b><span id=inner>There</span></b></a></div>")
    shown.press("#inner")
    step = shown.steps[0]
    assert step.element is not None
    assert (step.element.css, step.element.tag, step.element.text) == ('a[href="/next/"]', "a", "There")
    assert step.element.attributes == {"href": "/next/"}
    assert step.after == f"{ORIGIN}/next/"


def test_a_button_pressed_by_key_is_one_press(show: Show) -> None:
    shown = show("<button id=b autofocus onclick='this.textContent += 1'>Count</button>")
    shown.session.site.run("elements.found", "#b", 0)
    in_page(shown.session.site, "document.querySelector('#b').focus()")
    shown.key("Enter")
    assert shown.brief == [("click", "#b", "")]


def test_choosing_of_a_list_is_one_step_with_the_text_that_it_shows(show: Show) -> None:
    shown = show("<select id=s><option value=1>Small</option><option value=2>Large  size</option></select>")
    found = shown.session.at(*shown.point("#s"))
    assert found is not None
    assert found["options"] == ["Small", "Large size"]
    shown.session.choose("#s", "Large size")
    shown.hear()
    assert shown.brief == [("select_option", "#s", "Large size")]


def test_label_around_a_list_says_what_it_is_of_and_not_what_may_be_chosen(show: Show) -> None:
    page = show("<p><label>Size <select id=size><option>small<option>large</select></label></p>")
    page.session.choose("#size", "large")
    page.hear()
    (step,) = page.steps
    assert step.words == "Choose “large” in “Size”"
    assert step.element is not None
    assert step.element.xpath == "/html[1]/body[1]/p[1]/label[1]/select[1]"


def test_password_is_heard_as_such_even_where_the_page_shows_it(show: Show) -> None:
    shown = show("<input id=p type=password><button id=b onclick='p.type = \"text\"'>Show</button>")
    shown.press("#p")
    shown.type("hunter 2")
    shown.press("#b")
    shown.press("#p")
    shown.type("!")
    assert "hunter" not in repr(shown.steps)
    assert [step.value for step in shown.steps if step.do == "fill"] == [NOT_RECORDED, NOT_RECORDED]
    assert all(step.secret for step in shown.steps if step.do == "fill")


def test_press_beside_everything_is_no_step_unless_the_page_answers_it(show: Show) -> None:
    shown = show(
        "<p id=idle style='height:5rem'>Nothing</p><p id=live style='height:5rem'>Something</p>"
        "<script>live.addEventListener('click', () => { live.textContent = 'else' })</script>"
    )
    shown.press("#idle")
    assert shown.brief == []
    shown.press("#live")
    assert shown.brief == [("click", "#live", "")]


def test_tab_that_a_link_opens_is_the_one_that_is_worked_in(show: Show) -> None:
    shown = show("<a id=away href='/next/' target=_blank>There</a>")
    shown.press("#away")
    assert [(step.do, step.after) for step in shown.steps] == [("click", f"{ORIGIN}/next/")]
    assert shown.maker.tab == 1


def test_what_is_done_in_a_frame_is_said_not_to_be_recorded(show: Show) -> None:
    shown = show("<iframe id=f srcdoc='<button style=\"width:250px;height:120px\">In</button>'></iframe>")
    shown.session.notes.clear()
    shown.press("#f")
    assert shown.brief == []
    assert any("in a frame" in note for note in shown.session.notes)


def test_what_a_page_does_by_itself_is_no_step(show: Show) -> None:
    shown = show("<button id=b>B</button><input id=i>")
    in_page(shown.session.site, "b.click(); i.value = 'x'; i.dispatchEvent(new Event('input', {bubbles: true}))")
    shown.hear()
    assert shown.brief == []


def test_addresses_and_ways_that_are_asked_of_the_browser_are_steps(show: Show) -> None:
    shown = show("<p>Here</p>")
    site = shown.session.site
    for act in (
        *shown.session.asked("goto", lambda: site.open(f"{ORIGIN}/next/"), f"{ORIGIN}/next/"),
        *shown.session.asked("go_back", site.back),
        *shown.session.asked("new_tab", site.new_tab),
    ):
        shown.maker.take(act)
    shown.hear()
    assert [(step.do, step.value) for step in shown.steps] == [
        ("goto", f"{ORIGIN}/next/"),
        ("go_back", ""),
        ("new_tab", ""),
    ]


def test_address_outside_the_origins_is_refused_in_words(show: Show) -> None:
    shown = show("<p>Here</p>")
    with pytest.raises(CannotDo, match=r"may visit http://shop\.test only"):
        shown.session.asked("goto", lambda: shown.session.site.open("http://other.test/"), "http://other.test/")


def test_address_typed_into_the_window_of_the_browser_is_a_step(show: Show) -> None:
    shown = show("<p>Here</p>")
    # As from the address bar: nothing was done to the page.
    shown.session.site.channel.call("Page.navigate", url=f"{ORIGIN}/next/", transitionType="typed")
    shown.session.site.settle()
    shown.hear()
    assert [(step.do, step.value) for step in shown.steps] == [("goto", f"{ORIGIN}/next/")]


def test_pointing_at_an_element_is_a_step_of_its_own(show: Show) -> None:
    shown = show("<button id=b>Menu</button>")
    for act in shown.session.hover(*shown.point("#b")):
        shown.maker.take(act)
    assert shown.brief == [("hover", "#b", "")]


def test_step_has_the_picture_of_the_page_before_it(show: Show) -> None:
    shown = show("<button id=b onclick='document.body.style.background = \"red\"'>B</button>")
    before = shown.session.view
    shown.press("#b")
    assert shown.session.picture(shown.steps[0].picture) == before
    assert shown.session.view != before
    assert before.startswith(b"\xff\xd8")


def test_key_that_nothing_is_called_is_refused_and_a_letter_that_no_key_has_is_written(show: Show) -> None:
    shown = show("<input id=i>")
    with pytest.raises(CannotDo, match="no key"):
        shown.session.press("Entr")
    shown.press("#i")
    shown.key("ß")
    assert shown.brief == [("fill", "#i", "ß")]
