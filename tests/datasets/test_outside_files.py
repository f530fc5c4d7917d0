"""What pages of a fetched task set load from elsewhere is collected with it; where it cannot be, that is said."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest

from harness.catalog.mirror.building import collecting
from harness.catalog.mirror.mirror import Mirror
from harness.catalog.mirror.store import BUILD
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands import evaluate
from harness.cli.commands.tasks.sets import main
from harness.datasets.tasksets import DATASETS, Dataset
from harness.kit.files.installation import to_type
from tests.catalog.mirror.sources import FakePackages, FakeWeb
from tests.task_folders import make_task

HAD, GONE = "https://unpkg.com/a@1.0.0/a.js", "https://gone.example.org/b.js"


@pytest.fixture
def published(own_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A task set whose one page loads a script that can be had, and one that cannot."""
    del own_cache
    monkeypatch.setattr(collecting, "Origin", FakeWeb)
    monkeypatch.setattr(collecting, "RegistryPackages", lambda _: FakePackages({"npm:a@1.0.0": {"a.js": b"a()"}}))
    monkeypatch.setitem(DATASETS, "small", Dataset("small", "", str(tmp_path / "none"), "0" * 40, None, "CC0-1.0"))
    scripts = "".join(f'<script src="{url}"></script>' for url in (HAD, GONE))
    make_task(tmp_path / "published" / "tasks", "one", template=f"{scripts}<input name=a>")
    return tmp_path / "published"


def fetch(published: Path) -> int:
    # A plain copy, whose commit nobody knows, has exit status 1.
    assert main(["fetch", "small", "--from", str(published)]) == INCOMPLETE
    return COMPLETE


def test_fetching_a_set_collects_what_its_pages_load(published, capsys):
    fetch(published)
    told = capsys.readouterr()
    assert "mirror: 2 addresses: 1 mirrored, 1 missing (1 exact)" in told.out
    assert f"1 address could not be had, e.g. {GONE}: nothing at {GONE}" in told.err
    assert told.err.endswith(f"Try again: {BUILD}\n")
    assert Mirror.load().lookup(HAD)
    assert not Mirror.load().lookup(GONE)


def test_a_set_whose_pages_load_nothing_needs_no_network(published, monkeypatch, capsys):
    monkeypatch.setattr(collecting, "Origin", None)
    (published / "tasks" / "one" / "template.html").write_text("<input name=a>")
    fetch(published)
    assert "mirror" not in capsys.readouterr().out


def test_an_interrupt_while_it_is_collected_leaves_the_set_there(published, monkeypatch, capsys):
    class Interrupted(FakeWeb):
        def try_hosts(self, urls: Iterable[str]) -> None:
            del urls
            raise KeyboardInterrupt

    monkeypatch.setattr(collecting, "Origin", Interrupted)
    fetch(published)
    assert f"interrupted; small is there, go on with its outside scripts and styles: {BUILD}" in capsys.readouterr().err
    assert main(["path", "small"]) == COMPLETE


@pytest.mark.slow
def test_a_run_ends_with_what_its_pages_asked_for_in_vain(published, tmp_path, capsys):
    fetch(published)
    make_task(tmp_path / "mine", "two", template=f'<script src="{GONE}"></script><input name=a>')
    for chosen, collects in (
        (("--dataset", "small"), BUILD),
        (
            ("--tasks-dir", tmp_path / "mine"),
            to_type("setup mirror", "build", "--tasks-dir", tmp_path / "mine"),
        ),
    ):
        capsys.readouterr()
        out = tmp_path / f"run-{chosen[0]}"
        arguments = ["--solver", "do-nothing", *map(str, chosen), "--out", str(out), "--workers", "1"]
        assert evaluate.main(arguments) == evaluate.COMPLETE
        (line,) = [line for line in capsys.readouterr().out.splitlines() if line.startswith("OUTSIDE FILES MISSING: ")]
        assert f" 1 page did not get 1 outside script, style or font, e.g. {GONE}, " in line
        assert line.endswith(f"; what can be had is collected by: {collects}")
