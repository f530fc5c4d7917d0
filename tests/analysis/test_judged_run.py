"""A run on websites evaluated again by a judge."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.analysis.judged_run import CannotJudge, judged_run
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.score import main
from harness.models import service
from harness.models.messages import Reply, Request, Usage
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.site_record import SiteRecord
from tests.analysis.made import write
from tests.samples import episode
from tests.scoring.evaluators.made import SHOP, Recording, ScriptedJudge, path, site, url

FACTS = site(key_nodes=(url("semantic", "Decide whether hats are looked for", "q"), path("#buy")))
PAGE = "<button id=buy>Buy</button>"


def played(query: str = "hats", **values: Any) -> tuple[Episode, Recording]:
    """An episode whose run had no judge."""
    recording = Recording().shows(SHOP).shows(f"{SHOP}?q={query}", step=0).acts(PAGE, "#buy", step=1)
    record = SiteRecord(task=FACTS, moments=tuple(recording.moments), evaluations=recording.evaluated(FACTS))
    return episode(**{"site": record, "outcome": "unscored", **values}), recording


def run(folder: Path, *episodes: tuple[Episode, Recording]) -> RunDirectory:
    directory = RunDirectory(write(folder, [each for each, _ in episodes]))
    for _, recording in episodes:
        directory.keep({}, recording.texts)
    return directory


def judged(of: RunDirectory, out: Path, **scores: float | None) -> RunDirectory:
    judged_run(of, out, "a judge", lambda _: ScriptedJudge(scores))
    return RunDirectory(out)


def test_what_was_unknown_has_the_score_of_the_judge(tmp_path):
    copy = judged(run(tmp_path / "run", played()), tmp_path / "out", hats=0.9)
    (found,) = copy.episodes()
    assert found.site
    assert found.site.main
    assert (found.site.main.score, found.site.main.success, found.outcome) == (0.95, True, "scored")
    assert [part.score for part in found.site.main.parts] == [0.9, 1.0]


@pytest.mark.parametrize(
    ("values", "outcome"),
    [({"limit": "steps", "detail": "steps"}, "limit"), ({"detail": "it broke"}, "agent_error"), ({}, "scored")],
)
def test_episode_that_has_a_score_now_ended_as_it_did(tmp_path, values, outcome):
    (found,) = judged(run(tmp_path / "run", played(**values)), tmp_path / "out", hats=1.0).episodes()
    assert found.outcome == outcome


def test_run_itself_is_not_changed(tmp_path):
    original = run(tmp_path / "run", played())
    before = {file: file.read_bytes() for file in original.folder.rglob("*") if file.is_file()}
    judged(original, tmp_path / "out", hats=1.0)
    assert {file: file.read_bytes() for file in original.folder.rglob("*") if file.is_file()} == before


def test_links_out_of_the_run_are_not_copied(tmp_path):
    original = run(tmp_path / "run", played())
    (tmp_path / "secret").mkdir()
    (tmp_path / "secret" / "key").write_text("k", encoding="utf-8")
    (original.texts / "key.json").symlink_to(tmp_path / "secret" / "key")
    (original.folder / "secret").symlink_to(tmp_path / "secret")
    judged(original, tmp_path / "out", hats=1.0)
    assert not {"key.json", "key", "secret"} & {file.name for file in (tmp_path / "out").rglob("*")}


def test_copy_says_who_judged_and_compares_with_runs_of_the_same_judge_only(tmp_path):
    one, two = run(tmp_path / "one", played()), run(tmp_path / "two", played())
    first, second = judged(one, tmp_path / "a", hats=1.0).read(), judged(two, tmp_path / "b", hats=0.0).read()
    assert (first.config.judge, one.read().config.judge) == ("a judge", None)
    assert first.comparability_id == second.comparability_id != one.read().comparability_id
    assert first.results


def test_what_the_judge_cannot_tell_stays_unknown_and_is_counted(tmp_path):
    original = run(tmp_path / "run", played(), played("cats", index=1))
    found = judged_run(original, tmp_path / "out", "a judge", lambda _: ScriptedJudge({"hats": 1.0, "cats": None}))
    assert (found.judged, found.unknown) == (1, 1)
    assert [each.outcome for each in RunDirectory(tmp_path / "out").episodes()] == ["scored", "unscored"]


def test_episodes_that_are_known_are_left_alone(tmp_path):
    known, recording = played(index=1)
    assert known.site
    evaluations = tuple(replace(each, score=0.25) for each in known.site.evaluations)
    known = replace(known, site=replace(known.site, evaluations=evaluations))
    copy = judged(run(tmp_path / "run", played(), (known, recording)), tmp_path / "out", hats=1.0)
    assert copy.episode("T", 1).site == known.site


@pytest.mark.parametrize("episodes", [[], [(episode(), Recording())]])
def test_run_with_nothing_to_judge_is_refused(tmp_path, episodes):
    with pytest.raises(CannotJudge, match="nothing to be judged"):
        judged(run(tmp_path / "run", *episodes), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_folder_that_holds_something_is_not_written_into(tmp_path):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine").write_text("")
    with pytest.raises(CannotJudge, match="is not empty"):
        judged(run(tmp_path / "run", played()), tmp_path / "out")


def test_judge_that_breaks_leaves_no_copy(tmp_path):
    def broken(_: Path) -> ScriptedJudge:
        raise OSError("no")

    with pytest.raises(OSError, match="no"):
        judged_run(run(tmp_path / "run", played()), tmp_path / "out", "a judge", broken)
    assert [each.name for each in tmp_path.iterdir()] == ["run"]


class _Client:
    """Stands for a provider."""

    def __init__(self) -> None:
        self.asked: list[Request] = []

    def complete(self, request: Request, **_: object) -> Reply:
        self.asked.append(request)
        return Reply("```0.9```, hats are hats", usage=Usage(10, 5))


@pytest.fixture
def client(monkeypatch, tmp_path) -> _Client:
    made = _Client()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(service, "make_client", lambda *_, **__: made)
    return made


def test_command_asks_a_model_and_writes_the_copy_and_its_account(tmp_path, client, capsys):
    original = run(tmp_path / "run", played())
    assert main([str(original.folder), "--judge", "gpt4-text", "--out", str(tmp_path / "out"), "--json"]) == COMPLETE
    said = capsys.readouterr()
    assert json.loads(said.out)["config"]["judge"] == "gpt4-text"
    assert "judged 1 episode" in said.err
    assert (tmp_path / "out" / "judge" / "ledger.jsonl").exists()
    assert len(client.asked) == 1


def test_reply_that_was_paid_for_is_not_asked_for_again(tmp_path, client):
    original = run(tmp_path / "run", played())
    for name in ("a", "b"):
        assert main([str(original.folder), "--judge", "gpt4-text", "--out", str(tmp_path / name)]) == COMPLETE
    assert len(client.asked) == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--judge", "gpt4-text"], "--judge and --out go together"),
        (["--out", "x"], "--judge and --out go together"),
        (["--judge", "gpt4-txet", "--out", "x"], "there is no preset 'gpt4-txet'"),
    ],
)
def test_command_says_in_one_line_what_is_wrong(tmp_path, monkeypatch, capsys, arguments, words):
    monkeypatch.chdir(tmp_path)
    original = run(tmp_path / "run", played())
    assert main([str(original.folder), *arguments]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert words in line
