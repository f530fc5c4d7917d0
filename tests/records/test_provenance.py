"""The state of the code that a run was made with."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from harness.records.provenance import WorkingCopy, working_copy

Git = Callable[..., str]


@pytest.fixture
def git(tmp_path: Path) -> Git:
    """``git(*arguments)`` in a new repository at ``tmp_path`` in which the code is added, and not committed."""

    def ask(*arguments: str) -> str:
        command = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    ask("init", "--quiet")
    write(tmp_path / "harness" / "__init__.py")
    ask("add", "harness")
    return ask


def write(file: Path, text: str = "") -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def commit(git: Git) -> str:
    git("commit", "--quiet", "--allow-empty", "--message", "x")
    return git("rev-parse", "HEAD")


def test_working_copy_without_a_change_is_its_commit(git: Git, tmp_path: Path) -> None:
    revision = commit(git)
    assert working_copy(tmp_path) == WorkingCopy(revision, ())


def test_changed_files_are_named_whatever_became_of_them(git: Git, tmp_path: Path) -> None:
    for name in ("changed", "deleted", "renamed", "with spaces"):
        write(tmp_path / name, f"{name}\n" * 9)
        git("add", name)
    revision = commit(git)
    write(tmp_path / "changed")
    write(tmp_path / "with spaces")
    git("rm", "--quiet", "deleted")
    git("mv", "renamed", "anew")
    write(tmp_path / "never added")
    told = working_copy(tmp_path)
    assert told is not None
    assert told.revision == revision
    assert sorted(told.changed_files) == ["anew", "changed", "deleted", "never added", "renamed", "with spaces"]


def test_file_in_conflict_is_changed(git: Git, tmp_path: Path) -> None:
    file = tmp_path / "harness" / "__init__.py"
    commit(git)
    git("branch", "other")
    for branch in ("one", "other"):
        git("checkout", "--quiet", *(["-b"] if branch == "one" else []), branch)
        write(file, branch)
        git("commit", "--quiet", "--all", "--message", branch)
    with pytest.raises(subprocess.CalledProcessError):
        git("merge", "--quiet", "one")
    told = working_copy(tmp_path)
    assert told is not None
    assert told.changed_files == ("harness/__init__.py",)


def test_revision_is_that_of_the_moment(git: Git, tmp_path: Path) -> None:
    """One process plays run after run, and somebody commits between them."""
    for _ in range(2):
        revision = commit(git)
        assert working_copy(tmp_path) == WorkingCopy(revision, ())


def test_nothing_is_told_before_the_first_commit(git: Git, tmp_path: Path) -> None:
    assert git("ls-files")
    assert working_copy(tmp_path) is None


def test_repository_that_code_only_lies_in_says_nothing_about_it(git: Git, tmp_path: Path) -> None:
    commit(git)
    installed = tmp_path / "site-packages"
    write(installed / "harness" / "__init__.py")
    assert working_copy(installed) is None


def test_nothing_is_told_outside_a_repository(tmp_path: Path) -> None:
    assert working_copy(tmp_path) is None
