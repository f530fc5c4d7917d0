"""Runs in Weights & Biases, by its environment variables: ``WANDB_MODE``, ``WANDB_PROJECT``, ``WANDB_DIR``, ...."""

from __future__ import annotations

import os

import wandb

from harness.integrations.tracking.tracker import BegunRun, EndedEpisode, RunSummary
from harness.kit.files.installation import PACKAGE


class WandbTracker:
    """See ``harness.integrations.tracking.tracker.Tracker``."""

    def start(self, run: BegunRun) -> str:
        """Begin a run of a project, by default ``turkbench``. Nothing of the terminal is recorded."""
        project = None if os.environ.get("WANDB_PROJECT") else PACKAGE
        settings = wandb.Settings(console="off", disable_code=True, disable_git=True)
        self._run = wandb.init(project=project, name=run.name, config=dict(run.parameters), settings=settings)
        return f"run {self._run.id} at {self._run.url or self._run.dir}"

    def episode(self, ended: EndedEpisode) -> None:
        """Log how far the run is; the step is the number of episodes."""
        self._run.log(dict(ended.metrics), step=ended.number)

    def end(self, summary: RunSummary) -> None:
        """Put its numbers into the summary, and end the run."""
        self._run.config.update(dict(summary.parameters))
        self._run.summary.update(dict(summary.metrics))
        self._run.finish(exit_code=0 if summary.is_complete else 1)
