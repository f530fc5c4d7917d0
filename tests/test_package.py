"""The package: what it declares, what it holds, and that a copy of it works without the checkout.

It is built and installed as ``pip install .`` does it, but into a folder and without a registry: its dependencies are
those of the environment of the tests. That they are complete, and that every command works without the checkout, is
tried by .ci/installed-copy.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from harness.kit.files import installation
from harness.kit.files.installation import installing
from tests.checkout import PROJECT
from tools.build_hook import CannotRewrite, for_an_index, names_in, rewritten, urls

TASK = "Bounding box"
HASHES = (
    "from turkbench.harness.browser.form.inventory import code_hash as a;"
    " from turkbench.oracle.check.check import code_hash as b;"
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


def requirements(name: str = "") -> list[Requirement]:
    """What an extra of pyproject.toml names, or every command needs."""
    return [Requirement(line) for line in installation.declared()[name]]


def test_an_installed_copy_declares_what_the_checkout_does(declared, monkeypatch):
    expected = installation.declared()
    monkeypatch.setattr(installation, "is_checkout", lambda: False)
    monkeypatch.setattr(importlib.metadata, "requires", lambda _name: declared.requires)
    found = installation.declared()
    assert found.keys() == expected.keys()
    # What dev has of other extras stands there in their place.
    assert {extra: set(map(Requirement, lines)) for extra, lines in found.items() if extra != "dev"} == {
        extra: set(map(Requirement, lines)) for extra, lines in expected.items() if extra != "dev"
    }
    assert expected.keys() >= {"", "desktop", "openai", "anthropic", "google", "local", "mcp", "export"}


def test_requirements_txt_names_what_is_needed_the_desktop_and_pytest_and_takes_the_versions_of_the_lock():
    lines = (PROJECT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    said = [line for line in lines if not line.startswith("#")]
    assert said[0] == "-c constraints.txt"
    assert said[1:] == sorted(
        ["pytest", *(each.name for each in [*requirements(), *requirements("desktop")])], key=str.lower
    )


@pytest.mark.parametrize("extra", installation.declared())
def test_the_lock_has_a_version_of_whatever_is_named_that_is_in_its_range(extra):
    own = PROJECT / f"constraints-{extra}.txt"
    file = own if own.exists() else PROJECT / "constraints.txt"
    pins: dict[str, list[str]] = {}
    for line in map(Requirement, re.findall(r"^[^#\s].*", file.read_text(encoding="utf-8"), re.MULTILINE)):
        pins.setdefault(canonicalize_name(line.name), []).append(str(line.specifier).removeprefix("=="))
    for each in requirements(extra):
        if each.name != "turkbench":
            versions = pins[canonicalize_name(each.name)]
            assert all(each.specifier.contains(version, prereleases=True) for version in versions), each


def test_what_an_index_shows_has_no_link_that_leads_nowhere_and_no_file_of_the_builder(declared):
    said = declared.read_text("METADATA")
    assert said
    assert re.findall(r"\]\((?!https?://|#)[^)]*\)", said) == []
    assert [
        line for line in said.splitlines() if re.match(r"Requires-Dist: .*(@|file:)|Classifier: Private", line)
    ] == []


def test_what_is_cited_is_the_version_that_is_declared(declared):
    cited = (PROJECT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall(r'^version: "(.*)"$', cited, re.MULTILINE) == [declared.version]


def test_with_an_address_links_and_pictures_lead_to_the_files_of_the_version():
    text = "[here](#there), [a page](docs/a.md#part), [theirs](https://example.org/), ![seen](docs/a.png)"
    assert for_an_index(text, "https://example.org/us", "1.2.3") == (
        "[here](#there), [a page](https://example.org/us/blob/v1.2.3/docs/a.md#part), [theirs](https://example.org/), "
        "![seen](https://example.org/us/raw/v1.2.3/docs/a.png)"
    )
    assert for_an_index(text, "", "1.2.3") == "[here](#there), a page, [theirs](https://example.org/), "
    assert urls("https://example.org/us")["Issues"] == "https://example.org/us/issues"
    assert urls("") == {}


def needed(names: Iterable[Requirement]) -> Iterator[Distribution]:
    """The installed packages that these draw in, themselves among them."""
    todo, seen = [(each.name, each.extras) for each in names], set()
    while todo:
        name, extras = todo.pop()
        if (key := (canonicalize_name(name), frozenset(extras))) in seen:
            continue
        seen.add(key)
        found = importlib.metadata.distribution(name)
        yield found
        for line in map(Requirement, found.requires or ()):
            if line.marker is None or any(line.marker.evaluate({"extra": extra}) for extra in (extras or {""})):
                todo.append((line.name, line.extras))


def licence(package: Distribution) -> str:
    """What a package says of its licence, without the text of it."""
    said = package.metadata.get("License-Expression") or (package.metadata.get("License") or "").partition("\n")[0]
    return " ".join([said, *(each for each in package.metadata.get_all("Classifier", []) if "License" in each)])


def test_nothing_that_every_command_needs_is_under_the_gpl():
    found = {package.name: licence(package) for package in needed(requirements())}
    assert len(found) > 30
    assert {name: said for name, said in found.items() if "GPL" in said or "General Public" in said} == {}
    beside = {package.name for package in needed(requirements("desktop")) if "GPL" in licence(package)}
    assert "MouseInfo" in beside  # so that this test sees what it looks for


def test_the_versions_of_python_that_are_declared_are_those_that_are_tested(declared):
    further = re.search(r"versions=\(([\d. ]+)\)", (PROJECT / ".ci" / "versions").read_text(encoding="utf-8"))
    told = [each.rpartition(" ")[2] for each in declared.metadata.get_all("Classifier") if "Python ::" in each]
    assert told == ["3.11", *further[1].split()]


def test_every_extra_is_tested_alone_or_said_to_have_no_test():
    listed = subprocess.run([PROJECT / ".ci" / "extras", "--list"], capture_output=True, text=True, check=True).stdout
    tests = dict(line.split(" ", 1) for line in listed.splitlines())
    assert tests.keys() == installation.declared().keys() - {""}
    without = {name for name, test in tests.items() if test.startswith("none: ")}
    assert without == {"dev", "docs"}
    files = [file for name, named in tests.items() if name not in without for file in named.split()]
    assert [file for file in files if not (PROJECT / file).is_file()] == []


def test_a_copy_holds_every_file_of_the_packages_and_the_bundled_tasks_and_nothing_else(site):
    def found(root: Path, folder: str) -> dict[str, Path]:
        files = [file for file in (root / folder).rglob("*") if file.is_file() and file.suffix != ".pyc"]
        return {str(file.relative_to(root / folder)): file for file in files}

    for package in ("harness", "oracle", "turkle_app"):
        kept = {
            name: file for name, file in found(site / "turkbench", package).items() if not name.startswith("tasks/")
        }
        # That its types may be relied on is said once, at the top.
        assert kept.keys() == found(PROJECT, package).keys() - {"py.typed"}
    tasks = {name: file for name, file in found(PROJECT, "tasks").items() if not name.startswith("_generator/")}
    packed = found(site, "turkbench/harness/tasks")
    assert packed.keys() == tasks.keys()
    assert all(packed[name].read_bytes() == tasks[name].read_bytes() for name in tasks)
    top = {each.name for each in site.iterdir() if not each.name.startswith((".", "turkbench-"))}
    assert top - {"__pycache__"} == {"turkbench", "bin"}
    face = {each.name for each in (site / "turkbench").iterdir()}
    assert face - {"__pycache__"} == {"__init__.py", "__main__.py", "py.typed", "harness", "oracle", "turkle_app"}


@pytest.mark.slow
def test_a_copy_evaluates_scores_and_reports_from_an_empty_folder(site, tmp_path):
    turkbench = site / "bin" / "turkbench"
    done = run(site, tmp_path, turkbench, "evaluate", "--solver", "oracle", "--max-instances", "1", "--task", TASK)
    assert (done.returncode, [each.name for each in tmp_path.iterdir()]) == (0, ["runs"]), done.stderr
    (folder,) = (tmp_path / "runs").iterdir()
    record = json.loads((folder / "run.json").read_text(encoding="utf-8"))
    assert record["config"]["tasks_dir"] == str(site / "turkbench" / "harness" / "tasks")
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


@pytest.fixture
def beside_another_harness(tmp_path: Path) -> Path:
    """A folder with packages of other people that are called as ours are in a checkout."""
    for name in ("harness", "oracle", "turkle_app"):
        (tmp_path / "others" / name).mkdir(parents=True)
        (tmp_path / "others" / name / "__init__.py").write_text(f"WHOSE = 'theirs, {name}'\n", encoding="utf-8")
    (tmp_path / "others" / "oracle" / "mine.py").write_text(SOLVER, encoding="utf-8")
    return tmp_path / "others"


SOLVER = """
import harness
import turkbench

class Mine(turkbench.Solver):
    def solve(self, page, act):
        assert harness.WHOSE == "theirs, harness"
"""


@pytest.mark.slow
def test_a_copy_and_packages_of_others_with_names_of_a_checkout_do_not_meet(site, beside_another_harness, tmp_path):
    (tmp_path / "empty").mkdir()
    for solver in ("oracle", "oracle.mine:Mine", "oracle.floors:DoNothing"):
        done = run(
            site, beside_another_harness, sys.executable, "-m", "turkbench", "evaluate", "--solver", solver,
            "--max-instances", "1", "--task", TASK, "--out", tmp_path / solver,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert "scored 1," in done.stdout, done.stdout
    code = "import turkbench, harness, sys; turkbench.evaluate; print(harness.WHOSE, 'harness.kit' in sys.modules)"
    assert run(site, beside_another_harness, sys.executable, "-c", code).stdout == "theirs, harness False\n"


@pytest.mark.slow
def test_a_run_of_a_checkout_is_gone_on_with_by_a_copy_and_the_other_way_round(site, tmp_path):
    def evaluate(where: Path, *arguments: str | Path) -> str:
        done = run(where, tmp_path, sys.executable, "-m", "turkbench", "evaluate", *arguments)
        assert done.returncode == 0, done.stderr
        return done.stdout

    for first, then in ((PROJECT, site), (site, PROJECT)):
        folder = tmp_path / first.name
        solver = f"{'turkbench.' if first == site else ''}oracle.floors:DoNothing"
        chosen = ("--tasks-dir", PROJECT / "tasks", "--task", TASK, "--max-instances", "2", "--out", folder)
        evaluate(first, "--solver", solver, *chosen)
        record = next((folder / "episodes").rglob("*.json"))
        record.unlink()
        assert "scored 2," in evaluate(then, "--resume", folder, "--yes")
        assert record.is_file()


def test_a_solver_of_the_working_folder_is_found_by_its_module(site, tmp_path):
    (tmp_path / "mine.py").write_text("class Mine: ...\n", encoding="utf-8")
    done = run(site, tmp_path, site / "bin" / "turkbench", "evaluate", "--solver", "mine:Missing")
    assert done.returncode == 2
    assert "module 'mine' has no attribute 'Missing'" in done.stderr


WRITTEN = """
import harness.kit.text as text
if True: from oracle import floors
from others import oracle
from harness.kit import words  # harness.kit
FOUND = ["harness.kit.text", "harness.kit.text:shorten", 'harness.kit.text.shorten', "harness.kit.nothing", "oracle"]
SAID = f"harness.kit.text", "see harness.kit.text", b"harness.kit.text"
"""
IN_A_WHEEL = """
import turkbench.harness.kit.text as text
if True: from turkbench.oracle import floors
from others import oracle
from turkbench.harness.kit import words  # harness.kit
FOUND = ["turkbench.harness.kit.text", "turkbench.harness.kit.text:shorten", 'turkbench.harness.kit.text.shorten', \
"harness.kit.nothing", "oracle"]
SAID = f"harness.kit.text", "see harness.kit.text", b"harness.kit.text"
""".replace("\\\n", "")


def test_only_imports_and_names_of_what_is_there_change_in_a_wheel(tmp_path):
    (tmp_path / "one.py").write_text(WRITTEN, encoding="utf-8")
    assert rewritten(tmp_path / "one.py", names_in(PROJECT, ["harness/kit/text.py"])) == IN_A_WHEEL


@pytest.mark.parametrize(
    "line",
    [
        "import harness",
        "import harness.kit.text",
        "import os, oracle as us",
        'run("-m", "turkle_app")',
        "# turkbench.oracle",
    ],
)
def test_what_has_no_twin_in_a_wheel_stops_its_build(line, tmp_path):
    (tmp_path / "one.py").write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(CannotRewrite, match=r"one\.py"):
        rewritten(tmp_path / "one.py", frozenset())


def test_the_hashes_of_the_code_are_those_of_the_checkout(site, tmp_path):
    checkout = run(PROJECT, tmp_path, sys.executable, "-c", HASHES)
    assert checkout.returncode == 0, checkout.stderr
    assert run(site, tmp_path, sys.executable, "-c", HASHES).stdout == checkout.stdout


def test_what_is_missing_is_installed_with_its_extra_of_the_checkout_or_of_the_package(site, tmp_path, monkeypatch):
    monkeypatch.chdir(PROJECT)
    assert shlex.split(installing("openai"))[1:] == ["-m", "pip", "install", "-c", "constraints.txt", "-e", ".[openai]"]
    assert "constraints-verifiers.txt" in installing("verifiers")
    code = "from turkbench.harness.kit.files.installation import installing as of; print(of('openai'))"
    said = shlex.split(run(site, tmp_path, sys.executable, "-c", code).stdout)
    assert said == [sys.executable, "-m", "pip", "install", "turkbench[openai]"]
