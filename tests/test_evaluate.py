"""Whole runs from the command line, on tiny task folders, in a real browser."""

from __future__ import annotations

import datetime
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from harness.browser.launch import NoBrowser
from harness.browser.wire import BrowserGone
from harness.catalog import Catalog
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.forms import form_player
from harness.forms.kind import Forms
from harness.kit.files.installation import installing, to_type
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.run import browsers
from harness.run.new_folder import default_folder
from harness.run.progress import QuietProgress
from harness.run.runner import Run
from harness.run.server import own_server
from tests.checkout import PROJECT
from tests.run.processes import evaluating, needs_proc, nothing_is_left, until
from tests.task_folders import csv_text, make_task

TEXT_PAGE = "<p>${text}</p><input name=a>"
CHOICE_PAGE = """<p>${text}</p><select name="a"><option value="1">1</option><option value="2">2</option></select>
<label><input type="checkbox" name="b" value="on">b</label>"""
ODD = "Odd 50% [x] 'q' + ü"


def fill(folder: Path) -> Path:
    make_task(folder, "Text", template=TEXT_PAGE, table=csv_text(["text", "Answer.a"], *TEXT_ROWS))
    rows = [["one", "1", "on"], ["two", "2", ""], ["three", "1", "on"]]
    make_task(folder, ODD, template=CHOICE_PAGE, table=csv_text(["text", "Answer.a", "Answer.b"], *rows))
    (folder / "splits").mkdir()
    (folder / "splits" / "test.txt").write_text("Text\n", encoding="utf-8")
    return folder


TEXT_ROWS = [[f"t{number}", "cat" if number else "dog"] for number in range(4)]


@pytest.fixture(scope="module")
def tasks(tmp_path_factory):
    return fill(tmp_path_factory.mktemp("tasks"))


def evaluate(tasks: Path, out: Path, *more: str, solver: str = "do-nothing") -> tuple[int, RunDirectory]:
    code = main(["--tasks-dir", str(tasks), "--out", str(out), "--solver", solver, "--workers", "1", *more])
    return code, RunDirectory(out)


@pytest.fixture(scope="module")
def runs(tasks, tmp_path_factory):
    """One run of each of these solvers; the oracle's with two workers as well."""
    folder = tmp_path_factory.mktemp("runs")
    made = {name: evaluate(tasks, folder / name, solver=name)[1] for name in ("oracle", "do-nothing", "constant")}
    made["two workers"] = evaluate(tasks, folder / "two", "--workers", "2", solver="oracle")[1]
    return made


def told(run: RunDirectory) -> dict:
    """What a run says apart from where, when and how fast."""
    return {
        (made.task, made.index): (made.outcome, made.fields, made.submission, [step.action for step in made.steps])
        for made in run.episodes()
    }


def test_the_oracle_reaches_the_ceiling_of_every_task(runs):
    results = runs["oracle"].read().results
    assert {name: scores.score for name, scores in results.tasks.items()} == {ODD: 1.0, "Text": 1.0}
    assert results.overall.score == results.overall.ceiling == 1.0


def test_every_file_of_a_run_fits_its_published_schema(runs):
    schemas = {
        name: Draft202012Validator(json.loads((PROJECT / "docs" / "reference" / "schema" / f"{name}.json").read_text()))
        for name in ("run", "episode")
    }
    for run in runs.values():
        schemas["run"].validate(json.loads((run.folder / "run.json").read_text()))
        for file in run.folder.glob("episodes/*/*.json"):
            schemas["episode"].validate(json.loads(file.read_text()))


def test_two_workers_give_the_same_results_as_one(runs):
    one, two = runs["oracle"], runs["two workers"]
    assert told(one) == told(two)
    assert one.read().results == two.read().results


@pytest.mark.parametrize(("solver", "floor"), [("do-nothing", "do_nothing"), ("constant", "constant")])
def test_a_floor_in_the_record_is_what_a_run_of_that_solver_scores(runs, solver, floor):
    for name, scores in runs[solver].read().results.tasks.items():
        assert scores.score == getattr(runs["oracle"].read().results.tasks[name], floor)


def test_solver_workers_and_folder_do_not_change_the_comparability_id(runs):
    assert len({run.read().comparability_id for run in runs.values()}) == 1


def test_a_run_directory_holds_a_record_and_one_file_an_episode(runs):
    folder = runs["oracle"].folder
    files = sorted(str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file())
    assert files == [
        "config.toml",
        *(f"episodes/Odd%2050%25%20%5Bx%5D%20%27q%27%20%2B%20%C3%BC/{index}.json" for index in range(3)),
        *(f"episodes/Text/{index}.json" for index in range(4)),
        "run.json",
        "sample.json",
    ]
    for file in files[1:]:
        json.loads((folder / file).read_text(encoding="utf-8"))


def test_the_file_that_a_run_wrote_of_its_options_makes_the_same_run_again(runs, tmp_path):
    first = runs["oracle"]
    words = ["--config", str(first.folder / "config.toml"), "--out", str(tmp_path / "again"), "--progress", "quiet"]
    assert main(words) == COMPLETE
    again = RunDirectory(tmp_path / "again")
    assert again.read().config == first.read().config
    assert again.canonical() == first.canonical()


def test_a_record_says_what_was_asked_for_and_where_the_numbers_come_from(runs, tasks):
    record = runs["oracle"].read()
    assert (record.status, record.planned_episodes) == ("complete", 7)
    assert record.config.tasks_dir == tasks
    assert record.provenance.browser.startswith("Chrome/")
    assert record.provenance.packages["selenium"]
    assert record.task_set == Catalog(tasks).set_fingerprint([ODD, "Text"])


@pytest.mark.slow
def test_the_summary_goes_to_standard_output_and_progress_to_standard_error(tasks, tmp_path, capsys):
    code, run = evaluate(tasks, tmp_path / "run", "--split", "test")
    out, err = capsys.readouterr()
    assert code == COMPLETE
    assert "Solver do-nothing · profile standard · comparability id" in out
    directory, onwards = out.splitlines()[-2:]
    assert directory == f"Run directory: {run.folder}"
    assert onwards.endswith(to_type("report", run.folder))
    assert "do-nothing: 4/4 (100%)" in err
    assert {made.task for made in run.episodes()} == {"Text"}


# What the comparability id depends on. None of these runs needs a browser.


def comparability_id(folder, tmp_path, /, **values) -> str:
    run = Run(RunConfig("oracle", folder, **values), tmp_path / "unused", progress=None)  # type: ignore[arg-type]
    list(run._chosen(run._planned()))
    return run._write("running").comparability_id


@pytest.mark.parametrize(
    "values",
    [{"metrics": "turkingbench-2024"}, {"max_instances": 2}, {"tasks": ("Text",)}],
)
def test_profile_sample_and_tasks_change_the_comparability_id(tasks, tmp_path, values):
    seen = {comparability_id(tasks, tmp_path), comparability_id(tasks, tmp_path, **values)}
    assert len(seen) == 2


@pytest.mark.slow
def test_another_sample_of_the_same_size_changes_the_comparability_id(tasks, tmp_path):
    assert len({comparability_id(tasks, tmp_path, max_instances=1, seed=seed) for seed in range(8)}) > 1


@pytest.mark.parametrize("values", [{"workers": 3}, {"headed": True}, {"seed": 1}])
def test_what_changes_no_score_leaves_the_comparability_id(tasks, tmp_path, values):
    assert comparability_id(tasks, tmp_path) == comparability_id(tasks, tmp_path, **values)


def test_a_changed_file_changes_the_comparability_id(tasks, tmp_path):
    other = fill(tmp_path / "tasks")
    before = comparability_id(other, tmp_path)
    assert before == comparability_id(tasks, tmp_path)
    (other / "Text" / "template.html").write_text(TEXT_PAGE + " ", encoding="utf-8")
    assert before != comparability_id(other, tmp_path)


def test_an_overlay_changes_the_comparability_id(tasks, tmp_path):
    overlay = tmp_path / "overlay.json"
    overlay.write_text('{"tasks": {"Text": {"not_answers": {"x": "y"}}}}', encoding="utf-8")
    assert comparability_id(tasks, tmp_path) != comparability_id(tasks, tmp_path, overlay=overlay)


def test_the_protocol_changes_the_comparability_id(tasks, tmp_path, monkeypatch):
    before = comparability_id(tasks, tmp_path)
    monkeypatch.setattr(Forms, "protocol", "another")
    assert comparability_id(tasks, tmp_path) != before


def test_the_inventory_changes_the_comparability_id(tasks, tmp_path, runs):
    record = runs["oracle"].read()
    assert comparability_id(tasks, tmp_path) != record.comparability_id  # nothing was looked at yet
    assert len(record.inventory) == 64


# Trouble in the middle of a run.


@pytest.mark.slow
def test_a_browser_that_is_killed_once_costs_nothing(tasks, tmp_path):
    code, run = evaluate(tasks, tmp_path / "run", "--task", "Text", solver="tests.run_solvers:KillsTheBrowserOnce")
    assert code == COMPLETE
    assert run.read().results.outcomes["scored"] == 4


@pytest.mark.slow
@pytest.mark.usefixtures("own_cache")
def test_an_instance_that_kills_every_browser_has_no_score_and_the_run_is_incomplete(
    tasks, tmp_path, monkeypatch, capsys
):
    def dies(browser, _url):
        os.killpg(browser.process_group, signal.SIGKILL)
        raise BrowserGone("the browser is gone")

    monkeypatch.setattr(form_player, "inspect_page", dies)
    code, run = evaluate(tasks, tmp_path / "run", "--split", "test", "--max-instances", "1", solver="do-nothing")
    record = run.read()
    assert (code, record.status) == (INCOMPLETE, "incomplete")
    assert record.results.outcomes["harness_error"] == 1
    assert record.results.overall.bounds == (0.0, 1.0)
    (made,) = run.episodes()
    assert "browser" in made.detail
    assert "INCOMPLETE: instances without a score allow any headline from 0.0 to 100.0." in capsys.readouterr().out


@pytest.mark.slow
def test_a_task_whose_files_vanish_costs_its_own_scores_and_no_other(tmp_path, monkeypatch):
    folder = fill(tmp_path / "tasks")
    run = Run(RunConfig("do-nothing", folder, max_instances=1), tmp_path / "run", QuietProgress())
    plan = run._planned

    def plan_and_spoil():
        planned = list(plan())
        (folder / "Text" / "template.html").unlink()
        return iter(planned)

    monkeypatch.setattr(run, "_planned", plan_and_spoil)
    result = run.execute()
    assert result.status == "incomplete"
    outcomes = {made.task: made for made in RunDirectory(tmp_path / "run").episodes()}
    assert (outcomes["Text"].outcome, outcomes[ODD].outcome) == ("harness_error", "scored")
    assert "no template" in outcomes["Text"].detail


def test_without_a_browser_nothing_is_left_that_looks_like_a_run(tasks, tmp_path, monkeypatch, capsys):
    def none(_settings):
        raise NoBrowser("install one")

    monkeypatch.setattr(browsers, "devtools_session", none)
    assert evaluate(tasks, tmp_path / "run")[0] == WRONG_USE
    assert not (tmp_path / "run").exists()
    assert "install one" in capsys.readouterr().err


@pytest.mark.slow
def test_a_malformed_task_is_reported_and_the_others_are_evaluated(tmp_path, capsys):
    make_task(tmp_path / "tasks", "Bad", template="<p>${missing}</p><input name=a>")
    make_task(tmp_path / "tasks", "Good")
    make_task(tmp_path / "tasks", "Only to look at", table=None)
    code, run = evaluate(tmp_path / "tasks", tmp_path / "run")
    assert code == COMPLETE
    assert "problem: " in (err := capsys.readouterr().err)
    assert re.search(r"Bad/batch\.csv, column missing: ", err)
    record = run.read()
    assert list(record.results.tasks) == ["Good"]
    assert record.left_out == {"tasks that cannot be read": 1, "tasks without a table of labels": 1}
    assert "missing" in record.problems[0]


# A server that runs already.


@pytest.mark.slow
def test_a_server_in_agent_mode_is_used(tasks, tmp_path):
    with own_server(tasks, None) as origin:
        code, run = evaluate(tasks, tmp_path / "run", "--server", origin + "/", "--task", "Text")
    assert code == COMPLETE
    assert run.read().config.server == origin + "/"


def test_a_server_of_other_tasks_is_refused_and_leaves_no_run(tasks, tmp_path, capsys):
    make_task(tmp_path / "other", "Text")
    with own_server(tmp_path / "other", None) as origin:
        assert evaluate(tasks, tmp_path / "run", "--server", origin)[0] == WRONG_USE
    assert "serves other tasks" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
def test_a_server_for_people_is_refused(tasks, tmp_path, capsys):
    command = [sys.executable, "manage.py", "serve", "--port", "0", "--exit-with-parent", "--tasks-dir", str(tasks)]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        origin = next(word for word in server.stdout.readline().split() if word.startswith("http"))
        assert evaluate(tasks, tmp_path / "run", "--server", origin)[0] == WRONG_USE
        server.communicate()
    assert "not in agent mode" in capsys.readouterr().err


# Wrong use.


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--solver", "orcale"], r"unknown solver 'orcale'\. Did you mean 'oracle'\? Known: oracle, do-nothing"),
        (["--task", "Txt"], r"no task matches 'Txt'\. Did you mean 'Text'\?"),
        (["--split", "tset"], r"unknown split 'tset'\. Known splits: test, train"),
        (["--overlay", "missing.json"], r"overlay missing\.json cannot be read"),
        (["--tasks-dir", "missing"], "missing is not a folder"),
        (["--server", "http://127.0.0.1:1"], "no task server answers"),
    ],
)
def test_wrong_use_is_said_in_one_line(tasks, tmp_path, capsys, arguments, said):
    assert evaluate(tasks, tmp_path / "run", *arguments)[0] == WRONG_USE
    (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
    assert re.search(said, line)
    assert not (tmp_path / "run").exists()


def test_an_overlay_that_is_not_json_is_wrong_use(tasks, tmp_path, capsys):
    (tmp_path / "overlay.json").write_text("{", encoding="utf-8")
    assert evaluate(tasks, tmp_path / "run", "--overlay", str(tmp_path / "overlay.json"))[0] == WRONG_USE
    assert "not JSON" in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments",
    [
        ["--workers", "0"],
        ["--workers", "two"],
        ["--max-instances", "-1"],
        ["--max-steps", "0"],
        ["--max-time", "nan"],
        ["--max-time", "0"],
        ["--metrics", "mine"],
    ],
)
def test_a_number_that_is_none_is_wrong_use(tasks, tmp_path, arguments, capsys):
    with pytest.raises(SystemExit) as ended:
        evaluate(tasks, tmp_path / "run", *arguments)
    assert ended.value.code == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("error: argument --")


def test_nothing_to_evaluate_is_wrong_use(tmp_path, capsys):
    make_task(tmp_path / "tasks", "A", table=csv_text(["text", "Answer.a"], ["one", ""]))
    assert evaluate(tmp_path / "tasks", tmp_path / "run")[0] == WRONG_USE
    assert "nothing to evaluate" in capsys.readouterr().err


def test_a_folder_that_holds_a_run_is_not_written_to(runs, tasks, capsys):
    folder = runs["oracle"].folder
    before = (folder / "run.json").read_bytes()
    assert evaluate(tasks, folder)[0] == WRONG_USE
    assert "already holds a run" in capsys.readouterr().err
    assert (folder / "run.json").read_bytes() == before


def test_a_folder_that_holds_something_else_is_not_written_to(tasks, tmp_path, capsys):
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    assert evaluate(tasks, tmp_path)[0] == WRONG_USE
    assert "is not empty" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["notes.txt"]


def test_the_default_folder_is_named_by_time_solver_and_split_and_is_new(tmp_path):
    now = datetime.datetime(2024, 5, 6, 7, 8, 9, tzinfo=datetime.UTC)
    config = RunConfig("my.module:Solver", tmp_path, split="test")
    first = default_folder(config, now, tmp_path)
    assert first.name == "2024-05-06T07-08-09_Solver_test"
    assert default_folder(config, now, tmp_path).name == "2024-05-06T07-08-09_Solver_test-2"


# Signals, to the whole process group as a terminal sends them.


@pytest.fixture
def long_run(tmp_path):
    """A run of many instances in a process of its own, after its first episode."""
    rows = [[f"t{number}", "yes"] for number in range(2000)]
    make_task(tmp_path / "tasks", "Long", template=TEXT_PAGE, table=csv_text(["text", "Answer.a"], *rows))
    folder = tmp_path / "run"
    command = ["--solver", "oracle", "--out", str(folder), "--tasks-dir", str(tmp_path / "tasks")]
    with evaluating([*command, "--max-instances", "100"], tmp_path) as process:
        until(lambda: process.poll() is not None or list(folder.glob("episodes/*/*.json")))
        assert process.poll() is None, process.communicate()
        yield process, RunDirectory(folder)


@pytest.mark.slow
@needs_proc
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_is_valid_and_leaves_nothing_behind(long_run, tmp_path, number):
    process, run = long_run
    os.killpg(process.pid, number)
    out, _ = process.communicate(timeout=60)
    assert process.returncode == INCOMPLETE
    record = run.read()
    made = list(run.episodes())
    assert (record.status, record.stopped.kind) == ("interrupted", "interrupt")
    assert 0 < len(made) < record.planned_episodes
    assert {each.outcome for each in made} == {"scored"}
    assert record.results.overall.instances == len(made)
    assert "INTERRUPTED" in out
    assert f"--resume {run.folder}" in out
    until(lambda: nothing_is_left(tmp_path))


@pytest.mark.slow
@needs_proc
def test_a_second_interrupt_ends_at_once_and_leaves_nothing_behind(tasks, tmp_path):
    command = ["--solver", "tests.run_solvers:Waits", "--out", str(tmp_path / "run"), "--tasks-dir", str(tasks)]
    with evaluating(command, tmp_path, WAITS_SIGN=str(tmp_path / "sign")) as process:
        until(lambda: process.poll() is not None or (tmp_path / "sign").exists())
        assert process.stderr is not None
        os.killpg(process.pid, signal.SIGINT)
        assert any("Ctrl-C again" in line for line in process.stderr)
        os.killpg(process.pid, signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == INCOMPLETE
    assert RunDirectory(tmp_path / "run").read().status == "interrupted"
    until(lambda: nothing_is_left(tmp_path))


def test_solvers_whose_library_is_not_installed_are_listed_with_the_line_that_installs_it(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "mcp", None)
    for name in [name for name in sys.modules if name.startswith("harness.solvers.outside.")]:
        monkeypatch.delitem(sys.modules, name)
    assert main(["--list-solvers"]) == COMPLETE
    (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("mcp ")]
    assert line.endswith(f"(mcp is not installed; install it with: {installing('mcp')})")
