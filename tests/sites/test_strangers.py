"""The bundled sites and what strangers send: odd and long inputs in every form and address, at any page."""

from __future__ import annotations

import json
import random
import socket
from collections.abc import Iterator
from urllib.parse import quote, urlencode

import lxml.html
import pytest
from django.conf import settings

from tests.sites.served import sites_served
from tests.sites.visits import Visit, visit
from tests.sites.walk import kinds_of_pages

pytestmark = pytest.mark.claim("sites-input")

SITES = ("shop", "travel", "board")
MARK = "strangersmark"
ODD = (
    "",
    " ",
    "0",
    "-1",
    "1e9",
    "²",
    "٣",
    "9" * 30,
    "9" * 5_000,
    "\x00",
    "\u202e\ufeff\ufffe",
    "\U0001f9f5" * 400,
    "a" * 70_000,
    "../../etc/passwd",
    "%00%2e%2e",
    "2031-02-30",
    "0001-01-01",
    "9999-12-31",
    "99:99",
    "{{ state }}{% debug %}",
    "${goal}",
    "//elsewhere.example/",
    "javascript:alert(1)",
    "http://elsewhere.example/",
    "\r\nSet-Cookie: episode=stolen",
    f"<script>{MARK}()</script>",
    f'"><img src=x onerror={MARK}()>',
    f"' onmouseover='{MARK}()",
    f"</textarea></title><svg/onload={MARK}()>",
)
FORM = "application/x-www-form-urlencoded"
TRIES = 4
"""Requests to each form of a page."""
LONGEST_STATE = 3_000_000
"""Characters of what a site tells, whatever was done: sixty texts on the board are the most, each of 20,000."""


def forms_of(page: lxml.html.HtmlElement, address: str) -> Iterator[tuple[str, str, list[tuple[str, list[str]]]]]:
    """Method, address and fields of each form; of a field its name and the values that it offers."""
    for form in page.forms:
        fields = {}
        for control in form.cssselect("[name]"):
            offered = [option.get("value") or "" for option in control.cssselect("option")]
            fields.setdefault(control.get("name"), []).extend(offered or [control.get("value") or ""])
        yield form.method, form.get("action") or address, list(fields.items())


def harm_in(page: lxml.html.HtmlElement) -> list[str]:
    """What of a stranger's input has become more than text."""
    found = [each.tag for each in page.cssselect("script, img, svg") if MARK in lxml.html.tostring(each).decode()]
    for element in page.iter(lxml.html.etree.Element):
        for key, value in element.attrib.items():
            leads = key in {"href", "action", "formaction", "src"} and value.startswith(
                ("javascript:", "http://elsewhere", "//")
            )
            if leads or (key.startswith("on") and MARK in value):
                found.append(f"{element.tag} {key}={value[:60]}")
    return found


def sent(visited: Visit, method: str, address: str, data: list[tuple[str, str]]):
    if method == "GET":
        return visited.client.get(f"{address.partition('?')[0]}?{urlencode(data)}")
    return visited.client.post(address, urlencode(data), content_type=FORM)


def check(answer, about: str) -> None:
    assert answer.status_code < 500, about
    assert "episode" not in answer.cookies, about
    if answer.status_code in {301, 302}:
        assert answer["Location"].startswith("/"), about
        assert not answer["Location"].startswith(("//", "/\\")), about
    elif answer.content and answer["Content-Type"].startswith("text/html"):
        assert harm_in(lxml.html.document_fromstring(answer.content)) == [], about


@pytest.mark.slow
def test_whatever_a_form_is_sent_no_page_breaks_and_nothing_of_it_becomes_markup(visited):
    begun, name = visited
    chance = random.Random(name)  # noqa: S311 - the same in every run
    for address in kinds_of_pages(begun, name).values():
        page = lxml.html.document_fromstring(begun.client.get(address, follow=True).content)
        for method, action, fields in forms_of(page, address):
            for _ in range(TRIES):
                data = [(key, chance.choice([*ODD, *offered * 3])) for key, offered in fields]
                check(sent(begun, method, action, data), f"{method} {action} {str(data)[:300]}")
    assert len(json.dumps(begun.told)) < LONGEST_STATE
    for address in kinds_of_pages(begun, name).values():
        check(begun.client.get(address), address)


@pytest.mark.slow
def test_odd_addresses_and_queries_are_answered_in_words(visited):
    begun, name = visited
    chance = random.Random(name)  # noqa: S311 - the same in every run
    for kind, address in kinds_of_pages(begun, name).items():
        path = address.partition("?")[0]
        parts = [part for part in path.split("/") if part]
        for odd in chance.sample(ODD, 5):
            word = quote(odd[:3_000], safe="")
            for number in range(len(parts)):
                changed = "/".join([*parts[:number], word, *parts[number + 1 :]])
                check(begun.client.get(f"/{changed}/"), f"{kind}: {changed[:200]}")
            keys = ("q", "page", "sort", "from", "to", "depart", "adults", "quote", "tab", "price", "next")
            check(begun.client.get(f"{path}?{urlencode([(key, odd) for key in keys])}"), f"{path} {odd[:60]!r}")


@pytest.mark.parametrize("name", SITES)
@pytest.mark.parametrize(
    "word", ["..", ".", "../site.py", "..%2f..%2fsite.py", "%00", "a" * 300, "shop.css/..", "\\..\\x"]
)
def test_only_files_of_a_site_s_own_folder_are_given(name, word):
    with visit(name) as begun:
        for address in (f"/static/{word}", f"/static/{quote(word, safe='')}"):
            assert begun.client.get(address).status_code in {301, 404}, address


@pytest.mark.parametrize("name", SITES)
def test_other_methods_than_those_of_a_browser_s_pages_are_refused(name):
    with visit(name) as begun:
        before = begun.told
        for method in ("PUT", "PATCH", "DELETE", "TRACE", "BREW"):
            assert begun.client.generic(method, "/").status_code == 405
        assert begun.told == before


@pytest.mark.parametrize(
    "kind", ["application/json", "multipart/form-data", "multipart/form-data; boundary=x", "text/plain"]
)
@pytest.mark.parametrize("body", [b"", b"\xff\xfe{", b"--x\r\nContent-Disposition: form-data", b"[" * 50_000])
def test_a_body_that_is_no_form_breaks_no_page(kind, body):
    for name, address in (("shop", "/cart/"), ("travel", "/consent/"), ("board", "/messages/new/")):
        with visit(name) as begun:
            check(begun.client.post(address, body, content_type=kind), f"{name} {kind}")


@pytest.mark.parametrize(
    ("name", "address"), [("shop", "/cart/"), ("travel", "/account/"), ("board", "/messages/new/")]
)
def test_more_than_a_form_holds_is_refused(name, address):
    with visit(name) as begun:
        before = begun.told
        many = urlencode([(f"k{number}", "") for number in range(settings.DATA_UPLOAD_MAX_NUMBER_FIELDS + 1)])
        for body in (b"a=" + b"x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE, many):
            assert begun.client.post(address, body, content_type=FORM).status_code in {400, 413}
        check(begun.client.get(f"{address}?{many}"), address)
        assert begun.told == before


RAW = (
    "GET http://127.0.0.1/control/episode-1/ HTTP/1.1\r\nHost: shop.test",
    "GET /control/episode-1/ HTTP/1.1\r\nHost: shop.test\r\nHost: 127.0.0.1",
    "GET /control/episode-1/ HTTP/1.1\r\nHost: shop.test\r\nX-Forwarded-Host: 127.0.0.1",
    "GET /control/episode-1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Control-Key: guessed",
    "GET /control/episode-1/ HTTP/1.1\r\nHost: 127.0.0.1\r\nX_Backstage_Key: the key of this run",
    "GET /%62ackstage/episode-1/ HTTP/1.1\r\nHost: shop.test",
    "GET //control/episode-1/ HTTP/1.1\r\nHost: 127.0.0.1",
    "GET /static/../../control/episode-1/ HTTP/1.1\r\nHost: shop.test",
    "GET /./control/episode-1/ HTTP/1.1\r\nHost: 127.0.0.1",
    "GET / HTTP/1.1\r\nHost: travel.test\r\nCookie: episode=episode-1",
    "GET / HTTP/1.1\r\nHost: shop.test\r\nCookie: episode=episode-2; episode=",
    "GET / HTTP/1.1\r\nHost: shop.test@127.0.0.1\r\nCookie: episode=episode-1",
    "GET / HTTP/1.1\r\nHost: shop.test.example\r\nCookie: episode=episode-1",
    "GET / HTTP/1.1\r\nHost: \r\nCookie: episode=episode-1",
    "GET / HTTP/1.1\r\nHost: shop.test\r\nCookie: " + "a=b; " * 40_000,
    "GET /" + "a" * 300_000 + " HTTP/1.1\r\nHost: shop.test\r\nCookie: episode=episode-1",
    "BREW / HTTP/9.9\r\nHost: shop.test",
    "\x00\xff",
)


@pytest.mark.slow
def test_what_no_browser_would_send_reaches_neither_the_control_nor_another_episode(monkeypatch):
    monkeypatch.setenv("TURKLE_CONTROL_KEY", "the key of this run")
    with sites_served() as place, visit("shop"):
        for sent_bytes in RAW:
            head = _answer_to(place, sent_bytes)
            assert head.startswith(b"HTTP/1.") or not head, sent_bytes[:80]
            assert not head[9:12] or 400 <= int(head[9:12]) < 500, (sent_bytes[:80], head[:200])
        good = _answer_to(place, "GET / HTTP/1.1\r\nHost: shop.test\r\nCookie: episode=episode-1")
        assert good.startswith(b"HTTP/1.1 200"), good[:200]


def _answer_to(place: str, request: str) -> bytes:
    """What the server says to raw bytes, with all that follows; nothing if it hangs up."""
    host, _, port = place.partition(":")
    with socket.create_connection((host, int(port)), timeout=60) as line:
        said = b""
        try:
            line.sendall(request.encode("latin-1") + b"\r\nConnection: close\r\n\r\n")
            while part := line.recv(65_536):
                said += part
        except ConnectionError:
            pass
        return said
