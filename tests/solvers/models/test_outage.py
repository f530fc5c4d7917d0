"""Runs whose model's server dies, comes back, or never was one: a real server, a real browser, and no waiting."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands import report
from harness.cli.commands.evaluate import main
from harness.kit.files.installation import to_type
from harness.models import service
from harness.models.retry import RetryPolicy
from harness.records.directory import RunDirectory
from harness.run import pause
from tests.models.servers import Answer, Asked, Server, failure, openai_reply
from tests.solvers.runs import as_a_user, make_pages

PAGES = 6
CALLS = 2 * PAGES
"""One for each field of each page."""


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("outage")
    make_pages(folder / "tasks", PAGES)
    return folder


@pytest.fixture(autouse=True)
def _own_places(home, monkeypatch):
    as_a_user(monkeypatch, home / "cache")
    monkeypatch.setattr(service, "RetryPolicy", lambda seed: RetryPolicy(base=0.0, seed=seed))
    monkeypatch.setattr(pause, "BACK_OFF", (0.0,) * 6)


class Model:
    """Fills in what it is asked about; from its ``dies``-th call on it fails so many times in one way.

    Attributes:
        answered: Calls that it answered.
        failed: Calls that it did not.
        name: What it says that it is.
    """

    def __init__(self, dies: int = 10_000, times: int = 10_000, how: Callable[[], Answer] | None = None) -> None:
        self.answered = self.failed = 0
        self.name = "gpt-4o-mini-2024-07-18"
        self._dies = dies
        self._times = times
        self.how = how or (lambda: failure("openai", 503, "Loading model"))

    def __call__(self, asked: Asked) -> Answer:
        if self.answered >= self._dies and self.failed < self._times:
            self.failed += 1
            return self.how()
        self.answered += 1
        last = asked.json["messages"][-1]["content"]
        field = last.rpartition("The name of the field: ")[2].strip()
        return openai_reply(f"modify_text({field}, 'filled')", usage=(1_000, 100, 0), model=self.name)

    def comes_back(self) -> None:
        self._times = 0


def evaluate(home: Path, out: Path, server: Server, *more: str) -> int:
    arguments = ["--tasks-dir", str(home / "tasks"), "--out", str(out), "--solver", "gpt-4o-mini"]
    recipe = ["--protocol", "field", "--output", "text", "--encoding", "text", "--base-url", f"{server.url}/v1"]
    return main([*arguments, *recipe, "--workers", "1", "--progress", "quiet", *more])


def outcomes(run: RunDirectory) -> list[str]:
    return [episode.outcome for episode in run.episodes()]


@pytest.mark.slow
def test_a_run_whose_server_dies_and_comes_back_as_another_model_is_finished_by_resume(home, tmp_path, capsys):
    model, run = Model(dies=5), RunDirectory(tmp_path / "run")
    with Server(model) as server:
        assert evaluate(home, run.folder, server) == INCOMPLETE
        (line,) = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error: ")]
        assert "HTTP 503: Loading model" in line
        assert f"go on with `{to_type('evaluate', '--resume', run.folder)}`" in line
        # Two pages found out; the others were not asked, or not to their end, and are not recorded as if they were.
        assert outcomes(run) == ["scored", "scored", "harness_error", "harness_error"]
        assert run.read().status == "interrupted"
        assert run.read().spent.calls == 5
        assert model.failed < 6 * PAGES

        model.comes_back()
        model.name = "another-model"
        assert main(["--resume", str(run.folder), "--yes", "--progress", "quiet"]) == COMPLETE
    record = run.read()
    assert outcomes(run) == ["scored"] * PAGES
    assert record.results.overall.score == 1
    # Every call that was answered is in the account once, and each is a turn of an episode.
    assert model.answered == record.spent.calls == CALLS
    turns = [turn for episode in run.episodes() for turn in episode.turns]
    assert len(turns) == CALLS
    paid = [turn for turn in turns if not turn.cached]
    assert len(turns) - len(paid) == record.spent.cached == 1
    # What a server of one's own charges is not known, whatever the provider's price of that model is.
    assert record.spent.cost is None
    assert [turn.cost for turn in paid] == [None] * len(paid)
    out = capsys.readouterr().out
    assert "Spent: 12 calls of the model, 13,200 tokens (12,000 in, 1,200 out), cost unknown." in out


@pytest.mark.slow
@pytest.mark.parametrize("workers", ["1", "2"])
def test_a_server_that_comes_back_meanwhile_costs_a_pause(home, tmp_path, capsys, workers):
    model, run = Model(dies=5, times=9, how=lambda: Answer(b"", promised=10)), RunDirectory(tmp_path / "run")
    with Server(model) as server:
        assert evaluate(home, run.folder, server, "--workers", workers) == COMPLETE
    assert outcomes(run) == ["scored"] * PAGES
    assert (model.answered, run.read().spent.calls) == (CALLS, CALLS)
    said = capsys.readouterr().err.splitlines()
    assert sum(line.startswith("paused: no connection with http://127.0.0.1") for line in said) == 1
    assert sum(line.startswith("the provider answers again after") for line in said) == 1


@pytest.mark.slow
def test_a_web_page_in_place_of_a_model_ends_the_run_at_its_first_call(home, tmp_path, capsys):
    run = RunDirectory(tmp_path / "run")
    with Server(lambda _: Answer(b"<!doctype html><p>It works!", 200, {"Content-Type": "text/html"})) as server:
        assert evaluate(home, run.folder, server, "--workers", "2") == INCOMPLETE
        assert len(server.requests) <= 2
    error = capsys.readouterr().err
    assert "a web page (HTML, HTTP 200) instead of JSON: check --base-url; no page was played" in error
    assert not run.folder.exists()


@pytest.mark.slow
def test_a_run_whose_server_was_never_there_can_be_gone_on_with(home, tmp_path, capsys):
    model, run = Model(dies=0, how=lambda: Answer(b"", promised=10)), RunDirectory(tmp_path / "run")
    with Server(model) as server:
        assert evaluate(home, run.folder, server) == INCOMPLETE
        assert f"go on with `{to_type('evaluate', '--resume', run.folder)}`" in capsys.readouterr().err
        record = run.read()
        assert (record.status, record.planned_episodes, record.results, outcomes(run)) == (
            "interrupted",
            PAGES,
            None,
            [],
        )
        # Five tries of the first page, and one of each try of the pause: not six of each page.
        assert model.failed == 5 + 6
        assert report.main([str(run.folder)]) == COMPLETE
        model.comes_back()
        assert main(["--resume", str(run.folder), "--yes", "--progress", "quiet"]) == COMPLETE
    assert outcomes(run) == ["scored"] * PAGES


@pytest.mark.slow
def test_a_run_that_was_paid_for_and_has_no_episode_yet_can_be_gone_on_with(home, tmp_path):
    model, run = Model(dies=1), RunDirectory(tmp_path / "run")
    with Server(model) as server:
        model.how = lambda: Answer(b"<html>", 200)
        assert evaluate(home, run.folder, server) == INCOMPLETE
        assert outcomes(run) == []
        model.comes_back()
        assert main(["--resume", str(run.folder), "--yes", "--progress", "quiet"]) == COMPLETE
    assert (model.answered, run.read().spent.calls) == (CALLS, CALLS)


@pytest.mark.slow
def test_a_run_that_waits_goes_on_trying(home, tmp_path, monkeypatch):
    monkeypatch.setattr(pause, "LONGEST", 0.0)
    model = Model(dies=3, times=40, how=lambda: Answer(b"", promised=10))
    with Server(model) as server:
        assert evaluate(home, tmp_path / "run", server, "--on-provider-failure", "wait") == COMPLETE
    assert model.failed == 40
