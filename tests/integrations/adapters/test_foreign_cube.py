"""Benchmarks of somebody else's CUBE in runs of ours. ``.ci/extras cube-harness`` runs this, with Python 3.12."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import tempfile
from contextlib import suppress
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from tests.needs import extra

pytest.importorskip("cube.benchmark", reason=extra("cube-harness"))

from cube.seed import BasicSeedGenerator

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands import evaluate, replay, score, view
from harness.integrations.adapters.cube.foreign_cube import GOAL
from harness.integrations.adapters.cube.installed_cube import configuration_of, tasks_of
from harness.records.config import CubeChoice
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.run.foreign_tasks import NoForeignTasks, foreign_tasks
from tests.integrations.adapters.small_cube import ENDS, FAILS, FOR_A_TERMINAL, STAYS, SmallBenchmarkConfig
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.run.processes import evaluating, marked, needs_proc, temporary, until

SMALL = "tests.integrations.adapters.small_cube:SmallBenchmarkConfig"
GOES_ON = "tests.integrations.adapters.small_cube:GoesOn"
MINIWOB = "miniwob-cube"
SOLVER = "examples.miniwob_solver:MiniwobSolver"
TWO = ("--task", "click-button", "--task", "click-checkboxes")
needs_miniwob = pytest.mark.skipif(
    not entry_points(group="cube.benchmarks", name=MINIWOB), reason=extra("cube-harness")
)


@pytest.fixture(autouse=True)
def _places(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    del own_cache
    monkeypatch.setattr(tempfile, "tempdir", str(temporary(tmp_path)))  # where a server of miniwob-cube writes its log


@pytest.fixture
def port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


def given(cube: str, port: int) -> list[str]:
    host = "localhost" if cube == MINIWOB else "127.0.0.1"
    options = ["--cube", cube, "--cube-origin", f"http://{host}:{port}", "--cube-set", f"port={port}"]
    return [*options, "--workers", "1", "--progress", "quiet"]


def play(cube: str, port: int, out: Path, solver: str, *more: str) -> int:
    return evaluate.main(["--solver", solver, *given(cube, port), "--out", str(out), *more])


def episodes(out: Path) -> dict[str, Episode]:
    return {each.task: each for each in RunDirectory(out).episodes()}


def worth(out: Path) -> dict[str, tuple[str, float | None]]:
    """Outcome and reward of each task."""
    return {task: (each.outcome, each.site and each.site.reward) for task, each in episodes(out).items()}


@needs_miniwob
def test_its_tasks_are_episodes_on_websites_that_their_rewards_score(port, tmp_path, capsys):
    out = tmp_path / "run"
    assert play(MINIWOB, port, out, SOLVER, *TWO, "--film", "steps", "--workers", "2") == COMPLETE
    assert worth(out) == {"click-button": ("scored", 1.0), "click-checkboxes": ("scored", 1.0)}
    record = RunDirectory(out).read()
    assert record.results
    assert (record.results.overall.score, record.config.kind, record.status) == (1.0, "site", "complete")
    site = episodes(out)["click-button"].site
    assert site
    assert site.task.goal.startswith(f"{GOAL} It asks: Click on the ")
    assert site.moments[0].url == f"http://localhost:{port}/miniwob/click-button.html"
    assert RunDirectory(out).films.file("click-button", 0).exists()
    assert score.main([str(out)]) == COMPLETE
    assert "100.0" in capsys.readouterr().out
    shown = tmp_path / "episode.html"
    assert view.main([str(out), "click-button", "0", "--html", str(shown)]) == COMPLETE
    assert "reward of the page" in shown.read_text(encoding="utf-8")
    assert replay.main([str(out)]) == WRONG_USE
    assert "whose tasks are not done again" in capsys.readouterr().err


@needs_miniwob
def test_doing_nothing_is_worth_nothing(port, tmp_path):
    assert play(MINIWOB, port, tmp_path / "run", "do-nothing", *TWO) == COMPLETE
    assert worth(tmp_path / "run") == {"click-button": ("scored", 0.0), "click-checkboxes": ("scored", 0.0)}


@needs_miniwob
@needs_proc
def test_an_interrupt_lets_what_is_under_way_finish_and_the_rest_is_played_on_resuming(port, tmp_path, capsys):
    out = tmp_path / "run"
    command = ["--solver", SOLVER, *given(MINIWOB, port), "--task", "click-*", "--out", str(out)]
    with evaluating(command, tmp_path) as process:
        until(lambda: list(out.glob("episodes/*/*.json")))
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does, to all that is in the foreground
        said = process.communicate()
    assert process.returncode == INCOMPLETE, said
    until(lambda: not marked(tmp_path))
    before = episodes(out)
    assert {each.outcome for each in before.values()} == {"scored"}
    go_on = ["--resume", str(out), "--progress", "quiet"]
    assert evaluate.main(go_on) == WRONG_USE
    assert f"run the code of the benchmark '{MINIWOB}'" in capsys.readouterr().err
    assert evaluate.main([*go_on, "--yes"]) == COMPLETE
    record = RunDirectory(out).read()
    assert len(before) < len(episodes(out)) == record.planned_episodes
    assert before.items() <= episodes(out).items()


def test_what_it_was_made_of_is_written_anew_on_resuming_and_has_to_be_the_same(port, tmp_path, monkeypatch, capsys):
    out = tmp_path / "run"
    assert play(SMALL, port, out, GOES_ON, "--task", ENDS, "--task", STAYS) == COMPLETE
    before = worth(out)
    RunDirectory(out).episode_file(STAYS, 0).unlink()
    shutil.rmtree(tmp_path / "cache")
    go_on = ["--resume", str(out), "--progress", "quiet", "--yes"]
    assert evaluate.main(go_on) == COMPLETE
    assert worth(out) == before
    newer = SmallBenchmarkConfig.benchmark_metadata.model_copy(update={"version": "1.3"})
    monkeypatch.setattr(SmallBenchmarkConfig, "benchmark_metadata", newer)
    assert evaluate.main(go_on) == WRONG_USE
    assert "since it began, the benchmark has changed" in capsys.readouterr().err


def test_a_model_works_on_its_tasks_as_on_any(port, tmp_path, monkeypatch):
    pytest.importorskip("openai", reason=extra("openai"))
    monkeypatch.setenv("LOCAL_API_KEY", "none")
    asked: list[str] = []

    def reply(request: Asked) -> Answer:
        asked.append(str(request.json["messages"]))
        return openai_reply(f"Thought: on\nAction: goto('http://127.0.0.1:{port}/second')")

    with Server(reply) as server:
        model = ("llama-3.3", "--base-url", f"{server.url}/v1", "--task", ENDS)
        assert play(SMALL, port, tmp_path / "run", *model) == COMPLETE
    assert worth(tmp_path / "run") == {ENDS: ("scored", 1.0)}
    assert "It asks: Open the second page." in asked[0]


@needs_proc
def test_a_run_that_is_killed_takes_the_benchmark_along(port, tmp_path):
    out = tmp_path / "run"
    command = ["--solver", "tests.run_solvers:WalksForEver", *given(SMALL, port), "--max-steps", "1000000"]
    with evaluating([*command, "--task", STAYS, "--out", str(out)], tmp_path) as process:
        until(lambda: list(out.glob("attempts/*/*.jsonl")))
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    until(lambda: not marked(tmp_path))


def test_a_task_that_is_over_ends_its_episode_and_one_that_is_not_is_judged_as_it_is_left(port, tmp_path):
    tasks = ("--task", ENDS, "--task", STAYS)
    assert play(SMALL, port, tmp_path / "went", GOES_ON, *tasks) == COMPLETE
    assert worth(tmp_path / "went") == {ENDS: ("scored", 1.0), STAYS: ("scored", 1.0)}
    (step,) = episodes(tmp_path / "went")[ENDS].steps
    assert "the page has ended its episode" in step.message
    assert play(SMALL, port, tmp_path / "stayed", "do-nothing", *tasks) == COMPLETE
    assert worth(tmp_path / "stayed") == {ENDS: ("scored", 0.0), STAYS: ("scored", 0.0)}


def test_a_mistake_of_a_task_is_neither_the_solvers_nor_a_score(port, tmp_path):
    assert play(SMALL, port, tmp_path / "run", GOES_ON, "--task", "mistakes*") == INCOMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert (episode.task, episode.outcome) == (FAILS.replace("/", "%2F"), "harness_error")
    assert "a mistake of the task" in episode.detail


def test_a_task_that_wants_another_tool_than_a_browser_says_what_it_wants(port, tmp_path):
    assert play(SMALL, port, tmp_path / "run", GOES_ON, "--task", FOR_A_TERMINAL) == INCOMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert episode.outcome == "harness_error"
    assert "bash" in episode.detail


def test_how_a_task_was_left_by_a_process_that_died_nobody_can_tell(port, tmp_path):
    dies = ("tests.run_solvers:DiesOnTheWebsite", "--task", STAYS)
    assert play(SMALL, port, tmp_path / "run", *dies) == INCOMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert episode.outcome == "harness_error"
    assert "is lost, so that nobody can tell its score" in episode.detail


def test_a_browser_goes_where_the_user_said_and_not_where_a_folder_of_tasks_says(port, tmp_path):
    other = ["--cube", SMALL, "--cube-origin", "http://127.0.0.1:9", "--cube-set", f"port={port}"]
    arguments = ["--solver", GOES_ON, *other, "--task", STAYS, "--progress", "quiet", "--out", str(tmp_path / "run")]
    assert evaluate.main(arguments) == INCOMPLETE
    (episode,) = RunDirectory(tmp_path / "run").episodes()
    assert episode.outcome == "harness_error"
    assert f"127.0.0.1:{port}" in episode.detail


def test_a_benchmark_that_cannot_be_set_up_is_one_line_and_leaves_no_run(port, tmp_path, capsys):
    with socket.create_server(("127.0.0.1", port)):
        assert play(SMALL, port, tmp_path / "run", GOES_ON) == WRONG_USE
    said = capsys.readouterr().err.strip().splitlines()
    assert len(said) == 1
    assert said[0].startswith("error: small cannot be set up: ")
    assert not (tmp_path / "run" / "run.json").exists()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("miniwob", "unknown benchmark 'miniwob'"),
        ("turkbench", "these are the tasks of this harness itself"),
        ("no_such_module:Config", "--cube no_such_module:Config cannot be loaded: ModuleNotFoundError"),
        ("tests.integrations.adapters.small_cube:SmallTask", "this is no configuration of a benchmark of CUBE"),
    ],
)
def test_a_name_that_is_no_benchmark_is_one_line(name, said, tmp_path, capsys):
    options = ["--cube", name, "--cube-origin", "http://localhost:8000", "--out", str(tmp_path / "run")]
    assert evaluate.main(["--solver", "do-nothing", *options]) == WRONG_USE
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert line.startswith("error: ")
    assert said in line


@pytest.mark.parametrize(
    ("origins", "settings", "said"),
    [
        (("localhost:8000",), {}, "--cube-origin 'localhost:8000' is no origin"),
        (("http://localhost:8000/",), {}, "is no origin"),
        (("http://localhost:8000",), {"porte": 1}, "--cube-set porte: .* no such setting. Did you mean 'port'"),
        (("http://localhost:8000",), {"port": "many"}, "--cube-set port: Input should be a valid integer"),
        (("http://localhost:8000",), {"tool_config": {"_type": "os.system"}}, "--cube-set tool_config: give a text"),
    ],
)
def test_what_a_benchmark_does_not_take_is_refused(origins, settings, said):
    with pytest.raises(NoForeignTasks, match=said):
        configuration_of(CubeChoice(SMALL, origins, settings))


def test_each_seed_of_a_task_that_has_several_is_a_task():
    config = SmallBenchmarkConfig(seed_generator=BasicSeedGenerator(n_seed=2, meta_seed=1))
    tasks = tasks_of(config.subset_from_list([FAILS]))
    assert [*tasks] == [f"mistakes%2Ffails, seed {each.seed}" for each in tasks.values()]
    assert len(tasks) == 2


def test_equal_tasks_have_one_folder_which_says_what_they_are_of():
    choice = CubeChoice(SMALL, ("http://localhost:8000",))
    folder = foreign_tasks(choice).folder()
    assert foreign_tasks(choice).folder() == folder
    assert folder.name == "small"
    assert {each.name for each in folder.iterdir()} == {*tasks_of(configuration_of(choice))}
    assert "A task of the CUBE benchmark small 1.2." in (folder / STAYS / "task.json").read_text(encoding="utf-8")
    assert foreign_tasks(CubeChoice(SMALL, ("http://localhost:8001",))).folder() != folder
