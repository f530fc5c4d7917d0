"""Runs whose model refuses everything, or never says anything of use: a real server, a real browser."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands import score
from harness.cli.commands.evaluate import main
from harness.kit.files.installation import to_type
from harness.records.directory import RunDirectory
from tests.models.servers import Answer, Asked, Server, failure, openai_reply
from tests.solvers.runs import as_a_user, make_pages

PAGES = 5
SAID = "this model takes no tools"


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("hopeless")
    make_pages(folder / "tasks", PAGES)
    return folder


@pytest.fixture(autouse=True)
def _own_places(home, monkeypatch):
    as_a_user(monkeypatch, home / "cache")


def evaluate(home: Path, out: Path, server: Server, *more: str) -> int:
    arguments = ["--tasks-dir", str(home / "tasks"), "--out", str(out), "--solver", "gpt-4o-mini"]
    recipe = ["--protocol", "form", "--encoding", "text", "--base-url", f"{server.url}/v1"]
    return main([*arguments, *recipe, "--workers", "1", "--progress", "quiet", *more])


def fills_in(asked: Asked) -> Answer:
    """Fills in both fields, and then ends its work."""
    if len(asked.json["messages"]) > 2:
        return openai_reply("finish()", model="gpt-4o-mini")
    return openai_reply("modify_text('a', 'filled')\nmodify_text('b', 'filled')", model="gpt-4o-mini")


class Mended:
    """Answers in one way until it is mended, and then as ``fills_in``."""

    def __init__(self, how: Callable[[Asked], Answer]) -> None:
        self.is_mended = False
        self.how = how

    def __call__(self, asked: Asked) -> Answer:
        return fills_in(asked) if self.is_mended else self.how(asked)


@pytest.mark.slow
@pytest.mark.parametrize("status", [400, 413])
def test_a_model_that_refuses_every_request_stops_the_run_on_the_third_page(home, tmp_path, capsys, status):
    run = RunDirectory(tmp_path / "run")
    with Server(lambda _: failure("openai", status, SAID)) as server:
        assert evaluate(home, run.folder, server, "--output", "tools", "--progress", "plain") == INCOMPLETE
        assert len(server.requests) == 3
    said = capsys.readouterr().err
    assert " · score " not in said
    record = run.read()
    assert (record.status, record.stopped.kind, len(list(run.episodes()))) == ("failed", "refused", 3)
    # The server's own words, and the request's size and features.
    for words in (f"HTTP {status}: {SAID}", "tokens (", "in 2 messages", " tools, temperature 0, seed 0"):
        assert words in said
        assert words in record.stopped.words
    assert "What to try: a new run with --output text" in said
    assert "--no-vision" not in said
    assert f"go on with `{to_type('evaluate', '--resume', run.folder)}`" in said
    # It has no score, and what a score would be held against stays.
    overall = record.results.overall
    assert (overall.score, overall.of_ceiling, overall.skill_over_do_nothing, overall.bounds) == (None,) * 4
    assert (overall.ceiling, overall.do_nothing) == (1, 0)
    # And why can be read later.
    assert score.main([str(run.folder)]) == INCOMPLETE
    later = capsys.readouterr().out
    assert "Stopped (refused)" in later
    assert SAID in later
    assert "NO SCORE: the solver never gave a reply of use." in later


@pytest.mark.slow
def test_pictures_that_a_model_refuses_are_told_with_their_size(home, tmp_path, capsys):
    with Server(lambda _: failure("openai", 400, "no pictures, please")) as server:
        assert evaluate(home, tmp_path / "run", server, "--vision", "--output", "text") == INCOMPLETE
    said = capsys.readouterr().err
    assert " 1 picture (" in said
    assert " pixels)" in said
    assert "--no-vision, if the model takes no pictures" in said
    assert "--output text" not in said


@pytest.mark.slow
def test_a_run_that_was_refused_is_played_anew_once_the_cause_is_mended(home, tmp_path):
    run, model = RunDirectory(tmp_path / "run"), Mended(lambda _: failure("openai", 400, SAID))
    with Server(model) as server:
        assert evaluate(home, run.folder, server, "--output", "text") == INCOMPLETE
        model.is_mended = True
        assert main(["--resume", str(run.folder), "--yes", "--progress", "quiet"]) == COMPLETE
    record = run.read()
    assert (record.status, record.stopped, record.results.overall.score) == ("complete", None, 1)
    assert [episode.outcome for episode in run.episodes()] == ["scored"] * PAGES


@pytest.mark.slow
def test_requests_that_are_refused_after_a_reply_of_use_end_their_own_pages_alone(home, tmp_path, capsys):
    run = RunDirectory(tmp_path / "run")
    with Server(lambda asked: failure("openai", 413, SAID) if len(server.requests) > 2 else fills_in(asked)) as server:
        assert evaluate(home, run.folder, server, "--output", "text") == COMPLETE
    record = run.read()
    assert record.results.outcomes["agent_error"] == PAGES - 1
    assert record.results.overall.score == pytest.approx(1 / PAGES)
    assert (record.results.work.played, record.results.work.replied, record.results.work.acted) == (PAGES, 1, 1)
    assert f"{PAGES - 1} of {PAGES} episodes ended by an error." in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.parametrize("reply", ["", "I am not sure what this form is about."], ids=["empty", "prose"])
def test_replies_of_no_use_leave_a_run_without_a_score(home, tmp_path, capsys, reply):
    run = RunDirectory(tmp_path / "run")
    with Server(lambda _: openai_reply(reply, model="gpt-4o-mini")) as server:
        assert evaluate(home, run.folder, server, "--output", "text", "--retries", "0") == INCOMPLETE
    record, out = run.read(), capsys.readouterr().out
    assert (record.status, record.stopped.kind) == ("failed", "no_reply")
    assert "held no action that could be done" in record.stopped.words
    assert (record.results.work.played, record.results.work.replied) == (PAGES, 0)
    assert record.results.overall.score is None
    assert record.results.tasks["Text"].score is None
    assert record.results.overall.do_nothing == 0
    assert "NO SCORE: the solver never gave a reply of use." in out
    assert "another --model" in out
    # Replies that were paid for would be read again.
    assert "--resume" not in out


@pytest.mark.slow
def test_a_run_in_which_every_action_failed_says_that_nothing_was_ever_done(home, tmp_path, capsys):
    run = RunDirectory(tmp_path / "run")
    with Server(lambda _: openai_reply("modify_text('nonesuch', 'x')", model="gpt-4o-mini")) as server:
        assert evaluate(home, run.folder, server, "--output", "text", "--max-steps", "2") == COMPLETE
    record, out = run.read(), capsys.readouterr().out
    assert (record.results.work.replied, record.results.work.acted) == (PAGES, 0)
    assert record.results.overall.score == record.results.overall.do_nothing == 0
    above = out[: out.index("task  ")]
    assert "Nothing was ever done: this is the score of doing nothing." in above
    assert score.main([str(run.folder)]) == COMPLETE
    assert "Nothing was ever done: this is the score of doing nothing." in capsys.readouterr().out


@pytest.mark.slow
def test_a_key_that_is_refused_midway_leaves_the_reason_in_the_run(home, tmp_path, capsys):
    run = RunDirectory(tmp_path / "run")
    with Server(lambda asked: failure("openai", 401, "no") if len(server.requests) > 2 else fills_in(asked)) as server:
        assert evaluate(home, run.folder, server, "--output", "text") == INCOMPLETE
    record = run.read()
    assert (record.status, record.stopped.kind) == ("failed", "provider")
    assert "does not accept (HTTP 401)" in record.stopped.words
    assert f"go on with `{to_type('evaluate', '--resume', run.folder)}`" in capsys.readouterr().err
    # What was played is kept.
    assert [episode.outcome for episode in run.episodes()] == ["scored"]
