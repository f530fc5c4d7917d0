"""Runs that are filmed, and films of runs that were not."""

from __future__ import annotations

import json
import re
import sys

import pytest

from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.evaluate import parser
from harness.cli.commands.replay import main as replay
from harness.cli.task_arguments import config_of
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.film import Film, Frame
from harness.records.folder_lock import FolderLock
from harness.run.page_job import PageJob
from harness.run.player import Player, place_beside
from tests.task_folders import csv_text, make_task

PAGE = """<title>Words</title><p>${text}</p><label>A <input name="a"></label>
<label><input type="checkbox" name="c" value="x">x</label>"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("films")
    table = csv_text(["text", "Answer.a", "Answer.c"], ["one", "red", "x"], ["two", "blue", "x"])
    make_task(made / "tasks", "T", template=PAGE, table=table)
    return made


def run(folder, name: str, *more: str) -> RunDirectory:
    made = RunDirectory(folder / name)
    if not made.exists():
        arguments = [
            "--solver",
            "oracle",
            "--tasks-dir",
            str(folder / "tasks"),
            "--workers",
            "1",
            "--progress",
            "quiet",
        ]
        assert evaluate([*arguments, "--out", str(folder / name), *more]) == COMPLETE
    return made


def check(made: RunDirectory, *, replayed: bool) -> None:
    for each in made.episodes():
        film = made.film(each.task, each.index)
        assert film is not None
        assert film.replayed == replayed
        assert [frame.step for frame in film.frames] == [None, *range(len(each.steps))]
        assert {frame.title for frame in film.frames} == {"Words"}
        assert [frame.target.text for frame in film.frames if frame.target] == ["A", "x"]
        assert all(made.films.picture(frame.picture).startswith(b"\xff\xd8") for frame in film.frames)


@pytest.mark.slow
def test_a_run_films_its_episodes_if_it_is_asked_to(folder):
    made = run(folder, "filmed", "--film", "steps")
    assert (made.read().config.film, made.read().config.film_pictures) == ("steps", "jpeg")
    check(made, replayed=False)


@pytest.mark.slow
def test_a_baseline_is_not_filmed_unless_it_is_asked_for(folder):
    made = run(folder, "plain")
    assert made.read().config.film == "none"
    assert not (made.folder / "films").exists()


@pytest.mark.slow
def test_a_film_changes_nothing_of_a_run(folder):
    assert run(folder, "filmed", "--film", "steps").canonical() == run(folder, "plain").canonical()


@pytest.mark.slow
def test_films_are_made_of_a_run_that_has_none_and_its_forms_are_compared(folder, capsys):
    made = run(folder, "later")
    before = {file: file.read_bytes() for file in made.folder.rglob("*.json")}
    again = [str(made.folder), "--tasks-dir", str(folder / "tasks"), "--film", "--progress", "quiet"]
    assert replay(again) == COMPLETE
    said = capsys.readouterr().out
    assert re.search(r"^2 films made$", said, re.MULTILINE)
    assert "2 episodes replayed, 0 differences" in said
    check(made, replayed=True)
    assert {file: file.read_bytes() for file in before} == before
    assert not (made.folder / ".lock").exists()


@pytest.mark.slow
def test_a_film_that_is_there_is_kept(folder, capsys):
    made = run(folder, "partly")
    kept = Film(frames=(Frame(url="kept", size=(1, 1)),))
    made.write_film("T", 0, kept, {})
    again = [str(made.folder), "--tasks-dir", str(folder / "tasks"), "--film", "--film-pictures", "png"]
    assert replay([*again, "--progress", "quiet"]) == COMPLETE
    assert "1 film made" in capsys.readouterr().out
    assert made.film("T", 0) == kept
    film = made.film("T", 1)
    assert film is not None
    assert {frame.picture.rpartition(".")[2] for frame in film.frames} == {"png"}


@pytest.mark.slow
def test_no_films_are_written_into_a_run_that_another_process_writes(folder, capsys):
    made = run(folder, "plain")
    with FolderLock(made.folder):
        assert replay([str(made.folder), "--tasks-dir", str(folder / "tasks"), "--film"]) == WRONG_USE
    assert "is in use" in capsys.readouterr().err
    assert not (made.folder / "films").exists()


def test_how_a_run_is_filmed_is_decided_when_it_begins(folder, capsys):
    made = run(folder, "plain")
    assert evaluate(["--resume", str(made.folder), "--film", "steps"]) == WRONG_USE
    assert "--film: a run that is resumed goes on as it began" in capsys.readouterr().err


def test_what_an_earlier_attempt_was_filmed_at_is_not_shown_with_another(folder):
    made = run(folder, "filmed", "--film", "steps")
    config = made.read().config
    target = RunDirectory(folder / "stale")
    target.write_film("T", 0, Film(frames=()), {})

    class LabelStore:
        def work_item(self, *_):
            raise LookupError("seen no work_item")

    player = Player(config, target.folder, lambda: place_beside(target.folder, LabelStore()))  # type: ignore[arg-type]
    with pytest.raises(LookupError):
        player.do(_Session(), PageJob("T", 0, "id", "test"), None)  # type: ignore[arg-type]
    assert target.film("T", 0) is None


class _Session:
    """A browser of which only the settings are asked for."""

    class browser:  # noqa: N801
        class settings:  # noqa: N801
            origin = "http://x"


@pytest.mark.parametrize(
    ("solver", "film"),
    [
        (["oracle"], "none"), (["do-nothing"], "none"), (["random"], "none"), (["constant"], "none"),
        (["offline"], "none"), (["command", "--command", sys.executable], "steps"),
        (["mcp", "--preset", "scripted"], "steps"), (["gpt-6-luna"], "steps"),
        (["oracle", "--film", "steps"], "steps"), (["command", "--film", "none"], "none"),
    ],
)  # fmt: skip
def test_models_and_programs_are_filmed_by_default_and_baselines_are_not(solver: list[str], film: str):
    arguments = parser().parse_args(["--solver", *solver])
    assert config_of(arguments, arguments.solver, "standard").film == film


def test_runs_that_were_written_before_there_were_films_are_read_as_runs_without(folder):
    made = run(folder, "plain")
    file = made.folder / "run.json"
    record = json.loads(file.read_text())
    del record["config"]["film"], record["config"]["film_pictures"]
    other = RunDirectory(folder / "older")
    other.folder.mkdir()
    (other.folder / "run.json").write_text(json.dumps(record))
    assert other.read().config == made.read().config
    assert RunConfig("oracle", folder).film == "none"
