"""Runs in trackio, by its environment variables: ``TRACKIO_DIR``, ``TRACKIO_SPACE_ID``, ``TRACKIO_SERVER_URL``, ..."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator

import trackio

from harness.integrations.tracking.tracker import BegunRun, EndedEpisode, RunSummary, TrackerFailed
from harness.kit.files.installation import PACKAGE


class TrackioTracker:
    """See ``harness.integrations.tracking.tracker.Tracker``."""

    def __init__(self) -> None:
        self._step = 0

    def start(self, run: BegunRun) -> str:
        """Begin a run of the project ``turkbench``."""
        self._run = trackio.init(project=PACKAGE, name=run.name, config=dict(run.parameters))
        return f"run {self._run.name} of the project {PACKAGE}: trackio show --project {PACKAGE}"

    def episode(self, ended: EndedEpisode) -> None:
        """Log how far the run is; the step is the number of episodes."""
        self._step = ended.number
        with _warnings_raised():
            self._run.log(dict(ended.metrics), step=ended.number)

    def end(self, summary: RunSummary) -> None:
        """Log its numbers at the last step, and end the run."""
        with _warnings_raised():
            self._run.log({**summary.metrics, **summary.parameters}, step=self._step)
            trackio.finish()


@contextlib.contextmanager
def _warnings_raised() -> Iterator[None]:
    """Make a failure of what trackio only warns of."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield
    if caught:
        raise TrackerFailed(str(caught[0].message))
