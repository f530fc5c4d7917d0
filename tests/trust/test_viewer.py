"""Run directories of somebody else, and addresses made up, before the pages about runs."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client

from harness.kit.files.inside import MOST
from harness.records.directory import RunDirectory
from harness.records.texts import REFERENCE, name_of, unpacked
from harness.reports.reviews.run_reviews import start_review
from harness.reports.watch import index_tables
from harness.reports.watch.episode_rows import take_in
from harness.reports.watch.folder_changes import changes
from harness.reports.watch.run_index import RunIndex
from tests.reports.watch.made import TASK, filmed_run
from tests.server.conftest import runs_dir, tasks_dir, viewer  # noqa: F401 - fixtures
from tests.server.pages import soup, text

pytestmark = pytest.mark.usefixtures("own_cache")

PAGE = f"/runs/run/episode/{TASK}/0/"
HALF = "\ud800"


@pytest.fixture
def run(runs_dir: Path, tasks_dir: Path) -> RunDirectory:  # noqa: F811
    return RunDirectory(filmed_run(runs_dir / "run", tasks_dir))


def indexed(run: RunDirectory) -> tuple[int, int]:
    """Take all that is there into the index; gives how many episodes and broken files it knows."""
    index = RunIndex(run.folder, run.read())
    with index.open() as database:
        found = changes(run.folder, database)
    take_in(index, found.files)
    with index.open() as database:
        files, episodes = database.execute("SELECT count(*), count(episode) FROM file").fetchone()
    return episodes, files - episodes


def edit(file: Path, change: Callable[[dict[str, object]], None]) -> None:
    value = json.loads(file.read_text(encoding="utf-8"))
    change(value)
    file.write_text(json.dumps(value), encoding="utf-8")


@pytest.mark.claim("viewer-addresses")
@pytest.mark.usefixtures("run")
@pytest.mark.parametrize(
    "slug", ["a" * 300, "a" * 5_000, "..", "%252e%252e", "%2500", "%ED%A0%80", "run~episodes", "~"]
)
def test_a_name_that_is_no_run_s_is_not_there(viewer: Client, slug: str) -> None:  # noqa: F811
    for address in (f"/runs/{slug}/", f"/runs/{slug}/review/", f"/runs/{slug}/episode/x/0/", f"/filled/{slug}/x/0/"):
        assert viewer.get(address).status_code == 404
    assert viewer.get("/runs/compare/", {"run": ["run", slug.replace("%25", "%")]}).status_code == 404


@pytest.mark.claim("viewer-addresses")
def test_a_link_in_a_run_leads_to_no_other_run(viewer: Client, run: RunDirectory, tmp_path: Path) -> None:  # noqa: F811
    elsewhere = tmp_path / "elsewhere"
    run.folder.rename(elsewhere)
    run.folder.mkdir()
    (run.folder / "run.json").write_text("{}", encoding="utf-8")
    (run.folder / "out").symlink_to(elsewhere)
    assert viewer.get("/runs/run~out/").status_code == 404


@pytest.mark.claim("viewer-runs")
def test_half_of_a_surrogate_pair_does_not_keep_a_page_from_being_shown(viewer: Client, run: RunDirectory) -> None:  # noqa: F811
    def spoil(value: dict[str, object]) -> None:
        value["detail"] = f"it said {HALF}"
        value["fields"][0]["name"] = f"a{HALF}"  # type: ignore[index]
        value["steps"][0]["message"] = HALF  # type: ignore[index]

    edit(run.folder / "episodes" / TASK / "0.json", spoil)
    edit(run.folder / "films" / TASK / "0.json", lambda film: film["frames"][0].update(title=HALF))  # type: ignore[index]
    assert "it said ?" in text(soup(viewer, PAGE))
    edit(run.folder / "run.json", lambda record: record["config"].update(solver=f"mine {HALF}"))  # type: ignore[attr-defined]
    for address in ("/runs/", "/runs/run/", "/runs/run/review/"):
        assert viewer.get(address).status_code == 200


@pytest.mark.claim("viewer-runs")
def test_a_number_too_large_for_a_float_is_shown(viewer: Client, run: RunDirectory) -> None:  # noqa: F811
    many = {"input_tokens": 10**400}
    edit(run.folder / "episodes" / TASK / "0.json", lambda value: value["turns"][0]["usage"].update(many))  # type: ignore[index]
    assert viewer.get(PAGE).status_code == 200
    episodes, broken = indexed(run)
    assert (episodes, broken) == (2, 1)
    assert viewer.get("/runs/run/").status_code == 200


@pytest.mark.claim("viewer-runs")
def test_a_file_of_holes_is_not_read(viewer: Client, run: RunDirectory) -> None:  # noqa: F811
    picture = next((run.folder / "films" / "pictures").iterdir())
    os.truncate(picture, MOST + 1)
    assert viewer.get(f"/runs/run/film-picture/{picture.name}").status_code == 404
    os.truncate(run.folder / "episodes" / TASK / "0.json", MOST + 1)
    assert f"more than {MOST:,} bytes" in text(soup(viewer, PAGE))
    os.truncate(run.folder / "run.json", MOST + 1)
    assert f"more than {MOST:,} bytes" in text(soup(viewer, "/runs/"))


@pytest.mark.claim("viewer-runs")
def test_a_text_that_names_another_many_times_is_not_put_together(run: RunDirectory) -> None:
    folder = run.folder / "texts"
    large = json.dumps("x" * 2**20)
    (folder / f"{name_of(large)}.json").write_text(large, encoding="utf-8")
    often = json.dumps([{REFERENCE: name_of(large), "characters": 2**20}] * (MOST // 2**20 + 1))
    (folder / f"{name_of(often)}.json").write_text(often, encoding="utf-8")
    with pytest.raises(ValueError, match="together"):
        unpacked(folder, name_of(often))


@pytest.mark.claim("viewer-runs")
def test_a_text_that_is_nested_deep_is_no_text(viewer: Client, run: RunDirectory) -> None:  # noqa: F811
    for depth in (300, 600, 900, 100_000):
        deep = "[" * depth + "]" * depth
        (run.folder / "texts" / f"{name_of(deep)}.json").write_text(deep, encoding="utf-8")
        assert viewer.get(f"/runs/run/text/{name_of(deep)}").status_code in {200, 404}


@pytest.mark.claim("viewer-index")
def test_files_that_no_run_has_written_keep_none_of_its_episodes_out_of_the_index(run: RunDirectory) -> None:
    episodes, _ = indexed(run)
    folder = os.fsencode(run.folder / "episodes" / TASK)
    for name in (b"\xff.json", b"\xfe.json", b"?.json"):
        with open(folder + b"/" + name, "w", encoding="utf-8") as file:  # noqa: PTH123 - a name that no text has
            file.write("{}")
    last = run.folder / "episodes" / TASK / "0.json"
    beyond = last.with_name(f"{10**30}.json")
    beyond.write_text(json.dumps(json.loads(last.read_text(encoding="utf-8")) | {"index": 10**30}), encoding="utf-8")
    assert indexed(run) == (episodes, 4)


@pytest.mark.claim("viewer-index")
def test_an_episode_that_is_taken_in_while_numbers_are_made_does_not_upset_them(run: RunDirectory) -> None:
    episodes, _ = indexed(run)
    first = run.folder / "episodes" / TASK / "0.json"
    frame = index_tables._frame

    def meanwhile(*given: Any) -> object:
        if not run.episode_file(TASK, 9).exists():
            run.episode_file(TASK, 9).write_text(
                json.dumps(json.loads(first.read_text(encoding="utf-8")) | {"index": 9}), encoding="utf-8"
            )
            assert indexed(run) == (episodes + 1, 0)
        return frame(*given)

    with patch.object(index_tables, "_frame", meanwhile):
        assert len(index_tables.indexed_run(run.folder)[0].instances) == episodes


@pytest.mark.claim("viewer-runs")
@pytest.mark.parametrize("seconds", [10**11, -(10**11)])
def test_a_file_may_bear_any_time(viewer: Client, run: RunDirectory, seconds: int) -> None:  # noqa: F811
    try:
        os.utime(run.folder / "episodes" / TASK / "0.json", (seconds, seconds))
    except OSError:
        pytest.skip("this file system has no such times")
    assert indexed(run)[1] == 0
    assert viewer.get("/runs/run/").status_code == 200


@pytest.mark.claim("viewer-runs")
def test_a_pipe_among_verdicts_is_not_waited_for(viewer: Client, run: RunDirectory) -> None:  # noqa: F811
    assert start_review(run, "standard", 1, 0) == 1
    verdicts = run.folder.with_name("run_review") / "verdicts"
    verdicts.mkdir(exist_ok=True)
    os.mkfifo(verdicts / "somebody.json")
    for address in ("/runs/run/review/", "/runs/run/review/1/", "/runs/run/review/report/", PAGE):
        assert viewer.get(address).status_code == 200
