"""The documentation keeps up with the project: links, the table of bundled tasks, every key of a run directory."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.catalog import Catalog
from harness.cli.commands import evaluate
from harness.episode.registry import SOLVERS
from harness.records.episode import OUTCOMES
from harness.scoring.answers.columns import ABSENT, NEVER_LABELLED, SCORED, UNLABELLED

PROJECT = Path(__file__).parents[1]
PAGES = [PROJECT / "README.md", *sorted((PROJECT / "docs").rglob("*.md"))]
LINK = re.compile(r"\]\(([^)#]+)(?:#[^)]*)?\)")


def page(name: str) -> str:
    return (PROJECT / "docs" / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("file", PAGES, ids=lambda file: file.name)
def test_links_inside_the_project_lead_somewhere(file):
    links = [link for link in LINK.findall(file.read_text(encoding="utf-8")) if "://" not in link]
    assert [link for link in links if not (file.parent / link).exists()] == []


@pytest.mark.slow
@pytest.mark.parametrize("name", ["architecture.md"])
def test_every_file_that_the_structure_is_described_by_exists(name):
    paths = re.findall(r"`([\w.-]+/[\w./-]*)`", page(name))
    there = [path for path in paths if (PROJECT / path).exists() or list((PROJECT / "harness").glob(f"**/{path}"))]
    assert there
    assert [path for path in paths if path not in there and "NAME" not in path] == []


def test_the_table_of_bundled_tasks_is_right():
    catalog = Catalog(PROJECT / "tasks")
    wanted = []
    for name in catalog.names():
        task = catalog.task(name)
        workers = sorted({len(instance.rows) for instance in task.instances})
        labels = "–".join(dict.fromkeys([str(workers[0]), str(workers[-1])]))
        wanted.append(f"| {name} | {task.split} | {len(task.instances)} | {labels} |")
    table = page("reference/bundled-tasks.md").partition("| --- |")[2].partition("\n\n")[0]
    rows = [" | ".join(row.split(" | ")[:4]) + " |" for row in table.splitlines()[1:]]
    assert rows == wanted


def test_the_table_of_tasks_on_bundled_sites_is_right():
    catalog = Catalog(PROJECT / "tasks" / "_sites")
    wanted: dict[tuple[str, str], list[str]] = {}
    for name in catalog.names():
        site, _, title = name.partition(" - ")
        task = catalog.task(name)
        wanted.setdefault((site.lower(), task.site_of(task.instances[0]).level), []).append(title)
    rows = re.findall(r"^\| (\w+) \| (easy|medium|hard) \| (.+) \|$", page("reference/bundled-sites.md"), re.M)
    assert {(site, level): titles.split("; ") for site, level, titles in rows} == wanted


def test_every_solver_outcome_and_status_is_documented():
    assert [name for name in SOLVERS if f"| `{name}` |" not in page("reference/solver.md")] == []
    words = (*OUTCOMES, SCORED, UNLABELLED, NEVER_LABELLED, ABSENT)
    assert [word for word in words if f"| `{word}` |" not in page("reference/run-directory.md")] == []


# What stands under these keys is keyed by names of the run: of tasks, kinds, packages, fields, reasons.
OPEN = {"tasks", "kinds", "splits", "outcomes", "packages", "values", "left_out", "unscored_fields"}


def keys(record: object) -> Iterator[str]:
    if isinstance(record, dict):
        for key, value in record.items():
            yield key
            for each in value.values() if key in OPEN and isinstance(value, dict) else [value]:
                yield from keys(each)
    elif isinstance(record, list):
        for each in record:
            yield from keys(each)


@pytest.mark.slow
def test_every_key_of_a_run_directory_is_documented(tmp_path):
    arguments = ["--solver", "random", "--task", "Sentiment of reviews", "--max-instances", "1"]
    assert evaluate.main([*arguments, "--out", str(tmp_path / "run")]) == evaluate.COMPLETE
    files = list((tmp_path / "run").rglob("*.json"))
    assert len(files) == 3
    found = {key for file in files for key in keys(json.loads(file.read_text(encoding="utf-8")))}
    schemas = "".join(page(f"reference/schema/{name}.json") for name in ("run", "episode")).replace('"', "`")
    pages = page("reference/run-directory.md") + page("reference/records.md") + schemas
    options = page("reference/options.md")
    dashed = {key: f"--{key.replace('_', '-')}" for key in found}
    assert sorted(key for key in found if f"`{key}`" not in pages and f"`{dashed[key]}" not in options) == []
