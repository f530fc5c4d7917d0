"""The action library with a driver of one's own, on pages that are nobody's task."""

from __future__ import annotations

import io
import subprocess
import sys
from types import SimpleNamespace

import pytest
from PIL import Image

from harness import ActionLibrary
from harness.actions.result import ErrorCode
from harness.browser.desktop.xserver import XServer
from harness.browser.launch import find_browser
from harness.kit.files.installation import importing_environment
from harness.solvers.outside.action_library import NoDriver
from tests.needs import CHROMEDRIVER, DISPLAY, needs
from tests.site import Site
from tests.solvers.outside.action_library.drivers import PLAYWRIGHT, Driven, chrome

FORM = """<!doctype html><title>Order</title><style>body { height: 3000px; margin: 0 }</style>
<script>const harness = "a name of the page's own"; Array.prototype.toJSON = undefined;</script>
<form action="/thanks/"><textarea name="reason"></textarea>
<label><input type="radio" name="sentiment" value="positive"> good</label>
<label><input type="radio" name="sentiment" value="negative"> bad</label>
<button type="button" onclick="this.textContent = harness">Own name</button>
<button>Send</button></form>"""
ASYNC = """
import asyncio, sys
from playwright.async_api import async_playwright
from harness import ActionLibrary

async def main():
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=sys.argv[2], args=["--no-sandbox"])
        page = await browser.new_page()
        await page.goto(sys.argv[1])
        act = ActionLibrary(page)
        print((await act.modify_text("reason", "b")).message)
        print((await act.do("modify_radio('sentiment', 'positive')"))[0].message)
        print((await act.capture_screen()).message)
        print("modify_text" in {tool["name"] for tool in act.tools()})
        await browser.close()

asyncio.run(main())
"""
STRICT = {"Content-Security-Policy": "default-src 'self'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"}

LOOSE = """<!doctype html><title>App</title><input name="search" value="s">
<label><input type="checkbox" name="agree" value="yes"> I agree</label>
<form><input name="first"><input name="second"></form>
<form><input name="first" value="of the other"><input name="third"></form>
<select name="size"><option>S<option>M</select>"""
"""Fields outside all forms, and in two."""


@pytest.fixture
def form(site: Site, driven: Driven) -> str:
    """A page of somebody else's, which is shown; gives its address."""
    site.put("<p>Thank you</p><form><input name=again></form>", "/thanks/")
    address = site.put(FORM, headers=STRICT)
    driven.go(address)
    return address


def size(png: bytes) -> list[int]:
    return list(Image.open(io.BytesIO(png)).size)


@pytest.mark.usefixtures("form")
def test_five_lines_work_a_page_of_somebody_else(act: ActionLibrary, driven: Driven) -> None:
    assert act.modify_text("reason", "It is só good\nin two lines").ok
    assert act.modify_radio("sentiment", "positive").message == "'sentiment' holds 'positive'"
    assert size(act.capture_screen().image) == driven.value("[innerWidth, innerHeight]")
    assert 'name="reason"' in act.get_html("reason").text
    assert driven.value("document.forms[0].elements.reason.value") == "It is só good\nin two lines"
    assert driven.value("document.forms[0].elements.sentiment.value") == "positive"


@pytest.mark.usefixtures("form")
def test_text_of_a_model_is_parsed_and_done_and_what_is_no_call_is_told(act: ActionLibrary, driven: Driven) -> None:
    done, wrong = act.do("```\nmodify_text('reason', 'b')\nmodify_text(open('x'), 'b')\n```")
    assert (done.ok, done.message) == (True, "'reason' holds 'b'")
    assert (wrong.ok, wrong.code) == (False, ErrorCode.WRONG_ARGUMENT)
    assert "modify_text(name: str, value: str)" in wrong.message
    assert act.do("There is nothing to do.") == []
    assert driven.value("document.forms[0].elements.reason.value") == "b"


@pytest.mark.usefixtures("form")
def test_tool_calls_are_done_as_the_schema_says(act: ActionLibrary) -> None:
    tool = next(each for each in act.tools() if each["name"] == "modify_radio")
    assert tool["parameters"]["required"] == ["name", "value"]  # type: ignore[index] - a JSON Schema
    assert act.use("modify_radio", '{"name": "sentiment", "value": "bad"}').message == "'sentiment' holds 'negative'"
    assert act.use("modify_radio", {"name": "sentiment"}).code == ErrorCode.WRONG_ARGUMENT
    assert act.use("modify_radio", "{").code == ErrorCode.WRONG_ARGUMENT
    assert "did you mean 'modify_radio'" in act.use("modify_radios", {}).message.lower()


@pytest.mark.usefixtures("form")
def test_what_is_pressed_by_its_number_leads_to_the_next_page_which_is_worked_on(
    act: ActionLibrary, driven: Driven
) -> None:
    assert act.observation.snapshot("full").visible_fields == ("reason", "sentiment")
    assert act.click_element(5).message == 'pressed [5] <button> "Send"'
    assert act.submitted is False
    assert "Thank you" in act.get_html().text
    assert act.modify_text("again", "x").ok
    assert [field.name for field in act.fields()] == ["again"]
    assert driven.value("location.pathname") == "/thanks/"


@pytest.mark.usefixtures("form")
def test_a_picture_of_the_whole_page_and_the_wheel(act: ActionLibrary, driven: Driven) -> None:
    assert size(act.capture_screen("full").image)[1] >= 3000
    assert act.scroll(0, 500).message.startswith("the page stands at (0, 500)")
    assert act.scroll_to("reason").ok
    assert driven.value("scrollY") == 0
    assert act.click(driven.value("innerWidth"), 5).code == ErrorCode.OFF_SCREEN
    assert act.maximize().ok
    assert act.buttons() == ["Own name"]
    place = act.locate_button("Own name")
    assert place is not None
    assert act.click(*place).ok
    assert act.buttons() == ["a name of the page's own"]


def test_the_page_has_no_global_name_of_the_harness(act: ActionLibrary, driven: Driven, site: Site) -> None:
    driven.go(site.put("<form><input name=a></form>"))
    assert act.modify_text("a", "b").ok
    assert driven.value("typeof harness") == "undefined"


def test_steps_are_taken_down_and_pictures_are_not_kept(act: ActionLibrary, driven: Driven, site: Site) -> None:
    driven.go(site.put("<form><input name=a></form>"))
    act.modify_text("a", "b")
    act.capture_screen()
    assert [step.action for step in act.trajectory.steps] == [
        "modify_text('a', 'b')",
        "capture_screen('viewport', None)",
    ]
    assert act.trajectory.images == {}


@pytest.mark.parametrize("wrong", [None, "driver", SimpleNamespace(get="a browser?")])
def test_what_is_no_driver_is_refused_with_what_would_be_one(wrong: object) -> None:
    with pytest.raises(NoDriver, match="WebDriver of Selenium or a page of Playwright"):
        ActionLibrary(wrong)


def test_a_page_of_playwright_in_another_browser_is_refused_with_its_name() -> None:
    browser = SimpleNamespace(browser_type=SimpleNamespace(name="webkit"))
    page = SimpleNamespace(context=SimpleNamespace(browser=browser), evaluate=len)
    with pytest.raises(NoDriver, match="Chromium, and this is one of webkit"):
        ActionLibrary(page)


def test_an_unknown_screen_is_refused() -> None:
    with pytest.raises(NoDriver, match="page, desktop"):
        ActionLibrary(None, screen="wall")  # type: ignore[arg-type]


@needs(PLAYWRIGHT)
def test_over_an_async_page_every_action_is_awaited(site: Site) -> None:
    # In a process of its own: where Playwright's sync API has run, no loop can be begun.
    address = site.put(FORM, headers=STRICT)
    told = subprocess.run(
        [sys.executable, "-c", ASYNC, address, find_browser() or ""],
        env=importing_environment(),
        capture_output=True,
        text=True,
        check=True,
    )
    said = ["'reason' holds 'b'", "'sentiment' holds 'positive'", "1280 x 720 pixels", "True"]
    assert told.stdout.splitlines() == said


@needs(*DISPLAY, CHROMEDRIVER)
@pytest.mark.slow
def test_on_a_desktop_the_pointer_of_the_display_presses_and_its_keys_type(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = site.put("<input name=a style='position: absolute; left: 40px; top: 50px'><form><input name=b></form>")
    with XServer.start() as server, monkeypatch.context() as patch:
        patch.setenv("DISPLAY", server.name)
        patch.setenv("XAUTHORITY", server.authority)
        with chrome("--window-position=0,0", "--window-size=1000,700") as seen:
            seen.go(address)
            act = ActionLibrary(seen.driver, screen="desktop")
            assert act.click(60, 60).ok
            assert act.type("typed").ok
            assert act.modify_text("b", "written").ok
            assert size(act.capture_screen().image) == seen.value("[innerWidth, innerHeight]")
            assert seen.value("[...document.querySelectorAll('input')].map((each) => each.value)") == [
                "typed",
                "written",
            ]


def test_fields_need_no_form_and_may_be_in_several(site: Site, driven: Driven, act: ActionLibrary):
    driven.go(site.put(LOOSE))
    for call in (
        "modify_text('search', 'a')",
        "modify_checkbox('agree', 'yes')",
        "modify_select('size', 'M')",
        "modify_text('first', 'b')",
        "modify_text('third', 'c')",
    ):
        (result,) = act.do(call)
        assert result.ok, result.message
    held = "(each) => each.type === 'checkbox' ? each.checked : each.value"
    shown = f"Array.from(document.querySelectorAll('input, select'), {held})"
    assert driven.value(shown) == ["a", True, "b", "", "of the other", "c", "M"]
    assert {field.name for field in act.fields()} == {"search", "agree", "first", "second", "third", "size"}
