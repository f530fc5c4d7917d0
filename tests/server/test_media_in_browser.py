"""The bundled pictures and sounds in real Chromium."""

from __future__ import annotations

from urllib.parse import quote

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
    "Bounding box",
    "Captions of pictures",
    "Questions about a picture",
    "Reading a chart",
    "Receipt transcription",
)


def test_every_picture_is_shown_and_a_recording_can_be_played():
    with serving("--agent", "--exit-with-parent") as server, person_browser() as live:
        for name in SEEN:
            live.get(f"http://127.0.0.1:{server.port}/page/{quote(name)}/1/")
            widths = live.execute_async_script(PICTURES)
            assert widths, name
            assert all(width > 300 for width in widths), name
        live.get(f"http://127.0.0.1:{server.port}/page/{quote('Spoken messages')}/1/")
        waiting(live).until(lambda page: page.execute_script("return document.querySelector('audio').duration > 3"))
