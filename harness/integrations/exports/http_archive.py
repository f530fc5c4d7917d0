"""Exchanges with servers as an HTTP archive, HAR 1.2, which browsers' tools and many programs open.

Source: http://www.softwareishard.com/blog/har-12-spec/.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from harness.browser.network_log import Exchange, NetworkLog
from harness.kit.files.installation import PACKAGE, own_version

VERSION = "1.2"
SECRET_HEADERS = frozenset({"authorization", "cookie", "proxy-authorization", "set-cookie"})
"""Headers that open a door: their values are not kept."""
LEFT_OUT = "(left out)"
_UNKNOWN = -1
"""What HAR says where a number is not known."""


def http_archive(log: NetworkLog, browser: str) -> bytes:
    """The exchanges of a log as the text of a file, with the contents of answers.

    Args:
        log: The exchanges.
        browser: Product and version, ``Chrome/156.0.8078.79``.
    """
    pages: dict[str, list[Exchange]] = {}
    for told in log.exchanges:
        if told.is_page:
            pages.setdefault(told.sent["loaderId"], []).append(told)
    ids = {loader: f"page_{number}" for number, loader in enumerate(pages, start=1)}
    name, _, version = browser.partition("/")
    archive = {
        "version": VERSION,
        "creator": {"name": PACKAGE, "version": own_version()},
        "browser": {"name": name, "version": version},
        "pages": [_page(ids[loader], legs) for loader, legs in pages.items()],
        "entries": [_entry(told, ids.get(told.sent.get("loaderId", ""))) for told in log.exchanges],
    }
    if log.lost:
        archive["comment"] = f"{log.lost} more exchanges were not kept"
    return json.dumps({"log": archive}, ensure_ascii=False, indent=1).encode("utf-8", "backslashreplace")


def _page(name: str, legs: Sequence[Exchange]) -> dict[str, Any]:
    return {
        "startedDateTime": _time(legs[0]),
        "id": name,
        "title": legs[-1].sent["request"]["url"],
        "pageTimings": {"onContentLoad": _UNKNOWN, "onLoad": _UNKNOWN},
    }


def _entry(told: Exchange, page: str | None) -> dict[str, Any]:
    entry = {
        "startedDateTime": _time(told),
        "time": _UNKNOWN if told.over is None else _milliseconds(told.over - told.sent["timestamp"]),
        "request": _request(told.sent["request"], told.answer),
        "response": _response(told),
        "cache": {},
        "timings": _timings(told),
    }
    return entry if page is None else {"pageref": page, **entry}


def _time(told: Exchange) -> str:
    return datetime.fromtimestamp(told.sent["wallTime"], UTC).isoformat(timespec="milliseconds")


def _request(sent: Mapping[str, Any], answer: Mapping[str, Any] | None) -> dict[str, Any]:
    url = sent["url"] + sent.get("urlFragment", "")
    headers = _headers(sent["headers"])
    request = {
        "method": sent["method"],
        "url": url,
        "httpVersion": _protocol(answer),
        "cookies": [],
        "headers": headers,
        "queryString": _pairs(parse_qsl(urlsplit(url).query, keep_blank_values=True)),
        "headersSize": _UNKNOWN,
        "bodySize": _UNKNOWN if sent.get("hasPostData") else 0,
    }
    if (posted := sent.get("postData")) is not None:
        kind = next((each["value"] for each in headers if each["name"].lower() == "content-type"), "")
        request |= {"postData": {"mimeType": kind, "text": posted}, "bodySize": len(posted.encode())}
    return request


def _response(told: Exchange) -> dict[str, Any]:
    answer = told.answer or {"status": 0, "statusText": "", "headers": {}, "mimeType": ""}
    headers = _headers(answer["headers"])
    head = int(answer.get("encodedDataLength", _UNKNOWN)) if told.answer else _UNKNOWN
    response = {
        "status": answer["status"],
        "statusText": answer["statusText"],
        "httpVersion": _protocol(told.answer),
        "cookies": [],
        "headers": headers,
        "content": _content(told, answer["mimeType"]),
        "redirectURL": next((each["value"] for each in headers if each["name"].lower() == "location"), ""),
        "headersSize": head,
        "bodySize": max(told.size - head, 0) if told.size >= 0 and head >= 0 else _UNKNOWN,
    }
    return response | ({"comment": told.failure} if told.failure else {})


def _content(told: Exchange, kind: str) -> dict[str, Any]:
    if told.body is None:
        return {"size": 0, "mimeType": kind, "comment": "it is not kept"}
    held = {"size": len(told.body), "mimeType": kind}
    try:
        return held | {"text": told.body.decode()}
    except UnicodeDecodeError:
        return held | {"text": base64.b64encode(told.body).decode(), "encoding": "base64"}


def _timings(told: Exchange) -> dict[str, float]:
    """Of waiting and receiving; what was before the request is sent with it, as far as the browser tells it."""
    timing = (told.answer or {}).get("timing")
    if not timing or told.over is None:
        return {"send": 0, "wait": _UNKNOWN, "receive": _UNKNOWN}
    sent, came = timing["sendEnd"], timing["receiveHeadersEnd"]
    began = timing["requestTime"]
    return {
        "blocked": _milliseconds(began - told.sent["timestamp"]),
        "send": max(round(sent, 3), 0),
        "wait": max(round(came - sent, 3), 0),
        "receive": max(round((told.over - began) * 1000 - came, 3), 0),
    }


def _headers(headers: Mapping[str, str]) -> list[dict[str, str]]:
    return _pairs(
        (name, LEFT_OUT if name.lower() in SECRET_HEADERS else line)
        for name, value in headers.items()
        for line in value.split("\n")  # DevTools puts a header that comes several times on as many lines
    )


def _pairs(pairs: Iterable[Sequence[str]]) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in pairs]


def _protocol(answer: Mapping[str, Any] | None) -> str:
    return str((answer or {}).get("protocol", ""))


def _milliseconds(seconds: float) -> float:
    return max(round(seconds * 1000, 3), 0)
