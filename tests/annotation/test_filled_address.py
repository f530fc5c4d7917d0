"""With accounts, the page that shows what a run sent opens by its address alone, to whom staff's page has given it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

import pytest
from django.test import Client

from harness.records.directory import RunDirectory
from tests import samples
from tests.annotation.conftest import TASK, client_of
from tests.annotation.people import worker
from tests.annotation.stores import empty, switched_on
from tests.server.pages import soup
from tests.task_folders import csv_text, make_task
from turkle_app.annotation.instances import instance_ids
from turkle_app.viewer import filled_address

pytestmark = pytest.mark.sqlite

PAGES = "https://pages.example.org"
SENT = "what the run has sent"
EPISODE = "/runs/run/episode/which%2520one/0/"


@pytest.fixture
def staffed(store: dict[str, object], tasks_dir: Path, tmp_path: Path) -> Iterator[Client]:
    """Staff of a server with accounts, runs, and a name for each origin."""
    make_task(tasks_dir, TASK, template="${text}<input name=a>", table=csv_text(["text"], ["one"], ["two"]))
    runs = tmp_path / "runs"
    settings = store | {"INSTALLED_APPS": [*store["INSTALLED_APPS"], "turkle_app.viewer"]}
    origins = ("https://work.example.org", PAGES)
    others = {"TURKLE_ORIGINS": origins, "ALLOWED_HOSTS": ["work.example.org", "pages.example.org"]}
    with switched_on(settings, TURKLE_TASKS_DIR=tasks_dir, TURKLE_OVERLAY=None, TURKLE_RUNS_DIR=runs, **others):
        empty()
        made = RunDirectory(runs / "run")
        made.write(samples.run_record())
        for index, instance_id in enumerate(instance_ids(TASK)):
            fields = [samples.record("a", sent=(SENT,))]
            sent = samples.submission(a=(SENT,))
            made.add(samples.episode(*fields, task=TASK, index=index, id=instance_id, submission=sent), {})
        client = client_of(worker("stan", staff=True))
        client.defaults["SERVER_NAME"] = "work.example.org"
        yield client


def at_pages(address: str) -> tuple[int, str]:
    """What a browser gets at the name of strangers' pages, to which it sends no cookie."""
    assert address.startswith(PAGES)
    answer = Client(SERVER_NAME="pages.example.org").get(address.removeprefix(PAGES))
    return answer.status_code, answer.content.decode()


@pytest.mark.claim("filled-token")
def test_the_frame_opens_without_a_cookie_and_nobody_opens_it_without_its_token(staffed: Client) -> None:
    address = soup(staffed, EPISODE).iframe["src"]
    status, page = at_pages(address)
    assert (status, SENT in page) == (200, True)
    bare = address.partition("?")[0]
    for other in (bare, f"{bare}?token=", address[:-1], address.replace("/0/", "/1/"), address.replace("token", "t")):
        status, page = at_pages(other)
        assert (status, SENT in page) == (403, False)
        assert "Load the page again" in page
    # Nor do staff by their cookie: a stranger's page at that origin would have it, too.
    refused = staffed.get(bare.removeprefix(PAGES), SERVER_NAME="pages.example.org")
    assert refused.status_code == 403


@pytest.mark.claim("filled-token")
def test_the_address_is_no_key_for_ever(staffed: Client) -> None:
    address = soup(staffed, EPISODE).iframe["src"]
    with patch.object(filled_address, "LIVES", -1):
        assert at_pages(address)[0] == 403


@pytest.mark.claim("filled-token")
def test_the_address_is_not_handed_on_by_the_page(staffed: Client) -> None:
    address = soup(staffed, EPISODE).iframe["src"].removeprefix(PAGES)
    answer = Client(SERVER_NAME="pages.example.org").get(address)
    assert answer["Referrer-Policy"] == "no-referrer"
    assert answer["Cache-Control"] == "no-store"
