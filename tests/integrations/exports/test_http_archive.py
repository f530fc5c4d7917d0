"""What pages asked of servers in a real browser, as an HTTP archive."""

import base64
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest

from harness.browser.network_log import Exchange, NetworkLog
from harness.integrations.exports.http_archive import http_archive
from tests.walks import SHOP, Walk, walking

FOUND = "/found?q=Gr%C3%BC%C3%9Fe&q="
NO_TEXT = b"\x89PNG\xff\x00"
SENT = {
    "requestId": "1",
    "loaderId": "1",
    "timestamp": 10.0,
    "wallTime": 0.0,
    "request": {"url": "http://shop.test/", "method": "GET", "headers": {"authorization": "Basic c2VjcmV0"}},
}

ANSWER = {"status": 200, "statusText": "OK", "mimeType": "text/html", "headers": {"Set-Cookie": "a=1\nb=2"}}


@pytest.fixture(scope="module")
def walk() -> Iterator[Walk]:
    with walking() as walk:
        yield walk


def archive(log: NetworkLog) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(http_archive(log, "Chrome/156.0"))["log"]
    return read


@pytest.fixture(scope="module")
def kept(walk: Walk) -> dict[str, Any]:
    walk.put("found", "/found")
    walk.put("", "/way", status=302, headers={"Location": FOUND})
    walk.server.put("<svg xmlns='http://www.w3.org/2000/svg'/>", "/dot.svg", kind="image/svg+xml")
    walk.put(
        "<img src=/dot.svg><form action=/way method=post><input name=word value=a><button>Go</button></form>"
        "<script>fetch('/gone')</script>",
        "/",
    )
    log = walk.browser.log_network()
    walk.browser.open(f"{SHOP}/")
    walk.press("button")
    log.complete(walk.browser.tab.channel)
    return archive(log)


def entries(kept: dict[str, Any], path: str) -> list[dict[str, Any]]:
    return [each for each in kept["entries"] if each["request"]["url"] == SHOP + path]


def test_each_document_is_a_page_and_has_what_it_asked_for(kept: dict[str, Any]) -> None:
    assert (kept["version"], kept["browser"]) == ("1.2", {"name": "Chrome", "version": "156.0"})
    assert [each["title"].removeprefix(SHOP) for each in kept["pages"]] == ["/", FOUND]
    (picture,) = entries(kept, "/dot.svg")
    assert picture["pageref"] == kept["pages"][0]["id"]
    assert all(datetime.fromisoformat(each["startedDateTime"]) for each in kept["entries"])


def test_an_answer_is_there_with_its_content(kept: dict[str, Any]) -> None:
    (first,) = entries(kept, "/")
    assert (first["response"]["status"], first["request"]["method"]) == (200, "GET")
    assert "<img src=/dot.svg>" in first["response"]["content"]["text"]
    assert first["time"] >= first["timings"]["wait"] >= 0
    (missing,) = entries(kept, "/gone")
    assert missing["response"]["status"] == 404


def test_a_form_that_is_sent_and_led_on_is_two_exchanges(kept: dict[str, Any]) -> None:
    (sent,) = entries(kept, "/way")
    assert sent["request"]["postData"] == {"mimeType": "application/x-www-form-urlencoded", "text": "word=a"}
    assert (sent["response"]["status"], sent["response"]["redirectURL"]) == (302, FOUND)
    (found,) = entries(kept, FOUND)
    assert found["request"]["queryString"] == [{"name": "q", "value": "Grüße"}, {"name": "q", "value": ""}]
    assert "found" in found["response"]["content"]["text"]


def test_a_tab_that_a_page_opens_is_heard_too(walk: Walk) -> None:
    walk.put("opened", "/opened")
    walk.open("<a href=/opened target=_blank>open</a>")
    log = walk.browser.log_network()
    walk.press("a")
    log.complete(walk.browser.tab.channel)
    assert "/opened" in "".join(each["title"] for each in archive(log)["pages"])
    walk.browser.clear()
    walk.open("another episode")
    assert [each for each in log.exchanges if each.is_page][1:] == []


def test_what_is_no_text_is_packed() -> None:
    (entry,) = archive(NetworkLog([Exchange(SENT, answer=ANSWER, body=NO_TEXT)]))["entries"]
    content = entry["response"]["content"]
    assert (content["encoding"], content["size"]) == ("base64", len(NO_TEXT))
    assert base64.b64decode(content["text"]) == NO_TEXT


def test_what_opens_a_door_is_left_out() -> None:
    (entry,) = archive(NetworkLog([Exchange(SENT, answer=ANSWER)]))["entries"]
    assert entry["request"]["headers"] == [{"name": "authorization", "value": "(left out)"}]
    assert entry["response"]["headers"] == [{"name": "Set-Cookie", "value": "(left out)"}] * 2


def test_what_is_not_known_is_said() -> None:
    kept = archive(NetworkLog([Exchange(SENT, failure="net::ERR_FAILED", over=10.5)], lost=3))
    (entry,) = kept["entries"]
    assert (entry["response"]["status"], entry["response"]["comment"], entry["time"]) == (0, "net::ERR_FAILED", 500)
    assert entry["response"]["content"]["comment"] == "it is not kept"
    assert entry["timings"] == {"send": 0, "wait": -1, "receive": -1}
    assert "pageref" not in entry
    assert kept["comment"] == "3 more exchanges were not kept"
