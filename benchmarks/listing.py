"""How long the list of all tasks takes a process that has just started, and how much it reads for it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from benchmarks.setting import PROJECT, Setting
from harness.catalog.task import TABLE
from harness.kit.text import aligned

_ROUNDS = 3
_SCRIPT = """
import sys, time
from pathlib import Path
start = time.perf_counter()
from harness.catalog import Catalog
def read():
    return next(int(line.split()[1]) for line in Path("/proc/self/io").read_text().splitlines() if "rchar" in line)
before = read()
{what}
print(time.perf_counter() - start, read() - before)
"""
_SELECT = "Catalog(Path(sys.argv[1])).select(None, [])"
_FACTS = "c = Catalog(Path(sys.argv[1])); [(name, c.split_of(name), c.facts(name)) for name in c.select(None, [])]"
_PAGE = "from turkle_app.listing import listings; listings(Catalog(Path(sys.argv[1])))"


def measure(setting: Setting) -> str:
    """The figures as a table: the best of a few processes, each from import to list."""
    tables = sum(file.stat().st_size for file in setting.tasks_dir.glob(f"*/{TABLE}"))
    rows = [["listing", "ms", "MB read"]]
    for name, what in (
        ("names, as evaluate selects them", _SELECT),
        ("names, splits, facts", _FACTS),
        ("the server's list", _PAGE),
    ):
        seconds, read = min(_run(what, setting.tasks_dir) for _ in range(_ROUNDS))
        rows.append([name, f"{1000 * seconds:.0f}", f"{read / 1e6:.1f}"])
    return aligned(rows) + f"\nAll tables together are {tables / 1e6:.0f} MB."


def _run(what: str, tasks_dir: Path) -> tuple[float, int]:
    command = [sys.executable, "-c", _SCRIPT.format(what=what), str(tasks_dir)]
    out = subprocess.run(command, cwd=PROJECT, check=True, capture_output=True, text=True).stdout
    seconds, read = out.split()
    return float(seconds), int(read)
