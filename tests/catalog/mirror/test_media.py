from __future__ import annotations

from pathlib import Path
from urllib.parse import parse_qs, quote, urlsplit
from xml.etree import ElementTree

import pytest

from harness.catalog.mirror.media import Media, media_path, picture, silence, sized


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inside = tmp_path / "media"
    for name in ("x.org/a/b.png", "x.org/a b.png", "x.org/q.png?s=1", "x.org/index.html", "x.org:81/p.png"):
        file = inside / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(name)
    (tmp_path / "secret.png").write_text("secret")
    (inside / "x.org/link.png").symlink_to(tmp_path / "secret.png")
    (inside / "y.org").symlink_to(tmp_path)
    return inside


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("https://x.org/a/b.png", "x.org/a/b.png"),
        ("//X.org/a/b.png#part", "x.org/a/b.png"),
        ("http://x.org/a%20b.png", "x.org/a b.png"),
        ("http://x.org/q.png?s=1", "x.org/q.png?s=1"),
        ("http://x.org/a/b.png?s=1", "x.org/a/b.png"),
        ("http://x.org/", "x.org/index.html"),
        ("http://x.org:81/p.png", "x.org:81/p.png"),
    ],
)
def test_a_copy_is_found_where_wget_puts_it(folder: Path, url: str, name: str) -> None:
    assert Media(folder).find(url) == folder / name


@pytest.mark.parametrize(
    "url",
    [
        "http://x.org/../secret.png",
        "http://x.org/%2e%2e/%2e%2e/secret.png",
        "http://x.org/..%2f..%2fsecret.png",
        "http://x.org/a/../../../secret.png",
        "http://../secret.png",
        "http://x.org/link.png",
        "http://y.org/secret.png",
        "http://x.org/%00",
        "http://x.org/a",
        "http://other.org/a/b.png",
        "secret.png",
    ],
)
def test_nothing_outside_the_folder_is_found(folder: Path, url: str) -> None:
    assert Media(folder).find(url) is None


def test_without_a_folder_there_are_no_copies() -> None:
    assert Media(None).find("http://x.org/a.png") is None


def test_the_address_on_the_server_holds_all_that_a_placeholder_shows() -> None:
    path = media_path("image", "//x.org/a b.png?c=d&e", 30, None, "A & <b>")
    assert urlsplit(path).path == "/media/image"
    assert parse_qs(urlsplit(path).query) == {"url": ["https://x.org/a b.png?c=d&e"], "w": ["30"], "alt": ["A & <b>"]}
    assert quote(path, safe="/?&=%+-._~") == path


@pytest.mark.parametrize(
    ("given", "shown"),
    [((None, None), (300, 200)), ((600, None), (600, 400)), ((None, 100), (150, 100)), ((1, 99_999), (1, 8000))],
)
def test_a_placeholder_has_the_size_that_the_page_gives_it(
    given: tuple[int | None, int | None], shown: tuple[int, int]
) -> None:
    assert sized("image", *given) == shown
    drawn = ElementTree.fromstring(picture("image", "http://x.org/a.png", *given, ""))  # noqa: S314
    assert (drawn.get("width"), drawn.get("height")) == tuple(map(str, shown))


def test_a_placeholder_shows_text_and_address_whatever_they_hold() -> None:
    drawn = ElementTree.fromstring(picture("image", "http://x.org/?a=1&b=<2>", 600, 300, "A <cat> & \x01 “dog”"))  # noqa: S314
    assert "".join(drawn.itertext()).replace(" ", "") == "A<cat>&“dog”http://x.org/?a=1&b=<2>"


def test_silence_is_a_sound_file_of_the_length_it_says() -> None:
    import io
    import wave

    with wave.open(io.BytesIO(silence(0.5))) as sound:
        assert sound.getnframes() / sound.getframerate() == 0.5
