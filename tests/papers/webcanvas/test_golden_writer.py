"""Golden references in a model's words: written by a scripted model, kept, told, and refused where stale."""

from __future__ import annotations

import json

import pytest

from harness.catalog import Catalog
from harness.catalog.golden_reference import WRITTEN, golden_reference
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.papers.golden import main
from tests.models.servers import Server, openai_reply
from tests.site_tasks import make_site_task

TOLD = "Goal: be at the account.\nCriteria:\n1. The account is shown."


@pytest.fixture
def tasks(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    make_site_task(tmp_path / "tasks", "To the account", reference_length=2)
    return tmp_path / "tasks"


def written(tasks, reply=TOLD):
    """The exit code, and what the model was asked."""
    with Server(lambda _: openai_reply(reply)) as server:
        code = main([str(tasks), "--preset", "gpt-4o", "--base-url", f"{server.url}/v1"])
    return code, [each.json["messages"][-1]["content"] for each in server.requests]


def test_a_reference_is_written_from_that_by_rule_and_once_only(tasks):
    code, asked = written(tasks)
    task = Catalog(tasks).task("To the account")
    assert code == COMPLETE
    assert len(asked) == 1
    assert golden_reference(task.site_of(task.instances[0]), task.trace) in json.dumps(asked).encode().decode(
        "unicode_escape"
    )
    (kept,) = json.loads((task.folder / WRITTEN).read_text()).values()
    assert kept["text"] == TOLD
    assert written(tasks) == (COMPLETE, [])


def test_an_empty_reply_is_told_and_nothing_is_kept(tasks, capsys):
    assert written(tasks, "  ")[0] == INCOMPLETE
    assert "To the account: the reply is empty" in capsys.readouterr().out
    assert not (tasks / "To the account" / WRITTEN).exists()


ASKED = "--solver gpt-4o --protocol site --prompts site --encoding axtree --output text --no-vision --reward text"
RUN = f"{ASKED} --reference written --workers 1 --progress quiet".split()


def run(tasks, *more):
    return evaluate(["--tasks-dir", str(tasks), *RUN, *more])


def test_a_run_is_refused_where_no_reference_was_written_or_the_task_has_changed(tasks, capsys):
    assert run(tasks, "--out", str(tasks.parent / "run")) == WRONG_USE
    assert f"papers webcanvas golden {tasks} --preset NAME has it written" in capsys.readouterr().err
    written(tasks)
    file = tasks / "To the account" / "task.json"
    facts = json.loads(file.read_text())
    file.write_text(json.dumps({**facts, "goal": "Another goal"}))
    assert run(tasks, "--out", str(tasks.parent / "run")) == WRONG_USE
    assert "or the task has changed since" in capsys.readouterr().err


@pytest.mark.slow
def test_who_judges_is_told_the_written_reference_and_not_the_one_by_rule(tasks):
    written(tasks)

    def model(asked):
        if "You judge how far" in json.dumps(asked.json["messages"][0]["content"]):
            return openai_reply(
                json.dumps({"status": "finished", "score": 10, "reason": "seen", "description": "done"})
            )
        return openai_reply("Thought: look\nAction: reload()")

    with Server(model) as server:
        assert run(tasks, "--out", str(tasks.parent / "run"), "--base-url", f"{server.url}/v1") == COMPLETE
    judged = [json.dumps(each.json) for each in server.requests if "You judge how far" in json.dumps(each.json)]
    assert judged
    assert all("1. The account is shown." in each and "It is reached when" not in each for each in judged)
