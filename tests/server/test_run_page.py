"""The page of a run, and the list of its episodes."""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec
import pytest
from bs4 import BeautifulSoup
from django.test import Client

from harness.actions.result import ErrorCode
from harness.cli.commands.judge.run import main as judge
from harness.models.messages import Message, Request, Text
from harness.records.directory import CONFIG_FILE, RunDirectory
from harness.records.episode import Episode
from harness.records.folder_lock import FolderLock
from harness.records.turn import Turn
from harness.records.under_way import UNDER_WAY, UnderWayFile
from harness.reports.watch import background_worker as worker
from harness.reports.watch.background_workers import BackgroundWorkers
from harness.scoring.judges.saved_judgements import JudgementFolder, judges_beside
from tests.reports.watch.made_runs import add_turn, answered, failed_step, indexed, write_run
from tests.samples import episode
from tests.scoring.judges.trials import filmed_run, named_failure
from tests.server.pages import soup, text

EVIL = "<script>alert('x')</script><img src=x onerror=alert(1)>"


@pytest.fixture
def run(runs_dir: Path) -> RunDirectory:
    """A run of three tasks, with a failed action, a harness error and a model's words."""
    made = write_run(
        runs_dir / "set" / "a run",
        answered(0),
        answered(1, "no", steps=(failed_step(),)),
        answered(0, "no", task="Other / task", kind="radio"),
        episode(outcome="harness_error", task="Z", index=0, detail="the browser died"),
        planned_episodes=4,
        status="incomplete",
    )
    add_turn(made, answered(1, "no", steps=(failed_step(ErrorCode.COVERED),)), "A zebra", EVIL)
    return indexed(made)


ADDRESS = "/runs/set~a%20run/"


def episodes(page: BeautifulSoup) -> list[str]:
    return [text(row.th.a) for row in page.select("#episodes tbody tr")]


@pytest.mark.usefixtures("run")
def test_a_run_shows_its_figures_outcomes_errors_and_episodes(viewer: Client) -> None:
    page = soup(viewer, ADDRESS)
    assert page.title is not None
    assert page.title.string == "set/a run"
    assert text(page.select_one("#head .badge")) == "incomplete"
    # Tasks T (1 and 0) and "Other / task" (0): the mean over tasks is a quarter.
    assert text(page.select_one("#figures dd")) == "25.0"
    assert "scored 3" in text(page.select_one("#counts"))
    assert "harness error 1" in text(page.select_one("#counts"))
    assert "out of reach 1 in 1 episode" in text(page.select_one("#counts"))
    assert "with them the score would be between" in text(page.select_one("#state"))
    assert episodes(page) == ["Other / task 0", "T 0", "T 1", "Z 0"]
    assert [text(row.find("th")) for row in page.select("details[data-keep=tasks] tbody tr")] == [
        "Other / task",
        "T",
        "Z",
    ]


def test_errors_fold_into_class_message_and_episodes(viewer: Client, runs_dir: Path) -> None:
    def missed(index: int, *names: str) -> Episode:
        steps = [
            msgspec.structs.replace(
                failed_step(), message=f"There is no field {name!r}.", action=f"modify_text({name!r}, 'x')"
            )
            for name in names
        ]
        return answered(index, "no", steps=tuple(steps))

    stopped = [
        episode(outcome="limit", task="Z", index=place, detail=f"{place + 5} steps are used up") for place in (0, 1)
    ]
    run = write_run(runs_dir / "set" / "a run", missed(0, "a", "b"), missed(1, "c"), missed(2), *stopped)
    indexed(run)
    page = soup(viewer, ADDRESS)
    assert "The model’s fault 3 in 2 episodes" in text(page.select_one("#counts"))
    fold = page.select_one("details[data-keep=error-no-such-field]")
    assert text(fold.select_one("summary")) == "no such field 3 in 2 episodes"
    (all_of_it, message) = fold.select("li")
    assert all_of_it.a["href"] == "?error=no%20such%20field#episodes-title"
    assert text(message) == "There is no field '…'. 3 in 2"
    assert episodes(soup(viewer, ADDRESS + message.a["href"].partition("#")[0])) == ["T 0", "T 1"]
    inside = soup(viewer, ADDRESS + message.a["href"].partition("#")[0]).select("#places li")
    assert [text(place) for place in inside] == ["a 1 in 1", "b 1 in 1", "c 1 in 1", "T 3 in 2"]
    assert episodes(soup(viewer, ADDRESS + inside[2].a["href"].partition("#")[0])) == ["T 1"]
    (end,) = page.select("details[data-keep=ends-limit] li")
    assert text(end) == "N steps are used up 2"
    assert episodes(soup(viewer, ADDRESS + end.a["href"].partition("#")[0])) == ["Z 0", "Z 1"]


def test_failures_of_the_harness_stand_apart_from_those_of_the_model(viewer: Client, runs_dir: Path) -> None:
    pressed = answered(2, steps=(failed_step(ErrorCode.COVERED),))
    run = write_run(runs_dir / "set" / "a run", answered(0, steps=(failed_step(),)), pressed)
    run.add(episode(outcome="harness_error", task="Z", index=0, detail="the browser died"), {})
    indexed(run)
    assert episodes(soup(viewer, ADDRESS + "?fault=model")) == ["T 0"]
    page = soup(viewer, ADDRESS + "?fault=harness")
    assert episodes(page) == ["T 2", "Z 0"]
    (reason,) = page.select("details[data-keep=ends-harness_error] li")
    assert text(reason) == "the browser died 1"


def test_a_run_shows_its_settings_its_files_and_the_command_that_makes_it_again(
    viewer: Client, run: RunDirectory
) -> None:
    assert {link.string for link in soup(viewer, ADDRESS).select("#settings a")} == {"run.json"}
    (run.folder / CONFIG_FILE).write_text('solver = "oracle"\n', encoding="utf-8")
    page = soup(viewer, ADDRESS)
    settings = page.find(id="settings")
    rows = {text(row.find("th")): text(row.find("td")) for row in settings.select("tr:has(td)")}
    record = run.read()
    assert rows["solver"] == record.config.solver
    assert rows["max steps"] == str(record.config.limits.max_steps)
    assert f"--config {run.folder / CONFIG_FILE}" in settings.find("button")["data-copy"].replace("'", "")
    read = {link["href"].rpartition("/")[2]: viewer.get(link["href"]).content for link in settings.select("a")}
    assert read["config.toml"] == b'solver = "oracle"\n'
    assert json.loads(read["run.json"])["started"] == record.started


@pytest.mark.parametrize("name", ["sample.json", "..%2Fsecret", "episodes", "spent.db"])
def test_of_a_run_no_other_file_is_shown(viewer: Client, run: RunDirectory, name: str) -> None:
    (run.folder / "sample.json").write_text("{}", encoding="utf-8")
    assert viewer.get(ADDRESS + name).status_code == 404


@pytest.mark.usefixtures("run")
def test_episodes_are_chosen_by_what_stands_behind_the_question_mark(viewer: Client) -> None:
    assert episodes(soup(viewer, f"{ADDRESS}?sort=worst&task=T")) == ["T 1", "T 0"]
    assert episodes(soup(viewer, f"{ADDRESS}?q=zebra")) == ["T 1"]
    assert episodes(soup(viewer, f"{ADDRESS}?error=out+of+reach")) == ["T 1"]
    nothing = soup(viewer, f"{ADDRESS}?q=unicorn")
    assert episodes(nothing) == []
    assert "No episode matches" in text(nothing)
    assert nothing.select_one("input[name=q]")["value"] == "unicorn"


@pytest.mark.usefixtures("run")
def test_a_search_leads_to_the_first_place_with_the_text_around_it(viewer: Client) -> None:
    row = soup(viewer, ADDRESS + "?q=ZEBRA+alert").select_one("#episodes tbody tr")
    hit = row.select_one(".snippet")
    assert text(hit) == "<script> alert ('x')</script><img src=x onerror=alert(1)>"
    assert [link["href"] for link in row.select("a")] == ["episode/T/1/?list=q%3DZEBRA%2Balert#hit-1"] * 2
    page = soup(viewer, ADDRESS + hit["href"].partition("#")[0])
    assert text(page.select_one("#hit-1")) == "alert"
    assert "zebra" in [text(mark) for mark in page.select("mark.hit")]
    assert not page.select("main script, main img[onerror]")


@pytest.mark.usefixtures("run")
def test_a_link_to_an_episode_names_its_folder_and_passes_the_list_on(viewer: Client) -> None:
    page = soup(viewer, f"{ADDRESS}?sort=worst&low=100")
    links = [urlsplit(str(link["href"])) for link in page.select("#episodes tbody th a")]
    assert [link.path for link in links] == ["episode/T/0/"]
    assert parse_qs(links[0].query) == {"list": ["low=100&sort=worst"]}
    (other,) = soup(viewer, f"{ADDRESS}?kind=radio").select("#episodes tbody th a")
    assert urlsplit(str(other["href"])).path == "episode/Other%2520%252F%2520task/0/"


def test_many_episodes_come_page_by_page_and_keep_the_choice(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "r", *(answered(index) for index in range(120))))
    page = soup(viewer, "/runs/r/?sort=newest&page=2")
    assert len(episodes(page)) == 50
    assert [link["href"] for link in page.select("a[rel]")] == [
        "?sort=newest&page=1#episodes-title",
        "?sort=newest&page=3#episodes-title",
    ]
    assert len(episodes(soup(viewer, "/runs/r/?page=99"))) == 20
    assert len(episodes(soup(viewer, "/runs/r/?page=-1x"))) == 50


@pytest.mark.usefixtures("run")
def test_what_a_model_or_a_run_says_is_text_on_every_page(viewer: Client, runs_dir: Path) -> None:
    task = f"{EVIL} task"
    made = write_run(runs_dir / EVIL.replace("/", "_"), answered(0, EVIL, task=task, detail=EVIL, outcome="limit"))
    (made.folder / "episodes" / "T").mkdir()
    (made.folder / "episodes" / "T" / "1.json").write_text("{" + EVIL)
    indexed(made)
    (link,) = [a["href"] for a in soup(viewer, "/runs/").select("tbody th a") if "script" in a.get_text()]
    for address in ("/runs/", str(link)):
        response = viewer.get(address)
        assert response.status_code == 200
        assert b"<script>alert" not in response.content
        assert b"<img" not in response.content
        assert "'unsafe-inline'" not in response["Content-Security-Policy"].split("script-src")[1].split(";")[0]


def test_a_run_that_is_written_is_running_and_tells_its_pace(viewer: Client, runs_dir: Path) -> None:
    made = write_run(runs_dir / "r", answered(0), planned_episodes=10, status="running")
    with FolderLock(made.folder):
        indexed(made)
        page = soup(viewer, "/runs/r/")
        assert text(page.select_one("#head .badge")) == "running"
        assert page.select_one("#head")["data-live-every"]
        assert "1 of 10 episodes" in text(page.select_one("#state"))
        assert "T 0" in text(page.select_one("#state ul"))
        assert "running" in text(soup(viewer, "/runs/").select_one("tbody tr"))
    after = soup(viewer, "/runs/r/")
    assert text(after.select_one("#head .badge")) == "interrupted"
    assert not after.select_one("#head").has_attr("data-live-every")


def test_the_episode_that_was_written_last_before_a_run_ended_is_not_missed(
    viewer: Client, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BackgroundWorkers, "ask", lambda *_job: NeverDone())
    made = write_run(runs_dir / "r", answered(0), planned_episodes=2, status="running")
    with FolderLock(made.folder):
        indexed(made)
        assert "running" in text(soup(viewer, "/runs/"))
        made.add(answered(1), {})
    page = soup(viewer, "/runs/")
    assert page.select_one("#run-rows").has_attr("data-live-every")


def test_an_index_that_is_not_there_is_made_by_clerks_while_the_page_tells(
    viewer: Client, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(runs_dir / "r", *(answered(index) for index in range(3)))
    asked = []
    monkeypatch.setattr(
        BackgroundWorkers, "ask", lambda _self, job, weight=0: asked.append((job, weight)) or NeverDone()
    )
    page = soup(viewer, "/runs/r/")
    assert "Reading the episodes" in text(page)
    assert page.select_one("#indexing")["data-live-until"] == "#indexing"
    ((job, weight),) = asked
    assert (job["do"], len(job["files"]), weight) == ("take in", 3, 3)


def test_episodes_are_listed_while_an_index_is_still_read(
    viewer: Client, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = write_run(runs_dir / "r", *(answered(index) for index in range(60)))
    jobs = []
    monkeypatch.setattr(BackgroundWorkers, "ask", lambda _self, job, *_: jobs.append(job) or NeverDone())
    soup(viewer, "/runs/r/")
    assert [len(job["files"]) for job in jobs] == [50, 10]
    worker._JOBS["take in"](jobs[0]["run"], jobs[0]["files"])
    page = soup(viewer, "/runs/r/")
    assert len(page.select("#episodes tbody tr")) == 50
    assert "Reading the episodes: 50 of 60" in text(page.select_one("#reading"))
    assert page.select_one("#head")["data-live-every"] == "2000"
    indexed(made)
    assert page.select_one("#reading [role=progressbar]")
    assert not soup(viewer, "/runs/r/").select_one("#reading").find()


def test_episodes_under_way_say_where_they_are_while_their_run_goes_on(viewer: Client, runs_dir: Path) -> None:
    made = write_run(runs_dir / "r", answered(0), planned_episodes=2, status="running")
    indexed(made)
    goes_on = UnderWayFile(made.folder)
    goes_on.begin(EVIL, 7)
    goes_on.stepped(2, "click")
    goes_on.sees(b"\x89PNG\r\n\x1a\nrest")
    request = Request("m", (Message("user", (Text(EVIL),)),))
    with FolderLock(made.folder), goes_on.waiting(request):
        page = soup(viewer, "/runs/r/").select_one("#under-way")
        assert f"{EVIL[:20]}" in text(page)
        assert "2 actions, the last click" in text(page)
        assert "Has waited for the model’s reply for" in text(page)
        assert text(page.select_one("pre")) == EVIL
        assert not page.select("script, time time")
        picture = viewer.get(page.img["src"])
        assert (picture["Content-Type"], picture["Cache-Control"]) == ("image/png", "no-store")
        (made.folder / UNDER_WAY / f"{os.getpid()}.picture").write_bytes(b"<html>")
        assert viewer.get(page.img["src"]).status_code == 404
    made.write(replace(made.read(), status="interrupted"))
    assert not soup(viewer, "/runs/r/").select_one("#under-way").find()


class NeverDone:
    def done(self) -> bool:
        return False


def test_a_clerk_does_what_it_is_asked_for_and_says_why_it_cannot(
    runs_dir: Path, monkeypatch: pytest.MonkeyPatch, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    made = indexed(write_run(runs_dir / "r", answered(0)))
    lines = f'{{"do": "numbers", "run": "{made.folder}"}}\n{{"do": "numbers", "run": "{runs_dir}"}}\n'
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(lines.encode())))
    monkeypatch.setattr(worker, "_KINDNESS", 0)
    worker.work()
    done, failed = capsysbinary.readouterr().out.splitlines()
    assert done == b'{"result": null, "error": ""}'
    assert b"is no run directory" in failed


@pytest.mark.parametrize("address", ["/runs/none/", "/runs/..~../", "/runs/%2e%2e/", "/runs/a~b~c~d/", "/runs/set/"])
@pytest.mark.usefixtures("run")
def test_an_address_without_a_run_is_not_found(viewer: Client, address: str) -> None:
    assert "There is no" in text(soup(viewer, address, 404))


def test_a_broken_run_says_what_is_broken(viewer: Client, runs_dir: Path) -> None:
    made = write_run(runs_dir / "r", answered(0))
    (made.folder / "run.json").write_text('{"schema": 3}')
    page = text(soup(viewer, "/runs/r/"))
    assert "This run cannot be read" in page
    assert "schema version 3" in page


def test_broken_episodes_are_named_and_the_others_are_shown(viewer: Client, runs_dir: Path) -> None:
    made = write_run(runs_dir / "r", answered(0), answered(1))
    made.episode_file("T", 1).write_text("{")
    indexed(made)
    page = soup(viewer, "/runs/r/")
    assert episodes(page) == ["T 0"]
    assert "1 file of episodes cannot be read" in text(page)
    assert "T/1.json" in text(page)


@pytest.mark.claim("runs-digests")
def test_an_episode_whose_record_was_edited_is_named_and_shown(viewer: Client, runs_dir: Path) -> None:
    made = write_run(runs_dir / "r", answered(0), answered(1))
    file = made.episode_file("T", 1)
    file.write_text(file.read_text().replace('"split": "train"', '"split": "extra"'))
    indexed(made)
    page = soup(viewer, "/runs/r/")
    assert episodes(page) == ["T 0", "T 1"]
    assert "The record of 1 episode was changed after the run had written it: T/1.json" in text(page)


def test_a_run_without_an_episode_says_so(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "r", planned_episodes=3, status="interrupted"))
    page = text(soup(viewer, "/runs/r/"))
    assert "No episode was finished" in page


@pytest.mark.usefixtures("run")
def test_runs_are_read_only(viewer: Client) -> None:
    for address in ("/runs/", ADDRESS, "/runs/compare/"):
        assert viewer.post(address).status_code == 405


def test_what_shows_runs_needs_no_pandas() -> None:
    import subprocess

    code = (
        "import os, sys; os.environ.update(DJANGO_SETTINGS_MODULE='turkle_app.settings', TURKLE_RUNS_DIR='.');"
        "import django; django.setup(); import turkle_app.viewer.urls;"
        "print([name for name in ('pandas', 'numpy', 'scipy') if name in sys.modules])"
    )
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
    assert importlib.util.find_spec("pandas") is not None


def test_what_judges_said_stands_in_the_list_and_chooses_from_it(viewer: Client, runs_dir: Path) -> None:
    made = indexed(filmed_run(runs_dir / "films", tasks=("a", "b")))
    assert "Judged" not in viewer.get("/runs/films/").content.decode()
    assert judge([str(made.folder), "--method", "rule", "--progress", "quiet"]) == 0
    named_failure(JudgementFolder(judges_beside(made.folder) / "rule" / "1"), "b", "other")
    page = soup(viewer, "/runs/films/")
    assert [text(cell) for cell in page.select('[data-name="judged"]')] == ["rule success", "rule failure"]
    assert [each["value"] for each in page.select("#judged option")] == ["", "failure rule", "success rule"]
    assert episodes(soup(viewer, "/runs/films/?judged=failure+rule")) == ["b 0"]
    assert "1 of 1 in the list" in viewer.get("/runs/films/episode/b/0/?list=judged%3Dfailure%2Brule").content.decode()
    assert "judged by rule" in text(soup(viewer, "/runs/"))
    (judges_beside(made.folder) / "rule" / "1" / "verdicts.json").write_text("{", encoding="utf-8")
    assert "holds no verdicts" in text(soup(viewer, "/runs/films/"))


def test_the_time_to_go_is_that_of_the_episodes_which_lie_in_the_run_though_not_all_are_read_yet(
    viewer: Client, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = write_run(runs_dir / "r", answered(0), answered(1), planned_episodes=4, status="running")
    for index, written in enumerate((1000, 1030)):
        os.utime(made.folder / "episodes" / "T" / f"{index}.json", (written, written))
    with FolderLock(made.folder):
        indexed(made)
        assert "2 of 4 episodes · 2.0 a minute · about 1 min 00 s to go" in text(
            soup(viewer, "/runs/r/").select_one("#state")
        )
        monkeypatch.setattr(BackgroundWorkers, "ask", lambda *_job: NeverDone())
        made.add(answered(2), {})
        assert "3 of 4 episodes · 2.0 a minute · about 30 s to go" in text(
            soup(viewer, "/runs/r/").select_one("#state")
        )


def test_a_cell_without_a_failed_action_holds_nothing_so_that_it_takes_no_place_on_a_phone(
    viewer: Client, runs_dir: Path
) -> None:
    indexed(write_run(runs_dir / "r", answered(0)))
    cells = soup(viewer, "/runs/r/").select("#episodes tbody td")
    assert [cell for cell in cells if not cell.contents] == [cells[4]]


@pytest.mark.usefixtures("run")
def test_a_heading_of_the_episodes_sorts_them_within_what_is_chosen(viewer: Client) -> None:
    page = soup(viewer, f"{ADDRESS}?task=T&page=1")
    (score,) = (cell for cell in page.select("#episodes thead th") if text(cell) == "Score")
    assert score.a["href"] == "?task=T&sort=best#episodes-title"
    page = soup(viewer, f"{ADDRESS}?task=T&sort=best")
    assert episodes(page) == ["T 0", "T 1"]
    (score,) = page.select("#episodes [aria-sort]")
    assert (score["aria-sort"], score.a["href"]) == ("descending", "?task=T&sort=worst#episodes-title")
    assert episodes(soup(viewer, f"{ADDRESS}?sort=-place")) == ["Z 0", "T 1", "T 0", "Other / task 0"]


@pytest.mark.usefixtures("run")
def test_columns_of_the_episodes_are_chosen_and_pages_and_filters_keep_them(viewer: Client) -> None:
    page = soup(viewer, f"{ADDRESS}?column=cost&column=split&column=reached")
    assert [text(cell) for cell in page.select("#episodes thead th")] == ["Episode", "Cost", "Split"]
    assert [text(cell) for cell in page.select_one("#episodes tbody tr").select("td")] == ["$0.00", "train"]
    assert [each["value"] for each in page.select(".filter input[name=column]")] == ["cost", "split", "reached"]


@pytest.mark.usefixtures("run")
def test_all_chosen_episodes_are_had_as_files(viewer: Client) -> None:
    page = soup(viewer, f"{ADDRESS}?task=T&sort=worst&column=score&column=tokens")
    addresses = {text(link): str(link["href"]) for link in page.select(".columns p a")}
    assert viewer.get(addresses["CSV"]).getvalue().decode().splitlines() == [
        "task,index,id,score,tokens,input_tokens,output_tokens",
        "T,1,000000000001,0.0,12,10,2",
        "T,0,000000000000,1.0,0,0,0",
    ]
    rows = json.loads(viewer.get(f"{ADDRESS}episodes.json?outcome=harness_error").getvalue())
    assert [(each["task"], each["score"], each["detail"]) for each in rows] == [("Z", None, "the browser died")]
    assert {"site", "judged", "turn_seconds", "written"} <= set(rows[0])


def test_a_file_has_every_episode_and_not_only_those_of_a_page(viewer: Client, runs_dir: Path) -> None:
    indexed(write_run(runs_dir / "r", *(answered(index) for index in range(60))))
    assert len(json.loads(viewer.get("/runs/r/episodes.json?page=2").getvalue())) == 60


def test_episodes_that_are_not_read_yet_are_no_file(
    viewer: Client, runs_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(runs_dir / "r", answered(0))
    monkeypatch.setattr(BackgroundWorkers, "ask", lambda *_job: NeverDone())
    answer = viewer.get("/runs/r/episodes.csv")
    assert (answer.status_code, b"being read" in answer.content) == (503, True)
    (runs_dir / "r" / "run.json").write_text("{")
    assert viewer.get("/runs/r/episodes.csv").status_code == 404


def test_what_the_chosen_episodes_took_is_added_up_as_far_as_it_is_known(viewer: Client, runs_dir: Path) -> None:
    # The seconds of ``answered`` are its index and one.
    run = write_run(runs_dir / "r", *(answered(index) for index in range(4)), answered(9, turns=(Turn(),)))
    for index in range(2):
        add_turn(run, answered(index), "A page", "A reply")
    indexed(run)

    def told(query: str) -> dict[str, list[str]]:
        rows = soup(viewer, f"/runs/r/{query}").select("#amounts tbody tr")
        return {text(row.find("th")): [text(cell) for cell in row.select("td")] for row in rows}

    assert told("")["time"] == ["20 s", "4.0 s", "3.0 s", "8.8 s", "5 of 5"]
    assert told("")["cost"] == ["$1.00", "$0.2500", "$0.2500", "$0.5000", "4 of 5"]
    assert told("")["time a turn"] == ["–", "4.3 s", "2.0 s", "9.2 s", "3 of 5"]
    assert told("?q=page")["tokens"] == ["24", "12", "12", "12", "2 of 2"]
    assert "as far as it is known" in text(soup(viewer, "/runs/r/").select_one("#amounts summary"))
    assert told("?q=unicorn") == {}


def test_a_report_is_shown_without_its_scripts_and_leads_to_episodes(viewer: Client, run: RunDirectory) -> None:
    assert "This run has no report" in text(soup(viewer, ADDRESS))
    (run.folder / "report.html").write_text(f"<a href='episodes/Other%2520%252F%2520task/0.json'>x</a>{EVIL}")
    shown = viewer.get(soup(viewer, ADDRESS).find("a", string="Report")["href"])
    policies = shown["Content-Security-Policy"].split(",")
    assert len(policies) == 2
    assert {"sandbox allow-same-origin", "default-src 'none'"} <= {each.strip() for each in policies[0].split(";")}
    assert "script" not in policies[0]
    led = viewer.get(f"{ADDRESS}episodes/Other%2520%252F%2520task/0.json")
    assert led.status_code == 302
    assert viewer.get(led["Location"]).status_code == 200


@pytest.mark.usefixtures("run")
def test_times_are_told_in_utc_and_to_machines(viewer: Client) -> None:
    (started,) = soup(viewer, ADDRESS).select("#content time")
    assert (started["datetime"], started.get_text()) == ("2026-01-31T12:00:00+00:00", "2026-01-31 12:00 UTC")


@pytest.mark.usefixtures("run")
def test_every_page_lists_its_keys(viewer: Client) -> None:
    for address in ("/runs/", ADDRESS, f"{ADDRESS}episode/T/0/", "/runs/compare/", f"{ADDRESS}review/"):
        page = soup(viewer, address)
        assert page.select_one("a[href='#keys']"), address
        assert "this list" in text(page.select_one("dialog#keys")), address
