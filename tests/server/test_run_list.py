"""The list of runs."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from urllib.parse import urlencode

import pytest
from bs4 import BeautifulSoup
from django.test import Client, override_settings

from harness.records.directory import RunDirectory
from harness.reports.watch.run_notes import RunNotes
from tests.reports.watch.made_runs import answered, indexed
from tests.reports.watch.made_runs import write_run as write_episodes
from tests.samples import run_record
from tests.server.pages import soup, text
from turkle_app.viewer.slugs import parts_of, slug_of


def write_run(folder: Path, **values: object) -> Path:
    folder.mkdir(parents=True)
    RunDirectory(folder).write(run_record(**values))
    return folder


def test_runs_are_found_three_folders_deep_and_never_inside_of_a_run(viewer: Client, runs_dir: Path) -> None:
    write_run(runs_dir / "a" / "b" / "c")
    write_run(runs_dir / "top")
    write_run(runs_dir / "top" / "inside")
    write_run(runs_dir / "a" / "b" / "too" / "deep")
    names = [text(cell) for cell in soup(viewer, "/runs/").select("tbody th a")]
    assert names == ["a/b/c", "top"]


def test_a_broken_run_is_an_entry_with_the_reason(viewer: Client, runs_dir: Path) -> None:
    (write_run(runs_dir / "broken") / "run.json").write_text("{")
    (runs_dir / "without" / "episodes").mkdir(parents=True)
    rows = [text(row) for row in soup(viewer, "/runs/").select("tbody tr")]
    assert len(rows) == 2
    assert all("broken" in row for row in rows)
    assert "run.json" in rows[0]
    assert "it has no run.json" in rows[1]


def test_runs_are_chosen_and_put_in_order(viewer: Client, runs_dir: Path) -> None:
    for day, (name, status) in enumerate({"a": "complete", "b": "interrupted", "c": "complete"}.items(), 1):
        write_run(runs_dir / name, status=status, started=f"2026-01-0{day}T00:00:00+00:00")
    (runs_dir / "broken" / "episodes").mkdir(parents=True)

    def names(query: str) -> list[str]:
        return [text(link) for link in soup(viewer, f"/runs/{query}").select("tbody th a")]

    assert names("") == ["c", "b", "a", "broken"]
    assert names("?sort=name") == ["a", "b", "broken", "c"]
    assert names("?state=complete&sort=name") == ["a", "c"]
    assert names("?q=RANDOM+b") == ["b"]
    assert names("?sort=nonsense&state=broken") == ["broken"]
    assert "No run matches" in text(soup(viewer, "/runs/?q=unicorn"))


def test_an_empty_folder_says_what_a_run_is(viewer: Client) -> None:
    assert "There are no runs here" in text(soup(viewer, "/runs/"))


def test_any_path_is_one_part_of_an_address_and_comes_back() -> None:
    paths = [(), ("a",), ("a", "b"), ("a~b",), ("a", "~"), ("%7E",), ("~", "~~"), ("Größe 1%", "x y"), ("compare",)]
    slugs = [slug_of(parts) for parts in paths]
    assert [parts_of(slug) for slug in slugs] == paths
    assert len(set(slugs)) == len(paths)
    assert "compare" not in slugs
    assert slug_of(("2026", "run")) == "2026~run"


def names(viewer: Client, query: str) -> list[str]:
    return [text(link) for link in soup(viewer, f"/runs/{query}").select("tbody#run-rows th > a")]


def heading(page: BeautifulSoup, title: str) -> BeautifulSoup:
    return next(cell for cell in page.select("thead th") if text(cell) == title)


@pytest.fixture
def three(runs_dir: Path) -> Path:
    """Runs of one comparability id with the scores 0, 50 and 100, and one that cannot be read."""
    for day, (name, sent) in enumerate({"low": "no no", "middle": "no yes", "high": "yes yes"}.items(), 1):
        episodes = [answered(index, word) for index, word in enumerate(sent.split())]
        started = f"2026-01-0{day}T00:00:00+00:00"
        indexed(write_episodes(runs_dir / name, *episodes, started=started, comparability_id="same"))
    (runs_dir / "broken" / "episodes").mkdir(parents=True)
    return runs_dir


@pytest.mark.usefixtures("three")
def test_a_heading_sorts_and_turns_the_order_round_and_what_is_not_known_comes_last(viewer: Client) -> None:
    page = soup(viewer, "/runs/?state=")
    assert heading(page, "Started")["aria-sort"] == "descending"
    first = heading(page, "Score, 95 %")
    assert not first.has_attr("aria-sort")
    assert names(viewer, first.a["href"]) == ["high", "middle", "low", "broken"]
    page = soup(viewer, f"/runs/{first.a['href']}")
    assert heading(page, "Score, 95 %")["aria-sort"] == "descending"
    assert names(viewer, heading(page, "Score, 95 %").a["href"]) == ["low", "middle", "high", "broken"]
    assert names(viewer, "?sort=-score&state=complete&q=random") == ["low", "middle", "high"]


@pytest.mark.usefixtures("three")
def test_columns_are_chosen_in_the_address_and_kept_until_the_usual_ones_are_asked_for(viewer: Client) -> None:
    chosen = viewer.get("/runs/?sort=name&page=1&column=comparability&column=cost&keep=1")
    assert chosen.status_code == 302
    assert chosen["Location"] == "?sort=name&page=1&column=comparability&column=cost"
    for address in ("/runs/", "/runs/?sort=name"):
        titles = [text(cell) for cell in soup(viewer, address).select("thead")[0].select("th")]
        assert titles == ["Compare", "Run", "Cost", "Comparability id"]
    page = soup(viewer, "/runs/?column=score&sort=name")
    assert [text(cell) for cell in page.select("thead")[0].select("th")] == ["Compare", "Run", "Score, 95 %"]
    assert [each["value"] for each in page.select("form.search input[name=column]")] == ["score"]
    usual = next(link for link in page.select(".columns a") if text(link) == "The usual ones")
    assert viewer.get(f"/runs/{usual['href']}")["Location"] == "?sort=name"
    assert "Crowd" in text(soup(viewer, "/runs/").select_one("thead"))


@pytest.mark.usefixtures("three")
def test_the_chosen_runs_are_had_as_files(viewer: Client) -> None:
    page = soup(viewer, "/runs/?sort=score&state=complete&column=score")
    addresses = {text(link): str(link["href"]) for link in page.select(".columns p a")}
    answer = viewer.get(addresses["CSV"])
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="runs.csv"'
    rows = list(csv.reader(io.StringIO(answer.getvalue().decode())))
    assert rows[0] == ["run", "solver", "tags", "note", "score", "score_low", "score_high"]
    assert [(row[0], row[4]) for row in rows[1:]] == [("high", "1.0"), ("middle", "0.5"), ("low", "0.0")]
    whole = json.loads(viewer.get("/runs/runs.json?q=broken").getvalue())
    assert (whole[0]["state"], whole[0]["score"], whole[0]["comparability_id"]) == ("broken", None, None)
    assert viewer.get("/runs/runs.xml").status_code == 404


@pytest.mark.usefixtures("three")
def test_scores_of_the_chosen_runs_stand_over_time_with_their_numbers_beside(viewer: Client) -> None:
    chart = soup(viewer, "/runs/").select_one("#charts")
    assert "same" in text(chart.select_one("figcaption"))
    assert len(chart.select("svg[role=img] circle")) == 3
    assert [text(cell) for cell in chart.select("tbody th")] == ["high", "middle", "low"]
    assert "1 run without a score" in text(chart)
    assert len(soup(viewer, "/runs/?run=low&run=high").select("#charts tbody tr")) == 2
    assert soup(viewer, "/runs/?run=low").select_one("#charts") is None


def test_a_state_is_not_marked_as_good_where_half_of_the_episodes_ended_by_an_error(
    viewer: Client, runs_dir: Path
) -> None:
    for name, errors in {"none": 0, "one": 1, "half": 2}.items():
        ends = ["agent_error"] * errors + ["scored"] * (4 - errors)
        indexed(write_episodes(runs_dir / name, *(answered(index, outcome=end) for index, end in enumerate(ends))))
    cells = [row.select_one(".state") for row in soup(viewer, "/runs/?sort=name").select("#run-rows tr")]
    assert [cell.span["class"] for cell in cells] == [
        ["badge", "complete", "errors"],
        ["badge", "complete"],
        ["badge", "complete"],
    ]
    assert [text(cell) for cell in cells] == [
        "complete 2 of 4 episodes ended by an error",
        "complete",
        "complete 1 of 4 episodes ended by an error",
    ]
    assert soup(viewer, "/runs/half/").select_one("#head .badge")["class"][-1] == "errors"


def noted(viewer: Client, slug: str, **values: str) -> int:
    seen = soup(viewer, f"/runs/{slug}/notes/").select_one("input[name=seen]")["value"]
    return viewer.post(f"/runs/{slug}/notes/", {"seen": seen, "tags": "", "note": "", **values}).status_code


def test_tags_and_notes_are_kept_beside_the_runs_found_and_go_with_a_run(viewer: Client, three: Path) -> None:
    before = sorted(three.rglob("*"))
    assert noted(viewer, "low", tags="Night, slow", note="<b>again</b> soon") == 302
    assert noted(viewer, "high", tags="night") == 302
    assert sorted(three.rglob("*")) == before
    assert "<b>again</b> soon" in text(soup(viewer, "/runs/low/").select_one(".lead"))
    assert names(viewer, "?q=again") == ["low"]
    assert names(viewer, "?" + urlencode({"tag": "slow"})) == ["low"]
    assert [each["value"] for each in soup(viewer, "/runs/").select("#tag option")] == ["", "Night", "night", "slow"]
    (three / "low").rename(three / "moved")
    assert names(viewer, "?tag=slow") == ["moved"]
    assert "again" in text(soup(viewer, "/runs/moved/").select_one(".lead"))


def test_a_note_whose_run_is_gone_is_told_of_and_can_be_forgotten(viewer: Client, three: Path) -> None:
    noted(viewer, "low", tags="slow")
    (three / "low").rename(three.parent / "elsewhere")
    form = soup(viewer, "/runs/").select_one("form[action='/runs/notes/forgotten/']")
    assert "not here any more" in text(form.find_parent("li"))
    values = {each["name"]: each["value"] for each in form.select("input")}
    assert viewer.post("/runs/notes/forgotten/", values).status_code == 302
    assert soup(viewer, "/runs/").select_one("form[action='/runs/notes/forgotten/']") is None
    assert RunNotes(three).read() == ()


def test_a_note_that_somebody_else_changed_is_shown_beside_one_s_own(viewer: Client, three: Path) -> None:
    noted(viewer, "low", tags="theirs")
    answer = viewer.post("/runs/low/notes/", {"seen": "", "tags": "mine", "note": ""})
    page = BeautifulSoup(answer.content, "html.parser")
    assert answer.status_code == 409
    assert "theirs" in text(page.select_one("section"))
    assert page.select_one("#tags")["value"] == "mine"
    assert [note.tags for note in RunNotes(three).read()] == [("theirs",)]
    (seen,) = (each["value"] for each in page.select("input[name=seen]"))
    assert viewer.post("/runs/low/notes/", {"seen": seen, "tags": "mine", "note": ""}).status_code == 302


@pytest.mark.usefixtures("three")
def test_who_may_not_write_reads_notes_and_keeps_none(viewer: Client) -> None:
    noted(viewer, "low", tags="slow")
    with override_settings(TURKLE_LOOPBACK=False):
        page = soup(viewer, "/runs/low/notes/")
        assert page.select_one("form.noting") is None
        assert "slow" in text(page)
        assert viewer.post("/runs/low/notes/", {"tags": "x"}).status_code == 403
        assert viewer.post("/runs/notes/forgotten/", {}).status_code == 403


def test_notes_that_cannot_be_read_leave_the_list_as_it_is_and_say_why(viewer: Client, three: Path) -> None:
    RunNotes(three).file.write_text("{", encoding="utf-8")
    assert names(viewer, "?sort=name") == ["broken", "high", "low", "middle"]
    for address in ("/runs/", "/runs/low/", "/runs/low/notes/"):
        assert "runs_notes.json, cannot be read" in text(soup(viewer, address))
    assert viewer.post("/runs/low/notes/", {"seen": "", "tags": "x", "note": ""}).status_code == 400


def test_many_runs_come_page_by_page_and_whole_in_a_file(
    viewer: Client, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("turkle_app.viewer.run_list._PAGE", 2)
    for name in "abc":
        write_run(runs_dir / name)
    assert names(viewer, "?sort=name") == ["a", "b"]
    (after,) = soup(viewer, "/runs/?sort=name").select("a[rel=next]")
    assert names(viewer, after["href"]) == ["c"]
    assert len(json.loads(viewer.get("/runs/runs.json?sort=name&page=2").getvalue())) == 3
