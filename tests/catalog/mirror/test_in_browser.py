"""Pages in a browser that can reach nothing but the task server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings
from harness.catalog.mirror.building.build import Builder, WantedAddress
from harness.catalog.mirror.store import Store
from harness.run.server import own_server
from tests.catalog.mirror.sources import FakePackages, FakeWeb
from tests.task_folders import make_task

THING = "https://unpkg.com/thing@1.0.0"
INNER = f"""<link rel=stylesheet href="{THING}/a.css"><script src="{THING}/a.js" crossorigin="anonymous"></script>
<p id=styled>text</p><script>
parent.postMessage([window.thing, getComputedStyle(document.getElementById("styled")).color], "*");
</script><input name=a>"""
OUTER = """<iframe sandbox="allow-scripts" src="/page/inner/0/"></iframe><input name=a>
<script>addEventListener("message", (event) => { window.told = event.data; });</script>"""
MEDIA = """<img id=sized src="http://nowhere.example/a.png" width=120 height=80 alt="A cat">
<img id=unsized src="http://nowhere.example/b.png"><iframe src="http://nowhere.example/page"></iframe>
<video id=video src="http://nowhere.example/a.mp4"></video><script src="http://nowhere.example/gone.js"></script>
<link rel=stylesheet href="http://nowhere.example/gone.css"><style>@font-face {
font-family: gone; src: url(http://nowhere.example/gone.woff2) } p { font-family: gone }</style><p>text</p>
<input name=a>"""


@pytest.fixture(scope="module")
def opened(module_cache: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, str]]:
    """A browser, and the origin of a server with a mirror."""
    del module_cache
    folder = tmp_path_factory.mktemp("hermetic")
    for name, template in (("inner", INNER), ("outer", OUTER), ("media", MEDIA)):
        make_task(folder / "tasks", name, template=template, table="Answer.a\r\nx\r\n")
    packages = FakePackages({"npm:thing@1.0.0": {"a.js": b"window.thing = 1", "a.css": b"p { color: rgb(1, 2, 3) }"}})
    wanted = [WantedAddress(f"{THING}/a.js", "script"), WantedAddress(f"{THING}/a.css", "style")]
    Builder(Store.default(), packages, FakeWeb(), lambda _: None).build(wanted)
    with own_server(folder / "tasks", None) as origin, Browser(BrowserSettings(origin)) as browser:
        yield browser, origin


def _open(opened: tuple[Browser, str], task: str) -> Browser:
    browser, origin = opened
    browser.open(f"{origin}/page/{task}/0/")
    return browser


def _value(browser: Browser, expression: str) -> Any:
    answer = browser.channel.call("Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
    return answer["result"].get("value")


def test_mirrored_files_load_in_a_frame_with_an_origin_of_its_own(opened: tuple[Browser, str]) -> None:
    browser = _open(opened, "outer")
    told = _value(
        browser, "new Promise((done) => window.told ? done(told) : addEventListener('message', () => done(told)))"
    )
    assert told == [1, "rgb(1, 2, 3)"]


def test_a_page_that_asks_for_the_world_loads_without_it(opened: tuple[Browser, str]) -> None:
    browser, _ = opened
    asked: dict[str, str] = {}
    ended: set[str] = set()
    browser.channel.on(
        "Network.requestWillBeSent", lambda each: asked.update({each["requestId"]: each["request"]["url"]})
    )
    browser.channel.on("Network.loadingFinished", lambda each: ended.add(each["requestId"]))
    browser.channel.on("Network.loadingFailed", lambda each: ended.add(each["requestId"]))
    browser.channel.call("Network.enable")
    _open(opened, "media")
    _value(browser, "document.fonts.ready.then(() => 0)")
    outside = {number: url for number, url in asked.items() if "://nowhere.example" in url.partition("?")[0]}
    assert {url.rpartition(".")[2] for url in outside.values()} == {"js", "css", "woff2"}
    assert set(outside) <= ended


def test_a_placeholder_takes_the_room_that_the_page_gives_it(opened: tuple[Browser, str]) -> None:
    browser = _open(opened, "media")
    assert _value(browser, "[sized.naturalWidth, sized.naturalHeight, unsized.naturalWidth]") == [120, 80, 300]
    assert "/media/image" in _value(browser, "video.poster")


@pytest.mark.slow
def test_a_video_that_is_not_there_can_be_played_to_its_end(opened: tuple[Browser, str]) -> None:
    browser = _open(opened, "media")
    play = """new Promise((done) => {
        video.onended = () => done("ended");
        video.onerror = () => done("error");
        video.muted = true;
        video.play();
    })"""
    assert _value(browser, play) == "ended"
