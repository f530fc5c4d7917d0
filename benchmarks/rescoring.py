"""How long ``turkbench score`` takes for a large run, and how much memory."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.setting import PROJECT, Setting
from benchmarks.synthetic import write_run
from harness.catalog import Catalog
from harness.kit.text import aligned


def measure(setting: Setting) -> str:
    """The figures as a table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "run"
        fields = write_run(Catalog(setting.tasks_dir), folder, setting.episodes)
        start = time.perf_counter()
        command = [sys.executable, "-m", "harness", "score", str(folder)]
        with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
    assert process.returncode == 0
    row = [
        str(setting.episodes),
        str(fields),
        f"{seconds:.1f}",
        f"{used.ru_utime + used.ru_stime:.1f}",
        f"{used.ru_maxrss / 1024:.0f}",
    ]
    return aligned([["scoring again: episodes", "fields", "seconds", "of the processor", "MB at most"], row])
