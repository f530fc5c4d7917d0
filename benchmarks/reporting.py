"""How long ``turkbench report`` takes for a large run, how large its page is, and how much memory it needs."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.setting import PROJECT, Setting
from benchmarks.synthetic import write_run
from harness.analysis.rescoring import score_run
from harness.catalog import Catalog
from harness.kit.text import aligned
from harness.records.directory import RunDirectory


def measure(setting: Setting) -> str:
    """The figures as a table."""
    with tempfile.TemporaryDirectory() as scratch:
        folder, page = Path(scratch) / "run", Path(scratch) / "report.html"
        fields = write_run(Catalog(setting.tasks_dir), folder, setting.episodes)
        run = RunDirectory(folder)
        run.write(score_run(run).record)
        start = time.perf_counter()
        command = [sys.executable, "-m", "harness", "report", str(folder), "--out", str(page)]
        with subprocess.Popen(command, cwd=PROJECT, stdout=subprocess.DEVNULL) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        seconds = time.perf_counter() - start
        size = page.stat().st_size
    assert process.returncode == 0
    row = [
        str(setting.episodes),
        str(fields),
        f"{seconds:.1f}",
        f"{used.ru_utime + used.ru_stime:.1f}",
        f"{used.ru_maxrss / 1024:.0f}",
        f"{size / 1e6:.1f}",
    ]
    heading = ["a report: episodes", "fields", "seconds", "of the processor", "MB at most", "MB of the page"]
    return aligned([heading, row])
