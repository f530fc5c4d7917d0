"""What background workers load before they do anything."""

from __future__ import annotations

import subprocess
import sys

from harness.reports.watch.background_workers import BackgroundWorkers
from tests.person import SECONDS

_LOOK = "import sys, harness.reports.watch.background_worker; print(*sys.modules)"


def test_a_worker_that_takes_episodes_in_does_without_what_compares_runs():
    done = subprocess.run([sys.executable, "-c", _LOOK], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "pandas" in loaded
    assert "scipy" not in loaded


def test_a_worker_can_be_started_before_there_is_anything_to_do():
    assert BackgroundWorkers().ask({"do": "start"}).result(timeout=SECONDS) is None
