"""The gallery of a task set: its files, and its page in Chromium."""

from __future__ import annotations

import functools
import http.server
import io
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from PIL import Image

from harness.browser.browser import Browser, PageFailed
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.tasks.sets import main
from harness.datasets.gallery import gallery_files
from harness.datasets.gallery.gallery_files import HIGHEST, SMALL_LOWEST, SMALL_WIDTH, WIDTH, PagePictures
from harness.datasets.stats.set_stats import set_stats
from harness.datasets.visits.visitor import not_looking
from tests.datasets.odd_tasks import make_odd_tasks
from tests.site import in_page
from tests.site_tasks import make_site_task
from tests.task_folders import csv_text, make_task

EVIL = "<img src=x onerror=alert(1)> \"'&"


def gallery(tasks: Path, out: Path) -> int:
    return main(["gallery", "--tasks-dir", str(tasks), "--out", str(out)])


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """The folder that holds the gallery ``page`` of odd tasks and of three more, and the names of all."""
    folder = tmp_path_factory.mktemp("gallery")
    names = make_odd_tasks(folder / "tasks")
    make_task(
        folder / "tasks",
        EVIL.replace("/", "∕"),
        template="<p>${x}</p><input type=radio name=a value=1>",
        table=csv_text(("x", "Title", "Keywords", "Answer.a"), ("p", EVIL, "</li><script>", "1")),
        facts={"split": "test", "content_warning": "<b>rude</b>"},
    )
    make_task(folder / "tasks", "Cannot be read", template=None)
    assert gallery(folder / "tasks", folder / "page") == INCOMPLETE  # for the one that cannot be read
    return folder, [*names, EVIL.replace("/", "∕"), "Cannot be read"]


def cards(folder: Path) -> dict[str, BeautifulSoup]:
    soup = BeautifulSoup((folder / "index.html").read_text(encoding="utf-8"), "html.parser")
    return {card.h2.get_text(): card for card in soup.select(".card")}  # type: ignore[union-attr, misc]


@pytest.mark.slow
def test_every_task_has_a_card_with_a_picture_or_the_reason_why_there_is_none(made: tuple[Path, list[str]]) -> None:
    folder, names = made
    found = cards(folder / "page")
    assert sorted(found) == sorted(names)
    pictured = {name: card.select_one("a.shot") for name, card in found.items()}
    assert [name for name, link in pictured.items() if link is None] == ["Cannot be read"]
    assert "there is no template" in found["Cannot be read"].get_text()
    for link in pictured.values():
        if link is not None:
            with Image.open(folder / "page" / str(link["href"])) as large:
                assert (large.width, str(large.height)) == (WIDTH, link["data-height"])


@pytest.mark.slow
def test_words_of_strangers_are_no_markup(made: tuple[Path, list[str]]) -> None:
    folder, _ = made
    page = BeautifulSoup((folder / "page" / "index.html").read_text(encoding="utf-8"), "html.parser")
    assert not page.select("[onerror], .card script, .card b")
    assert len(page.select("script")) == 1
    assert "<b>rude</b>" in cards(folder / "page")[EVIL.replace("/", "∕")].get_text()


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_pictures_that_are_there_stay_and_those_of_changed_or_removed_tasks_go(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("Kept", "Changed", "Removed"):
        make_task(tmp_path / "tasks", name, template=f"<h1>{name}</h1>${{text}}<input name=a>")
    assert gallery(tmp_path / "tasks", tmp_path / "out") == COMPLETE
    assert capsys.readouterr().out.endswith("3 tasks, 3 pictures taken now\n")
    before = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "out" / "pictures").iterdir()}
    first = (tmp_path / "out" / "index.html").read_bytes()

    assert gallery(tmp_path / "tasks", tmp_path / "out") == COMPLETE
    assert capsys.readouterr().out.endswith("3 tasks, 0 pictures taken now\n")
    assert (tmp_path / "out" / "index.html").read_bytes() == first

    (tmp_path / "tasks" / "Changed" / "template.html").write_text("<h1>New</h1>${text}<input name=a>")
    (tmp_path / "tasks" / "Removed" / "template.html").unlink()
    (tmp_path / "out" / "pictures" / "mine.webp").write_bytes(b"a file of the user's")
    assert gallery(tmp_path / "tasks", tmp_path / "out") == INCOMPLETE
    assert capsys.readouterr().out.endswith("3 tasks, 1 picture taken now\n")
    after = {file.name: file.stat().st_mtime_ns for file in (tmp_path / "out" / "pictures").iterdir()}
    assert len(after) == 5
    assert "mine.webp" in after
    assert len([name for name, time in before.items() if after.get(name) == time]) == 2


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_tasks_that_begin_on_the_same_website_share_a_picture_and_one_elsewhere_has_a_card_that_says_so(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("One", "Two"):
        make_site_task(tmp_path / "tasks", name)
    make_site_task(tmp_path / "tasks", "Elsewhere", site=None)
    assert gallery(tmp_path / "tasks", tmp_path / "out") == INCOMPLETE
    assert "no picture of 'Elsewhere': its website is not bundled" in capsys.readouterr().err
    assert len(list((tmp_path / "out" / "pictures").iterdir())) == 2
    shown = cards(tmp_path / "out")
    assert [bool(shown[name].select("a.shot")) for name in ("One", "Two", "Elsewhere")] == [True, True, False]


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_a_page_that_cannot_be_shown_has_a_card_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_task(tmp_path / "tasks", "T")

    def refusing(*_: object) -> None:
        raise PageFailed("the page is a riddle")

    monkeypatch.setattr(Browser, "open", refusing)
    assert gallery(tmp_path / "tasks", tmp_path / "out") == INCOMPLETE
    assert "no picture of 'T': the page is a riddle" in capsys.readouterr().err
    assert "the page is a riddle" in cards(tmp_path / "out")["T"].get_text()


@pytest.mark.slow
def test_a_damaged_picture_is_taken_again(tmp_path: Path) -> None:
    pictures = PagePictures(tmp_path)
    made = pictures.add(png(WIDTH, 900), "all that", "it depends on")
    assert pictures.find("all that", "it depends on") == made
    assert pictures.find("something else") is None
    (tmp_path / made.small).write_bytes(b"cut short")
    assert pictures.find("all that", "it depends on") is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "large", "small"),
    [
        ((WIDTH, 800), 800, round(800 * SMALL_WIDTH / WIDTH)),
        ((3000, 50), 50, SMALL_LOWEST),
        ((40, 20_000), HIGHEST, 2400),
    ],
    ids=["a screen", "wide and low", "narrow and long"],
)
def test_pictures_have_one_width_and_heights_within_limits(
    tmp_path: Path, size: tuple[int, int], large: int, small: int
) -> None:
    made = PagePictures(tmp_path).add(png(*size), "x")
    assert (made.height, made.small_height) == (large, small)
    with Image.open(tmp_path / made.file) as picture, Image.open(tmp_path / made.small) as little:
        assert (picture.size, little.size) == ((WIDTH, large), (SMALL_WIDTH, small))


def png(width: int, height: int) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", (width, height), "navy").save(buffer, "PNG")
    return buffer.getvalue()


# The page in a browser.


@pytest.fixture(scope="module")
def page(made: tuple[Path, list[str]]) -> Iterator[Browser]:
    """A browser that shows the gallery."""

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_: object) -> None:
            """Say nothing."""

    folder, _ = made
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    origin = f"http://127.0.0.1:{server.server_address[1]}"
    with Browser(BrowserSettings(origin)) as browser:
        browser.open(f"{origin}/page/index.html")
        yield browser
    server.shutdown()
    server.server_close()
    thread.join()


SHOWN = (
    "[...document.querySelectorAll('.card')].filter((card) => !card.hidden)"
    ".map((card) => card.querySelector('h2').textContent)"
)


def width_of(page: Browser, picture: str) -> object:
    """Pixels of a picture of the page once it is there."""
    found = f"document.querySelector('{picture}')"
    return in_page(page, f"{found}.decode().then(() => {found}.naturalWidth)")


def choose(page: Browser, script: str) -> list[str]:
    """What is shown once a filter was set."""
    in_page(page, f"{{ document.querySelector('#filters').reset(); {script} }}")
    in_page(page, "document.querySelector('#filters').dispatchEvent(new Event('input'))")
    return sorted(in_page(page, SHOWN))


@pytest.mark.slow
def test_the_page_runs_its_own_script_and_style_under_its_policy(page: Browser, made: tuple[Path, list[str]]) -> None:
    assert page.script_errors == []
    assert in_page(page, "document.querySelector('#filters').hidden") is False
    assert in_page(page, "getComputedStyle(document.querySelector('#cards')).display") == "grid"
    assert in_page(page, "document.querySelector('#result').value") == f"{len(made[1])} tasks"
    assert width_of(page, ".shot img") == SMALL_WIDTH


@pytest.mark.slow
def test_tasks_are_found_by_words_split_kind_and_what_they_show(page: Browser, made: tuple[Path, list[str]]) -> None:
    evil = EVIL.replace("/", "∕")
    assert choose(page, "query.value = 'FORM  no'") == ["No form"]
    assert choose(page, "query.value = '<script>'") == [evil]
    assert choose(page, "split.value = 'test'") == [evil]
    assert choose(page, "document.querySelector('[data-of=kinds] [value=range]').checked = true") == ["Framed"]
    radio, select = (
        f"document.querySelector('[data-of=kinds] [value={kind}]').checked = true" for kind in ("radio", "select")
    )
    assert choose(page, f"{radio}; {select}") == ["Two forms"]
    assert choose(page, "document.querySelector('[data-of=shows] [value=video]').checked = true") == [
        "(2021) [Part], 100% – “ünïcode”"
    ]
    assert choose(page, "query.value = 'nowhere to be found'") == []
    assert in_page(page, "document.querySelector('#none').hidden") is False
    assert choose(page, "") == sorted(made[1])


@pytest.mark.slow
def test_a_picture_is_enlarged_and_one_can_go_on_from_it(page: Browser) -> None:
    choose(page, "query.value = 'form'")
    in_page(
        page, "[...document.querySelectorAll('.card')].find((card) => !card.hidden).querySelector('a.shot').click()"
    )
    name = "document.querySelector('#large-name').textContent"
    assert in_page(page, "document.querySelector('#large').open") is True
    assert in_page(page, name) == "No form"
    in_page(page, "document.querySelector('#after').click()")
    assert in_page(page, name) == "Two forms"
    assert width_of(page, "#large-picture") == WIDTH
    in_page(page, "document.querySelector('#after').click()")
    assert in_page(page, name) == "No form"
    in_page(page, "document.querySelector('#close').click()")
    assert in_page(page, "document.querySelector('#large').open") is False


@pytest.mark.slow
def test_the_page_fits_a_narrow_screen(page: Browser) -> None:
    choose(page, "")
    page.channel.call("Emulation.setDeviceMetricsOverride", width=360, height=800, deviceScaleFactor=1, mobile=False)
    try:
        assert in_page(page, "document.documentElement.scrollWidth") == 360
    finally:
        page.channel.call("Emulation.clearDeviceMetricsOverride")


@pytest.mark.slow
def test_names_of_tasks_stand_in_their_order_whatever_their_case(tmp_path: Path) -> None:
    for name in ("b", "A", "C"):
        make_task(tmp_path, name)
    stats = set_stats(Catalog(tmp_path), {"characters": len}, not_looking)
    assert [card.name for card in gallery_files.cards(stats, {})] == ["A", "b", "C"]
