"""The runs that this process watches."""

from __future__ import annotations

from functools import lru_cache

from django.http import Http404

from harness.watch.listed_run import ListedRun, listed_run
from harness.watch.run_watch import WatchedRuns
from turkle_app.viewer.slugs import find_run


@lru_cache(maxsize=1)
def watched() -> WatchedRuns:
    """Return the watched runs of this process, none of them at first."""
    return WatchedRuns()


class BrokenRun(Http404):
    """An address below a run that cannot be read."""


def readable_run(slug: str) -> ListedRun:
    """Return the run of an address, if it can be read.

    Raises:
        UnknownRunAddress: If there is none.
        BrokenRun: If its ``run.json`` cannot be read; says why.
    """
    run = listed_run(find_run(slug), watched())
    if run.record is None:
        raise BrokenRun(run.reason)
    return run
