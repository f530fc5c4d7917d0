"""Whether a run's records are what it wrote, and whether a run that goes on a leaderboard comes out again."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from bs4 import BeautifulSoup

from harness.analysis.rescoring import score_run
from harness.browser.launch import NoBrowser
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.leaderboard import main
from harness.cli.commands.report import main as report
from harness.cli.commands.score import main as score
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import Film
from harness.records.site_record import SiteRecord
from harness.reports.leaderboard.entry import content_id, file_name
from harness.run import replaying
from harness.run.page_source import PageSource
from harness.run.reproduction import reproduce
from tests.checkout import PROJECT
from tests.task_folders import csv_text, make_task

PAGE = """<p>${text}</p><input name="a">
<label><input type="radio" name="r" value="1">1</label><label><input type="radio" name="r" value="2">2</label>"""
ROWS = [["one", "cat", "1"], ["two", "dog", "2"]]
EDITED = Path("episodes/T/1.json")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> RunDirectory:
    """A run of a baseline that is mostly wrong, on two pages."""
    folder = tmp_path_factory.mktemp("played")
    make_task(folder / "tasks", "T", template=PAGE, table=csv_text(["text", "Answer.a", "Answer.r"], *ROWS))
    arguments = ["--solver", "random", "--tasks-dir", str(folder / "tasks"), "--out", str(folder / "run")]
    assert evaluate([*arguments, "--workers", "1"]) == COMPLETE
    return RunDirectory(folder / "run")


@pytest.fixture
def run(played: RunDirectory, tmp_path: Path) -> RunDirectory:
    """A copy, to be tampered with."""
    shutil.copytree(played.folder, tmp_path / "run")
    return RunDirectory(tmp_path / "run")


@pytest.fixture
def board(tmp_path: Path) -> Path:
    return tmp_path / "board"


def add(board: Path, run: RunDirectory, *more: str) -> int:
    own = [] if more else ["--tasks-dir", str(run.read().config.tasks_dir)]
    return main(["add", str(run.folder), "--folder", str(board), *own, *more])


def entry_in(board: Path) -> dict[str, Any]:
    (file,) = board.glob("*.json")
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def rows_of(board: Path) -> list[str]:
    """What the page says of the evidence of each record; it has a table for each profile."""
    assert main(["show", "--folder", str(board)]) == COMPLETE
    page = BeautifulSoup((board / "index.html").read_text(), "html.parser")
    return list(dict.fromkeys(cell.get_text(" ") for cell in page.select("td.evidence")))


def edit(file: Path) -> None:
    """Change one value of a record, as an editor does: everything else stays, the digest too."""
    text = file.read_text()
    assert text.count('"outcome": "scored"') == 1
    file.write_text(text.replace('"outcome": "scored"', '"outcome": "limit"'))


def rewrite(run: RunDirectory, change: Callable[[Episode], Episode]) -> None:
    """What somebody does who wants to be believed: episodes are changed, and all digests and results made anew."""
    for each in list(run.episodes()):
        run.add(change(each), {})
    record = score_run(run).record
    run.write(replace(record, episodes_digest=run.check_records().digest))


def with_the_labels(episode: Episode) -> Episode:
    fields = tuple(replace(each, sent=each.labels[:1]) for each in episode.fields)
    assert episode.submission
    sent = {each.name: each.sent for each in fields}
    return replace(episode, fields=fields, submission=replace(episode.submission, values=sent))


# ---- what was changed by accident -----------------------------------------------------------------------------------


def test_a_run_keeps_a_digest_of_each_record_and_one_of_all(run: RunDirectory) -> None:
    found = run.check_records()
    assert (found.in_words(), found.unknown, found.digest) == ("", 0, run.read().episodes_digest)


@pytest.mark.claim("runs-digests")
def test_an_edited_record_is_refused_by_its_name(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    edit(run.folder / EDITED)
    assert add(board, run) == INCOMPLETE
    said = capsys.readouterr().err
    assert 'the record of 1 episode was changed after the run had written it: "episodes/T/1.json"' in said


@pytest.mark.claim("runs-digests")
def test_scores_and_reports_name_an_edited_record(run: RunDirectory, capsys: pytest.CaptureFixture[str]) -> None:
    edit(run.folder / EDITED)
    assert score([str(run.folder), "--json"]) == COMPLETE
    captured = capsys.readouterr()
    assert json.loads(captured.out)["status"] == "complete"
    assert captured.err.count(str(EDITED)) == 1
    assert report([str(run.folder)]) == COMPLETE
    assert str(EDITED) in (run.folder / "report.html").read_text()


@pytest.mark.parametrize("how", ["laid out anew", "digest damaged"])
def test_a_record_whose_digest_was_touched_has_changed(run: RunDirectory, how: str) -> None:
    file = run.folder / EDITED
    text = file.read_text()
    file.write_text(
        json.dumps(json.loads(text)) if how == "laid out anew" else text.replace('"digest": "', '"digest": "0')
    )
    assert run.check_records().changed == (str(EDITED),)


@pytest.mark.claim("runs-digests")
def test_a_record_of_another_run_in_place_of_ones_own_is_seen(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run.add(replace(run.episode("T", 1), detail="of another run"), {})
    assert add(board, run) == INCOMPLETE
    assert "are not those with which the run ended" in capsys.readouterr().err


def test_a_run_of_an_older_version_is_read_and_a_leaderboard_says_that_its_digests_are_not_known(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for file in (run.folder / "run.json", *(run.folder / "episodes").rglob("*.json")):
        said = json.loads(file.read_text())
        file.write_text(
            json.dumps({key: each for key, each in said.items() if key not in {"digest", "episodes_digest"}})
        )
    assert run.check_records().in_words() == ""
    assert add(board, run, "--no-task-files") == COMPLETE
    assert "no digests" in capsys.readouterr().out
    assert entry_in(board)["digests"] == "unknown"
    rows_of(board)
    assert "whether a record was changed is not known" in (board / "index.html").read_text()


@pytest.mark.slow
def test_a_run_that_is_gone_on_with_has_the_digest_of_what_it_then_holds(run: RunDirectory) -> None:
    run.episode_file("T", 1).unlink()
    run.write(replace(run.read(), status="interrupted"))
    assert evaluate(["--resume", str(run.folder)]) == COMPLETE
    found = run.check_records()
    assert (found.in_words(), found.digest) == ("", run.read().episodes_digest)


# ---- what comes out again -------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_a_run_that_comes_out_again_is_marked_replayed_and_the_page_says_so(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {file: file.read_bytes() for file in run.folder.rglob("*") if file.is_file()}
    assert add(board, run) == COMPLETE
    assert "replayed: 2 of 2 episodes came out the same on fresh pages\n" in capsys.readouterr().out
    assert before == {file: file.read_bytes() for file in run.folder.rglob("*") if file.is_file()}
    entry = entry_in(board)
    counts = {"episodes": 2, "replayed": 2, "same": 2}
    assert entry["replay"] == {"mark": "replayed", "why_not": "", "films": 0, **counts}
    assert entry["digests"] == "fit"
    (row,) = rows_of(board)
    assert row.startswith("replayed ")
    assert main(["check", "--folder", str(board), "--run", str(run.folder), *tasks_of(run)]) == COMPLETE


def tasks_of(run: RunDirectory) -> list[str]:
    return ["--tasks-dir", str(run.read().config.tasks_dir)]


@pytest.mark.slow
@pytest.mark.claim("runs-edited")
def test_a_run_whose_answers_were_edited_to_the_labels_is_not_marked_replayed(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(run, with_the_labels)
    results = run.read().results
    assert results is not None
    assert results.overall.score == 1.0
    assert add(board, run) == COMPLETE
    said = capsys.readouterr().out
    entry = entry_in(board)
    assert entry["replay"]["mark"] == "self-reported"
    assert entry["replay"]["replayed"] == 2
    assert entry["replay"]["same"] < 2
    assert "T, instance 0, field" in said
    assert "fraud" not in said
    (row,) = rows_of(board)
    assert row.startswith("self-reported ")
    assert "of 2 episodes came out the same" in row


def made_easier(episode: Episode) -> Episode:
    """Leave the first episode's answers, and change by what they are scored; leave the second without a score."""
    if episode.index:
        return replace(episode, outcome="unscored")
    fields = (replace(episode.fields[0], kind="text", constant=episode.fields[0].sent),)
    return replace(episode, fields=fields, longest_input="")


@pytest.mark.slow
@pytest.mark.claim("runs-edited")
def test_a_run_whose_fields_are_not_those_of_its_pages_is_not_marked_replayed(run: RunDirectory) -> None:
    rewrite(run, made_easier)
    found = reproduce(run, PageSource(run.read().config.tasks_dir))
    assert (found.mark, found.replayed, found.same) == ("self-reported", 2, 0)
    told = "\n".join(map(str, found.differences))
    for words in ("another record of the field 'a'", "has a field 'r' that the run left out", "or other inputs"):
        assert words in told
    assert "T, instance 1: only one of the run and the replay gives it a score" in told


@pytest.mark.claim("runs-self-reported")
def test_a_program_s_run_is_self_reported_and_its_films_are_named(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(run, lambda episode: replace(episode, unseen=True, steps=()))
    run.write_film("T", 0, Film(frames=()), {})
    assert add(board, run) == COMPLETE
    assert "self-reported: its program worked past the action library" in capsys.readouterr().out
    assert entry_in(board)["replay"]["why_not"] == "no_actions"
    assert "films of 1 episode in its run directory show what was done" in rows_of(board)[0]


@pytest.mark.slow
@pytest.mark.claim("runs-self-reported")
def test_one_episode_without_actions_keeps_a_run_from_being_marked_replayed(run: RunDirectory, board: Path) -> None:
    rewrite(run, lambda episode: replace(episode, unseen=episode.index == 1))
    assert add(board, run) == COMPLETE
    assert entry_in(board)["replay"] == {
        "mark": "self-reported", "why_not": "", "films": 0, "episodes": 2, "replayed": 1, "same": 1,
    }  # fmt: skip
    assert "1 could not be replayed" in rows_of(board)[0]


@pytest.mark.slow
def test_a_page_that_is_another_each_time_comes_out_otherwise_and_nobody_is_blamed(
    tmp_path: Path, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = """<p>${text}</p><input name="a"><input type="hidden" name="b">
    <script>document.querySelector("[name=b]").value = crypto.randomUUID()</script>"""
    make_task(tmp_path / "tasks", "T", template=page, table=csv_text(["text", "Answer.a"], ["one", "cat"]))
    given = ["--solver", "random", "--tasks-dir", str(tmp_path / "tasks"), "--live-clock", "--workers", "1"]
    assert evaluate([*given, "--out", str(tmp_path / "run")]) == COMPLETE
    assert add(board, RunDirectory(tmp_path / "run")) == COMPLETE
    said = capsys.readouterr().out
    assert "self-reported: 0 of 1 episode came out the same on fresh pages" in said
    assert "T, instance 0, field 'b': the run sent" in said
    assert rows_of(board) == ["self-reported 0 of 1 episode came out the same on fresh pages"]
    assert "may have an honest reason" in (board / "index.html").read_text()


@pytest.mark.slow
@pytest.mark.claim("runs-edited")
def test_a_run_on_a_website_is_replayed_on_a_site_made_anew(tmp_path: Path) -> None:
    task = "Travel - Home airport in Costa Rica"
    shutil.copytree(PROJECT / "tasks" / "_sites" / task, tmp_path / "tasks" / task)
    given = ["--solver", "oracle", "--tasks-dir", str(tmp_path / "tasks"), "--max-instances", "1", "--workers", "1"]
    assert evaluate([*given, "--out", str(tmp_path / "run")]) == COMPLETE
    run = RunDirectory(tmp_path / "run")
    pages = PageSource(tmp_path / "tasks")
    assert reproduce(run, pages).mark == "replayed"
    rewrite(run, lambda episode: replace(episode, steps=episode.steps[:-1], site=made_better(episode.site)))
    found = reproduce(run, pages)
    assert (found.mark, found.replayed, found.same) == ("self-reported", 1, 0)
    assert any("its evaluators say something else of the replay" in str(each) for each in found.differences)


def made_better(site: SiteRecord | None) -> SiteRecord:
    assert site
    return replace(site, evaluations=tuple(replace(each, floor=-1.0) for each in site.evaluations))


def test_without_the_files_of_its_tasks_a_run_is_self_reported(run: RunDirectory, board: Path) -> None:
    assert add(board, run, "--no-task-files") == COMPLETE
    assert entry_in(board)["replay"]["why_not"] == "no_task_files"


def test_where_no_browser_is_a_run_is_self_reported_and_the_reason_is_said(
    run: RunDirectory, board: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def none(*_: object) -> None:
        raise NoBrowser("no browser is installed")

    monkeypatch.setattr(replaying, "sessions", none)
    assert add(board, run) == COMPLETE
    assert "could not be replayed where it was added: no browser is installed" in capsys.readouterr().out
    assert entry_in(board)["replay"]["why_not"] == "not_here"


@pytest.mark.slow
@pytest.mark.claim("runs-self-reported")
def test_a_record_that_says_replayed_is_refused_beside_a_run_that_is_not(
    run: RunDirectory, board: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rewrite(run, with_the_labels)
    assert add(board, run, "--no-task-files") == COMPLETE
    entry = entry_in(board)
    (file,) = board.glob("*.json")
    file.unlink()
    made = {**entry, "replay": {**entry["replay"], "mark": "replayed", "why_not": "", "same": 2, "replayed": 2}}
    made["id"] = content_id(made)
    (board / file_name(made)).write_text(json.dumps(made))
    assert main(["check", "--folder", str(board), "--run", str(run.folder), *tasks_of(run)]) == INCOMPLETE
    assert "it says replayed, and" in capsys.readouterr().err
    assert main(["check", "--folder", str(board), "--run", str(run.folder), "--no-task-files"]) == COMPLETE
    assert "self-reported: the files of its tasks were not at hand" in capsys.readouterr().out


@pytest.mark.parametrize(
    "told", [{"mark": "replayed", "same": 1}, {"replayed": 4}, {"films": 9}, {"why_not": "trust me"}]
)
def test_a_record_whose_replay_cannot_be_is_refused(
    run: RunDirectory, board: Path, told: dict[str, Any], capsys: pytest.CaptureFixture[str]
) -> None:
    assert add(board, run, "--no-task-files") == COMPLETE
    entry = entry_in(board)
    (file,) = board.glob("*.json")
    file.unlink()
    made = {**entry, "replay": {**entry["replay"], **told}}
    made["id"] = content_id(made)
    (board / file_name(made)).write_text(json.dumps(made))
    assert main(["check", "--folder", str(board)]) == INCOMPLETE
    assert "refused: " in capsys.readouterr().err


def test_an_older_record_is_shown_as_self_reported(run: RunDirectory, board: Path) -> None:
    assert add(board, run, "--no-task-files") == COMPLETE
    entry = entry_in(board)
    (file,) = board.glob("*.json")
    file.unlink()
    made = {key: each for key, each in entry.items() if key not in {"replay", "digests"}}
    made["id"] = content_id(made)
    (board / file_name(made)).write_text(json.dumps(made))
    assert rows_of(board) == ["self-reported it was added before runs were replayed"]
