"""Memory of the harness, without browsers, and the rate of its episodes, over a long do-nothing run."""

from __future__ import annotations

from benchmarks.runs import rate, watch
from benchmarks.setting import Setting
from harness.kit.text import aligned

_WORKERS = 2


def measure(setting: Setting) -> str:
    """The figures as a table, for each tenth of the run."""
    tasks = len(list(setting.tasks_dir.glob("*/batch.csv")))
    ran = watch(setting.tasks_dir, "do-nothing", each=-(-setting.long // tasks), workers=_WORKERS)
    count = len(ran.written)
    rows = [["memory: up to episode", "MB at most", "pages/s"]]
    for tenth in range(10):
        first, last = count * tenth // 10, count * (tenth + 1) // 10
        held = [megabytes for done, megabytes in ran.memory if first <= done < max(last, first + 1)]
        rows.append([str(last), f"{max(held):.0f}" if held else "–", f"{rate(ran.written[first:last]):.1f}"])
    return (
        aligned(rows)
        + f"\nAt most {max(megabytes for _, megabytes in ran.memory):.0f} MB at any time, {_WORKERS} workers."
    )
