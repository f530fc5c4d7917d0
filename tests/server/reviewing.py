"""Reviews on the server, as a reviewer's browser starts, answers and completes them."""

from __future__ import annotations

import json
import time

from django.test import Client

from harness.records.directory import RunDirectory
from tests.person import SECONDS
from tests.server.pages import soup, text

REVIEWS = "/runs/run/review/"


def start(browser: Client, fields: int = 7, **given: object) -> str:
    answer = browser.post(REVIEWS, {"fields": fields, "seed": 0, "profile": "standard", **given})
    assert answer.status_code == 302
    address = answer["Location"]
    end = time.monotonic() + SECONDS
    # Each answer waits a little for the draw.
    while time.monotonic() < end:
        answer = browser.get(address)
        if answer.status_code == 302:
            return answer["Location"]
        assert b"data-live-until" in answer.content, text(soup(browser, address))
    raise AssertionError(f"nothing was drawn in {SECONDS} seconds")


def settle(browser: Client, address: str, place: int, answer: str = "correct", name: str = "Ada", **given: object):
    values = {"answer": answer, "seconds": "1.5", "reviewer": name, **given}
    return browser.post(f"{address}{place}/answer/", values)


def complete(browser: Client, address: str, place: int, labels: str = "right", name: str = "Ada", **given: object):
    values = {"labels": labels, "note": "", "before_labels": "", "before_note": "", "reviewer": name, **given}
    return browser.post(f"{address}{place}/labels/", values)


def kept(run: RunDirectory, name: str = "Ada", folder: str = "run_review") -> list[dict]:
    file = run.folder.with_name(folder) / "verdicts" / f"{name}.json"
    return json.loads(file.read_text())["verdicts"]
