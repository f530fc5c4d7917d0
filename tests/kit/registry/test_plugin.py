"""examples/plugin, installed by pip, adds a solver, an encoding and a metric that the commands know by name."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from harness.api.run import load_run
from tests.checkout import PROJECT

PLUGIN = PROJECT / "examples" / "plugin"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which pip has put the package."""
    folder = tmp_path_factory.mktemp("site")
    options = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--target", folder]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, PLUGIN], check=True)
    return folder


def called(site: Path, *words: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "PYTHONPATH": f"{site}{os.pathsep}{PROJECT}"}
    return subprocess.run([sys.executable, *words], cwd=site, env=env, capture_output=True, text=True, check=False)


@pytest.mark.slow
def test_the_solver_is_played_and_scored_by_the_metric(site: Path) -> None:
    asked = ["--solver", "longest-option", "--metrics", "any-worker", "--task", "Sentiment of reviews"]
    done = called(site, "-m", "harness.evaluate", *asked, "--max-instances", "1", "--workers", "1", "--out", "run")
    assert done.returncode == 0, done.stderr
    assert "Solver longest-option · any-worker" in done.stdout.replace("profile ", "")
    listed = called(site, "-m", "harness.evaluate", "--list-solvers")
    assert "longest-option  Chooses the longest option of everything that has options." in listed.stdout
    with pytest.raises(Exception, match="no profile is called 'any-worker'"):
        load_run(site / "run")  # here, where the package is not installed


@pytest.mark.slow
def test_the_encoding_shows_a_page(site: Path) -> None:
    asked = ["--solver", "gpt-4o", "--encoding", "questions"]
    done = called(site, "-m", "harness", "page", "prompt", *asked, "--task", "Sentiment of reviews", "--row", "0")
    assert done.returncode == 0, done.stderr
    assert "sentiment: " in done.stdout
