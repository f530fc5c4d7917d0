"""Runs in shards, and the run that is made of them: it is the run that would have played all instances itself."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main
from harness.cli.commands.merge import main as merge
from harness.models.ledger import Totals
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.folder_lock import FolderLock
from harness.reports.run_summary import summary_table
from harness.run.plan import planned_tasks
from tests.site_tasks import make_site_task
from tests.solvers.runs import evaluate, make_pages
from tests.task_folders import csv_text, make_task

TEXT_PAGE = "<p>${text}</p><input name=a>"
CHOICE_PAGE = "<p>${text}</p><select name=a><option value=1>1</option><option value=2>2</option></select>"
SIZES = {"Text": 5, "Choice": 4, "More": 2}

pytestmark = pytest.mark.usefixtures("module_cache")


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with tasks in it."""
    folder = tmp_path_factory.mktemp("shards")
    for name, count in SIZES.items():
        rows = [[f"{name} {number}", str(number % 2 + 1)] for number in range(count)]
        template = CHOICE_PAGE if name == "Choice" else TEXT_PAGE
        make_task(folder / "tasks", name, template=template, table=csv_text(["text", "Answer.a"], *rows))
    return folder


@pytest.fixture(scope="module")
def home(tasks: Path) -> Path:
    """The same folder with a run of all of them, and the same run in three shards."""
    folder = tasks
    assert play(folder, folder / "whole") == COMPLETE
    for number in (1, 2, 3):
        assert play(folder, folder / f"{number}", "--shard", f"{number}/3") == COMPLETE
    return folder


def play(home: Path, out: Path, *more: str) -> int:
    """Play the run of these tasks, or one like it; the solver draws, so that its seeds are seen to be its pages'."""
    words = ["--tasks-dir", str(home / "tasks"), "--out", str(out), "--solver", "random", "--solver-seed", "7"]
    return main([*words, "--workers", "1", "--progress", "quiet", *more])


def shards(home: Path, *numbers: int) -> list[str]:
    return [str(home / str(number)) for number in numbers]


def cut(run: RunDirectory, keep: int) -> RunDirectory:
    """Take all but some episodes away, as if the run had been killed."""
    for file in sorted(run.folder.glob("episodes/*/*.json"))[keep:]:
        file.unlink()
    run.write(replace(run.read(), status="running", ended=None))
    return run


def refused(capsys: pytest.CaptureFixture[str], words: Sequence[str], out: Path) -> str:
    """What is said of shards that are not merged; nothing is written."""
    capsys.readouterr()
    assert merge([*words, "--out", str(out)]) == WRONG_USE
    assert not out.exists()
    return capsys.readouterr().err


def told(run: RunDirectory) -> str:
    return summary_table(replace(run.read(), time=None))


@pytest.mark.parametrize("of", [1, 2, 3, 7, 11])
def test_shards_share_out_the_instances_evenly_and_the_same_way_each_time(tasks: Path, of: int) -> None:
    dealt = []
    for number in range(1, of + 1):
        config = RunConfig("oracle", tasks / "tasks", shard=f"{number}/{of}", kind="form")
        plan = [task for task, _ in planned_tasks(config, tasks, sorted(SIZES), None) if task]
        dealt.append([(job.task, job.index) for task in plan for job in task.jobs])
        elsewhere = [(job.task, job.index) for task in plan for job in task.elsewhere]
        assert sorted(dealt[-1] + elsewhere) == sorted((name, i) for name, size in SIZES.items() for i in range(size))
    assert len({instance for shard in dealt for instance in shard}) == sum(map(len, dealt)) == sum(SIZES.values())
    assert max(map(len, dealt)) - min(map(len, dealt)) <= 1
    for task, size in SIZES.items():
        assert sum(any(name == task for name, _ in shard) for shard in dealt) == min(size, of)


@pytest.mark.slow
def test_merged_shards_are_the_run_of_all(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole, merged = RunDirectory(home / "whole"), RunDirectory(tmp_path / "merged")
    assert merge([*shards(home, 2, 3, 1), "--out", str(merged.folder)]) == COMPLETE
    assert merged.canonical() == whole.canonical()
    assert merged.read().comparability_id == whole.read().comparability_id
    assert merged.read().results == whole.read().results
    assert told(merged) == told(whole)
    assert told(merged).partition("\n")[0] in capsys.readouterr().out
    assert merged.sample() == whole.sample()
    assert not merged.check_records().in_words()
    assert (merged.folder / "config.toml").read_text() == (whole.folder / "config.toml").read_text()
    assert sorted(path.name for path in merged.folder.iterdir()) == sorted(path.name for path in whole.folder.iterdir())


@pytest.mark.slow
def test_a_shard_is_a_run_of_its_own_that_is_gone_on_with(home: Path, tmp_path: Path) -> None:
    shard = RunDirectory(tmp_path / "2")
    RunDirectory(home / "2").copy_into(shard.folder)
    before = shard.canonical()
    cut(shard, 1)
    assert main(["--resume", str(shard.folder), "--progress", "quiet"]) == COMPLETE
    after = shard.canonical()
    assert after == before
    assert len(after["episodes"]) == 4


@pytest.mark.slow
def test_a_shard_that_was_cut_makes_a_run_that_was_cut_and_can_be_gone_on_with(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    RunDirectory(home / "2").copy_into(tmp_path / "2")
    cut(RunDirectory(tmp_path / "2"), 1)
    merged = RunDirectory(tmp_path / "merged")
    assert merge([*shards(home, 1, 3), str(tmp_path / "2"), "--out", str(merged.folder)]) == INCOMPLETE
    said = capsys.readouterr()
    assert "was cut short: 3 of its 4 instances were not played" in said.err
    assert "shard 2/3 was killed" in said.out
    record = merged.read()
    assert (record.status, record.planned_episodes, merged.size()) == ("interrupted", 11, 8)
    assert main(["--resume", str(merged.folder), "--progress", "quiet"]) == COMPLETE
    assert merged.canonical() == RunDirectory(home / "whole").canonical()


@pytest.mark.slow
def test_a_missing_shard_is_refused_unless_its_instances_are_to_count_as_not_played(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    merged = RunDirectory(tmp_path / "merged")
    assert "a shard is missing: 2/3" in refused(capsys, shards(home, 1, 3), merged.folder)
    assert merge([*shards(home, 1, 3), "--without-missing", "--out", str(merged.folder)]) == INCOMPLETE
    said = capsys.readouterr()
    assert "1 shard missing, so that 4 instances were not played" in said.err
    assert "not all of its shards were merged" in said.out
    record = merged.read()
    assert (record.status, record.planned_episodes, merged.size()) == ("interrupted", 11, 7)
    assert record.sample == RunDirectory(home / "whole").read().sample
    assert main(["--resume", str(merged.folder), "--progress", "quiet"]) == COMPLETE
    assert merged.canonical() == RunDirectory(home / "whole").canonical()


@pytest.mark.slow
def test_what_is_no_set_of_shards_of_one_run_is_refused(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    RunDirectory(home / "2").copy_into(tmp_path / "again")
    twice = refused(capsys, [*shards(home, 1, 2, 3), str(tmp_path / "again")], out)
    assert "are the same shard: give one of them" in twice
    assert play(home, tmp_path / "seed", "--shard", "2/3", "--seed", "5") == COMPLETE
    assert "seed is 0 in the one and 5 in the other" in refused(
        capsys, [*shards(home, 1, 3), str(tmp_path / "seed")], out
    )
    assert play(home, tmp_path / "four", "--shard", "2/4") == COMPLETE
    assert "--shard 1/3, the other with --shard 2/4" in refused(
        capsys, [*shards(home, 1, 3), str(tmp_path / "four")], out
    )
    record = RunDirectory(home / "1").read()
    RunDirectory(home / "1").copy_into(tmp_path / "claimed")
    RunDirectory(tmp_path / "claimed").write(replace(record, config=replace(record.config, shard="2/3")))
    claimed = refused(capsys, [*shards(home, 1, 3), str(tmp_path / "claimed")], out)
    assert "share out their instances in several ways" in claimed
    assert "was begun without --shard" in refused(capsys, [str(home / "whole")], out)
    with FolderLock(tmp_path / "again"):
        assert "wait until shard 2/3 has ended" in refused(capsys, [*shards(home, 1, 3), str(tmp_path / "again")], out)
    (out / "kept").mkdir(parents=True)
    assert merge([*shards(home, 1, 2, 3), "--out", str(out)]) == WRONG_USE
    assert (out / "kept").is_dir()


@pytest.mark.slow
def test_tasks_that_have_changed_between_shards_are_refused(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = RunDirectory(tmp_path / "2")
    RunDirectory(home / "2").copy_into(other.folder)
    record = other.read()
    other.write(replace(record, foundations=replace(record.foundations, task_set="other")))
    assert "foundations.task_set" in refused(capsys, [*shards(home, 1, 3), str(other.folder)], tmp_path / "out")


@pytest.mark.slow
def test_a_shard_without_an_instance_says_so_and_is_not_missed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    make_task(tmp_path / "tasks", "Text", template=TEXT_PAGE, table=csv_text(["text", "Answer.a"], ["one", "1"]))
    assert play(tmp_path, tmp_path / "2", "--shard", "2/2") == WRONG_USE
    assert "--shard 2/2: nothing to evaluate, since there is 1 instance" in capsys.readouterr().err
    assert play(tmp_path, tmp_path / "1", "--shard", "1/2") == COMPLETE
    assert merge([str(tmp_path / "1"), "--out", str(tmp_path / "all")]) == COMPLETE


@pytest.mark.slow
def test_shards_of_websites_are_merged(tmp_path: Path) -> None:
    for name in ("One", "Two", "Three"):
        make_site_task(tmp_path / "tasks", name)
    words = ["--tasks-dir", str(tmp_path / "tasks"), "--solver", "oracle", "--workers", "1", "--progress", "quiet"]
    outs = {out: ["--shard", out] if out else [] for out in ("1/2", "2/2", "")}
    for out, more in outs.items():
        assert main([*words, *more, "--out", str(tmp_path / f"run{out[:1]}")]) == COMPLETE
    assert merge([str(tmp_path / "run1"), str(tmp_path / "run2"), "--out", str(tmp_path / "merged")]) == COMPLETE
    merged, whole = RunDirectory(tmp_path / "merged"), RunDirectory(tmp_path / "run")
    assert merged.canonical() == whole.canonical()
    assert told(merged) == told(whole)


@pytest.mark.slow
def test_what_shards_spent_and_were_told_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("SCRIPTED_CALLS", str(tmp_path / "calls"))
    make_pages(tmp_path / "tasks", 3)
    for number in ("1", "2"):
        code, _ = evaluate(tmp_path / "tasks", tmp_path / number, "--shard", f"{number}/2", "--max-cost", "1")
        assert code == COMPLETE
    assert "--max-cost 1 is of this shard alone: all 2 may spend 2 US dollars" in capsys.readouterr().err
    merged = RunDirectory(tmp_path / "merged")
    assert merge([str(tmp_path / "1"), str(tmp_path / "2"), "--out", str(merged.folder)]) == COMPLETE
    spent: list[Any] = [RunDirectory(tmp_path / number).read().spent for number in ("1", "2")]
    found = merged.read().spent
    assert isinstance(found, Totals)
    assert (found.calls, found.cost) == (spent[0].calls + spent[1].calls, spent[0].cost + spent[1].cost)
    assert found.calls > spent[0].calls
    assert merged.read().config.allowed("cost") == 2
    assert "max_cost = 2.0\n" in (merged.folder / "config.toml").read_text()
    for episode in merged.episodes():
        for turn in episode.turns:
            assert merged.text(turn.sent)
