"""The bundled pages in real Chromium: their pictures and sounds, and whether they fit a narrow window."""

from __future__ import annotations

from urllib.parse import quote

import pytest

from harness.catalog import Catalog
from tests.checkout import PROJECT
from tests.person import person_browser, waiting
from tests.server.serving import serving

PICTURES = """
const done = arguments[arguments.length - 1];
const images = [...document.querySelectorAll("img")].map((each) => each.src);
images.push(...[...document.querySelectorAll("image")].map((each) => each.href.baseVal));
const screen = document.getElementById("screen");
if (screen) images.push(getComputedStyle(screen).backgroundImage.slice(5, -2));
Promise.all(images.map((src) => new Promise((resolve) => {
  const image = new Image();
  image.onload = () => resolve(image.naturalWidth);
  image.onerror = () => resolve(0);
  image.src = src;
}))).then(done);
"""
SEEN = (
    "A short film",
    "Attendance sheet",
    "Bounding box",
    "Captions of pictures",
    "Questions about a picture",
    "Reading a chart",
    "Receipt transcription",
    "What is in the photograph",
)
CUT_OFF = """
const wide = document.documentElement.clientWidth;
const things = document.querySelectorAll("input:not([type=hidden]), select, textarea, button, img, p, h1");
return [...things].filter((each) => {
  const place = each.getBoundingClientRect();
  return place.width && (place.left < -1 || place.right > wide + 1);
}).map((each) => each.outerHTML.slice(0, 60));
"""


@pytest.mark.slow
def test_every_picture_is_shown_and_a_recording_can_be_played():
    with serving("--agent", "--exit-with-parent") as server, person_browser() as live:
        for name in SEEN:
            live.get(f"http://127.0.0.1:{server.port}/page/{quote(name)}/1/")
            widths = live.execute_async_script(PICTURES)
            assert widths, name
            assert all(width > 300 for width in widths), name
        live.get(f"http://127.0.0.1:{server.port}/page/{quote('Spoken messages')}/1/")
        waiting(live).until(lambda page: page.execute_script("return document.querySelector('audio').duration > 3"))


@pytest.mark.slow
def test_nothing_of_a_page_is_cut_off_in_a_window_of_390_pixels():
    names = [name for name in Catalog(PROJECT / "tasks").names() if name != "Search results"]  # ugly on purpose
    with serving("--agent", "--exit-with-parent") as server, person_browser() as live:
        size = {"width": 390, "height": 900, "deviceScaleFactor": 1, "mobile": False}
        live.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        cut = {}
        for name in names:
            live.get(f"http://127.0.0.1:{server.port}/page/{quote(name)}/1/")
            cut[name] = live.execute_script(CUT_OFF)
        assert {name: found for name, found in cut.items() if found} == {}
