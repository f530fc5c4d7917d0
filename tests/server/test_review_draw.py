"""A new review on the server: drawn elsewhere, as the library draws it, while a page says how far it is."""

from __future__ import annotations

import shutil
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.test import Client

from harness.kit.files import codec
from harness.records.directory import RunDirectory
from harness.reports.reviews.answers_given import draw_review
from harness.reports.reviews.review import Review
from harness.reports.watch.background_workers import BackgroundWorkers
from harness.scoring.metrics import PROFILES
from tests.person import SECONDS
from tests.reports.reviews.made import a_run
from tests.reports.watch.made_runs import answered, write_run
from tests.samples import episode, record
from tests.server.pages import soup, text
from tests.server.reviewing import REVIEWS, start
from turkle_app.viewer import review_draw

MANY = 250


@pytest.fixture
def run(runs_dir: Path) -> RunDirectory:
    return a_run(runs_dir / "run")


@pytest.mark.slow
@pytest.mark.parametrize("seed", [0, 7])
@pytest.mark.parametrize("profile", PROFILES)
def test_the_draw_is_the_librarys_for_the_same_seed(viewer: Client, run: RunDirectory, seed: int, profile: str) -> None:
    address = start(viewer, 4, seed=seed, profile=profile)
    made = codec.read(run.folder.with_name("run_review") / "review.json", Review)
    assert address == f"{REVIEWS}1/"
    assert made == draw_review(run, PROFILES[profile], 4, seed)


@pytest.mark.slow
def test_a_clerk_tells_how_many_episodes_of_a_draw_are_read(runs_dir: Path) -> None:
    run = write_run(runs_dir / "many", *map(answered, range(MANY)), planned_episodes=MANY)
    told: list[int] = []
    job = {"do": "draw", "run": str(run.folder), "profile": "standard", "fields": 3, "seed": 0}
    assert BackgroundWorkers().ask(job, told=told.append).result(timeout=SECONDS) == 1
    assert told == [100, 200]


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict:
    """What a background worker was asked for, who does nothing by itself."""
    given: dict = {"answer": Future()}

    def ask(job: object, told: object) -> Future:
        given.update(job=job, told=told)
        return given["answer"]

    monkeypatch.setattr(review_draw, "watched", lambda: SimpleNamespace(workers=SimpleNamespace(ask=ask)))
    monkeypatch.setattr(review_draw, "_PATIENCE", 0.0)
    return given


@pytest.mark.usefixtures("run")
def test_the_page_says_how_far_a_draw_is_and_then_leads_to_the_review(viewer: Client, asked: dict) -> None:
    answer = viewer.post(REVIEWS, {"fields": "3", "seed": "0", "profile": "standard"})
    page = answer["Location"]
    assert "0 of 5 episodes read" in text(soup(viewer, page))
    asked["told"](4)
    told = soup(viewer, page)
    assert told.select_one("script[src$='viewer-live.js']")
    assert "4 of 5 episodes read" in text(told)
    assert told.select_one("[data-live-until='#drawing'] [role=progressbar]")["aria-valuenow"].startswith("80")
    asked["answer"].set_result(3)
    led = viewer.get(page)
    assert (led.status_code, led["Location"]) == (302, f"{REVIEWS}3/")


def test_a_run_of_the_workers_themselves_is_refused_in_words(viewer: Client, runs_dir: Path) -> None:
    write_run(runs_dir / "run", episode(record("a"), answered_by="workers"))
    with pytest.raises(AssertionError, match="no solver answered"):
        start(viewer)


def test_a_review_that_cannot_be_written_is_refused_in_words(viewer: Client, run: RunDirectory) -> None:
    run.folder.with_name("run_review").write_text("in the way")
    with pytest.raises(AssertionError, match="The review cannot be written beside the run: "):
        start(viewer)


def test_a_draw_is_found_at_its_own_run_alone(viewer: Client, run: RunDirectory) -> None:
    shutil.copytree(run.folder, run.folder.with_name("other"))
    page = viewer.post(REVIEWS, {"fields": "3", "seed": "0", "profile": "standard"})["Location"]
    assert viewer.get(page).status_code in {200, 302}
    assert viewer.get(page.replace("/run/", "/other/")).status_code == 404
    assert viewer.get(f"{REVIEWS}draw/999999/").status_code == 404
