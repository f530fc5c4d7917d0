"""Tests that are left out for lack of something: the end of a run says how many, of what, and how to have it."""

from __future__ import annotations

import ast
import os
import re
import shutil
import subprocess
import sys
from importlib.metadata import PathDistribution
from pathlib import Path

import pytest

from tests import needs
from tests.checkout import PROJECT
from tests.needs import Need

TESTS = """
import pytest
from tests.needs import extra, needs, program, require

SAW = program("no-such-saw", "apt-get install saw")

@needs(SAW)
@pytest.mark.parametrize("number", range(3))
def test_wood(number): ...

def test_of_stone():
    require(program("no-such-chisel", "apt-get install chisel"))

def test_that_is_not_for_this_machine():
    pytest.skip("the file system has no such names")

def test_that_passes(): ...
"""
EXTRA = """
import pytest
from tests.needs import extra
pytest.importorskip("no_such_package", reason=extra("forestry"))
"""


@pytest.mark.slow
def test_the_end_of_a_run_counts_what_was_left_out_by_what_is_missing_and_says_how_to_have_it(tmp_path: Path) -> None:
    (tmp_path / "test_many.py").write_text(TESTS, encoding="utf-8")
    (tmp_path / "test_extra.py").write_text(EXTRA, encoding="utf-8")
    plugins = ["-p", "tests.needs", "-p", "no:cacheprovider", "-n", "1"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "-c", os.devnull, str(tmp_path)],
        cwd=PROJECT,
        capture_output=True,
        text=True,
        check=True,
    )
    section = done.stdout.partition("left out for lack of")[2].splitlines()
    assert section[1:4] == [
        "no-such-saw: 3 tests (apt-get install saw)",
        "no-such-chisel: 1 test (apt-get install chisel)",
        "the extra forestry: 1 whole file (.ci/extras forestry)",
    ]
    assert section[4].startswith("1 passed, 6 skipped")


def test_no_test_is_left_out_by_a_mark_that_the_end_of_a_run_would_not_count() -> None:
    unknown = []
    for file in (PROJECT / "tests").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if file.name == "needs.py" or not ("skipif" in text or "importorskip" in text):
            continue
        for call in (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)):
            reasons = [ast.unparse(word.value) for word in call.keywords if word.arg == "reason"]
            is_mark = ast.unparse(call.func) in ("pytest.mark.skipif", "pytest.importorskip")
            if is_mark and not (reasons and reasons[0].startswith("extra(")):
                unknown.append(f"{file.relative_to(PROJECT)}:{call.lineno}")
    assert unknown == []


def test_what_make_test_installs_is_named_alike_where_it_may_not_and_the_tests_go_on(tmp_path: Path) -> None:
    asked = re.search(r"\.ci/system-packages (driver .*)", (PROJECT / "Makefile").read_text(encoding="utf-8"))
    assert asked
    for name in ("id", "ls"):
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    wanted = [each for each in asked[1].split() if each not in ("openmp", "networks")]  # by what is in folders of all
    done = subprocess.run(
        ["/bin/sh", PROJECT / ".ci" / "system-packages", *wanted],
        env={"PATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=True,
    )
    named = re.findall(r"missing; install it with: sudo (apt-get install .*)", done.stderr)
    assert named == [each.how for each in (needs.CHROMEDRIVER, needs.DISPLAY[0], needs.BUBBLEWRAP)]
    assert done.stderr.count("Going on without it") == len(named)


def test_what_is_there_is_no_reason_to_leave_a_test_out() -> None:
    there, missing = Need("this", "so", lambda: True), Need("that", "thus", lambda: False)
    assert needs.lack(there, there) == ""
    assert needs.lack(there, missing) == "needs that: thus"


def test_where_no_bare_machine_can_be_made_that_is_said_with_an_exit_code_of_its_own(tmp_path: Path) -> None:
    of_nobody = tmp_path / "id"
    of_nobody.write_text("#!/bin/sh\necho 1000\n", encoding="utf-8")
    of_nobody.chmod(0o755)
    done = subprocess.run(
        [PROJECT / ".ci" / "fresh-machine", "--quick"],
        env={"PATH": f"{tmp_path}:{os.defpath}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (77, "")
    assert done.stderr == "No bare machine can be made here, so nothing was tested on one: that takes root.\n"


def test_packages_that_add_names_are_told_with_the_way_to_be_rid_of_them(tmp_path: Path) -> None:
    for name, group in (("turkbench", "console_scripts"), ("turkbench-example", "turkbench.encodings")):
        folder = tmp_path / f"{name}.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Name: {name}\n", encoding="utf-8")
        (folder / "entry_points.txt").write_text(f"[{group}]\none = module:one\ntwo = module:two\n", encoding="utf-8")
    assert needs.packages_that_add(map(PathDistribution, tmp_path.iterdir())) == ["turkbench-example"]
