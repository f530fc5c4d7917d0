"""The pages on which tasks are recorded: begun, done in the picture of the browser, saved and replayed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import pytest
from django.test import Client, override_settings

from harness.catalog import Catalog
from harness.sites.recording.draft import CannotDo
from harness.sites.recording.requests import answer
from tests.run.processes import until
from tests.server.conftest import client, with_apps
from turkle_app.recording import record_answers, recordings

SECONDS = 120.0
"""For what a browser does, on the slowest machine."""


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    """The folder that recorded tasks go to."""
    return tmp_path / "recorded"


@pytest.fixture
def people(tmp_path: Path, recorded: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    """A client of a server that records, which only its own machine reaches."""
    ours = recordings.Recordings()
    for module in ("record_pages", "record_answers"):
        monkeypatch.setattr(f"turkle_app.recording.{module}.RECORDINGS", ours, raising=False)
    settings = {"TURKLE_TASKS_DIR": tmp_path, "TURKLE_OVERLAY": None, "TURKLE_RECORD_DIR": recorded}
    with with_apps("turkle_app.recording", TURKLE_LOOPBACK=True, **settings):
        try:
            yield client()
        finally:
            for _, recorder in ours.all():
                recorder.end()


class Panel:
    """The panel of a recording, as a program uses it."""

    def __init__(self, people: Client, address: str) -> None:
        self._people = people
        self.address = address

    def state(self) -> dict[str, Any]:
        told: dict[str, Any] = self._people.get(f"{self.address}state.json").json()
        return told

    def until(self, holds: Callable[[dict[str, Any]], object]) -> dict[str, Any]:
        """How it stands, once something holds of that."""
        return until(lambda: told if holds(told := self.state()) else None, SECONDS)

    def ask(self, status: int = 200, **said: object) -> dict[str, Any]:
        response = self._people.post(f"{self.address}act/", json.dumps(said), content_type="application/json")
        assert response.status_code == status, response.content
        told: dict[str, Any] = response.json()
        return told


def begun(people: Client, **said: str) -> Panel:
    response = people.post("/record/begin/", {"url": "http://shop.test/", **said})
    assert response.status_code == 302, response.content.decode()
    panel = Panel(people, response["Location"])
    panel.until(lambda told: told["phase"] == "recording")
    return panel


@pytest.mark.slow
def test_task_is_recorded_in_the_picture_and_its_replay_holds(people: Client, recorded: Path) -> None:
    panel = begun(people, seed="1")
    assert people.get(panel.address).status_code == 200
    picture = people.get(f"{panel.address}view.jpg?after=0")
    assert (picture["Content-Type"], picture.content[:2]) == ("image/jpeg", b"\xff\xd8")
    # The search field of the shop; then the first product of what it finds, by its address.
    panel.ask(do="click", x=400, y=35)
    panel.ask(do="write", text="electric kettle")
    panel.ask(do="keys", keys=["Enter"])
    told = panel.until(lambda told: told["steps"] and told["steps"][0]["do"] == "fill_search")
    panel.until(lambda told: "/search/" in told["tabs"][0]["url"])
    panel.ask(do="goto", url="http://shop.test/account/")
    told = panel.state()
    assert [step["do"] for step in told["steps"]] == ["fill_search", "goto"]
    panel.ask(do="undo")
    told = panel.until(lambda told: len(told["steps"]) == 1)
    assert "/search/?q=electric+kettle" in told["tabs"][0]["url"]

    number = told["steps"][0]["number"]
    found = people.get(f"{panel.address}proposals/{number}/").json()["proposals"]
    assert (found[0]["node"]["key"], found[0]["node"]["reference"]) == ("q", "electric kettle")
    panel.ask(do="put_node", step=number, node=found[0]["node"])
    said = panel.ask(409, do="save")["said"]
    assert "no title" in said
    panel.ask(do="describe", title="Find a kettle", goal="Search for a kettle.", level="easy", answer="34.90")
    panel.ask(do="save")
    told = panel.until(lambda told: told["phase"] == "recording" and (told["proof"] or told["trouble"]))
    assert told["proof"]["holds"], told
    assert [part["holds"] for part in told["proof"]["steps"] + told["proof"]["nodes"]] == [True] * 4
    assert Catalog(recorded).task("Find a kettle").site is not None

    # A node that no step meets: the replay says so.
    node = {"target": "url", "match": "include", "reference": "/nowhere/"}
    panel.ask(do="put_node", step=number, node=node)
    panel.ask(do="save")
    told = panel.until(lambda told: told["proof"])
    assert not told["proof"]["holds"]
    assert [part["holds"] for part in told["proof"]["nodes"]] == [True, False, True]
    panel.ask(do="end")
    assert panel.state()["phase"] == "ended"
    assert "ended" in panel.ask(409, do="click", x=1, y=1)["said"]


@pytest.mark.slow
def test_task_can_be_saved_when_the_browser_has_died(people: Client, recorded: Path) -> None:
    panel = begun(people)
    panel.ask(do="goto", url="http://shop.test/cart/")
    recorder = record_answers.RECORDINGS.find(1)
    assert recorder is not None
    os.killpg(recorder.ask(lambda session: session.site.process_group), signal.SIGKILL)
    told = panel.until(lambda told: told["phase"] == "browser gone")
    assert "closed" in told["trouble"]
    step = told["steps"][0]["number"]
    panel.ask(409, do="click", x=1, y=1)
    panel.ask(do="put_node", step=step, node={"target": "url", "match": "include", "reference": "/cart/"})
    panel.ask(do="describe", title="See the cart", goal="Open the cart.")
    panel.ask(do="save")
    assert panel.until(lambda told: told["proof"] or told["phase"] == "failed")["proof"]["holds"]
    assert (recorded / "See the cart" / "trace.json").is_file()


@pytest.mark.parametrize(
    "said", [{}, {"do": ["click"]}, {"do": "click", "x": "1", "y": 1}, {"do": "keys", "keys": "Enter"}, {"do": "fly"}]
)
def test_what_is_nothing_that_can_be_asked_for_is_refused_in_words(said: dict[str, Any]) -> None:
    recorder: Any = SimpleNamespace(ask=lambda work: work(Mock()), hear=Mock())
    with pytest.raises(CannotDo):
        answer(recorder, said)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"url": "https://www.example.org/"}, "--network live"),
        ({"url": "ftp://shop.test/"}, "no address"),
        ({"url": "http://shop.test/", "seed": "x"}, "no seed"),
    ],
)
def test_what_cannot_be_recorded_is_said_above_the_form(people: Client, said: dict[str, str], words: str) -> None:
    response = people.post("/record/begin/", said)
    assert response.status_code == 409
    assert words in response.content.decode()


@pytest.mark.slow
def test_site_that_is_not_there_fails_with_the_reason(people: Client) -> None:
    response = people.post("/record/begin/", {"url": "http://none.test/"})
    told = Panel(people, response["Location"]).until(lambda told: told["phase"] == "failed")
    assert "none" in told["trouble"]


def test_recording_that_is_not_there_is_not_found(people: Client) -> None:
    assert {people.get(f"/record/7/{each}").status_code for each in ("", "state.json", "view.jpg", "proposals/1/")} == {
        404
    }
    assert people.post("/record/7/act/", "{}", content_type="application/json").status_code == 404


def test_who_comes_from_another_machine_begins_nothing(people: Client) -> None:
    with override_settings(TURKLE_LOOPBACK=False):
        assert people.post("/record/begin/", {"url": "http://shop.test/"}).status_code == 403
        assert "Nothing can be recorded here" in people.get("/record/").content.decode()


def test_record_stands_among_the_parts_of_the_server_and_is_off_without_a_folder(people: Client) -> None:
    assert 'href="/record/"' in people.get("/sites/").content.decode()
    with with_apps():
        assert client().get("/record/").status_code == 404
