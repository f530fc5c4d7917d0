"""MiniWoB++ on the server: the files of the fetched set and nothing else, by a small stand-in."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.test import Client, override_settings

from harness.kit.files.installation import to_type
from tests.miniwob_set import CORE, PAGE, fetch_stand_in
from tests.sites.visits import AGENT, BROWSE, visit

NOT_FETCHED = f"'miniwob' has not been fetched. Run: {to_type('tasks', 'fetch', 'miniwob')}"


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "turkbench" / "datasets" / "miniwob"


@pytest.fixture
def fetched(tmp_path: Path) -> None:
    fetch_stand_in(tmp_path)


@pytest.mark.usefixtures("fetched")
def test_a_page_is_served_as_it_is() -> None:
    with visit("miniwob") as found:
        answer = found.client.get("/miniwob/buttons.html?seed=3")
        assert (answer.status_code, answer.content.decode()) == (200, PAGE)
        assert answer["Content-Type"] == "text/html; charset=utf-8"
        words = found.client.get("/common/words.js")
        assert words.content.decode() == "var words = 'ä';\n"
        assert words["Content-Type"] == "text/javascript; charset=utf-8"


@pytest.mark.usefixtures("fetched")
def test_the_script_that_pages_begin_with_is_followed_by_ours() -> None:
    with visit("miniwob") as found:
        text = found.client.get("/core/core.js").content.decode()
    assert text.startswith(CORE)
    assert "core.QueryString.seed" in text.removeprefix(CORE)


@pytest.mark.claim("miniwob-files")
@pytest.mark.usefixtures("fetched")
@pytest.mark.parametrize(
    "address",
    [
        "/../manifest.json",
        "/%2e%2e/manifest.json",
        "/miniwob",
        "/nothing.html",
        "//etc/passwd",
        "/a%00b",
        "/link",
        "/way",
    ],
)
def test_nothing_else_is_served(cache: Path, address: str) -> None:
    (cache / "html" / "link").symlink_to(cache / "manifest.json")
    (cache / "html" / "way").symlink_to(cache)
    with visit("miniwob") as found:
        assert found.client.get(address).status_code == 404
        assert found.client.get("/way/manifest.json").status_code == 404


@pytest.mark.usefixtures("fetched")
def test_pages_are_read_only() -> None:
    with visit("miniwob") as found:
        assert found.client.post("/miniwob/buttons.html").status_code == 405


@pytest.mark.usefixtures("fetched")
def test_people_find_a_list_of_the_pages() -> None:
    with override_settings(**BROWSE):
        answer = Client(SERVER_NAME="miniwob.localhost").get("/")
    assert answer.status_code == 200
    assert '<a href="/miniwob/buttons.html?seed=0">buttons</a>' in answer.content.decode()


def test_people_are_told_how_to_get_pages_that_are_not_there() -> None:
    with override_settings(**BROWSE):
        answer = Client(SERVER_NAME="miniwob.localhost").get("/miniwob/buttons.html")
    assert (answer.status_code, answer.content.decode()) == (404, f"{NOT_FETCHED}\n")


def test_no_episode_begins_on_pages_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TURKLE_CONTROL_KEY", "key")
    with override_settings(**AGENT):
        answer = Client(SERVER_NAME="127.0.0.1").post(
            "/control/episode-1/", '{"site": "miniwob"}', "application/json", headers={"X-Control-Key": "key"}
        )
    assert (answer.status_code, json.loads(answer.content)["error"]) == (400, NOT_FETCHED)
