"""What commands say that is to be typed next: it works when it is pasted, wherever it was said."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.kit.files import installation
from harness.kit.files.installation import CALLERS, installing, to_type
from tests.checkout import PROJECT


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An environment in the working folder, which is not active."""
    folder = tmp_path / ".venv" / "bin"
    folder.mkdir(parents=True)
    for name in ("python", "turkbench"):
        (folder / name).write_text("#!/bin/sh\n")
        (folder / name).chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(folder / "python"))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    return folder


def test_an_interpreter_that_is_not_on_the_path_is_told_by_where_it_is(environment, monkeypatch, tmp_path):
    assert to_type("report", "runs/a") == ".venv/bin/python -m harness report runs/a"
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert to_type("report") == f"{environment}/python -m harness report"
    monkeypatch.chdir(environment)
    assert to_type("report") == "./python -m harness report"


def test_an_interpreter_that_a_shell_finds_is_told_by_its_name(environment, monkeypatch):
    monkeypatch.setenv("PATH", f"{environment}:/usr/bin:/bin")
    assert to_type("report") == "python -m harness report"
    assert installing("openai").startswith("python -m pip install ")


def test_another_python_of_the_same_name_is_not_taken_for_it(environment, monkeypatch, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "python").symlink_to(environment / "python")
    monkeypatch.setenv("PATH", str(tmp_path / "other"))
    assert to_type("report") == ".venv/bin/python -m harness report"


@pytest.mark.usefixtures("environment")
def test_who_called_the_console_script_is_told_it_again(environment, monkeypatch):
    monkeypatch.setattr(sys, "argv", [f"{CALLERS[0]} evaluate", "--solver", "oracle"])
    assert to_type("report", "runs/a") == ".venv/bin/turkbench report runs/a"
    monkeypatch.setenv("PATH", str(environment))
    assert to_type("report", "runs/a") == "turkbench report runs/a"
    (environment / "turkbench").unlink()
    assert to_type("report", "runs/a") == "python -m harness report runs/a"
    monkeypatch.setattr(sys, "argv", [f"{CALLERS[1]} evaluate"])
    assert to_type("report", "runs/a") == "python -m harness report runs/a"


@pytest.mark.usefixtures("environment")
def test_paths_are_told_from_the_working_folder_and_quoted(tmp_path):
    assert to_type("report", tmp_path / "a run").endswith(" -m harness report 'a run'")
    assert to_type("report", tmp_path.parent / "b").endswith(f" -m harness report {tmp_path.parent}/b")
    assert to_type("report", Path("../b")).endswith(" -m harness report ../b")


@pytest.mark.usefixtures("environment")
def test_what_has_a_module_of_its_own_is_told_by_it_where_the_console_script_was_not_called(monkeypatch):
    assert to_type("evaluate", "--resume", "runs/a") == ".venv/bin/python -m harness.evaluate --resume runs/a"
    assert to_type("tasks check") == ".venv/bin/python -m oracle.check"
    monkeypatch.setattr(sys, "argv", ["turkbench papers turkingbench table4"])
    assert to_type("tasks check") == ".venv/bin/turkbench tasks check"


@pytest.mark.parametrize("caller", ["", *CALLERS])
def test_what_is_told_runs_from_another_folder_too(caller, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "argv", [f"{caller} evaluate" if caller else "evaluate.py"])
    monkeypatch.chdir(tmp_path)
    said = to_type("report", "--help")
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(PROJECT)}
    done = subprocess.run(["sh", "-c", said], env=environment, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("usage: ")


def literals(file: Path) -> Iterator[str]:
    """The texts of a module that are no documentation."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    documentation = {
        id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documentation:
            yield node.value


@pytest.mark.slow
def test_no_other_text_of_the_program_holds_a_command_line():
    """So that none is told to an interpreter, or a copy, that does not have it."""
    files = [file for package in ("harness", "oracle", "turkle_app") for file in (PROJECT / package).rglob("*.py")]
    starts = ("python -m harness", "python -m oracle.", "python manage.py", "pip install")
    held = [
        f"{file.relative_to(PROJECT)}: {text}"
        for file in files
        for text in literals(file)
        if any(start in text for start in starts) and file != Path(installation.__file__)
    ]
    assert [each for each in held if not each.startswith(ALLOWED)] == []


ALLOWED = (
    "harness/papers/",  # the tables of papers, which stand in the documentation with the commands beside them
    "turkle_app/annotation/turkle_export.py: Give Turkle's db.sqlite3",  # a command of Turkle's own
)
