"""What `import turkbench` offers is what docs/reference/api.md says."""

from __future__ import annotations

import inspect
import os
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import harness
import turkbench
from tests.checkout import PROJECT


@pytest.mark.parametrize("name", [each for each in harness.__all__ if each != "evaluate"])
def test_every_public_name_is_there_and_says_what_it_is(name: str) -> None:
    assert (inspect.getdoc(getattr(harness, name)) or "").strip().endswith(".") or name in dir(harness)
    assert inspect.getdoc(getattr(harness, name))


def test_what_is_not_public_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = harness.nothing


def test_the_page_names_all() -> None:
    page = (PROJECT / "docs" / "reference" / "api.md").read_text(encoding="utf-8")
    named = re.findall(r"^\.\. auto\w+:: (\w+)$", page, re.MULTILINE)
    assert sorted(named) == sorted(harness.__all__)


@pytest.mark.parametrize("name", ["harness", "turkbench"])
def test_importing_it_imports_nothing_of_what_it_offers_and_nothing_of_others(name: str) -> None:
    count = f"import sys; before = {{*sys.modules}}; import {name}; print(*sorted({{*sys.modules}} - before))"
    done = subprocess.run([sys.executable, "-c", count], capture_output=True, text=True, check=True)
    found = {each.partition(".")[0] for each in done.stdout.split()} - sys.stdlib_module_names
    assert (found, "harness." in done.stdout) == ({"harness", name}, False)


@pytest.mark.parametrize("name", harness.__all__)
def test_the_package_offers_the_same_under_its_own_name(name: str) -> None:
    assert getattr(turkbench, name) is getattr(harness, name)
    assert name in turkbench.__all__


def test_a_checkout_has_one_copy_of_each_module_whatever_name_it_is_asked_for() -> None:
    text = import_module("harness.kit.text")
    assert import_module("turkbench.harness.kit.text") is text
    assert text.__name__ == "harness.kit.text"
    assert not hasattr(turkbench, "nothing")


@pytest.mark.slow
@pytest.mark.parametrize("page", ["README.md", "docs/reference/api.md"])
def test_what_the_documentation_shows_can_be_run(page: str, tmp_path: Path) -> None:
    text = (PROJECT / page).read_text(encoding="utf-8")
    (block,) = re.findall(r"^```python\n(import (?:harness|turkbench)\n.*?)^```$", text, re.DOTALL | re.MULTILINE)
    env = {**os.environ, "PYTHONPATH": str(PROJECT)}
    (tmp_path / "script.py").write_text(block)
    done = subprocess.run([sys.executable, "script.py"], cwd=tmp_path, env=env, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert (tmp_path / "runs" / "from-python" / "run.json").exists()
