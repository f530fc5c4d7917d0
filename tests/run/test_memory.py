from __future__ import annotations

import subprocess
import sys

from tests.checkout import PROJECT
from tests.needs import GLIBC, needs

# A large block that was freed makes glibc keep as much as that of everything freed later.
SCRIPT = """
import sys
from pathlib import Path
if sys.argv[1] == "early":
    from harness.run.memory import give_back_early
    give_back_early()

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

large = bytearray(30 << 20)
del large
before = resident()
blocks = [bytearray(b"x" * 100_000) for _ in range(400)]
del blocks
print(resident() - before)
"""


@needs(GLIBC)
def test_freed_memory_goes_back_to_the_system():
    def kept(how: str) -> int:
        command = [sys.executable, "-c", SCRIPT, how]
        return int(subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout)

    assert kept("early") < 5_000_000 < kept("late")
