"""Reviews on the server: what is told when, what is kept, and who may write."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from urllib.parse import quote

import pytest
from django.test import Client, override_settings
from django.urls import reverse

from harness.catalog import Catalog
from harness.catalog.template.wrapping import ACCEPTED
from harness.kit.files.writing import path_name
from harness.records.directory import RunDirectory
from tests.analysis.made import write
from tests.reports.made import EVIL
from tests.reports.reviews.made import a_run
from tests.samples import episode, record, submission
from tests.server.pages import soup, text
from tests.server.reviewing import REVIEWS, complete, kept, settle, start
from tests.task_folders import csv_text, make_task
from turkle_app.viewer.slugs import slug_of

LABEL = "a-worker-said-this"


@pytest.fixture
def run(runs_dir: Path) -> RunDirectory:
    return a_run(runs_dir / "run")


def named(browser: Client, name: str = "Ada") -> Client:
    browser.cookies["reviewer"] = quote(name)
    return browser


@pytest.mark.usefixtures("run")
def test_a_run_without_a_review_says_how_to_start_one(viewer: Client) -> None:
    assert "Nothing has been reviewed yet" in text(soup(viewer, REVIEWS))


@pytest.mark.slow
def test_a_review_is_drawn_beside_the_run_and_a_second_beside_the_first(viewer: Client, run: RunDirectory) -> None:
    before = sorted((file, file.read_bytes()) for file in run.folder.rglob("*.json"))
    assert start(viewer, 3) == f"{REVIEWS}1/"
    assert start(viewer, 5, seed=4) == f"{REVIEWS}2/"
    drawn = [
        json.loads((run.folder.with_name(name) / "review.json").read_text()) for name in ("run_review", "run_review_2")
    ]
    assert [(len(each["fields"]), each["seed"]) for each in drawn] == [(3, 0), (5, 4)]
    assert sorted((file, file.read_bytes()) for file in run.folder.rglob("*.json")) == before
    assert "3 fields of 2 tasks" in text(soup(viewer, REVIEWS))


@pytest.mark.parametrize("given", [{"fields": "0"}, {"fields": "many"}, {"seed": "-1"}, {"profile": "best"}])
def test_what_cannot_be_drawn_is_said_on_the_page(viewer: Client, run: RunDirectory, given: dict[str, str]) -> None:
    answer = viewer.post(REVIEWS, {"fields": "3", "seed": "0", "profile": "standard", **given})
    assert answer.status_code == 200
    assert b'role="alert"' in answer.content
    assert not run.folder.with_name("run_review").exists()


def test_a_blind_question_holds_no_label_and_no_score(viewer: Client, runs_dir: Path) -> None:
    run = RunDirectory(write(runs_dir / "run", [episode(record("a", "text", labels=(LABEL, LABEL), sent=("x",)))]))
    address = start(viewer, 1)
    named(viewer)
    told = [viewer.get(address).content, viewer.get(f"{address}0/").content, viewer.get(REVIEWS).content]
    for each in told:
        assert LABEL.encode() not in each
        assert b'score"' not in each
    found = json.loads(told[1])
    assert set(found["field"]) == {
        *("task", "index", "id", "field", "kind", "sent", "beside", "untouched", "failed", "unread", "page", "why")
    }
    assert (found["verdict"], found["labels"]) == (None, [])
    assert json.loads(settle(viewer, address, 0).content)["labels"] == [{"text": LABEL, "beside": "", "workers": 2}]
    assert json.loads(viewer.get(f"{address}0/").content)["labels"][0]["text"] == LABEL
    assert kept(run)[0]["answer"] == "correct"


@pytest.mark.usefixtures("run")
def test_labels_are_told_to_who_judged_and_to_nobody_else(viewer: Client) -> None:
    address = start(viewer)
    settle(named(viewer), address, 0)
    assert json.loads(named(viewer, "Grace").get(f"{address}0/").content)["labels"] == []
    refused = complete(viewer, address, 0, name="Grace")
    assert refused.status_code == 409
    assert "the labels come after it" in refused.json()["said"]


def test_the_page_of_the_field_comes_from_where_strangers_pages_are_and_holds_no_label(
    viewer: Client, tasks_dir: Path, runs_dir: Path
) -> None:
    table = csv_text(["text", "Answer.a"], ["words", LABEL])
    make_task(
        tasks_dir, "T", template="<p>${text}</p><label><input type=radio name=a value=1> One</label>", table=table
    )

    ident = Catalog(tasks_dir).task("T").instances[0].id
    played = episode(
        record("a", "radio", options=("1",), labels=("1",), sent=("1",)),
        task="T",
        id=ident,
        submission=submission(a=("1",)),
    )
    write(runs_dir / "run", [played])
    address = start(viewer, 1)
    field = json.loads(named(viewer).get(f"{address}0/").content)["field"]
    assert field["beside"] == ["One"]
    assert field["page"] == f"/filled/run/T/0/?{ACCEPTED}&mark=a"
    for address in (field["page"], "/page/T/0/?mark=a"):
        page = viewer.get(address)
        assert b"words" in page.content
        assert LABEL.encode() not in page.content
        assert page["Content-Security-Policy"].startswith("sandbox")
        assert b'("a");</script>' in page.content


@pytest.mark.usefixtures("run")
def test_a_page_of_another_task_set_is_not_shown_for_that_of_the_run(viewer: Client) -> None:
    field = json.loads(named(viewer).get(f"{start(viewer)}0/").content)["field"]
    assert field["page"] == ""
    assert "--tasks-dir" in field["why"]


def test_the_first_verdict_stands_in_two_windows_and_nothing_is_lost(viewer: Client, run: RunDirectory) -> None:
    address = start(viewer)
    named(viewer)
    settle(viewer, address, 0, "correct")
    settle(viewer, address, 1, "wrong")
    again = settle(viewer, address, 0, "wrong").json()
    assert again["verdict"]["answer"] == "correct"
    assert "in another window" in again["said"]
    assert complete(viewer, address, 0, "right", note="one").json()["said"] == ""
    other = complete(viewer, address, 0, "wrong", note="two").json()
    assert "in another window" in other["said"]
    assert (other["verdict"]["labels"], other["verdict"]["note"]) == ("right", "one")
    seen = {"before_labels": "right", "before_note": "one"}
    assert complete(viewer, address, 0, "wrong", note="two", **seen).json()["said"] == ""
    assert [(each["answer"], each["labels"], each["note"]) for each in kept(run)] == [
        ("correct", "wrong", "two"),
        ("wrong", None, ""),
    ]


def test_who_is_another_in_this_window_says_nothing_in_the_others_name(viewer: Client, run: RunDirectory) -> None:
    address = start(viewer)
    refused = settle(named(viewer, "Grace"), address, 0, name="Ada")
    assert refused.status_code == 409
    assert "You are Grace here now" in refused.json()["said"]
    assert not (run.folder.with_name("run_review") / "verdicts").exists()


@pytest.mark.parametrize("name", ["", " ", "a\nb", "x" * 81, "\x1b[31m"])
@pytest.mark.usefixtures("run")
def test_a_name_that_cannot_stand_beside_verdicts_is_asked_for_again(viewer: Client, name: str) -> None:
    address = start(viewer)
    answer = viewer.post(address, {"name": name}, follow=True)
    assert answer.status_code == 200
    assert b'id="name"' in answer.content


@pytest.mark.usefixtures("run")
def test_a_name_is_kept_and_can_be_given_up(viewer: Client) -> None:
    address = start(viewer)
    viewer.post(address, {"name": "Größe / <b>"})
    page = viewer.get(address).content.decode()
    assert "Größe / &lt;b&gt;" in page
    viewer.post(address, {"name": ""})
    assert 'id="name"' in viewer.get(address).content.decode()


def test_nothing_is_written_where_other_machines_reach_the_server(viewer: Client, run: RunDirectory) -> None:
    address = start(viewer)
    named(viewer)
    with override_settings(TURKLE_LOOPBACK=False):
        assert viewer.post(REVIEWS, {"fields": 3, "seed": 0, "profile": "standard"}).status_code == 403
        assert settle(viewer, address, 0).status_code == 403
        assert complete(viewer, address, 0).status_code == 403
        assert viewer.post("/runs/run/review/open/A/0/", {"note": "x"}).status_code == 403
        for page in (REVIEWS, address, "/runs/run/review/open/A/0/"):
            assert "Nothing can be written here" in text(soup(viewer, page))
    assert list(run.folder.with_name("run_review").iterdir()) == [run.folder.with_name("run_review") / "review.json"]


@pytest.mark.usefixtures("run")
def test_a_verdict_without_a_token_is_refused(viewer: Client) -> None:
    address = start(viewer)
    strict = named(Client(SERVER_NAME="localhost", enforce_csrf_checks=True))
    assert settle(strict, address, 0).status_code == 403
    assert strict.post("/runs/run/review/open/A/0/", {"note": "x"}).status_code == 403


@pytest.mark.parametrize("change", ["review.json", "verdicts/Ada.json", "open/Ada.json"])
def test_broken_files_are_said_and_never_a_failure(viewer: Client, run: RunDirectory, change: str) -> None:
    address = start(viewer)
    named(viewer)
    settle(viewer, address, 0)
    viewer.post("/runs/run/review/open/A/0/", {"note": "x"})
    (run.folder.with_name("run_review") / change).write_text("{")
    for page in (REVIEWS, address, f"{REVIEWS}report/", "/runs/run/review/open/A/0/"):
        assert viewer.get(page).status_code == 200
    assert change in text(soup(viewer, f"{REVIEWS}report/"))


@pytest.mark.usefixtures("run")
def test_what_is_not_there_is_not_found(viewer: Client) -> None:
    start(viewer)
    named(viewer)
    for page in ("9/", "1/99/", "1/verdicts.xls", "9/verdicts.csv", "open/A/77/", "open/none/0/"):
        assert viewer.get(REVIEWS + page).status_code == 404
    assert viewer.get("/runs/none/review/").status_code == 404


@pytest.mark.usefixtures("run")
def test_people_and_metric_are_held_against_each_other(viewer: Client) -> None:
    address = start(viewer)
    for name, answers in (("Ada", ["correct"] * 7), ("Grace", ["correct", "wrong"] * 3 + ["unsure"])):
        named(viewer, name)
        for place, answer in enumerate(answers):
            settle(viewer, address, place, answer, name)
            complete(viewer, address, place, "right", name)
    page = text(soup(viewer, f"{REVIEWS}report/"))
    assert "Ada: 7 fields judged." in page
    assert "All reviewers:" in page
    assert "Ada, Grace 7" in page
    assert "The person accepts, and the metric does not" in page
    table = list(csv.DictReader(io.StringIO(viewer.get(f"{address}verdicts.csv").content.decode())))
    assert len(table) == 14
    whole = viewer.get(f"{address}verdicts.json?threshold=90").json()
    assert whole["results"]["threshold"] == 0.9
    assert {each["reviewer"] for each in whole["fields"]} == {"Ada", "Grace"}
    assert "Ada 7 of 7" in text(soup(viewer, REVIEWS))


def test_something_is_said_openly_taken_back_and_counts_in_no_agreement(viewer: Client, run: RunDirectory) -> None:
    address = "/runs/run/review/open/A/0/"
    named(viewer)
    answer = viewer.post(address, {"field": "r", "answer": "correct", "label_wrong": "on", "note": "look"}, follow=True)
    assert "look" in answer.content.decode()
    viewer.post(address, {"page_broken": "on"})
    file = run.folder.with_name("run_review") / "open" / "Ada.json"
    first, second = json.loads(file.read_text())["verdicts"]
    assert (first["field"], first["answer"], first["labels"], first["blind"]) == ("r", "correct", "wrong", False)
    assert first["sent"] == ["yes"]
    assert (second["field"], second["page_broken"], second["answer"]) == (None, True, None)
    page = text(soup(viewer, f"{REVIEWS}report/"))
    assert "label wrong" in page
    assert "page broken" in page
    assert "There is no review yet" in page
    viewer.post(address, {"field": "r", "before": first["at"]})
    assert [each["field"] for each in json.loads(file.read_text())["verdicts"]] == [None]


@pytest.mark.parametrize(
    ("what", "value", "refusal"),
    [
        ("failure", "navigation", "is no kind of a failure"),
        ("error", "pop_up", "is no class of an error"),
    ],
)
def test_why_and_where_an_agent_failed_is_said_of_the_whole_episode_alone(
    viewer: Client, run: RunDirectory, what: str, value: str, refusal: str
) -> None:
    address = "/runs/run/review/open/A/0/"
    named(viewer)
    page = viewer.post(address, {"answer": "wrong", what: value}, follow=True).content.decode()
    (said,) = json.loads((run.folder.with_name("run_review") / "open" / "Ada.json").read_text())["verdicts"]
    told = {each: said[each] for each in ("field", "answer", "failure", "error")}
    assert told == {"field": None, "answer": "wrong", "failure": None, "error": None, what: value}
    assert page.count(f'name="{what}"') == 1
    assert f'<option value="{value}" selected>' in page
    assert value.replace("_", " ") in text(soup(viewer, f"{REVIEWS}report/"))
    for refused in ({what: "weather"}, {"field": "r", what: value}):
        assert refusal in viewer.post(address, refused).content.decode()


def test_names_that_are_encoded_twice_in_addresses_come_back(viewer: Client, runs_dir: Path) -> None:
    task = "two words ~ 50% Größe"
    write(runs_dir / "a ~ run", [episode(record("a", labels=("x",), sent=("y",)), task=task)])
    slug = reverse("reviews", args=[slug_of(("a ~ run",))])
    address = f"{slug}open/{quote(path_name(task))}/0/"
    answer = viewer.post(f"{address}?field=a", {"name": "Ada"}, follow=True)
    assert answer.status_code == 200
    assert 'class="say"' in answer.content.decode()
    answer = viewer.post(f"{address}?field=a", {"field": "a", "note": "here"}, follow=True)
    assert answer.status_code == 200
    assert "here" in answer.content.decode()
    assert f'href="{reverse("episode", args=[slug_of(("a ~ run",)), path_name(task), 0])}' in answer.content.decode()


@pytest.mark.usefixtures("run")
def test_what_was_said_openly_in_another_window_stands(viewer: Client) -> None:
    address = "/runs/run/review/open/A/0/"
    named(viewer)
    viewer.post(address, {"field": "r", "note": "first"})
    other = viewer.post(address, {"field": "r", "note": "second", "before": ""})
    assert "in another window" in other.content.decode()
    assert "first" in other.content.decode()
    assert "second" not in other.content.decode()


def test_hostile_texts_are_text_everywhere(viewer: Client, runs_dir: Path) -> None:
    evil = EVIL.replace("\x00", "")
    played = episode(record(evil, "text", labels=(evil,), sent=(evil,)), task="T", detail=evil)
    write(runs_dir / "run", [played], {"solver": evil})
    address = start(viewer, 1)
    named(viewer, "<b>Ada</b>")
    settle(viewer, address, 0, name="<b>Ada</b>")
    complete(viewer, address, 0, "right", "<b>Ada</b>", note=evil)
    viewer.post("/runs/run/review/open/T/0/", {"field": evil, "note": evil, "answer": "wrong"})
    for page in (REVIEWS, address, f"{REVIEWS}report/", "/runs/run/review/open/T/0/"):
        shown = soup(viewer, page)
        assert shown.select("img, [onerror], b b") == []
        assert all(script.get("src") or script["type"] == "application/json" for script in shown.find_all("script"))
    assert viewer.get(f"{address}0/")["Content-Type"] == "application/json"
