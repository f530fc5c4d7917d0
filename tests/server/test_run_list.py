"""The list of runs."""

from __future__ import annotations

from pathlib import Path

from django.test import Client

from harness.records.directory import RunDirectory
from tests.samples import run_record
from tests.server.pages import soup, text
from turkle_app.viewer.slugs import parts_of, slug_of


def write_run(folder: Path, **values: object) -> Path:
    folder.mkdir(parents=True)
    RunDirectory(folder).write(run_record(**values))
    return folder


def test_runs_are_found_three_folders_deep_and_never_inside_of_a_run(viewer: Client, runs_dir: Path) -> None:
    write_run(runs_dir / "a" / "b" / "c")
    write_run(runs_dir / "top")
    write_run(runs_dir / "top" / "inside")
    write_run(runs_dir / "a" / "b" / "too" / "deep")
    names = [text(cell) for cell in soup(viewer, "/runs/").select("tbody th a")]
    assert names == ["a/b/c", "top"]


def test_a_broken_run_is_an_entry_with_the_reason(viewer: Client, runs_dir: Path) -> None:
    (write_run(runs_dir / "broken") / "run.json").write_text("{")
    (runs_dir / "without" / "episodes").mkdir(parents=True)
    rows = [text(row) for row in soup(viewer, "/runs/").select("tbody tr")]
    assert len(rows) == 2
    assert all("broken" in row for row in rows)
    assert "run.json" in rows[0]
    assert "it has no run.json" in rows[1]


def test_runs_are_chosen_and_put_in_order(viewer: Client, runs_dir: Path) -> None:
    for day, (name, status) in enumerate({"a": "complete", "b": "interrupted", "c": "complete"}.items(), 1):
        write_run(runs_dir / name, status=status, started=f"2026-01-0{day}T00:00:00+00:00")
    (runs_dir / "broken" / "episodes").mkdir(parents=True)

    def names(query: str) -> list[str]:
        return [text(link) for link in soup(viewer, f"/runs/{query}").select("tbody th a")]

    assert names("") == ["c", "b", "a", "broken"]
    assert names("?sort=name") == ["a", "b", "broken", "c"]
    assert names("?state=complete&sort=name") == ["a", "c"]
    assert names("?q=RANDOM+b") == ["b"]
    assert names("?sort=nonsense&state=broken") == ["broken"]
    assert "No run matches" in text(soup(viewer, "/runs/?q=unicorn"))


def test_an_empty_folder_says_what_a_run_is(viewer: Client) -> None:
    assert "There are no runs here" in text(soup(viewer, "/runs/"))


def test_any_path_is_one_part_of_an_address_and_comes_back() -> None:
    paths = [(), ("a",), ("a", "b"), ("a~b",), ("a", "~"), ("%7E",), ("~", "~~"), ("Größe 1%", "x y"), ("compare",)]
    slugs = [slug_of(parts) for parts in paths]
    assert [parts_of(slug) for slug in slugs] == paths
    assert len(set(slugs)) == len(paths)
    assert "compare" not in slugs
    assert slug_of(("2026", "run")) == "2026~run"
