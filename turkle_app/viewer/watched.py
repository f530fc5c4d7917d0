"""The runs that this process watches."""

from __future__ import annotations

from functools import lru_cache

from harness.reports.watch.run_watch import WatchedRuns


@lru_cache(maxsize=1)
def watched() -> WatchedRuns:
    """Return the watched runs of this process, none of them at first."""
    return WatchedRuns()
