"""What holds for the pages of every bundled site, in both layouts."""

from __future__ import annotations

import json
import re
from collections import Counter

import lxml.html
import pytest

from tests.sites.conftest import SITES
from tests.sites.visits import Visit, visit
from tests.sites.walk import WALKS_BEGIN, do_something, kinds_of_pages
from turkle_app.sites.registry import find_site


def unnamed(page: lxml.html.HtmlElement) -> list[bytes]:
    """Controls that nobody could name."""
    labelled = {one.get("for") for one in page.cssselect("label")}
    controls = page.cssselect("input:not([type=hidden]), select, textarea:not([hidden])")
    return [
        lxml.html.tostring(one)
        for one in controls
        if one.get("id") not in labelled
        and not one.get("aria-label")
        and next(one.iterancestors("label"), None) is None
    ]


def test_pages_that_are_linked_answer_and_are_sound(visited: tuple[Visit, str]) -> None:
    begun, name = visited
    for address in kinds_of_pages(begun, name).values():
        response = begun.client.get(address, follow=True)
        assert response.status_code == (404 if address == "/nowhere/" else 200), address
        page = lxml.html.document_fromstring(response.content.decode())
        ids = Counter(one.get("id") for one in page.cssselect("[id]"))
        assert [each for each, count in ids.items() if count > 1] == [], address
        assert {one.get("for") for one in page.cssselect("label[for]")} <= ids.keys(), address
        assert len(page.cssselect("h1")) == 1, address
        assert unnamed(page) == [], address


def test_nothing_is_loaded_from_elsewhere(visited: tuple[Visit, str]) -> None:
    begun, name = visited
    files = [f"/static/{name}.css", f"/static/{name}.js"]
    for address in (*kinds_of_pages(begun, name).values(), *files):
        answer = begun.client.get(address, follow=True)
        text = b"".join(answer.streaming_content if answer.streaming else [answer.content]).decode()
        assert re.findall(r"""(?:src|href|action)\s*=\s*["'](?!/(?!/)|#|\?|data:,)[^"']+""", text) == [], address
        assert not re.search(r"""url\s*\(\s*["']?(https?:)?//|@import""", text), address


@pytest.mark.claim("sites-apart")
@pytest.mark.parametrize("name", SITES)
def test_what_an_episode_does_is_seen_in_no_other(name: str) -> None:
    site = find_site(name)
    assert site is not None
    with visit(name, 0, "", "episode-1") as one, visit(name, 0, "", "episode-2") as other:
        told, before = one.told, json.dumps(one.told)
        pages = {address: other.client.get(address).content for address in WALKS_BEGIN[name]}
        do_something(one, name)
        assert one.told != told
        assert json.dumps(told) == before  # what was told does not change later
        assert other.told == site.make_state(0, "").told()
        assert {address: other.client.get(address).content for address in pages} == pages
