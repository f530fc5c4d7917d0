"""Solvers evaluated by one call from Python."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.api.evaluation import evaluate
from harness.api.run import load_run
from harness.api.tasks import load_tasks
from harness.cli.commands.evaluate import main
from harness.kit.errors import UserError
from tests.checkout import PROJECT
from tests.models.servers import Server, openai_reply

TASK = "Sentiment of reviews"
SCRIPT = f"""
import harness

class First:
    def solve(self, page, act):
        act.modify_radio("sentiment", "positive")

if __name__ == "__main__":
    run = harness.evaluate(First, tasks={TASK!r}, max_instances=1, workers=1, out="run")
    (episode,) = run.episodes()
    print(run.status, run.solver, [step.action for step in episode.steps])
"""


def test_a_run_from_python_is_the_run_of_the_command(tmp_path: Path) -> None:
    run = evaluate("do-nothing", tasks=TASK, max_instances=2, seed=3, workers=1, out=tmp_path / "python")
    words = ["--solver", "do-nothing", "--task", TASK, "--max-instances", "2", "--seed", "3", "--workers", "1"]
    assert main([*words, "--progress", "quiet", "--out", str(tmp_path / "command")]) == 0
    other = load_run(tmp_path / "command")
    assert run.config == other.config
    assert run.score is not None
    assert run.score == other.score
    assert run.status == "complete"
    columns = ["task", "index", "id", "split", "outcome", "score", "ceiling", "do_nothing", "steps"]
    assert run.scores[columns].equals(other.scores[columns])
    assert run.field_scores.equals(other.field_scores)
    assert list(run.field_scores["name"][:3]) == ["sentiment", "mentions_price", "reason"]
    assert TASK in run.summary()
    assert repr(run) == f"<Run {tmp_path / 'python'}: do-nothing, complete, score {100 * run.score:.1f}>"


@pytest.mark.slow
def test_a_class_of_a_script_is_evaluated(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, script], cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "complete __main__:First [\"modify_radio('sentiment', 'positive')\"]\n"


def test_a_class_inside_a_function_is_refused() -> None:
    class Inside:
        """Not to be found by name."""

    with pytest.raises(UserError, match="Inside is defined inside test_a_class_inside"):
        evaluate(Inside)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"max_instance": 2}, "--max-instance: there is no such option. Did you mean 'max_instances'"),
        ({"workers": "x"}, "--workers 'x': expected int, got str"),
        ({"network": "moon"}, "--network moon: there are mirror, live, none"),
        ({"model": "m"}, "--model: there is no such option"),
        ({"tasks_dir": "/no/such/folder"}, "/no/such/folder"),
        ({"tasks": "No such task"}, "No such task"),
    ],
)
def test_what_cannot_be_done_is_said_and_leaves_no_run(
    options: dict[str, object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(UserError) as caught:
        evaluate("do-nothing", **options)  # type: ignore[arg-type]
    assert said in str(caught.value)
    assert not list(tmp_path.glob("runs/*"))


def test_what_a_model_was_sent_is_read_from_its_turn(tmp_path: Path) -> None:
    file = tmp_path / "asking.py"
    with Server([openai_reply("modify_radio('sentiment', 'positive')")]) as server:
        file.write_text(
            "from harness import ActionCall, Model\n\n\n"
            "class Asking:\n"
            "    def __init__(self):\n"
            f"        self.model = Model('openai', 'a-model', base_url={server.url + '/v1'!r})\n\n"
            "    def solve(self, page, act):\n"
            "        with self.model.ask(act, 'What now?') as reply:\n"
            "            for call in reply.calls():\n"
            "                act.call(call)\n"
        )
        run = evaluate(f"{file}:Asking", tasks=TASK, max_instances=1, workers=1, out=tmp_path / "run")
    (episode,) = run.episodes()
    (turn,) = episode.turns
    assert run.request_of(turn)["messages"][0]["parts"] == [{"type": "text", "text": "What now?"}]
    assert (turn.calls, turn.steps) == (("modify_radio('sentiment', 'positive')",), (0, 1))


def test_what_is_no_run_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"it has no run\.json"):
        load_run(tmp_path)


def test_tasks_are_read_with_their_instances_and_labels() -> None:
    (task,) = load_tasks(tasks=[TASK])
    assert task.name == TASK
    assert set(task.instances[0].labels) == {"sentiment", "mentions_price", "reason"}
    with pytest.raises(UserError, match="No such task"):
        list(load_tasks(tasks=["No such task"]))
