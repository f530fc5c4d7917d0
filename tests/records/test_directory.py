from __future__ import annotations

import hashlib
import json
from dataclasses import replace

import pytest

from harness.actions.result import Step
from harness.records import directory
from harness.records.config import RunConfig
from harness.records.directory import NotARun, RunDirectory
from harness.records.episode import Episode
from harness.records.fatal import CannotWrite
from harness.scoring.answers.columns import UNLABELLED
from tests.samples import episode, record, run_record, submission


def full_episode(**values) -> Episode:
    return episode(
        record("a", "radio", options=("1", "2"), labels=("1", ""), sent=("2",), untouched=("1",), constant=("1",)),
        record("quote \" and '", status=UNLABELLED, told=False, visible=False),
        submission=submission(accepted=False, a=("2", "3")),
        steps=(Step("modify_radio('a', '2')", True, "done", 1.5), Step("capture_screen()", True, "x", 2.0, "f" * 64)),
        timing={"open": 1.0},
        messages={"messages": 3, "waits": 2},
        script_errors=("TypeError: x",),
        detail="a lone \ud83d half, 日本",
        **values,
    )


def test_an_episode_comes_back_as_it_was(tmp_path):
    run = RunDirectory(tmp_path)
    run.add(full_episode(), {})
    assert list(run.episodes()) == [full_episode()]


def test_an_episode_after_a_harness_error_comes_back_too(tmp_path):
    made = episode(outcome="harness_error", detail="the browser is gone")
    RunDirectory(tmp_path).add(made, {})
    assert list(RunDirectory(tmp_path).episodes()) == [made]


def test_episodes_stand_in_a_folder_per_task_under_their_index(tmp_path):
    run = RunDirectory(tmp_path)
    run.add(episode(task="T", index=12), {})
    assert json.loads((tmp_path / "episodes" / "T" / "12.json").read_text(encoding="utf-8"))["index"] == 12


@pytest.mark.parametrize("name", ["a/b", "..", "50% [x] 'q' \"q\" + ?", "日本", "n" * 300])
def test_any_task_name_makes_one_folder_inside_the_run(tmp_path, name):
    run = RunDirectory(tmp_path)
    run.add(episode(task=name), {})
    (folder,) = (tmp_path / "episodes").iterdir()
    assert folder.name.isascii()
    assert [made.task for made in run.episodes()] == [name]


def test_episodes_come_by_task_and_number_not_by_text(tmp_path):
    run = RunDirectory(tmp_path)
    for task, index in (("B", 0), ("A", 10), ("A", 9)):
        run.add(episode(task=task, index=index), {})
    assert [(made.task, made.index) for made in run.episodes()] == [("A", 9), ("A", 10), ("B", 0)]


def test_pictures_are_kept_once_under_the_hash_of_their_content(tmp_path):
    run = RunDirectory(tmp_path)
    name = hashlib.sha256(b"png").hexdigest()
    run.add(episode(index=0), {name: b"png"})
    written = (tmp_path / "images" / f"{name}.png").stat().st_mtime_ns
    run.add(episode(index=1), {name: b"png"})
    assert [file.name for file in (tmp_path / "images").iterdir()] == [f"{name}.png"]
    assert (tmp_path / "images" / f"{name}.png").stat().st_mtime_ns == written


def test_pictures_are_there_before_the_episode_that_names_them(tmp_path, monkeypatch):
    def crash(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(directory, "write_with_digest", crash)
    with pytest.raises(KeyboardInterrupt):
        RunDirectory(tmp_path).add(episode(), {"f" * 64: b"png"})
    assert (tmp_path / "images" / f"{'f' * 64}.png").exists()
    assert list(RunDirectory(tmp_path).episodes()) == []


def test_a_run_that_was_written_can_be_opened(tmp_path):
    RunDirectory(tmp_path).write(run_record())
    assert RunDirectory.open(tmp_path).read().status == "complete"


@pytest.mark.parametrize(
    ("display", "back_end"), [("webdriver", "devtools"), ("desktop", "desktop"), (None, "devtools")]
)
def test_an_older_run_says_by_another_name_how_actions_reached_its_pages(tmp_path, display, back_end):
    run = RunDirectory(tmp_path)
    run.write(run_record())
    plain = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    del plain["config"]["input"]
    if display:
        plain["config"]["display"] = display
    (tmp_path / "run.json").write_text(json.dumps(plain), encoding="utf-8")
    assert run.read().config.input == back_end


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "it has no run.json"),
        ("{", "cannot be read"),
        ("[]", "cannot be read: Expected object, got array"),
        ('{"schema": 99}', "schema version 99"),
        ('{"schema": 4, "status": "complete"}', r"run\.json cannot be read: it lacks \w+"),
    ],
)
def test_what_is_no_run_is_refused_with_the_reason(tmp_path, content, said):
    if content is not None:
        (tmp_path / "run.json").write_text(content, encoding="utf-8")
    with pytest.raises(NotARun, match=said):
        RunDirectory.open(tmp_path)


def test_a_submission_of_the_wrong_shape_is_named(tmp_path):
    run = RunDirectory(tmp_path)
    run.add(episode(), {})
    file = run.episode_file("T", 0)
    broken = json.loads(file.read_text(encoding="utf-8"))
    broken["submission"]["values"] = []
    file.write_text(json.dumps(broken), encoding="utf-8")
    with pytest.raises(NotARun, match=r"episodes/T/0\.json cannot be read"):
        list(run.episodes())


def test_a_file_that_is_no_episode_is_named(tmp_path):
    run = RunDirectory(tmp_path)
    run.add(episode(), {})
    (tmp_path / "episodes" / "T" / "notes.json").write_text("{}", encoding="utf-8")
    with pytest.raises(NotARun, match=r"notes\.json is no episode"):
        list(run.episodes())


def test_a_half_written_file_is_no_episode(tmp_path):
    run = RunDirectory(tmp_path)
    run.add(episode(), {})
    (tmp_path / "episodes" / "T" / ".0123456789abcdef.part").write_text("{", encoding="utf-8")
    assert len(list(run.episodes())) == 1


def test_an_empty_or_missing_folder_takes_a_run(tmp_path):
    assert RunDirectory(tmp_path).refusal() is None
    assert RunDirectory(tmp_path / "new").refusal() is None


def test_a_folder_that_holds_anything_takes_none(tmp_path):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert "is not empty" in (RunDirectory(tmp_path).refusal() or "")
    RunDirectory(tmp_path).write(run_record())
    assert "already holds a run" in (RunDirectory(tmp_path).refusal() or "")
    assert "is not a folder" in (RunDirectory(tmp_path / "notes.txt").refusal() or "")


def test_a_run_that_came_to_nothing_is_taken_back(tmp_path):
    run = RunDirectory(tmp_path / "run")
    run.write(run_record())
    run.discard()
    assert not (tmp_path / "run").exists()


def test_taking_back_a_run_takes_along_what_was_made_for_it(tmp_path):
    run = RunDirectory(tmp_path / "run")
    run.write(run_record())
    (tmp_path / "run" / "calls").mkdir()
    for name in ("ledger.jsonl", "demos.json", "calls/0"):
        (tmp_path / "run" / name).touch()
    run.discard()
    assert not (tmp_path / "run").exists()


def test_taking_back_a_run_leaves_replies_that_were_paid_for_and_their_account(tmp_path):
    run = RunDirectory(tmp_path / "run")
    run.write(run_record())
    (tmp_path / "run" / "replies" / "ab").mkdir(parents=True)
    (tmp_path / "run" / "replies" / "ab" / "abc.json").touch()
    (tmp_path / "run" / "ledger.jsonl").touch()
    run.discard()
    assert sorted(file.name for file in (tmp_path / "run").rglob("*.*")) == ["abc.json", "ledger.jsonl"]


def test_taking_back_a_run_leaves_what_else_is_there(tmp_path):
    run = RunDirectory(tmp_path / "run")
    run.write(run_record())
    (tmp_path / "run" / "notes.txt").write_text("mine", encoding="utf-8")
    run.discard()
    assert [file.name for file in (tmp_path / "run").iterdir()] == ["notes.txt"]


def test_what_cannot_be_written_is_told_and_nothing_is_half_there(tmp_path):
    (tmp_path / "episodes").write_text("a file where the folder should be", encoding="utf-8")
    with pytest.raises(CannotWrite, match=f"{tmp_path} cannot be written: "):
        RunDirectory(tmp_path).add(episode(), {})
    assert not list(tmp_path.rglob("*.part"))


def test_what_a_killed_process_left_is_swept_away_and_does_not_stop_a_new_run(tmp_path):
    run = RunDirectory(tmp_path)
    for folder in (tmp_path, tmp_path / "episodes" / "T"):
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".0123456789abcdef.part").write_text("{", encoding="utf-8")
    (tmp_path / "episodes" / "T" / ".0123456789abcdef.part").unlink()
    (tmp_path / "episodes" / "T").rmdir()
    (tmp_path / "episodes").rmdir()
    assert run.refusal() is None
    run.add(episode(), {})
    run.sweep()
    assert [file.name for file in tmp_path.rglob("*") if file.is_file()] == ["0.json"]


def test_two_runs_are_compared_without_times_and_pixels(tmp_path):
    steps = [Step("get_html()", True, "1 character", 1.0, "f" * 64), Step("get_html()", True, "1 character", 2.0)]
    for name, step, timing in (("one", steps[0], {"open": 1.0}), ("two", steps[1], {"open": 2.0})):
        run = RunDirectory(tmp_path / name)
        config = RunConfig("random", tmp_path, seed=1, workers=1 if name == "one" else 2)
        run.write(run_record(config=config, started=name))
        run.add(replace(episode(), steps=(step,), timing=timing), {})
    one, two = (RunDirectory(tmp_path / name).canonical() for name in ("one", "two"))
    assert one == two
    run.add(replace(episode(), detail="other"), {})
    assert run.canonical() != one
