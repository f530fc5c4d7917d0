"""Runs in Weights & Biases, offline. ``.ci/extras wandb`` runs this where wandb is installed."""

from __future__ import annotations

import pytest

from tests.needs import extra

pytest.importorskip("wandb", reason=extra("wandb"))

from tests.integrations.tracking.logged import follow, make_run, secrets_in
from tests.run.processes import needs_proc, nothing_is_left, until

pytestmark = [pytest.mark.filterwarnings("ignore"), needs_proc]


@pytest.fixture
def said(tmp_path):
    """What is said while a run is logged into the folder ``theirs``."""
    (tmp_path / "theirs").mkdir()
    offline = {"WANDB_MODE": "offline", "WANDB_DIR": str(tmp_path / "theirs"), "WANDB_DATA_DIR": str(tmp_path)}
    return follow("wandb", make_run(tmp_path), **offline, TEST_MARK=str(tmp_path))


def test_a_run_is_kept_until_it_is_synced_and_holds_nothing_that_it_must_not(said, tmp_path):
    (line,) = said.splitlines()
    assert line.startswith("wandb: run ")
    (file,) = (tmp_path / "theirs").rglob("*.wandb")
    data = file.read_bytes()
    for wanted in (b"turkbench", b"gpt4-text", b"0123456789", b"progress/mean_score", b"score.low"):
        assert wanted in data
    assert secrets_in(tmp_path / "theirs") == set()
    until(lambda: nothing_is_left(tmp_path))


def test_a_run_that_cannot_be_logged_is_said_in_one_line(tmp_path):
    said = follow("wandb", make_run(tmp_path), WANDB_MODE="online", WANDB_API_KEY="", HOME=str(tmp_path))
    first, last = said.splitlines()
    assert first.startswith("wandb has failed: ")
    assert last.startswith("not all of the run is logged to wandb; ")
