"""Requests by host name, episodes apart from each other, and a control that nobody reaches without its key."""

from __future__ import annotations

import json

import pytest
from django.test import Client, override_settings

from tests.sites.visits import AGENT, BROWSE, visit
from turkle_app.sites.episodes import EPISODES, SiteEpisodes
from turkle_app.sites.registry import find_site

KEY = "the key of this run"
BEGIN = json.dumps({"site": "shop", "seed": 3, "variant": ""})
NO_PAGE = (404, b"There is no such page.\n")


@pytest.fixture(autouse=True)
def agent_mode():
    with override_settings(**AGENT):
        yield


@pytest.fixture
def key(monkeypatch):
    monkeypatch.setenv("TURKLE_CONTROL_KEY", KEY)


def ask(method="GET", *, host="127.0.0.1", key=KEY, body=BEGIN, episode="episode-1", **extra):
    client = Client(SERVER_NAME=host)
    client.cookies["episode"] = "episode-1"
    headers = {"X-Control-Key": key} if key is not None else {}
    answer = client.generic(method, f"/control/{episode}/", body, "application/json", headers=headers, **extra)
    return answer.status_code, answer.content


@pytest.mark.usefixtures("key")
def test_the_control_begins_tells_and_ends_an_episode():
    status, told = ask("POST")
    assert status == 200
    assert ask("GET") == (200, told)
    assert ask("DELETE") == (204, b"")
    assert ask("GET")[0] == 404


@pytest.mark.claim("sites-control")
@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("host", ["shop.test", "shop.localhost", "localhost", "[::1]", "testserver"])
def test_the_control_is_under_no_other_host_name(host):
    with visit("shop"):
        for method in ("POST", "GET", "DELETE"):
            assert ask(method, host=host)[0] in {400, 404}, method
        assert b'"cart"' not in ask("GET", host=host)[1]
        assert EPISODES.find("episode-1") is not None


@pytest.mark.claim("sites-control")
@pytest.mark.usefixtures("key")
@pytest.mark.parametrize("wrong", ["", "another key", KEY + "x", KEY[:-1], None, "schlüssel"])
def test_with_a_wrong_key_or_none_the_control_is_no_page(wrong):
    with visit("shop"):
        for method in ("POST", "GET", "DELETE"):
            assert ask(method, key=wrong) == NO_PAGE
        assert EPISODES.find("episode-1") is not None


@pytest.mark.claim("sites-control")
@pytest.mark.parametrize("sent", [KEY, "", None])
def test_a_server_without_a_key_has_no_control(monkeypatch, sent):
    monkeypatch.delenv("TURKLE_CONTROL_KEY", raising=False)
    assert ask("POST", key=sent) == NO_PAGE
    monkeypatch.setenv("TURKLE_CONTROL_KEY", "")
    assert ask("POST", key=sent) == NO_PAGE


@pytest.mark.claim("sites-control")
@pytest.mark.usefixtures("key")
def test_the_control_answers_this_machine_only():
    assert ask("POST", REMOTE_ADDR="192.0.2.1") == NO_PAGE


@pytest.mark.usefixtures("key")
@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ("[]", "no object"),
        ('{"site": "bank"}', "the bundled sites are"),
        ('{"site": ["shop"]}', "the bundled sites are"),
        ('{"site": "shop", "seed": -1}', "whole number"),
        ('{"site": "shop", "seed": true}', "whole number"),
        ('{"site": "shop", "variant": "upside down"}', "moved"),
    ],
)
def test_what_cannot_begin_an_episode_is_refused_in_words(body, why):
    status, answer = ask("POST", body=body)
    assert status == 400
    assert why in json.loads(answer)["error"]


@pytest.mark.usefixtures("key")
def test_an_episode_needs_a_name_that_cannot_be_guessed_in_a_moment():
    assert ask("POST", episode="short")[0] == 400
    assert ask("POST", episode="with%20space")[0] == 400


@pytest.mark.claim("sites-episode")
def test_an_agent_without_a_known_episode_sees_no_page_of_a_site():
    bare = Client(SERVER_NAME="shop.test")
    assert bare.get("/").status_code == 403
    bare.cookies["episode"] = "not-an-episode"
    assert bare.get("/").status_code == 403
    with visit("shop") as found:
        assert found.client.get("/").status_code == 200
    assert found.client.get("/").status_code == 403


@pytest.mark.claim("sites-labels")
def test_under_a_sites_name_there_are_neither_tasks_nor_the_marker():
    with visit("shop") as found:
        assert found.client.get("/agent-mode/").status_code == 404
        assert found.client.get("/page/Vocabulary%20quiz/0/").status_code == 404


def test_browse_mode_gives_a_person_an_episode_that_scripts_cannot_read():
    with override_settings(**BROWSE):
        person = Client(SERVER_NAME="shop.localhost")
        first = person.get("/")
        assert first.status_code == 200
        cookie = person.cookies["episode"]
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
        assert "episode" not in person.get("/").cookies
        assert Client(SERVER_NAME="shop.localhost").get("/").cookies["episode"].value != cookie.value


def test_a_person_begins_anew_with_the_seed_and_the_layout_of_a_link():
    with override_settings(**BROWSE):
        person = Client(SERVER_NAME="shop.localhost")
        person.get("/visit-anew/?seed=7&variant=moved")
        episode = EPISODES.find(person.cookies["episode"].value)
        assert episode is not None
        assert (episode.seed, episode.variant) == (7, "moved")
        assert person.get("/visit-anew/?seed=x").status_code == 404
        assert person.get("/visit-anew/?variant=none").status_code == 404


@pytest.mark.claim("sites-episode")
def test_an_agent_cannot_begin_anew():
    with visit("shop") as found:
        assert found.client.get("/visit-anew/?seed=7").status_code == 404


@pytest.mark.parametrize(
    ("reached", "status"),
    [
        ({"TURKLE_LOOPBACK": False}, 403),
        ({"TURKLE_LOOPBACK": True, "TURKLE_ORIGINS": ("https://a.example", "https://b.example")}, 403),
        ({"TURKLE_LOOPBACK": True}, 200),
    ],
    ids=["other machines", "through a proxy", "this machine"],
)
def test_where_there_are_accounts_only_people_of_this_machine_get_an_episode(reached, status):
    with override_settings(TURKLE_ANNOTATION=True, **reached, **BROWSE):
        assert Client(SERVER_NAME="shop.localhost").get("/").status_code == status


@pytest.mark.claim("sites-labels")
@pytest.mark.parametrize("host", ["shop.localhost", "SHOP.localhost", "shop.test", "shop.test.", "shop.test:8000"])
def test_however_a_sites_name_is_written_no_page_with_labels_is_under_it(host):
    with override_settings(**BROWSE):
        person = Client(HTTP_HOST=host)
        for address in ("/problems/", "/task/Vocabulary%20quiz/", "/sites/", "/runs/", "/script/none.js"):
            answer = person.get(address)
            assert answer.status_code == 404, address
            assert b"Harbour" in answer.content


def test_people_find_the_sites_in_a_list():
    with override_settings(**BROWSE):
        listed = Client(HTTP_HOST="localhost:8000").get("/sites/")
        assert b"http://shop.localhost:8000/" in listed.content


@pytest.mark.claim("sites-bounded")
def test_no_more_episodes_are_held_than_the_bound_and_the_longest_unused_goes_first():
    shop = find_site("shop")
    assert shop is not None
    held = SiteEpisodes(most=2)
    for token in ("first-one", "second-one"):
        held.begin(token, shop, 0, "")
    held.find("first-one")
    held.begin("third-one", shop, 0, "")
    assert [held.find(token) is not None for token in ("first-one", "second-one", "third-one")] == [True, False, True]
