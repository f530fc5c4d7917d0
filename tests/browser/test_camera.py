"""Frames of pages: what is told of the element that was acted on, whatever the page holds."""

from __future__ import annotations

import io
import json
from typing import Any

import pytest
from PIL import Image

from harness.browser.browser import Browser
from harness.browser.browser_choice import PictureFormat
from harness.browser.camera import camera as camera_module
from harness.browser.camera.camera import MOST_FAILURES, Camera, Shot, coded
from harness.browser.launch import SCREEN, BrowserSettings
from tests.conftest import Show
from tests.site import Shown, done

FIND = """(([css, xpath]) => {
  const byCss = [...document.querySelectorAll(css)];
  const found = document.evaluate(xpath, document, null, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const byXpath = Array.from({length: found.snapshotLength}, (_, place) => found.snapshotItem(place));
  return byCss.length === 1 && byXpath.length === 1 && byCss[0] === byXpath[0] ? byCss[0].dataset.here ?? "" : null;
})"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Frames that come late on a busy machine come all the same."""
    monkeypatch.setattr(camera_module, "PATIENCE_SECONDS", 60.0)


def camera(page: Shown, kind: PictureFormat = "png") -> Camera:
    """With the page as it opened taken."""
    made = Camera(page.browser, kind)
    assert made.shoot().told["target"] is None
    return made


def target(shot: Shot) -> dict[str, Any]:
    found: dict[str, Any] = shot.told["target"]
    return found


def pressed(page: Shown, selector: str) -> Shot:
    """The frame after a press in the middle of an element."""
    taken = camera(page)
    x, y = page.page(
        f"(({{left, top, width, height}}) => [left + width / 2, top + height / 2])"
        f"(document.querySelector({json.dumps(selector)}).getBoundingClientRect())"
    )
    done(page.actions.click(x, y))
    return taken.shoot()


@pytest.mark.parametrize(
    ("body", "css"),
    [
        ('<button type=button id="go" data-here=1>Go</button>', "#go"),
        ('<button type=button id="1 a#b" data-here=1>Go</button>', r"#\31 \ a\#b"),
        ('<input type=button name="it\'s &quot;x&quot;" data-here=1 value=Go>', 'input[name="it\'s \\22 x\\22 "]'),
        (
            "<input type=radio name=r value=a><input type=radio name=r value=b data-here=1>",
            'input[name="r"][value="b"]',
        ),
        ("<div id=two></div><button type=button id=two data-here=1>Go</button>", None),
        ("<ul id=list><li>One<li data-here=1>Two</ul>", "#list > li:nth-of-type(2)"),
        ("<x-item data-here=1>own</x-item>", None),
        ("<svg width=40 height=40><g></g><g><rect width=40 height=40 data-here=1 /></g></svg>", None),
        ("<button type=button name=b data-here=1>A</button><button type=button name=b>B</button>", None),
    ],
)
def test_both_selectors_find_the_element_that_was_pressed_and_no_other(show: Show, body: str, css: str | None):
    page = show(body)
    found = target(pressed(page, "[data-here]"))
    assert page.page(f"{FIND}({json.dumps([found['css'], found['xpath']])})") == "1"
    if css:
        assert found["css"] == css


def test_the_box_is_where_the_element_was_when_it_was_pressed(show: Show):
    page = show(
        '<button type=button id=b onclick="this.remove()" style=\'position:absolute;left:30px;top:40px;width:200px;'
        "height:50px'>Away <b>with</b> it</button>"
    )
    found = target(pressed(page, "#b"))
    assert (found["css"], found["box"], found["text"]) == ("#b", [30, 40, 200, 50], "Away with it")


def test_a_press_on_a_label_is_an_act_on_its_control(show: Show):
    page = show("<label><input type=checkbox name=c value=x> <span id=s>Take it</span></label>")
    found = pressed(page, "#s")
    assert (target(found)["css"], target(found)["text"]) == ('input[name="c"]', "Take it")
    assert (found.told["presses"], found.told["keys"]) == (1, 0)


def test_what_is_in_a_frame_is_found_by_the_frame_and_shown_where_it_is(show: Show):
    page = show(
        "<iframe id=f style='position:absolute;left:100px;top:60px;border:0' "
        'srcdoc=\'<body style="margin:0"><button style="width:80px;height:30px">In</button>\'></iframe>'
    )
    page.page(
        "new Promise((ok) => { const f = document.getElementById('f');"
        "f.contentDocument?.querySelector('button') ? ok() : f.addEventListener('load', ok) })"
    )
    taken = camera(page)
    done(page.actions.click(110, 70))
    found = taken.shoot()
    assert (target(found)["css"], target(found)["box"], target(found)["text"]) == ("#f", [100, 60, 80, 30], "In")


def test_keys_are_counted_and_an_inserted_text_is_one(show: Show):
    page = show("<input name=t>")
    done(
        page.actions.click(
            *page.page("(({x, y}) => [x + 5, y + 5])(document.querySelector('input').getBoundingClientRect())")
        )
    )
    taken = camera(page)
    done(page.actions.type("abc"))
    assert taken.shoot().told["keys"] == 3
    done(page.actions.press("Control+a"))
    assert taken.shoot().told["keys"] == 1
    done(page.actions.modify_text("t", "another text altogether"))
    assert taken.shoot().told["keys"] == 3  # all is selected, the text is inserted, and the end is pressed


def test_of_the_keys_that_an_open_list_takes_the_number_is_not_known(show: Show):
    page = show("<select name=s><option>a<option>ab<option>ac</select>")
    taken = camera(page)
    x, y = page.page("(({x, y}) => [x + 5, y + 5])(document.querySelector('select').getBoundingClientRect())")
    done(page.actions.click(x, y))
    assert taken.shoot().told["keys"] is None


def test_what_the_page_does_to_itself_is_no_act(show: Show):
    page = show("<button type=button id=b>B</button><input id=i>")
    taken = camera(page)
    page.page(
        "(() => { const b = document.getElementById('b'); b.click(); b.dispatchEvent(new MouseEvent('mousedown', "
        "{bubbles: true})); document.getElementById('i').dispatchEvent(new KeyboardEvent('keydown', {key: 'x', "
        "bubbles: true})); })()"
    )
    found = taken.shoot()
    assert (found.told["target"], found.told["presses"], found.told["keys"]) == (None, 0, 0)


def test_a_field_that_was_meant_and_not_reached_is_told_by_its_name(show: Show):
    page = show("<input type=radio name=r value=a checked>")
    taken = camera(page)
    done(page.actions.modify_radio("r", "a"))  # it holds that already
    assert target(taken.shoot(name="r"))["css"] == 'input[name="r"]'


@pytest.mark.claim("page-film")
def test_a_hostile_page_makes_no_large_frame_and_sees_no_film(show: Show):
    deep = "<div>" * 400 + "<i id=deep>x</i>" + "</div>" * 400
    page = show(
        f"<button type=button id={'i' * 5000} name={'n' * 5000} class=big>{'text ' * 5000}</button>{deep}"
        "<input name=title><img name=createTreeWalker><img name=querySelectorAll><img name=documentElement>"
        "<input name=children>",
        head=f"<title>{'t' * 100_000}</title><script>Array.prototype.map = Array.prototype.slice = "
        "Document.prototype.querySelectorAll = Element.prototype.closest = () => { throw Error('seen') };"
        "window.film = () => 'harness' in window || 'film' in (window.harness ?? {})</script>",
    )
    found = pressed(page, ".big")
    assert len(json.dumps({**found.told, "html": ""})) < 6_000
    assert found.told["title"].startswith("ttt")
    assert target(found)["text"].startswith("text text")
    assert page.page("film()") is False
    page.page("document.getElementById('deep').scrollIntoView()")
    assert len(json.dumps({**pressed(page, "#deep").told, "html": ""})) < 6_000
    assert page.browser.script_errors == []


def test_halves_of_characters_are_no_trouble(show: Show):
    page = show("<button type=button id=b>x</button>", head=f"<title>{'x' * 299}\U0001f408</title>")
    page.page("document.getElementById('b').textContent = 'a\\ud83d'; 0")
    json.dumps(pressed(page, "#b").told, ensure_ascii=False).encode()


@pytest.mark.claim("page-film")
def test_a_page_that_is_kept_busy_gives_no_frame_and_is_not_asked_for_ever(show: Show, monkeypatch):
    page = show("<p>x</p>")
    taken = camera(page)
    monkeypatch.setattr(camera_module, "PATIENCE_SECONDS", 0.05)
    page.browser.channel.post("Runtime.evaluate", expression="for (;;) ;")
    shots = [taken.shoot() for _ in range(MOST_FAILURES + 1)]
    assert {(shot.picture, bool(shot.told)) for shot in shots} == {(b"", False)}
    assert (taken.has_given_up, shots[-1].ms) == (True, 0.0)
    page.browser.channel.post("Runtime.terminateExecution")
    assert page.page("1 + 1") == 2


@pytest.mark.parametrize("kind", ["webp", "jpeg", "png"])
def test_pictures_are_of_the_page_area_in_the_format_that_is_asked_for(show: Show, kind: PictureFormat):
    page = show("<p style='background:#00f;height:2000px'>x</p>")
    shot = Camera(page.browser, kind).shoot()
    with Image.open(io.BytesIO(coded(shot.picture, kind))) as image:
        assert (image.format, image.size) == (kind.upper(), SCREEN)
        red, green, blue = image.convert("RGB").getpixel((600, 400))
    assert (red < 20, green < 20, blue > 200) == (True, True, True)


def test_frames_count_neither_as_messages_nor_as_waits(show: Show):
    page = show("<p>x</p>")
    channel = page.browser.channel
    before = (channel.messages, channel.waits)
    Camera(page.browser, "png").shoot()
    assert (channel.messages, channel.waits) == before


@pytest.mark.slow
def test_a_frame_of_a_browser_that_is_gone_is_empty(site):
    with Browser(BrowserSettings(site.origin)) as live:
        live.open(site.put("<p>x</p>"))
        taken = Camera(live, "png")
        live.close()
        assert (taken.shoot().picture, taken.shoot().told) == (b"", {})


def test_what_the_page_held_is_told_with_what_its_controls_hold(show: Show):
    page = show(
        "<p hidden>not seen</p><input name=a value=before><input type=checkbox name=b value=1>"
        "<select name=c><option>x<option>y</select><textarea name=d>kept</textarea><img name=documentElement>"
    )
    taken = camera(page)
    done(page.actions.modify_text("a", "after"))
    done(page.actions.modify_checkbox("b", "1"))
    html = taken.shoot().told["html"]
    assert '<p hidden="">not seen</p>' in html
    assert '<input name="a" value="before">' in html
    assert html.endswith("\n<!-- What controls hold now:\na: after\nb 1: checked\nc: x\n-->")


def test_what_scripts_write_to_the_console_is_told_once(show: Show):
    page = show("<p>x</p>")
    taken = camera(page)
    page.page("console.warn('careful', 1, {a: 2})")
    page.page("setTimeout(() => { throw Error('broken') })")
    page.page("new Promise((done) => setTimeout(done))")
    assert taken.shoot().console == ("warning: careful 1 Object", "error: Error: broken")
    assert taken.shoot().console == ()
