"""A run directory is somebody else's data: what it says is checked, and nothing is done because it says so."""

from __future__ import annotations

import io
import shutil
import sys
from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import compare, evaluate, leaderboard, replay, report, score
from harness.cli.commands.export import runs as export
from harness.cli.commands.papers import agreement
from harness.cli.commands.people.workers import main as people
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.models.presets import presets
from harness.records.config import RunConfig, option_names
from harness.records.directory import RunDirectory
from harness.records.planned import PlannedSample
from harness.run import page_source, runner
from harness.run.consent import Consent, NotAllowed, acts_of, refuse_what_acts
from harness.run.page_source import PageSource
from oracle.check.check import Check, CheckRefused
from oracle.oracle import Oracle
from tests.task_folders import make_task

PREDICTION = '{"task": "A", "index": 0, "field": "a", "output": "x", "value_read": []}\n'

# ---- episodes that were not planned ---------------------------------------------------------------------------------


@pytest.fixture
def _any_foundations(monkeypatch):
    """The runs here were made without a mirror, and are gone on with all the same."""
    monkeypatch.setattr(runner, "refuse_others", lambda *_: None)


def readers(run: RunDirectory, other: RunDirectory, folder: Path) -> dict[str, tuple[object, list[str]]]:
    """Name -> the commands that read a run, with their arguments."""
    own = str(run.folder)
    tasks = ["--tasks-dir", str(other.read().config.tasks_dir)]
    (folder / "predictions.jsonl").write_text(PREDICTION, encoding="utf-8")
    return {
        "score": (score.main, [own]),
        "report": (report.main, [own, "--out", str(folder / "report.html")]),
        "compare": (compare.main, [str(other.folder), own]),
        "leaderboard": (leaderboard.main, ["add", own, "--folder", str(folder / "board"), *tasks]),
        "people": (people, [own]),
        "replay": (replay.main, [own, *tasks]),
        "export": (export.main, [own, "--format", "jsonl", "--out", str(folder / "tables")]),
        "agreement": (
            agreement.main,
            [own, *tasks, "--out", str(folder / "found"), "--predictions", str(folder / "predictions.jsonl")],
        ),
        "resume": (evaluate.main, ["--resume", own, "--progress", "quiet"]),
    }


READERS = ("score", "report", "compare", "leaderboard", "people", "replay", "export", "agreement", "resume")


def spoil(run: RunDirectory, how: str) -> None:
    first = next(run.episodes())
    match how:
        case "one more":
            run.add(replace(first, index=77), {})
        case "another in the place of one":
            run.episode_file(first.task, first.index).unlink()
            run.add(replace(first, index=77), {})
        case "another id":
            run.add(replace(first, id="f" * 12), {})
        case "in a wrong place":
            run.episode_file("A", 0).write_bytes(run.episode_file("B", 1).read_bytes())
        case "another sample":
            instances = [(each.task, each.index, each.id) for each in run.episodes()]
            run.write_sample(PlannedSample.of([*instances[1:], ("A", 9, "f" * 12)]))


@pytest.mark.claim("runs-planned")
@pytest.mark.parametrize(
    "how", ["one more", "another in the place of one", "another id", "in a wrong place", "another sample"]
)
@pytest.mark.parametrize("reader", READERS)
@pytest.mark.usefixtures("_any_foundations")
def test_a_run_with_episodes_that_it_did_not_plan_is_refused_in_one_line(
    run, original, tmp_path, capsys, *, reader, how
):
    spoil(run, how)
    main, arguments = readers(run, original, tmp_path)[reader]
    assert main(arguments) in {WRONG_USE, INCOMPLETE}
    found = capsys.readouterr()
    (line,) = found.err.splitlines()
    assert line.startswith(("error: ", "refused: "))
    assert str(run.folder) in line
    assert not found.out


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("is_there", [False, True])
def test_what_is_no_run_is_refused_in_one_line_and_nothing_is_written(
    run, original, tmp_path, capsys, *, reader, is_there
):
    main, arguments = readers(run, original, tmp_path)[reader]
    shutil.rmtree(run.folder)
    if is_there:
        run.folder.mkdir()
    before = sorted(tmp_path.rglob("*"))
    assert main(arguments) == WRONG_USE
    found = capsys.readouterr()
    (line,) = found.err.splitlines()
    assert str(run.folder) in line
    assert not found.out
    assert sorted(tmp_path.rglob("*")) == before


def test_more_episodes_than_planned_are_refused_even_where_the_sample_was_not_kept(run, capsys):
    spoil(run, "one more")
    (run.folder / "sample.json").unlink()
    assert score.main([str(run.folder)]) == WRONG_USE
    assert "holds 7 episodes of 6 planned ones" in capsys.readouterr().err


# ---- where pages come from, and what they reach ---------------------------------------------------------------------


@pytest.mark.claim("runs-addresses")
def test_what_pages_reach_in_a_replay_is_never_taken_from_the_run(tmp_path):
    config = RunConfig("oracle", tmp_path, network="live", media=Path("/"), server="http://elsewhere.example")
    pages = PageSource(tmp_path)
    assert (pages.network, pages.media) == ("mirror", None)
    assert not pages.settings("http://127.0.0.1:1", config).live
    assert "--network live" in pages.differences(config)


class Served(Exception):
    """Ends a command where the server would start."""


@pytest.mark.parametrize("command", ["replay", "agreement", "export"])
def test_the_server_of_a_run_that_is_done_again_serves_what_its_user_named(run, tmp_path, command, monkeypatch, capsys):
    asked = []

    def serves(tasks_dir: Path, overlay: Path | None, *, network: str, media: Path | None, **_: str) -> None:
        asked.append((tasks_dir, overlay, network, media))
        raise Served

    monkeypatch.setattr(page_source, "own_server", serves)
    record = run.read()
    tasks_dir = record.config.tasks_dir
    run.write(replace(record, config=replace(record.config, network="live", media=Path("/"))))
    if command == "agreement":
        for file in (run.folder / "episodes").rglob("*.json"):
            file.unlink()
    (tmp_path / "p.jsonl").write_text(PREDICTION, encoding="utf-8")
    main, arguments = {
        "replay": (replay.main, []),
        "agreement": (agreement.main, ["--predictions", str(tmp_path / "p.jsonl"), "--play"]),
        "export": (export.main, ["--features", str(tmp_path / "features")]),
    }[command]
    with pytest.raises(Served):
        main([str(run.folder), *arguments, "--tasks-dir", str(tasks_dir), "--progress", "quiet"])
    assert asked == [(tasks_dir, None, "mirror", None)]
    assert "the run was made with --network live and --media" in capsys.readouterr().err


FOLLOWS = {
    "replay": (replay.main, ()),
    "agreement": (agreement.main, ("--predictions", "{}/predictions.jsonl", "--out", "{}/found")),
    "export": (export.main, ("--features", "{}/features")),
    "leaderboard add": (leaderboard.main, ("add", "--folder", "{}/board")),
    "leaderboard check": (leaderboard.main, ("check", "--folder", "{}", "--run")),
}
"""The commands that open the tasks of a run."""


@pytest.mark.claim("runs-addresses")
@pytest.mark.parametrize("key", ["tasks_dir", "overlay"])
@pytest.mark.parametrize("command", FOLLOWS)
def test_no_folder_and_no_overlay_is_opened_because_a_run_names_it(run, tmp_path, *, command, key, capsys):
    (tmp_path / "predictions.jsonl").write_text(PREDICTION, encoding="utf-8")
    there = tmp_path / "elsewhere"
    shutil.copytree(run.read().config.tasks_dir, there)  # it would be used if it were opened
    record = run.read()
    run.write(replace(record, config=replace(record.config, **{key: there})))
    given = ["--tasks-dir", str(record.config.tasks_dir)] if key == "overlay" else []
    main, arguments = FOLLOWS[command]
    assert main([*(each.format(tmp_path) for each in arguments), str(run.folder), *given]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert repr(str(there)) in line
    assert f"--{key.replace('_', '-')}" in line


# ---- what a run that is gone on with would do -----------------------------------------------------------------------

ACTS = {
    "solver": {"solver": "mine.py:Mine"},
    "dotted solver": {"solver": "os.path:join"},
    "command": {"solver": "command", "options": {"command": "rm -rf /"}},
    "mcp server": {"solver": "mcp", "options": {"mcp_server": "rm -rf /", "model": "gpt-4o"}},
    "environment": {"solver": "command", "options": {"command": "x", "pass_env": ["AWS_SECRET"]}},
    "network": {"network": "live"},
    "media": {"media": Path("/")},
    "server": {"server": "http://elsewhere.example:80"},
    "address": {"solver": "gpt-4o", "options": {"base_url": "https://elsewhere.example/v1"}},
    "well-known address": {"solver": "gpt-4o", "options": {"base_url": "https://openrouter.ai/api/v1"}},
    "address of this machine": {"solver": "gpt-4o", "options": {"base_url": "http://127.0.0.1:2375/v1"}},
    "address for tools": {"solver": "mcp", "options": {"model": "gpt-4o:x", "base_url": "http://127.0.0.1:2375/v1"}},
    "model file": {"solver": "local", "options": {"model": "/etc/passwd"}},
    "cache": {"solver": "gpt-4o", "options": {"cache": "/etc"}},
    "predictions": {"solver": "offline", "options": {"predictions": "/etc/passwd"}},
    "answers": {"solver": "human", "options": {"answers": "/etc/passwd", "annotator": "ann"}},
    "no box": {"solver": "command", "options": {"isolate": "none", "command": "x"}},
    "folder to write": {"solver": "command", "options": {"isolate_write": ["/etc"]}},
    "folder to read": {"solver": "command", "options": {"isolate_read": ["/etc"]}},
    "host": {"solver": "command", "options": {"allow_host": ["elsewhere.example"]}},
    "image": {"solver": "command", "options": {"isolate_image": "elsewhere.example/image"}},
    "demonstrations": {"solver": "gpt-4o", "options": {"demos": 1, "demos_from": "/etc"}},
    "browser": {"browser_url": "http://127.0.0.1:9222"},
    "grid": {"grid": "http://elsewhere.example:4444"},
    "other machines": {"browser_url": "http://127.0.0.1:9222", "serve_at": "192.0.2.1"},
    "secret": {"solver": "command", "options": {"command": "x", "pass_secret": ["AWS_SECRET"]}},
    "ranker": {"solver": "mindact", "options": {"preset": "gpt-4o", "ranker": "learned:/etc/passwd"}},
    "cluster": {"engine": "ray"},
    "browsers without number": {"workers": 1_000_000},
}
SAID = {
    "address": "send pages, and the key for that server, to 'https://elsewhere.example/v1'",
    "well-known address": "'https://openrouter.ai/api/v1'",
    "address of this machine": "'http://127.0.0.1:2375/v1'",
    "address for tools": "'http://127.0.0.1:2375/v1'",
    "model file": "load the model in the file '/etc/passwd'",
    "cache": "take replies from, and write them into, the folder '/etc'",
    "predictions": "take answers from the file '/etc/passwd'",
    "answers": "take people's answers from the file '/etc/passwd'",
    "no box": "run it without a box",
    "folder to write": "let it write to '/etc'",
    "folder to read": "let it read '/etc'",
    "host": "let it reach 'elsewhere.example'",
    "image": "run it in the image 'elsewhere.example/image'",
    "demonstrations": "take demonstrations from the tasks in '/etc'",
    "other machines": "serve pages to everybody who reaches '192.0.2.1'",
    "secret": "hand it the secret variables 'AWS_SECRET'",
    "cluster": "hand its work to other machines, with --engine 'ray'",
    "browsers without number": "'1000000'",
}
"""What is said of an act, where another of the same run would be refused by itself."""


@pytest.mark.claim("runs-continued")
@pytest.mark.parametrize("what", ACTS)
def test_a_run_that_would_act_is_not_gone_on_with_unasked(run, what, capsys, monkeypatch):
    monkeypatch.setattr(runner, "find_solver", lambda _name: pytest.fail("the solver was loaded"))
    monkeypatch.setattr(sys, "stdin", io.StringIO())
    record = run.read()
    config = replace(record.config, solver="random", options={})
    run.write(replace(record, config=replace(config, **ACTS[what])))
    assert evaluate.main(["--resume", str(run.folder)]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert "to go on with this run is to " in line
    assert SAID.get(what, "") in line
    assert "--yes" in line


@pytest.mark.parametrize("solver", ["oracle", "random", "gpt-4o", "llama2", "local", f"{Oracle.__module__}:Oracle"])
def test_a_run_of_our_own_solvers_asks_nothing(solver):
    preset = presets().get(solver)
    decided = {"model": preset.model, "base_url": preset.base_url} if preset else {}  # as the solver writes it down
    options = {name: value for name, value in decided.items() if value is not None}
    refuse_what_acts(RunConfig(solver, Path(), options=options, server="http://localhost:8000"))


ASKED = {
    "options", "solver", "network", "media", "server", "browser_url", "grid", "serve_at", "cube", "engine", "workers",
}  # fmt: skip
HARMLESS = {
    "tasks_dir", "overlay", "split", "tasks", "max_instances", "seed", "solver_seed", "seeds", "limits", "unlabelled",
    "metrics", "judge", "headed", "input", "live_clock", "fresh_context", "skip_missing_media", "attended", "kind",
    "visitor", "exclude_content_warnings", "require_sandbox", "film", "film_pictures", "actions", "pages_per_browser",
    "shard",
}  # fmt: skip
"""What chooses tasks, which have to be those that the run began with, and how they are shown and scored. A judge is a
model that is known by its name, as a solver is."""
SAFE = {
    "model", "preset", "retired_anyway", "protocol", "field_names", "output", "prompts", "encoding", "vision",
    "demos", "screenshot", "retries", "planning", "memory", "reward", "reward_model", "reference", "ocr", "temperature",
    "max_input_tokens", "max_output_tokens", "max_cost", "max_tokens", "concurrency", "tokens_per_minute",
    "call_timeout", "annotator", "likelihoods",
}  # fmt: skip
"""Options that choose among what is known, or count: what is none of it is refused by the solver's own ``check``."""


@pytest.mark.claim("runs-continued")
def test_every_option_of_a_run_was_looked_at():
    assert {each.name for each in fields(RunConfig)} == ASKED | HARMLESS
    asked = {name for acts in ACTS.values() for name in acts.get("options", {})}
    assert set(option_names(argument=True)) - asked - SAFE == set()


@pytest.mark.claim("runs-continued")
@pytest.mark.parametrize("option", ["prompts", "encoding", "protocol", "output", "screenshot", "model", "ranker"])
def test_an_option_that_chooses_among_what_is_known_names_no_file(option):
    solver = find_solver("mindact" if option == "ranker" else "gpt-4o")
    preset = {"preset": "gpt-4o"} if option == "ranker" else {}
    try:
        taken = solver.check({**preset, option: "../../../../etc/passwd"})
    except WrongOptions:
        return
    assert option == "model"  # any name: it is asked for at the provider
    refuse_what_acts(RunConfig("gpt-4o", Path(), options=taken))


PROGRAM = RunConfig("command", Path(), options={"command": "echo \x1b[2J", "pass_env": ["B", "A"]})


def test_what_the_user_gives_again_is_agreed_to():
    assert [act.option for act in acts_of(PROGRAM)] == ["command", "pass_env"]
    Consent({"command": "echo \x1b[2J", "pass_env": ["A", "B"]}).check(PROGRAM)
    with pytest.raises(NotAllowed, match="hand it the variables"):
        Consent({"command": "echo \x1b[2J"}).check(PROGRAM)
    with pytest.raises(NotAllowed, match="--command: a run that is resumed goes on as it began"):
        Consent({"command": "echo"}, everything=True).check(PROGRAM)


@pytest.mark.claim("runs-continued")
def test_what_is_given_again_agrees_if_it_is_what_the_run_has_and_is_refused_if_not():
    options = {"base_url": "https://a.example/v1", "cache": "/c", "model": "m", "isolate_read": ["/b", "/a"]}
    run = RunConfig("gpt-4o", Path(), options=options)
    Consent({"base_url": "https://a.example/v1", "cache": "/c", "isolate_read": ["/a", "/b"]}).check(run)
    Consent({**options, "solver": "gpt-4o", "network": "mirror"}).check(run)  # though some needed no consent
    for other in ({"base_url": "https://b.example/v1"}, {"cache": "/d"}, {"predictions": "/p"}, {"solver": "gpt-4"}):
        with pytest.raises(NotAllowed, match="a run that is resumed goes on as it began"):
            Consent(other, everything=True).check(run)


def test_what_is_asked_at_the_terminal_is_shown_without_escapes_and_decides():
    shown: list[Sequence[str]] = []

    def answer(*, yes: bool):
        return lambda rest: shown.append(rest) or yes

    Consent(ask=answer(yes=True)).check(PROGRAM)
    assert shown == [[r"run the program 'echo \x1b[2J'", "hand it the variables 'A,B'"]]
    with pytest.raises(NotAllowed, match="not gone on with"):
        Consent(ask=answer(yes=False)).check(PROGRAM)
    Consent(everything=True).check(PROGRAM)


@pytest.mark.claim("runs-continued")
def test_a_check_goes_on_with_a_run_of_the_oracle_only(run, tmp_path):
    (tmp_path / "check").mkdir()
    shutil.copytree(run.folder, tmp_path / "check" / "run")
    with pytest.raises(CheckRefused, match="is a run of 'random', and a check is one of 'oracle'"):
        Check.resume(tmp_path / "check")
    inner = RunDirectory(tmp_path / "check" / "run")
    record = inner.read()
    inner.write(replace(record, config=replace(record.config, solver="oracle", network="live")))
    with pytest.raises(NotAllowed, match="let pages reach the web"):
        Check.resume(tmp_path / "check")


# ---- solvers that are handed the labels -----------------------------------------------------------------------------

KEYED = """
class Mine:
    def solve_with_key(self, assignment, act, probe):
        pass

class Other:
    def solve(self, page, act):
        pass

class Hides:
    def __init__(self):
        self.solve_with_key = lambda assignment, act, probe: None
"""


@pytest.mark.slow
@pytest.mark.claim("solver-with-labels")
@pytest.mark.usefixtures("own_cache")
def test_a_solver_of_ones_own_that_is_handed_the_labels_is_recorded_so_and_no_leaderboard_takes_it(tmp_path, capsys):
    make_task(tmp_path / "tasks", "T")
    (tmp_path / "keyed_or_not.py").write_text(KEYED, encoding="utf-8")
    own = ["--tasks-dir", str(tmp_path / "tasks"), "--workers", "1", "--progress", "quiet"]
    for name, keyed in (("Mine", True), ("Other", False)):
        solver = f"{tmp_path / 'keyed_or_not.py'}:{name}"
        assert evaluate.main(["--solver", solver, *own, "--out", str(tmp_path / name)]) == COMPLETE
        assert RunDirectory(tmp_path / name).read().keyed is keyed
        capsys.readouterr()
        tasks = ["--tasks-dir", str(tmp_path / "tasks")]
        added = leaderboard.main(["add", str(tmp_path / name), "--folder", str(tmp_path / "board"), *tasks])
        assert added == (INCOMPLETE if keyed else COMPLETE)
        assert ("is handed the labels" in capsys.readouterr().err) is keyed


def test_a_solver_that_hides_that_it_is_handed_the_labels_is_not_played(tmp_path, capsys):
    make_task(tmp_path / "tasks", "T")
    (tmp_path / "hides.py").write_text(KEYED, encoding="utf-8")
    own = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--progress", "quiet"]
    assert evaluate.main(["--solver", f"{tmp_path / 'hides.py'}:Hides", *own]) == WRONG_USE
    assert "which is handed the labels" in capsys.readouterr().err


def test_an_old_run_that_does_not_say_whether_its_solver_was_handed_the_labels_is_no_entry(run, tmp_path, capsys):
    record = run.read()
    run.write(replace(record, keyed=None, config=replace(record.config, solver="mine.py:Mine")))
    assert leaderboard.main(["add", str(run.folder), "--folder", str(tmp_path / "board")]) == INCOMPLETE
    assert "does not say whether" in capsys.readouterr().err
