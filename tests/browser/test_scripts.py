"""The types of the in-page scripts, as ``make lint`` checks them."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.needs import TYPESCRIPT, needs

ROOT = Path(__file__).resolve().parents[2]
TSC = ROOT / "node_modules" / ".bin" / "tsc"
SCRIPTS = ("harness/browser/scripts", "oracle/scripts")


WRONG = {
    "harness/browser/scripts/fields.js": ("return best;", "return most;"),
    "oracle/scripts/looks.js": ("numberOf(parent)", "numberOf(parent.id)"),
}
"""Of some scripts, what is right, and what has a wrong type in its place."""


@pytest.mark.slow
@needs(TYPESCRIPT)
def test_a_wrong_type_in_a_script_is_found(tmp_path: Path) -> None:
    for folder in SCRIPTS:
        shutil.copytree(ROOT / folder, tmp_path / folder)
    for file, (sound, wrong) in WRONG.items():
        text = (tmp_path / file).read_text(encoding="utf-8")
        assert text.count(sound) == 1
        (tmp_path / file).write_text(text.replace(sound, wrong), encoding="utf-8")
    config = json.dumps({"extends": str(ROOT / "tsconfig.json"), "include": list(SCRIPTS)})
    (tmp_path / "tsconfig.json").write_text(config, encoding="utf-8")
    checked = subprocess.run([TSC, "--project", tmp_path], capture_output=True, text=True, check=False)
    assert checked.returncode != 0
    found = [line.partition("(")[0] for line in checked.stdout.splitlines() if not line.startswith(" ")]
    assert sorted(Path(each).name for each in found) == sorted(Path(each).name for each in WRONG)


def test_without_npm_the_check_says_in_one_line_that_it_was_left_out(tmp_path: Path) -> None:
    for name in (".ci/check-scripts", "package.json"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("dirname", "sed"):
        (programs / name).symlink_to(str(shutil.which(name)))
    shell = str(shutil.which("sh"))
    checked = subprocess.run(
        [shell, tmp_path / ".ci" / "check-scripts"],
        env={"PATH": str(programs)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0
    assert checked.stderr == "The types of the in-page scripts were not checked: npm is not installed.\n"
