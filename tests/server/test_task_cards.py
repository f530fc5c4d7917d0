"""What the list shows of each task beside its words: numbers, kinds and a picture, made beside the server."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path

import pytest
from django.test import Client
from PIL import Image

from harness.catalog.card_store import KnownCard, card_key, find_card, find_picture, keep_card
from tests.forked_python import ForkedPython
from tests.person import person_browser
from tests.server.pages import soup, text
from tests.server.person import hurry, until
from tests.server.serving import environment, serving
from tests.server.test_task_list import listed
from tests.task_folders import csv_text, make_task
from turkle_app import views
from turkle_app.card_making import CardMaking

TEMPLATE = (
    "<body style='background: #0a0'>${text}<input type=radio name=a value=1><input name=b><textarea name=c></textarea>"
)
TABLE = csv_text(["text", "Answer.a", "Answer.b"], ["one", "1", "x"], ["two", "1", "y"])


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache of this test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache"


def card(client: Client) -> str:
    return text(soup(client, "/").select_one(".tasks > li"))


def test_a_card_tells_instances_fields_and_kinds_and_shows_the_picture(browse: Client, tasks_dir: Path) -> None:
    key = card_key(make_task(tasks_dir, "a b"))
    keep_card(key, KnownCard(20, {"text": 1, "radio": 3}, looked=True), b"a picture")
    assert card(browse) == "a b 20 instances · 4 fields: 3 radio, 1 text train"
    picture = soup(browse, "/").select_one(".tasks img")
    answer = browse.get(picture["src"])
    assert (answer.content, answer["Content-Type"]) == (b"a picture", "image/webp")


def test_the_list_can_be_had_by_kind_of_field(browse: Client, tasks_dir: Path) -> None:
    for name, kinds in (("a", {"radio": 1}), ("b", {"text": 2, "radio": 1}), ("c", {"text": 1})):
        keep_card(card_key(make_task(tasks_dir, name)), KnownCard(1, kinds))
    make_task(tasks_dir, "d")
    assert listed(browse, "?kind=radio") == ["a", "b"]
    assert listed(browse, "?kind=text&q=c") == ["c"]
    page = soup(browse, "/?kind=text")
    assert [option.get_text() for option in page.select("#kind option")] == ["All kinds", "text (2)", "radio (2)"]
    assert page.select_one("#kind option[selected]")["value"] == "text"
    assert "2 of 4 tasks · Show all · the kinds of 1 more are not known yet" in text(page)


def test_a_picture_that_could_not_be_made_says_why_and_is_no_address(browse: Client, tasks_dir: Path) -> None:
    key = card_key(make_task(tasks_dir, "a"))
    keep_card(key, KnownCard(1, looked=True, why="its page never loads"))
    assert "No picture: its page never loads" in card(browse)
    assert browse.get("/thumbnail/a/").status_code == 404
    assert browse.get("/thumbnail/none/").status_code == 404


def test_a_task_that_has_changed_is_not_shown_as_it_was(browse: Client, tasks_dir: Path) -> None:
    folder = make_task(tasks_dir, "a")
    keep_card(card_key(folder), KnownCard(7, looked=True), b"old")
    (folder / "template.html").write_text("<input name=another_field>")
    assert "7 instances" not in card(browse)
    assert browse.get("/thumbnail/a/").status_code == 404


def test_the_list_waits_for_nothing_and_asks_once(
    browse: Client, tasks_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started = []
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as endless:
        cards = CardMaking(lambda: started.append(endless) or endless)
        monkeypatch.setattr(views, "ask_for_cards", cards.ask)
        make_task(tasks_dir, "a")
        assert "The picture is being made" in card(browse)
        assert "The picture is being made" in card(browse)
        assert len(started) == 1


def test_who_has_made_cards_and_ended_leaves_no_pipe_open_and_is_asked_for_no_card_again() -> None:
    started = []

    def start() -> subprocess.Popen[bytes]:
        started.append(subprocess.Popen(["true"], stdin=subprocess.PIPE))
        started[-1].wait()
        return started[-1]

    cards = CardMaking(start)
    assert cards.ask(["a"])
    assert not cards.ask(["a"])
    assert started[0].stdin.closed
    assert cards.ask(["a", "b"])
    assert not cards.ask([])
    assert len(started) == 2


def made(tasks: Path, cache: Path, **extra: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, "-m", "harness.datasets.gallery.card_maker", str(tasks)]
    with ForkedPython(words, environment(XDG_CACHE_HOME=str(cache), **extra)) as process:
        assert process.stderr is not None
        said, errors = process.stdout.read(), process.stderr.read()
        return subprocess.CompletedProcess(words, process.wait(), said, errors)


def test_without_a_browser_tasks_are_counted_and_looked_at_another_time(tasks_dir: Path, cache: Path) -> None:
    folder = make_task(tasks_dir, "a", template=TEMPLATE, table=TABLE)
    done = made(tasks_dir, cache, TURKBENCH_CHROMIUM="/nowhere")
    assert done.returncode == 1
    assert done.stderr.startswith("There are no pictures of tasks in the list: ")
    assert find_card(card_key(folder)) == KnownCard(2, {"radio": 1, "text": 1, "textarea": 1})


def test_a_task_that_cannot_be_read_is_passed_over_and_the_rest_is_shown(tasks_dir: Path, cache: Path) -> None:
    broken = make_task(tasks_dir, "a", table="text,Answer.a\n1,2,3\n")
    whole = make_task(tasks_dir, "b", template=TEMPLATE, table=TABLE)
    done = made(tasks_dir, cache)
    assert (done.returncode, done.stderr) == (0, "")
    assert find_card(card_key(broken)) == KnownCard(0, looked=True, why="its files cannot be used")
    picture = find_picture(card_key(whole))
    assert picture is not None
    with Image.open(io.BytesIO(picture)) as opened:
        assert opened.size == (480, 300)
        red, green, blue = opened.convert("RGB").getpixel((470, 290))
    assert green > 120 > max(red, blue)


@pytest.mark.slow
def test_the_list_takes_up_pictures_as_they_are_made_without_being_loaded_anew(tasks_dir: Path, cache: Path) -> None:
    make_task(tasks_dir, "a", template=TEMPLATE, table=TABLE)
    extra = {"XDG_CACHE_HOME": str(cache), "TURKLE_CARDS": "1"}
    with serving("--tasks-dir", tasks_dir, **extra) as server, person_browser() as live:
        hurry(live)
        live.get(f"http://127.0.0.1:{server.port}/")
        live.execute_script("window.still = true")
        until(live, "document.querySelector('.tasks img')?.naturalWidth === 480")
        assert "2 instances · 3 fields" in live.find_element("css selector", ".tasks").text
        assert live.execute_script("return window.still")
