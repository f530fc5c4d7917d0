"""What is written in pictures of a page, read by OCR, in AutoWebGLM's text of the page."""

from __future__ import annotations

import base64
import io

import pytest
from PIL import Image, ImageDraw, ImageFont

from harness.browser.browser import Browser
from harness.observe import encode
from harness.observe.picture_texts import with_picture_texts
from harness.observe.snapshot import take
from tests.conftest import Show
from tests.needs import extra


def picture(words: str, colour: str = "white") -> str:
    """A picture of 300 x 60 pixels as an address."""
    image = Image.new("RGB", (300, 60), colour)
    ImageDraw.Draw(image).text((10, 14), words, fill="black", font=ImageFont.load_default(28))
    made = io.BytesIO()
    image.save(made, "PNG")
    return f"data:image/png;base64,{base64.b64encode(made.getvalue()).decode()}"


@pytest.fixture
def page(show: Show) -> Browser:
    browser, _ = show(
        f"<h1>Shop</h1><p>Now: <img src='{picture('Summer SALE', 'red')}' alt='banner'></p>"
        f"<a href='#x'><img src='{picture('Half price', 'lime')}'></a><div style='height:1000px'></div>"
        f"<canvas width=200 height=50></canvas><img src='{picture('tiny')}' width=5 height=5>"
        f"<img style='display:none' src='{picture('hidden')}'>"
    )
    return browser


def colour_of(image: Image.Image) -> str:
    """In place of a reader: what colour the corner of a picture has, and its size."""
    return f"{image.getpixel((1, 1))}  {image.size}"


def test_pictures_that_can_be_seen_are_read_and_their_words_stand_where_they_are(page: Browser) -> None:
    taken = take(page)
    text = encode("autowebglm", with_picture_texts(taken, page.picture(full_page=True), colour_of), count=len).text
    assert "<p| Now: <img| (255, 0, 0) (300, 60)>" in text
    assert "<a[A]| <img| (0, 255, 0) (300, 60)> >" in text
    assert "<canvas| (255, 255, 255) (200, 50)>" in text
    assert text.count("<img|") == 2
    plain = encode("autowebglm", taken, count=len).text
    assert "<img" not in plain
    assert "<canvas" not in plain


def test_a_page_without_pictures_needs_no_library(show: Show) -> None:
    browser, _ = show("<p>Nothing to see</p>")
    taken = take(browser)
    assert with_picture_texts(taken, browser.picture(full_page=True)) is taken


def test_what_a_picture_says_cannot_be_taken_for_an_element(page: Browser) -> None:
    read = with_picture_texts(take(page), page.picture(full_page=True), lambda _: "<a[Z]| buy>")
    assert "&lt;a[Z]| buy&gt;" in encode("autowebglm-forms", read, count=len).text
    assert "<a[Z]|" not in encode("autowebglm-forms", read, count=len).text


def test_it_is_read_with_rapidocr(page: Browser) -> None:
    pytest.importorskip("rapidocr_onnxruntime", reason=extra("ocr"))
    text = encode("autowebglm", with_picture_texts(take(page), page.picture(full_page=True)), count=len).text
    assert "<img| Summer SALE>" in text
    assert "<img| Half price>" in text
    assert "<canvas" not in text
