"""Whatever stands in a file that somebody else may have written: one line that names it, and never a traceback.

``TRUST_MUTATIONS=2000`` spoils as many run directories; the suite spoils a few.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sys
from pathlib import Path
from unicodedata import category

import pytest

from harness.catalog.mirror.store import MirrorError, Store
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import leaderboard, replay, score
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.export import runs as export
from harness.cli.commands.people.workers import main as people
from harness.kit.text import PrintableStream, printable
from harness.records.directory import RunDirectory
from harness.records.texts import named
from tests.task_folders import make_task
from tests.trust.fuzz_sample import sample_run
from tests.trust.fuzzing import Mutator, commands, complaint, no_browser

MUTATIONS = int(os.environ.get("TRUST_MUTATIONS", "24"))
DEEP = "[" * 100_000 + "]" * 100_000
RAW = "\x1b\x9b\x07\x00\r\u202e\u2066\u200f\u061c\u200b\ufeff\u2028\U000e0041"


@pytest.fixture(scope="module")
def sample(tmp_path_factory) -> tuple[Path, Path]:
    return sample_run(tmp_path_factory.mktemp("sample"))


@pytest.mark.slow
def test_a_run_that_is_not_spoiled_is_read_by_all_commands(sample, tmp_path):
    original, tasks = sample
    with no_browser():
        read = commands(original, original, tmp_path, tasks, draw=True)
        codes = {name: complaint(command)[0] for name, command in read.items()}
    assert codes.pop("replay") == WRONG_USE  # it ends where its server would start
    assert codes.pop("export pairs") == INCOMPLETE  # no reply in it is better than another
    assert set(codes.values()) == {0}


@pytest.mark.slow
@pytest.mark.claim("runs-spoiled")
def test_a_spoiled_run_directory_gives_one_line_that_names_it_and_never_a_traceback(sample, tmp_path):
    original, tasks = sample
    mutator = Mutator(original, seed=11)
    run, out = tmp_path / "run", tmp_path / "out"
    for number in range(MUTATIONS):
        what = mutator.spoil(run)
        shutil.rmtree(out, ignore_errors=True)
        out.mkdir()
        with no_browser():
            for name, command in commands(run, original, out, tasks, draw=number % 8 == 0).items():
                code, said, wrong = complaint(command)
                assert not set(RAW) & set(said + wrong), (number, what, name)
                if code == WRONG_USE:
                    (line,) = wrong.splitlines()
                    # What was not given again is named by its option.
                    known = (str(run), "no server is started here", "say with --tasks-dir", "with --overlay")
                    assert any(each in line for each in known), (number, what, name, line)


@pytest.fixture
def run(sample, tmp_path) -> RunDirectory:
    shutil.copytree(sample[0], tmp_path / "run")
    return RunDirectory(tmp_path / "run")


def spoiled(file: Path, **values: object) -> None:
    file.write_text(json.dumps({**json.loads(file.read_bytes()), **values}), encoding="utf-8")


SPOILED = {
    "a profile": ("run.json", "config", {"metrics": "mine"}, "no profile is called 'mine'"),
    "a status": ("run.json", "status", "perhaps", "$.status"),
    "a limit": ("run.json", "out_of_budget", {"x": 1}, "$.out_of_budget"),
    "a kind": ("episodes/A/0.json", "fields", [{"kind": "colour"}], "unknown kind 'colour'"),
    "an outcome": ("episodes/A/0.json", "outcome", "won", "$.outcome"),
    "a number": ("episodes/A/0.json", "index", 2**70, "$.index"),
    "a task": ("episodes/A/0.json", "task", "", "$.task"),
    "half a letter": ("episodes/A/0.json", "split", "\ud800", "$.split"),
}


@pytest.mark.parametrize("what", SPOILED)
def test_what_is_unknown_is_named_with_file_and_place(run, what, capsys):
    name, key, value, place = SPOILED[what]
    file = run.folder / name
    old = json.loads(file.read_bytes())[key]
    if isinstance(value, dict):
        value = {**old, **value}
    if isinstance(value, list):
        value = [{**old[0], **value[0]}, *old[1:]]
    spoiled(file, **{key: value})
    for main in (score.main, replay.main):
        assert main([str(run.folder)]) == WRONG_USE
        (line,) = capsys.readouterr().err.splitlines()
        assert str(file) in line
        assert place in line


@pytest.mark.claim("runs-spoiled")
@pytest.mark.parametrize("name", ["run.json", "sample.json", "episodes/A/0.json"])
def test_json_that_is_nested_deep_is_named(run, name, capsys):
    (run.folder / name).write_text(DEEP, encoding="utf-8")
    assert score.main([str(run.folder)]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert str(run.folder / name) in line


@pytest.mark.claim("texts-names")
@pytest.mark.parametrize("name", ["../../../etc/passwd", "../run", "x", "A" * 64])
def test_a_text_of_a_run_has_a_hash_for_a_name_and_no_path(run, name, capsys):
    for file in (run.folder / "episodes").rglob("*.json"):
        turns = json.loads(file.read_bytes())["turns"]
        spoiled(file, turns=[{**turn, "sent": name} for turn in turns])
    assert export.main([str(run.folder), "--format", "sft", "--min-score", "0"]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert "is no name of a text" in line


MADE_UP = {
    "a part without a kind": {"messages": [{"role": "system", "parts": [{"text": "x"}]}], "tools": []},
    "a result without a kind": {
        "messages": [{"role": "tool", "parts": [{"id": "1", "text": "x", "images": [{"sha256": "a" * 64}]}]}],
        "tools": [],
    },
    "a picture with a path": {
        "messages": [{"role": "user", "parts": [{"type": "image", "sha256": "../../../home/me/x"}]}],
        "tools": [],
    },
    "no messages": {"tools": []},
}


@pytest.mark.claim("texts-names")
@pytest.mark.parametrize("form", ["sft", "preference"])
@pytest.mark.parametrize("what", MADE_UP)
def test_a_text_of_a_run_with_another_shape_is_made_no_example_of(run, what, form, capsys):
    name, text = named(MADE_UP[what])
    (run.texts / f"{name}.json").write_text(text, encoding="utf-8")
    for file in (run.folder / "episodes").rglob("*.json"):
        turns = json.loads(file.read_bytes())["turns"]
        spoiled(file, turns=[{**turn, "sent": name} for turn in turns])
    code = export.main([str(run.folder), "--format", form, "--min-score", "0"])
    found = capsys.readouterr()
    assert "home/me" not in found.out
    if code == WRONG_USE:
        (line,) = found.err.splitlines()
        assert name[:40] in line
        assert ".json cannot be read: " in line
    assert (code == WRONG_USE) is (what == "no messages" or (form == "sft" and "path" in what))


def test_a_field_with_rows_of_more_workers_than_the_others_is_scored(run, capsys):
    file = run.folder / "episodes" / "A" / "1.json"
    first, *others = json.loads(file.read_bytes())["fields"]
    spoiled(file, fields=[{**first, "labels": [first["labels"][0], *first["labels"]]}, *others])
    assert people([str(run.folder)]) == COMPLETE
    assert not capsys.readouterr().err


# ---- other files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("text", ['{"tasks": [1]}', '{"tasks": {"T": {"split": "\\ud800"}}}'])
def test_an_overlay_that_cannot_be_read_is_named(tmp_path, text, capsys):
    make_task(tmp_path / "tasks", "T")
    (tmp_path / "overlay.json").write_text(text, encoding="utf-8")
    own = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--split", "none"]
    assert evaluate(["--solver", "oracle", "--overlay", str(tmp_path / "overlay.json"), *own]) == WRONG_USE
    assert "Traceback" not in capsys.readouterr().err


@pytest.mark.claim("runs-spoiled")
@pytest.mark.parametrize("text", [DEEP, "{", "[1]", '{"schema": 1}', '{"schema": 1, "id": {}, "profiles": []}'])
def test_a_record_of_a_leaderboard_that_cannot_be_read_is_named(tmp_path, text, capsys):
    (tmp_path / "abc.json").write_text(text, encoding="utf-8")
    assert leaderboard.main(["show", "--folder", str(tmp_path)]) == INCOMPLETE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("refused: abc.json: ")


FILE = {"name": "a.js", "content_type": "text/javascript", "size": 1, "hashes": []}
INDICES = {
    "wrong types": '{"version": 1, "assets": {"a": {"url": 1}}, "files": {}}',
    "a path for a hash": json.dumps({"version": 1, "assets": {}, "files": {"../../../etc/passwd": FILE}}),
}


@pytest.mark.parametrize("what", INDICES)
def test_an_index_of_a_mirror_that_cannot_be_used_is_named(tmp_path, what):
    (tmp_path / "index.json").write_text(INDICES[what], encoding="utf-8")
    with pytest.raises(MirrorError, match=r"cannot be used.*index\.json") as error:
        Store(tmp_path).read()
    assert "\n" not in str(error.value)


# ---- what a terminal would obey -------------------------------------------------------------------------------------


def test_control_characters_are_shown_and_text_is_left_alone():
    assert printable("\x1b[2J\x9b31m\r\x00\x7f") == r"\u001b[2J\u009b31m\u000d\u0000\u007f"
    assert printable("漢字\tñ\n🐈 “x”") == "漢字\tñ\n🐈 “x”"
    line = json.dumps({"a": "\x1b\x9b\x7f"}, ensure_ascii=False)
    assert json.loads(printable(line)) == json.loads(line)


@pytest.mark.claim("terminal-names")
def test_what_turns_other_characters_round_or_cannot_be_seen_is_shown():
    assert printable("a\u202egpj.exe\u2069\u200b \U000e0041") == r"a\u202egpj.exe\u2069\u200b \udb40\udc41"
    unseen = [each for each in map(chr, range(sys.maxunicode + 1)) if category(each) in {"Cc", "Cf", "Cs", "Zl", "Zp"}]
    assert [each for each in unseen if printable(each) == each] == ["\t", "\n"]
    line = json.dumps({"a": "\u202e\u2066\U000e0041"}, ensure_ascii=False)
    assert json.loads(printable(line)) == json.loads(line)


EVIL = "T\x1b]0;owned\x07\x1b[2J\x9b\u202egpj\u2066\u200b"


@pytest.mark.claim("terminal-names")
def test_names_that_hold_what_a_terminal_obeys_are_never_printed_raw(tmp_path, capsys):
    make_task(tmp_path / "tasks", EVIL)
    make_task(tmp_path / "tasks", "Good", table=f"text,Answer.a\r\none,yes,{EVIL}\r\n")
    for arguments in (
        ["--solver", f"{EVIL}.py:X"],
        ["--solver", "oracle", "--task", f"{EVIL}x"],
        ["--solver", "oracle", "--split", EVIL],
        ["--solver", "oracle", "--task", "Good"],
        ["--solver", "oracle", "--overlay", f"/{EVIL}"],
        ["--solver", "oracle", f"--{EVIL}"],
    ):
        with contextlib.suppress(SystemExit):  # argparse prints and ends
            evaluate([*arguments, "--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run")])
        found = capsys.readouterr()
        assert found.err
        assert not set(RAW) & set(found.out + found.err), arguments


def test_a_stream_that_is_made_printable_is_otherwise_the_same(tmp_path):
    with (tmp_path / "out").open("w", encoding="utf-8") as stream:
        made = PrintableStream(stream)
        assert made.write("\x1b") == 1
        made.writelines(["a", "\x07"])
        assert made.fileno() == stream.fileno()
    assert (tmp_path / "out").read_text(encoding="utf-8") == r"\u001ba\u0007"
