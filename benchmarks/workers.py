"""Two workers against one on the same pages, how much of the processors they use, and when the first score is there."""

from __future__ import annotations

from benchmarks.runs import watch
from benchmarks.setting import Setting
from harness.kit.text import aligned

_SOLVERS = ("do-nothing", "oracle")


def measure(setting: Setting) -> str:
    """The figures as a table: one instance each of as many tasks as pages are wanted."""
    rows = [["run", "workers", "pages/s", "of one worker", "processors in use", "first score after s"]]
    # The first run of all fills the inventory: afterwards runs differ in what is measured alone.
    watch(setting.tasks_dir, _SOLVERS[0], each=1, workers=2, tasks=setting.pages)
    for solver in _SOLVERS:
        one = watch(setting.tasks_dir, solver, each=1, workers=1, tasks=setting.pages)
        two = watch(setting.tasks_dir, solver, each=1, workers=2, tasks=setting.pages)
        for workers, ran in ((1, one), (2, two)):
            rows.append(
                [
                    solver,
                    str(workers),
                    f"{ran.rate:.1f}",
                    f"{ran.rate / one.rate:.2f}",
                    f"{ran.use:.0%}",
                    f"{ran.written[0]:.1f}",
                ]
            )
    return aligned(rows)
