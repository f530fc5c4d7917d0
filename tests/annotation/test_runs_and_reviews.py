"""Runs and reviews on a server with accounts: they are staff's, and who is logged in is who judges."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import get_resolver

from harness.records.directory import RunDirectory
from harness.reports.watch.index_making import bring_up
from tests.annotation.conftest import client_of
from tests.annotation.people import worker
from tests.annotation.stores import empty, switched_on
from tests.reports.watch.made import TASK, filmed_run
from tests.server.addresses import views
from tests.server.conftest import runs_dir  # noqa: F401 - a fixture
from tests.server.reviewing import REVIEWS, complete, kept, settle, start
from turkle_app.access import audience_of

ABSENT = ("film-page/<str:name>", "under-way/<int:process>", "ask/<int:turn>/")
"""What a run that is over, and whose solver asked no model, does not have."""
APPS = ("turkle_app.viewer", "turkle_app.annotation")


@pytest.fixture
def run(
    store: dict[str, object],
    tasks_dir: Path,
    runs_dir: Path,  # noqa: F811
) -> Iterator[RunDirectory]:
    """A filmed run on a server with all of its apps on."""
    made = RunDirectory(filmed_run(runs_dir / "run", tasks_dir))
    on = store | {"INSTALLED_APPS": [*store["INSTALLED_APPS"], "turkle_app.viewer"]}  # type: ignore[misc]
    with switched_on(on, TURKLE_TASKS_DIR=tasks_dir, TURKLE_OVERLAY=None, TURKLE_RUNS_DIR=runs_dir):
        empty()
        yield made


@pytest.fixture
def staff(run: RunDirectory) -> Client:
    del run
    return client_of(worker("stan", staff=True))


def addresses(run: RunDirectory, draw: str) -> dict[str, str]:
    """An address of each pattern about runs, of things that are there but for those of ``ABSENT``."""
    parts = {
        "review/draw/<int:draw>/": draw.partition("/run/")[2],
        "picture/<str:name>": f"picture/{next((run.folder / 'images').iterdir()).name}",
        "film-picture/<str:name>": f"film-picture/{next((run.folder / 'films' / 'pictures').iterdir()).name}",
        "film-page/<str:name>": f"film-page/{'0' * 64}.gz",
        "text/<str:name>": f"text/{next((run.folder / 'texts').iterdir()).stem}",
        "<str:run>": "run",
        "<str:task>": TASK,
        "<int:index>": "0",
        "<int:number>": "1",
        "<int:place>": "0",
        "<str:form>": "csv",
        "<str:other>": "run",
        "<slug:which>": "equal",
        "<int:other_index>": "0",
        "<int:turn>": "0",
        "<int:process>": "1",
        "<str:name>": "run.json",
    }
    found = {}
    for pattern, _ in views(get_resolver().url_patterns):
        if pattern.startswith(("runs/", "filled/")):
            address = pattern.replace("film-picture/<str:name>", parts["film-picture/<str:name>"])
            for part, value in parts.items():
                address = address.replace(part, value)
            found[pattern] = f"/{address}"
    return found


@pytest.mark.slow
def test_all_pages_about_runs_and_reviews_are_staffs_alone(run: RunDirectory, staff: Client) -> None:
    bring_up(run.folder)
    draw = staff.post(REVIEWS, {"fields": 3, "seed": 0, "profile": "standard"})["Location"]
    start(staff)
    settle(staff, f"{REVIEWS}1/", 0, name="stan")
    nobody, wanda = client_of(), client_of(worker("wanda"))
    found = addresses(run, draw)
    assert len(found) > 15
    for pattern, address in found.items():
        assert "<" not in address
        if pattern.startswith("filled/"):  # opened by its token alone, see test_filled_address.py
            assert {each.get(address).status_code for each in (staff, wanda, nobody)} == {403}
            continue
        seen = staff.get(address)
        is_written_alone = pattern.endswith(("answer/", "labels/", "forgotten/"))
        found_there = {403, 404} if pattern.endswith(ABSENT) else {200, 302}  # 403: nobody here may ask a model
        assert seen.status_code in ({405} if is_written_alone else found_there), pattern
        for method in ("get", "post"):
            led = getattr(nobody, method)(address)
            refused = getattr(wanda, method)(address)
            assert (led.status_code, refused.status_code) in {(302, 403), (405, 405)}, (method, pattern)
            if led.status_code == 302:
                assert led["Location"].startswith("/account/login/?next="), pattern
            if refused.status_code == 403:
                assert b"modify_text" not in refused.content
    assert [each.name for each in (run.folder.parent / "run_review" / "verdicts").glob("*.json")] == ["stan.json"]


@pytest.mark.usefixtures("run")
def test_all_views_of_all_apps_together_have_an_audience_and_name_it() -> None:
    found = dict(views(get_resolver().url_patterns))
    of_django = {"django.contrib.admin", "django.views.generic"}  # the admin
    of_ninja = {"ninja", ""}  # the API, and its description
    folders = {view.__module__.rpartition(".")[0] for view in found.values()}
    assert folders == {"turkle_app", "turkle_app.sites", *of_django, *of_ninja, *APPS}
    for pattern, view in found.items():
        audience = audience_of(view)
        assert audience is not None, pattern
        assert audience in (view.__doc__ or ""), pattern


def test_who_is_logged_in_judges_whatever_a_browser_says(run: RunDirectory, staff: Client) -> None:
    address = start(staff)
    staff.cookies["reviewer"] = "Ada"
    page = staff.get(address).content.decode()
    assert 'id="name"' not in page
    assert '"reviewer": "stan"' in page
    assert settle(staff, address, 0, name="Ada").status_code == 409
    assert settle(staff, address, 0, name="stan").status_code == 200
    assert complete(staff, address, 0, name="stan").status_code == 200
    staff.post(address, {"name": "Grace"})
    assert settle(staff, address, 1, name="stan").status_code == 200
    staff.post(f"{REVIEWS}open/{TASK}/0/", {"note": "look"})
    said = run.folder.with_name("run_review")
    assert [each.name for each in said.glob("verdicts/*.json")] == ["stan.json"]
    assert [each.name for each in said.glob("open/*.json")] == ["stan.json"]
    assert json.loads((said / "verdicts" / "stan.json").read_text())["judge"] == {"name": "stan", "kind": "person"}
    assert len(kept(run, "stan")) == 2


def test_two_of_the_staff_judge_under_their_own_names(run: RunDirectory, staff: Client) -> None:
    address = start(staff)
    other = client_of(User.objects.create(username="sue", is_staff=True))
    settle(staff, address, 0, "correct", name="stan")
    settle(other, address, 0, "wrong", name="sue")
    assert [kept(run, name)[0]["answer"] for name in ("stan", "sue")] == ["correct", "wrong"]
