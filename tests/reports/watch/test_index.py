from __future__ import annotations

import json
import os
import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest

from harness.actions.result import ErrorCode
from harness.analysis.scored_run import read_scored
from harness.records.directory import RunDirectory
from harness.reports.watch import run_index
from harness.reports.watch.episode_query import EpisodeQuery
from harness.reports.watch.episode_rows import take_in
from harness.reports.watch.episode_table import episode_page
from harness.reports.watch.folder_changes import changes
from harness.reports.watch.index_making import bring_up
from harness.reports.watch.index_tables import indexed_run
from harness.reports.watch.run_counts import counts
from harness.reports.watch.run_index import IndexGone, RunIndex
from harness.reports.watch.saved_numbers import saved_numbers
from tests.reports.watch.made_runs import add_turn, answered, failed_step, write_run
from tests.samples import episode, record

LONG_AGO = 1_700_000_000


def index_of(run: RunDirectory) -> RunIndex:
    return RunIndex(run.folder, run.read())


def places(run: RunDirectory, **choice: str) -> list[int]:
    with index_of(run).open() as database:
        return [each.index for each in episode_page(database, EpisodeQuery.of(choice)).episodes]


def make_old(run: RunDirectory) -> None:
    """Let a run's folders have been changed long ago, so that their times tell of every change."""
    for folder in (run.folder / "episodes").iterdir():
        os.utime(folder, (LONG_AGO, LONG_AGO))


@pytest.fixture
def run(tmp_path: Path) -> RunDirectory:
    """A run with three tasks, all outcomes, several workers, several kinds, failed actions and a model's words."""
    two = {"labels": ("yes", "no", "yes")}
    made = write_run(
        tmp_path / "run",
        answered(0),
        answered(1, "no"),
        answered(2, "no", outcome="limit", detail="steps", limit="steps"),
        answered(3, outcome="unscored"),
        answered(0, task="A", kind="radio", steps=(failed_step(), failed_step(ErrorCode.COVERED))),
        episode(outcome="harness_error", task="A", index=1, detail="the browser died"),
        episode(
            record("x", "radio", options=("yes", "no"), sent=("yes",), untouched=("no",), constant=("yes",), **two),
            record("y", "textarea", sent=("yes sir",), visible=False, **two),
            task="Ü/b",
            index=7,
        ),
        planned_episodes=7,
    )
    add_turn(made, answered(1, "no"), shown="The page says: Zebra crossing.", reply="I take the second one.")
    return made


def test_the_tables_out_of_the_index_are_those_of_the_episodes_themselves(run: RunDirectory) -> None:
    bring_up(run.folder)
    expected = read_scored(run.folder, people=True)
    found, last = indexed_run(run.folder)
    assert last == 7
    pd.testing.assert_frame_equal(found.instances, expected.instances)
    pd.testing.assert_frame_equal(found.fields, expected.fields)
    assert (found.profile, found.comparability_id) == (expected.profile, expected.comparability_id)


def test_the_numbers_are_those_of_the_report(run: RunDirectory) -> None:
    from harness.analysis.rescoring import score_run

    bring_up(run.folder)
    expected = score_run(run).record.results
    assert expected is not None
    with index_of(run).open() as database:
        numbers = saved_numbers(database)
        counted = counts(database)
    assert numbers is not None
    assert numbers.means.score == pytest.approx(expected.overall.score)
    assert numbers.overall.score.value == pytest.approx(expected.overall.score)
    assert {part.name: part.score.value for part in numbers.tasks} == pytest.approx(
        {name: task.score for name, task in expected.tasks.items()}
    )
    assert dict(counted.outcomes) == dict(expected.outcomes)
    assert [(each.name, each.count, each.episodes) for each in counted.errors] == [
        ("no such field", 1, 1),
        ("out of reach", 1, 1),
    ]


def test_only_what_is_new_is_read(run: RunDirectory, monkeypatch: pytest.MonkeyPatch) -> None:
    make_old(run)
    assert bring_up(run.folder) == 7
    looked = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: (looked.append(Path(path).name), scandir(path))[1])
    assert bring_up(run.folder) == 0
    assert looked == ["episodes"]
    run.add(answered(9), {})
    looked.clear()
    assert bring_up(run.folder) == 1
    assert looked == ["episodes", "T"]
    assert places(run, task="T") == [0, 1, 2, 3, 9]


def test_a_folder_that_has_just_changed_is_looked_into_again(run: RunDirectory) -> None:
    just_now = time.time() + 1000  # as the clock has it when the test is over
    for folder in (run.folder / "episodes").iterdir():
        os.utime(folder, (just_now, just_now))
    bring_up(run.folder)
    with index_of(run).open() as database:
        assert dict(changes(run.folder, database).settled) == {}
    make_old(run)
    with index_of(run).open() as database:
        assert set(changes(run.folder, database).settled) == {"A", "T", "%C3%9C%2Fb"}


def test_an_episode_that_was_edited_in_place_is_found_where_that_is_looked_for(run: RunDirectory) -> None:
    make_old(run)
    bring_up(run.folder)
    with run.episode_file("T", 1).open("a") as stream:
        stream.write("\n")
    make_old(run)
    with index_of(run).open() as database:
        assert not changes(run.folder, database).files
        assert [each.name for each in changes(run.folder, database, edited=True).files] == ["1.json"]


def test_an_episode_that_is_played_again_takes_the_place_of_the_old_one(run: RunDirectory) -> None:
    bring_up(run.folder)
    assert places(run, task="T", low="100") == [0, 3]
    assert places(run, q="zebra") == [1]
    run.add(answered(1, "yes"), {})
    assert bring_up(run.folder) == 1
    assert places(run, task="T", low="100") == [0, 1, 3]
    assert places(run, q="zebra") == []
    with index_of(run).open() as database:
        (fields,) = database.execute("SELECT count(*) FROM field").fetchone()
    assert fields == 7


def test_an_episode_that_is_gone_is_gone_from_the_index(run: RunDirectory) -> None:
    bring_up(run.folder)
    run.episode_file("T", 0).unlink()
    run.episode_file("Ü/b", 7).unlink()
    run.episode_file("Ü/b", 7).parent.rmdir()
    bring_up(run.folder)
    assert places(run) == [0, 1, 1, 2, 3]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "cannot be read"),
        ('{"schema": 3}', "cannot be read"),
        ("[" * 100_000, "cannot be read"),
        ("\xff", "cannot be read"),
    ],
)
def test_a_broken_file_is_kept_with_the_reason_until_it_is_mended(run: RunDirectory, content: str, reason: str) -> None:
    file = run.episode_file("T", 0)
    whole = file.read_text()
    file.write_bytes(content.encode("latin-1"))
    bring_up(run.folder)
    with index_of(run).open() as database:
        (broken,) = counts(database).broken
    assert broken.name == "T/0.json"
    assert reason in broken.reason
    assert places(run, task="T") == [1, 2, 3]
    file.unlink()
    file.write_text(whole)
    bring_up(run.folder)
    assert places(run, task="T") == [0, 1, 2, 3]


def test_a_file_that_holds_another_episode_or_leads_elsewhere_is_broken(run: RunDirectory, tmp_path: Path) -> None:
    outside = tmp_path / "secret.json"
    outside.write_text(run.episode_file("T", 0).read_text())
    run.episode_file("T", 1).write_text(run.episode_file("T", 0).read_text())
    run.episode_file("T", 2).unlink()
    run.episode_file("T", 2).symlink_to(outside)
    bring_up(run.folder)
    with index_of(run).open() as database:
        reasons = {each.name: each.reason for each in counts(database).broken}
    assert "holds another episode" in reasons["T/1.json"]
    assert "leads out of its folder" in reasons["T/2.json"]


def test_a_kind_that_nobody_knows_is_broken(run: RunDirectory) -> None:
    file = run.episode_file("T", 0)
    said = json.loads(file.read_text())
    said["fields"][0]["kind"] = "hologram"
    file.write_text(json.dumps(said))
    bring_up(run.folder)
    with index_of(run).open() as database:
        assert "hologram" in counts(database).broken[0].reason


def test_a_damaged_index_is_made_anew(run: RunDirectory) -> None:
    bring_up(run.folder)
    file = index_of(run).file
    file.write_bytes(b"this is no database" * 1000)
    assert bring_up(run.folder) == 7
    with file.open("r+b") as stream:  # the first page is whole, those behind it are not
        stream.seek(4096)
        stream.write(b"\xff" * (file.stat().st_size - 4096))
    for _ in range(3):
        try:
            bring_up(run.folder)
        except IndexGone:
            continue
    assert len(places(run)) == 7


def test_an_index_that_cannot_be_opened_or_is_busy_is_an_error_of_the_cache(
    run: RunDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    bring_up(run.folder)
    monkeypatch.setattr(run_index, "_PATIENCE", 0.01)
    with closing(sqlite3.connect(index_of(run).file, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OSError, match="locked"), index_of(run).open() as database:
            database.execute("DELETE FROM seen")
    assert len(places(run)) == 7
    index_of(run).file.unlink()
    index_of(run).file.mkdir()
    with pytest.raises(OSError, match="sqlite3"), index_of(run).open():
        pass


def test_another_run_in_the_same_place_gets_an_index_of_its_own(run: RunDirectory) -> None:
    bring_up(run.folder)
    run.write(replace(run.read(), started="2026-02-01T00:00:00+00:00"))
    with index_of(run).open() as database:
        assert episode_page(database, EpisodeQuery()).of == 0


def test_going_on_with_a_run_keeps_its_index(run: RunDirectory) -> None:
    bring_up(run.folder)
    run.write(replace(run.read(), status="running", resumed=("2026-02-01T00:00:00+00:00",)))
    assert bring_up(run.folder) == 0


def test_the_index_is_in_the_cache_and_nothing_is_written_into_the_run(run: RunDirectory, cache: Path) -> None:
    before = sorted(run.folder.rglob("*"))
    bring_up(run.folder)
    assert sorted(run.folder.rglob("*")) == before
    assert index_of(run).file.is_relative_to(cache)


def test_several_threads_may_take_in_the_same_files_at_once(run: RunDirectory) -> None:
    index = index_of(run)
    with index.open() as database:
        found = changes(run.folder, database)
    with ThreadPoolExecutor(4) as pool:
        for each in [pool.submit(take_in, index, found.files) for _ in range(4)]:
            each.result()
    assert len(places(run)) == 7
    with index.open() as database:
        assert database.execute("SELECT count(DISTINCT episode) FROM field").fetchone() == (6,)


def test_a_cache_that_cannot_be_written_is_told_as_such(run: RunDirectory, cache: Path) -> None:
    cache.write_text("a file where the folder should be")
    with pytest.raises(OSError, match="cache"):
        bring_up(run.folder)


def test_an_index_of_another_schema_is_made_anew(run: RunDirectory) -> None:
    bring_up(run.folder)
    with sqlite3.connect(index_of(run).file) as database:
        database.execute("UPDATE about SET value = 'older' WHERE name = 'identity'")
    database.close()
    assert bring_up(run.folder) == 7
