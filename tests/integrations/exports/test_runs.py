"""Runs of solvers that ask a model: what is kept of them, and what is not their fault."""

from __future__ import annotations

import pytest

from harness.models.messages import Usage
from harness.records.config import Limits, RunConfig
from harness.records.directory import RunDirectory
from harness.records.fatal import FatalError
from harness.records.texts import unpacked
from harness.run.consent import Consent
from harness.run.progress import QuietProgress
from harness.run.runner import Run
from tests.task_folders import csv_text, make_task


@pytest.fixture
def folder(tmp_path):
    make_task(tmp_path / "tasks", "A", table=csv_text(["text", "Answer.a"], ["one", "yes"]))
    return tmp_path


def run(folder, solver):
    config = RunConfig(f"tests.run_solvers:{solver}", folder / "tasks", workers=1, limits=Limits(max_seconds=60.0))
    return Run(config, folder / "run", QuietProgress())


@pytest.mark.slow
def test_what_was_said_to_a_model_is_in_the_run_directory(folder):
    assert run(folder, "SaysSomething").execute().status == "complete"
    directory = RunDirectory.open(folder / "run")
    (made,) = directory.episodes()
    (turn,) = made.turns
    assert (made.cost, made.usage, turn.calls, turn.steps) == (0.5, Usage(7, 3), ("modify_text('a', 'yes')",), (0, 1))
    assert unpacked(directory.texts, turn.sent)["messages"][0]["parts"][0]["text"] == "fill in ('a',)"
    assert len(turn.page) == 64
    assert "wait" in made.timing


@pytest.mark.slow
def test_a_provider_that_is_down_is_no_fault_of_the_solver_and_resuming_tries_again(folder, monkeypatch):
    monkeypatch.setenv("ONCE_SIGN", str(folder / "sign"))
    assert run(folder, "ItsProviderIsDownOnce").execute().status == "incomplete"
    directory = RunDirectory.open(folder / "run")
    (made,) = directory.episodes()
    assert made.outcome == "harness_error"
    assert made.detail == "the model gave no answer: no answer after 1 try: HTTP 503"
    assert (folder / "asked").read_text(encoding="utf-8").count("asked") == 1  # not again in other browsers
    assert (
        Run.resume(folder / "run", QuietProgress(), allow=Consent(everything=True).check).execute().status == "complete"
    )
    assert [(made.outcome, made.fields[0].sent) for made in directory.episodes()] == [("scored", ("yes",))]


@pytest.mark.slow
def test_a_request_that_is_refused_is_the_solvers_own_fault_and_its_page_is_scored(folder):
    assert run(folder, "AsksForTooMuch").execute().status == "complete"
    (made,) = RunDirectory.open(folder / "run").episodes()
    size = "about 8 tokens (1 character) in 1 message, temperature 0, at most 1,024 tokens of answer"
    assert (made.outcome, made.detail) == ("agent_error", f"the request is too long: HTTP 400; the request: {size}")
    assert made.fields[0].sent == ("yes",)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("solver", "said"),
    [("LacksALibrary", r"pip install .*\[openai\]"), ("LacksAKey", "set OPENAI_API_KEY")],
)
def test_what_would_fail_every_call_ends_the_run_at_once(folder, solver, said):
    with pytest.raises(FatalError, match=said):
        run(folder, solver).execute()
    assert not (folder / "run" / "run.json").exists()
