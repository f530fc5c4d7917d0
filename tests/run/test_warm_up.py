"""What a run loads before its workers are forked."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from tests.checkout import PROJECT

pytest.importorskip("openai", reason="the library of a provider")

LOOK = """
import json, sys
from pathlib import Path
from harness.episode.registry import find_solver
from harness.run.selection import setup_of
from harness.runlog.config import RunConfig

config = RunConfig(solver="llama-3.3", tasks_dir=Path("tasks"))
find_solver(config.solver).warm_up(setup_of(config, Path("none")))
packages = sorted({name.partition(".")[0] for name in sys.modules})
print(json.dumps([packages, len(list(Path("/proc/self/task").iterdir()))]))
"""


@pytest.mark.skipif(sys.platform != "linux", reason="threads are counted in /proc")
def test_a_models_library_is_loaded_once_for_all_workers_and_no_thread_is_started() -> None:
    command = [sys.executable, "-c", LOOK]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True)
    packages, threads = json.loads(done.stdout)
    assert {"openai", "httpx2", "httpcore2"} <= set(packages)
    assert threads == 1
