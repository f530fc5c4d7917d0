"""Task sets that come in a wheel: MiniWoB++, by a small stand-in."""

from __future__ import annotations

import hashlib
import json
import subprocess
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.catalog import Catalog
from harness.catalog.overlay import known_overlay, read_overlay
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.tasks.sets import main
from harness.datasets import dataset_files
from harness.datasets.gittree import blob_id, list_digest
from harness.datasets.tasksets import DATASETS, WheelSet, tasks_folder
from tests.miniwob_set import FILES, fetch_real, installed, kept, wheel

TAKEN = {path: blob_id(text.encode()) for path, text in FILES.items() if not path.endswith(".py")}
WHEEL = "miniwob-1.1.0-py3-none-any.whl"
Line = Callable[[], str]


@pytest.fixture(autouse=True)
def cache(own_cache: Path) -> Path:
    return own_cache / "turkbench" / "datasets" / "miniwob"


@pytest.fixture
def published(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The wheel that is meant."""
    file = wheel(tmp_path / "published" / WHEEL)
    known = DATASETS["miniwob"]
    assert isinstance(known, WheelSet)
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    monkeypatch.setitem(DATASETS, "miniwob", replace(known, sha256=digest, list_digest=list_digest(TAKEN)))
    return file


@pytest.fixture
def error(capsys: pytest.CaptureFixture[str]) -> Line:
    """The one line that the last command printed on standard error."""

    def line() -> str:
        return capsys.readouterr().err.strip()

    return line


def test_a_wheel_gives_its_pages_and_a_task_for_each(published: Path, cache: Path) -> None:
    assert main(["fetch", "miniwob", "--from", str(published)]) == COMPLETE
    assert sorted(file.relative_to(cache).as_posix() for file in cache.rglob("*") if file.is_file()) == [
        "html/common/words.js",
        "html/core/core.js",
        "html/miniwob/buttons.html",
        "html/miniwob/click-test.html",
        "licence/LICENSE",
        "manifest.json",
        "tasks/buttons/batch.csv",
        "tasks/buttons/task.json",
        "tasks/click-test/batch.csv",
        "tasks/click-test/task.json",
        "tasks/click-test/trace.json",
    ]
    known = DATASETS["miniwob"]
    assert (kept().pin, kept().origin, kept().pinned) == (known.pin, str(published), True)
    assert json.loads((cache / "manifest.json").read_text())["sha256"] == known.pin


def test_each_page_is_a_task_of_five_seeds_that_the_page_itself_rewards(published: Path) -> None:
    main(["fetch", "miniwob", "--from", str(published)])
    catalog = Catalog(tasks_folder("miniwob"))
    assert catalog.check() == []
    assert catalog.splits() == {"other": ["buttons"], "paper": ["click-test"]}
    task = catalog.task("buttons")
    starts = [task.site_of(instance).start for instance in task.pages]
    assert starts == [f"http://miniwob.test/miniwob/buttons.html?seed={seed}" for seed in range(5)]
    facts = task.site_of(task.pages[0])
    assert (facts.site, facts.origins, facts.evaluators.given) == (
        "miniwob",
        ("http://miniwob.test",),
        ("page_reward",),
    )


@pytest.mark.claim("miniwob-wheel")
def test_another_wheel_is_refused_and_what_is_here_stays(published: Path, cache: Path, error: Line) -> None:
    main(["fetch", "miniwob", "--from", str(published)])
    other = published.with_name("other.whl")
    other.write_bytes(published.read_bytes() + b"x")
    error()
    assert main(["fetch", "miniwob", "--force", "--from", str(other)]) == WRONG_USE
    assert error().startswith("error: other.whl is not the wheel of miniwob 1.1.0 that is meant: its SHA-256 is ")
    assert (cache / "html/miniwob/buttons.html").is_file()
    assert kept().origin == str(published)


def test_a_folder_with_the_wheel_or_with_the_installed_package_will_do(published: Path, tmp_path: Path) -> None:
    assert main(["fetch", "miniwob", "--from", str(published.parent)]) == COMPLETE
    assert kept().origin == str(published)
    packages = installed(tmp_path / "packages")
    assert main(["fetch", "miniwob", "--force", "--from", str(packages)]) == COMPLETE
    assert (kept().origin, kept().pin) == (str(packages), DATASETS["miniwob"].pin)


@pytest.mark.usefixtures("published")
def test_of_another_copy_nobody_knows_which_version_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    packages = installed(tmp_path / "packages")
    (packages / "miniwob/html/miniwob/more.html").write_text("<p>")
    assert main(["fetch", "miniwob", "--from", str(packages)]) == INCOMPLETE
    assert "unknown version: the files are a plain copy, and not those of miniwob 1.1.0" in capsys.readouterr().out
    assert kept().pin is None
    assert "more" in Catalog(tasks_folder("miniwob")).names()


@pytest.mark.parametrize("there", ["nowhere", "."])
def test_what_is_no_copy_is_refused(tmp_path: Path, error: Line, there: str) -> None:
    assert main(["fetch", "miniwob", "--from", str(tmp_path / there)]) == WRONG_USE
    assert error().startswith(f"error: {tmp_path / there} is n")


def as_pip(monkeypatch: pytest.MonkeyPatch, done: Callable[[Path], str]) -> list[list[str]]:
    """Let pip do something to the folder that it is to download into; returns the commands that it is called by."""
    called: list[list[str]] = []

    def run(command: list[str], **_: Any) -> subprocess.CompletedProcess[str]:
        called.append(command)
        said = done(Path(command[command.index("--dest") + 1]))
        return subprocess.CompletedProcess(command, 1 if said else 0, "", said)

    monkeypatch.setattr(dataset_files.subprocess, "run", run)
    return called


@pytest.mark.claim("miniwob-wheel")
def test_pip_gets_the_wheel_alone_and_nothing_is_installed(published: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def download(folder: Path) -> str:
        (folder / WHEEL).write_bytes(published.read_bytes())
        return ""

    called = as_pip(monkeypatch, download)
    assert main(["fetch", "miniwob"]) == COMPLETE
    (command,) = called
    assert command[1:4] == ["-m", "pip", "download"]
    assert {"--no-deps", "--only-binary", ":all:", "miniwob==1.1.0"} <= set(command)
    assert kept().origin == "Python Package Index, miniwob 1.1.0"


def test_without_network_a_fetch_says_what_pip_says(monkeypatch: pytest.MonkeyPatch, cache: Path, error: Line) -> None:
    as_pip(monkeypatch, lambda _: "WARNING: Retrying\nERROR: No matching distribution found for miniwob==1.1.0\n")
    assert main(["fetch", "miniwob"]) == WRONG_USE
    assert error().splitlines()[-1] == (
        "error: miniwob could not be fetched: ERROR: No matching distribution found for miniwob==1.1.0. "
        "--from PATH takes the wheel"
    )
    assert not cache.exists()


def test_verify_names_pages_and_tasks_that_were_changed_or_added(
    published: Path, cache: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["fetch", "miniwob", "--from", str(published)])
    (cache / "html/core/core.js").write_text("core.endEpisode(1)")
    (cache / "html/miniwob/new.html").write_text("")
    (cache / "tasks/buttons/trace.json").write_text("{}")
    capsys.readouterr()
    assert main(["verify", "miniwob"]) == INCOMPLETE
    assert capsys.readouterr().out.splitlines()[:3] == [
        "changed: html/core/core.js",
        "not part of the task set: html/miniwob/new.html",
        "not part of the task set: tasks/buttons/trace.json",
    ]


def test_the_split_of_the_paper_has_its_56_pages() -> None:
    file = known_overlay("miniwob")
    assert file is not None
    tasks = read_overlay(file).tasks
    assert len(tasks) == 56
    assert {facts["split"] for facts in tasks.values()} == {"paper"}


def test_the_real_pages_are_130_and_those_of_the_paper_are_among_them() -> None:
    fetch_real()
    splits = Catalog(tasks_folder("miniwob")).splits()
    assert {split: len(names) for split, names in splits.items()} == {"other": 74, "paper": 56}
