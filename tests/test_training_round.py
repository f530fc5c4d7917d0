"""The round of ``make train-demo`` at its smallest: a model made on the spot, 20 steps (``.ci/extras training``)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote

import pytest

from tests.checkout import PROJECT
from tests.conftest import Show
from tests.needs import extra

pytestmark = pytest.mark.skipif(not find_spec("trl"), reason=extra("training"))

FOLDER = PROJECT / "examples" / "training"
FORMS = ["Dialogue quality", "Sentiment of reviews"]
SMALLEST = [f"forms={FORMS}", "sites=[]", "instances=1", "train_share=0.5"]
SMALLEST += ["sft.steps=5", "preference.steps=5", "pairs.most_lessons=2"]
SECONDS = 1800


def go(out: Path) -> str:
    """What the round says."""
    ended = subprocess.run(
        [sys.executable, FOLDER / "demo.py", FOLDER / "demo.toml", f"out={out}", *SMALLEST],
        cwd=out.parent, env={**os.environ, "PYTHONPATH": str(PROJECT)}, capture_output=True, text=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return ended.stdout


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    out = tmp_path_factory.mktemp("round") / "demo"
    go(out)
    return out


def test_no_step_has_learnt_from_a_task_that_is_for_tests(made):
    test = set(json.loads((made / "lessons" / "tasks.json").read_text())["test"])
    files = [
        *made.glob("*/*/train.jsonl"),
        *made.glob("rejection/lessons/*/train.jsonl"),
        made / "pairs" / "pairs.jsonl",
    ]
    learnt = {json.loads(line)["task"] for file in files for line in file.read_text().splitlines()}
    assert learnt
    assert test
    assert not learnt & test
    for run in ("before/before-forms", "after/after-forms"):
        assert {unquote(folder.name) for folder in (made / run / "episodes").iterdir()} == test


def test_the_report_opens_and_has_both_models(made, show: Show):
    shown = show(whole=(made / "report" / "forms.html").read_text(encoding="utf-8"))
    said = str(shown.page("document.body.innerText"))
    assert "tiny" in said
    assert "preference" in said
    assert shown.page("document.querySelectorAll('svg.plot').length")


def test_a_round_goes_on_behind_what_is_there(made):
    assert go(made).count("there already") == 10
