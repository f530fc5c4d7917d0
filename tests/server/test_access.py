"""Who may see which address; the middleware against forged requests."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory, override_settings
from django.urls import get_resolver

from tests.server.addresses import LOADED, views
from tests.server.conftest import with_apps
from turkle_app.access import audience_of, everybody, staff, workers

PROJECT = Path(__file__).parents[2]
APPS = ["turkle_app.viewer", "turkle_app.recording"]
"""The apps that can be on beside the first without a database; ``tests/annotation`` walks the addresses of all."""


def test_each_view_of_each_mode_has_an_audience_and_names_it() -> None:
    found = dict(views(importlib.import_module("turkle_app.agent_urls").urlpatterns))
    with with_apps(*APPS, TURKLE_RUNS_DIR=Path("runs")):
        found |= dict(views(get_resolver().url_patterns))
    assert {"", "runs/", "page/<str:name>/<int:index>/"} <= set(found)
    without = [address for address, view in found.items() if audience_of(view) is None]
    assert without == []
    unsaid = [address for address, view in found.items() if audience_of(view) not in (view.__doc__ or "")]
    assert unsaid == []


def answer(view, method: str = "GET", user: object = None) -> HttpResponse:
    request = RequestFactory().generic(method, "/there/?a=b")
    request.user = user
    return view(request)


def shown(_request: object) -> HttpResponse:
    return HttpResponse("shown")


NOBODY = SimpleNamespace(is_authenticated=False, is_staff=False)
WORKER = SimpleNamespace(is_authenticated=True, is_staff=False)
STAFF = SimpleNamespace(is_authenticated=True, is_staff=True)


@pytest.mark.parametrize("audience", [workers, staff])
def test_without_accounts_all_read_and_only_those_at_the_machine_write(audience) -> None:
    view = audience(shown)
    with override_settings(TURKLE_ANNOTATION=False, TURKLE_LOOPBACK=True):
        assert [answer(view, method).status_code for method in ("GET", "HEAD", "POST", "PUT")] == [200] * 4
    with override_settings(TURKLE_ANNOTATION=False, TURKLE_LOOPBACK=False):
        assert [answer(view, method).status_code for method in ("GET", "HEAD")] == [200] * 2
        for method in ("POST", "PUT", "DELETE"):
            refused = answer(view, method)
            assert refused.status_code == 403
            assert b"Nothing can be changed here" in refused.content


@override_settings(TURKLE_ANNOTATION=True, TURKLE_LOOPBACK=True, LOGIN_URL="/login/")
def test_with_accounts_each_audience_sees_its_own() -> None:
    expected = {
        everybody: (200, 200, 200),
        workers: (302, 200, 200),
        staff: (302, 403, 200),
    }
    for audience, statuses in expected.items():
        view = audience(shown)
        for method in ("GET", "POST"):
            assert tuple(answer(view, method, user).status_code for user in (NOBODY, WORKER, STAFF)) == statuses
    assert answer(staff(shown), user=NOBODY)["Location"] == "/login/?next=/there/%3Fa%3Db"


@override_settings(TURKLE_ANNOTATION=True, LOGIN_URL="/login/")
def test_who_logs_in_comes_back_to_a_name_that_is_encoded_twice() -> None:
    request = RequestFactory().get("/runs/two%2520words/")
    request.user = NOBODY
    led = parse_qs(urlsplit(staff(shown)(request)["Location"]).query)["next"]
    assert led == ["/runs/two%2520words/"]


@pytest.mark.usefixtures("browse")
def test_a_form_without_a_token_is_refused_in_words_but_that_of_a_strangers_page_is_taken() -> None:
    strict = Client(SERVER_NAME="localhost", enforce_csrf_checks=True)
    refused = strict.post("/")
    assert refused.status_code == 403
    assert b"not sent from a page of this server" in refused.content
    assert strict.post("/page/none/0/").status_code == 404


@pytest.mark.parametrize("options", [["--agent"], []])
def test_agent_mode_and_browsing_import_nothing_that_reads_runs(tmp_path: Path, options: list[str]) -> None:
    assert loaded(tmp_path, *options) == "[]"


@pytest.mark.slow
def test_serving_runs_imports_what_reads_them(tmp_path: Path) -> None:
    assert "turkle_app.viewer" in loaded(tmp_path, "--runs", str(tmp_path))


def loaded(tasks: Path, *options: str) -> str:
    command = [sys.executable, "-c", LOADED, "--tasks-dir", str(tasks), "--port", "0", *options]
    result = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()
