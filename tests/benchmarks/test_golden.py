"""The comparison of golden runs: what may differ is not found, and everything else is."""

from __future__ import annotations

import copy
import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from benchmarks.golden.comparison import MESSAGES, compare
from benchmarks.golden.model import reply
from benchmarks.golden.plan import steps
from benchmarks.golden.recorder import CHECKOUT, make_still
from benchmarks.golden.volatile import EPISODE, RUN, still

RECORD: dict[str, Any] = {
    "schema": 4,
    "status": "complete",
    "started": "2026-11-22T10:00:00+00:00",
    "ended": "2026-11-22T10:01:00+00:00",
    "provenance": {"git": {"revision": "a" * 40, "changed_files": []}},
    "config": {"solver": "oracle", "workers": 2, "tasks_dir": "/checkout/tasks"},
    "foundations": {"page_code": "abc", "task_set": "def"},
    "results": {"overall": {"score": 0.5, "ceiling": 1.0}},
}
SAID = "'mood' has no option 'glad'"
MADE: dict[str, Any] = {
    "schema": 4,
    "task": "Moods",
    "index": 0,
    "outcome": "scored",
    "detail": "",
    "fields": [{"name": "mood", "kind": "radio", "sent": ["good"], "labels": ["good"]}],
    "submission": {"values": {"mood": ["good"], "why": ["so"]}, "accepted": True},
    "steps": [
        {"action": "modify_radio('mood', 'glad')", "ok": False, "message": SAID, "ms": 3.25},
        {"action": "capture_screen()", "ok": True, "message": "taken", "ms": 30.5, "image": "a" * 64},
    ],
    "turns": [{"sent": "request", "images": ["a" * 64], "reply": "modify_radio('mood', 'glad')", "ms": 12.0}],
    "timing": {"open": 100.5, "act": 4.0},
    "ended": "2026-11-01T12:00:00.500+00:00",
    "messages": {"messages": 24, "waits": 13},
}
REQUEST = {"messages": [{"role": "user", "parts": [{"type": "text", "text": {"$text": "page", "characters": 9}}]}]}
PAGE = f"What your actions did: {SAID}"
PRINTED = {
    "command": ["/python", "-m", "harness", "score", "/out/still/moods"],
    "exit": 0,
    "stdout": "50.0\n",
    "stderr": "",
}


class Made:
    """A recording of one run of one episode, and of one command."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.run = folder / "runs" / "moods"
        self.episode = self.run / "episodes" / "Moods" / "0.json"
        self.page = self.run / "texts" / "page.json"
        self.output = folder / "outputs" / "score-moods.json"
        self.table = folder / "files" / "report-moods" / "scores.csv"
        facts = {"out": "/out", "checkout": "/checkout", "tasks": "/tasks", "python": "/python"}
        for file, value in {
            folder / "golden.json": facts,
            self.run / "run.json": RECORD,
            self.episode: MADE,
            self.run / "texts" / "request.json": REQUEST,
            self.page: PAGE,
            self.output: PRINTED,
        }.items():
            _write(file, value)
        self.table.parent.mkdir(parents=True)
        self.table.write_text("task,score\nMoods,50.0\n")

    def change(self, file: Path, change: Callable[[Any], object]) -> None:
        value = json.loads(file.read_text())
        change(value)
        _write(file, value)


def _write(file: Path, value: Any) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value))


@pytest.fixture
def before(tmp_path: Path) -> Made:
    return Made(tmp_path / "before")


@pytest.fixture
def after(tmp_path: Path) -> Made:
    return Made(tmp_path / "after")


def kinds(before: Made, after: Made) -> list[str]:
    return [found.kind for found in compare(before.folder, after.folder).differences]


def test_recordings_of_equal_code_do_not_differ_by_times_places_pictures_and_versions(before: Made, after: Made):
    def other_times(record: dict[str, Any]) -> None:
        record.update(schema=5, started="2027-01-01T00:00:00+00:00", ended="2027-01-01T00:10:00+00:00")
        record["provenance"]["git"] = {"revision": "b" * 40, "changed_files": ["README.md"]}
        record["foundations"]["page_code"] = "xyz"
        record["config"].update(workers=8, tasks_dir="/other/tasks")

    def other_pictures(episode: dict[str, Any]) -> None:
        episode.update(schema=5, timing={"open": 7.0, "act": 1.0}, messages={"messages": 3, "waits": 1})
        episode["ended"] = "2027-01-01T00:00:09.000+00:00"
        episode["steps"][0].update(ms=99.0, code="no_such_option")
        episode["steps"][1]["image"] = "b" * 64
        episode["turns"][0].update(ms=1.0, images=["b" * 64])

    after.change(after.folder / "golden.json", lambda facts: facts.update(out="/elsewhere", checkout="/other"))
    after.change(after.run / "run.json", other_times)
    after.change(after.episode, other_pictures)
    after.change(after.output, lambda output: output["command"].__setitem__(4, "/elsewhere/still/moods"))
    _write(after.run / "replies" / "ab" / "cd.json", {"asked": "http://127.0.0.1:4711"})

    found = compare(before.folder, after.folder)
    assert found.differences == []
    assert found.documents == 4
    assert not found.fails()


@pytest.mark.parametrize(
    ("change", "kind"),
    [
        (lambda made: made["submission"]["values"].update(mood=["bad"]), "submitted values"),
        (lambda made: made["submission"].update(values={"why": ["so"], "mood": ["good"]}), "submitted values"),
        (lambda made: made["fields"][0].update(sent=["bad"]), "submitted values"),
        (lambda made: made["fields"][0].update(kind="text"), "fields"),
        (lambda made: made["fields"].append({"name": "new"}), "fields"),
        (lambda made: made.update(outcome="limit"), "outcomes"),
        (lambda made: made["steps"][0].update(action="modify_radio('mood', 'good')"), "action texts"),
        (lambda made: made["steps"][0].update(ok=True), "steps"),
        (lambda made: made["steps"].pop(), "steps"),
        (lambda made: made["steps"][1].pop("image"), "steps"),
        (lambda made: made["turns"][0].update(reply="finish()"), "turns"),
        (lambda made: made["turns"][0].update(images=[]), "turns"),
        (lambda made: made.update(script_errors=[]), "rest of episodes"),
    ],
)
def test_what_an_episode_says_otherwise_is_found(before: Made, after: Made, change, kind: str):
    after.change(after.episode, change)
    assert set(kinds(before, after)) == {kind}


def test_of_films_all_is_compared_but_their_times_and_pictures(before: Made, after: Made):
    def film(made: Made, number: int, css: str) -> None:
        picture = f"{number:064}.webp"
        frame = {"step": 0, "picture": picture, "ms": 80.0 + number, "target": {"css": css}}
        _write(made.run / "films" / "Moods" / "0.json", {"frames": [frame]})
        (made.run / "films" / "pictures").mkdir(exist_ok=True)
        (made.run / "films" / "pictures" / picture).write_bytes(b"RIFF\x90\xff")

    film(before, 1, "#a")
    film(after, 2, "#a")
    assert kinds(before, after) == []
    film(after, 2, "#b")
    assert len(kinds(before, after)) == 1


def test_a_score_of_the_run_is_found(before: Made, after: Made):
    after.change(after.run / "run.json", lambda record: record["results"]["overall"].update(score=0.4))
    found = compare(before.folder, after.folder)
    assert [each.kind for each in found.differences] == ["scores"]
    assert "runs/moods/run.json .results.overall.score\n    before: 0.5\n    after:  0.4" in found.text()


def test_a_missing_and_an_extra_file_are_found(before: Made, after: Made):
    after.episode.rename(after.episode.with_name("1.json"))
    found = compare(before.folder, after.folder)
    assert [(each.kind, each.document) for each in found.differences] == [
        ("missing or extra files", "runs/moods/episodes/Moods/0.json"),
        ("missing or extra files", "runs/moods/episodes/Moods/1.json"),
    ]


def test_a_text_sent_to_a_model_is_compared_by_its_content(before: Made, after: Made):
    _write(after.page, "Another page")
    assert kinds(before, after) == ["texts sent to models"]


def test_a_text_under_another_name_is_the_same_text(before: Made, after: Made):
    after.page.rename(after.page.with_name("renamed.json"))
    text = after.run / "texts" / "request.json"
    after.change(text, lambda sent: sent["messages"][0]["parts"][0]["text"].update({"$text": "renamed"}))
    assert kinds(before, after) == []


def test_what_a_command_prints_and_writes_is_compared_line_by_line(before: Made, after: Made):
    after.change(after.output, lambda output: output.update(exit=1, stdout="50.0\n49.0\n", stderr="error: no\n"))
    after.table.write_text("task,score\nMoods,49.0\n")
    assert kinds(before, after) == [
        "outputs: exit",
        "outputs: stdout",
        "outputs: stderr",
        "files that commands write",
    ]


def test_other_words_of_a_result_are_a_kind_of_their_own_that_can_be_allowed(before: Made, after: Made):
    words = "there is no 'glad' in 'mood'"
    after.change(after.episode, lambda made: made["steps"][0].update(message=words))
    _write(after.page, PAGE.replace(SAID, words))
    found = compare(before.folder, after.folder)
    assert [each.kind for each in found.differences] == [MESSAGES, MESSAGES]
    assert found.fails()
    assert not found.fails(messages_may_differ=True)


def test_a_prompt_that_differs_in_more_than_repeated_messages_is_no_matter_of_words(before: Made, after: Made):
    words = "there is no 'glad' in 'mood'"
    after.change(after.episode, lambda made: made["steps"][0].update(message=words))
    _write(after.page, PAGE.replace(SAID, words).replace("What", "Which"))
    found = compare(before.folder, after.folder)
    assert [each.kind for each in found.differences] == [MESSAGES, "texts sent to models"]
    assert found.fails(messages_may_differ=True)


def test_the_command_prints_the_differences_and_fails_with_them(before: Made, after: Made):
    after.change(after.episode, lambda made: made.update(outcome="limit"))
    command = [sys.executable, "-m", "benchmarks.golden", "compare"]

    def run(*words: str) -> tuple[int, str]:
        done = subprocess.run([*command, *words], cwd=CHECKOUT, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout

    code, text = run(str(before.folder), str(after.folder))
    assert code == 1
    assert text.endswith("4 documents: 1 outcomes\n")
    assert run(str(before.folder), str(before.folder)) == (0, "4 documents: no difference\n")
    assert run(str(before.folder), str(before.folder / "runs"))[0] == 2


def test_a_run_that_is_missing_as_a_whole_is_found(before: Made, after: Made):
    shutil.rmtree(after.run)
    assert kinds(before, after) == ["missing or extra files"] * 2


def test_a_run_that_stands_still_keeps_all_but_its_times(tmp_path: Path, before: Made):
    make_still(before.run, tmp_path / "still")
    record = json.loads((tmp_path / "still" / "run.json").read_text())
    episode = json.loads((tmp_path / "still" / "episodes" / "Moods" / "0.json").read_text())
    assert (record["started"], record["ended"]) == ("2000-01-01T00:00:00+00:00",) * 2
    assert record["results"] == RECORD["results"]
    assert (episode["timing"], episode["ended"]) == ({"open": 1, "act": 1}, "2000-01-01T00:00:00+00:00")
    assert episode["steps"][1] == {**MADE["steps"][1], "ms": 1}
    assert json.loads((tmp_path / "still" / "texts" / "page.json").read_text()) == PAGE


def test_a_recorded_value_is_not_changed_by_standing_still():
    made = copy.deepcopy(MADE)
    still(made, EPISODE)
    still(RECORD, RUN)
    assert made == MADE


def test_steps_have_names_of_their_own_and_read_runs_that_are_made():
    every = steps()
    made = {step.run for step in every if step.run}
    assert len({step.name for step in every}) == len(every)
    assert {name for step in every for name in step.needs} <= made


def test_a_choice_of_steps_brings_the_runs_that_they_read():
    assert [step.name for step in steps(("score-bundled-oracle",))] == ["run-bundled-oracle", "score-bundled-oracle"]


def asked(text: str, **more: Any) -> dict[str, Any]:
    return {"model": "scripted", "messages": [{"role": "user", "content": text}], **more}


def test_the_scripted_model_answers_a_field_by_what_the_page_shows():
    page = '<input type="radio" name="tone" value="warm"> <input type="radio" name="tone" value="cold">'
    status, answer = reply(asked(f"{page}\nThe name of the field: 'tone'"))
    assert status == 200
    assert "modify_radio('tone', " in answer["choices"][0]["message"]["content"]


def test_the_scripted_model_says_the_same_to_the_same_request():
    request = asked("The fields of the form, by name:\n'a'\n'b'\n'c'")
    assert reply(request) == reply(request)


def test_the_scripted_model_calls_tools_where_it_is_given_some():
    tools = [{"function": {"name": "modify_text"}}]
    _, answer = reply(asked("The fields of the form, by name:\n'a'", tools=tools))
    [call] = answer["choices"][0]["message"]["tool_calls"]
    assert (call["function"]["name"], json.loads(call["function"]["arguments"])["name"]) == ("modify_text", "a")


def test_the_refusing_model_refuses():
    status, answer = reply({**asked("anything"), "model": "refusing"})
    assert status == 400
    assert "refuses" in answer["error"]["message"]
