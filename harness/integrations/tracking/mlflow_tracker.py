"""Runs in MLflow, by its environment variables: ``MLFLOW_TRACKING_URI``, ``MLFLOW_EXPERIMENT_NAME`` and the like."""

from __future__ import annotations

import os
from itertools import islice

import mlflow

from harness.integrations.tracking.tracker import BegunRun, EndedEpisode, Metrics, RunSummary
from harness.kit.files.installation import PACKAGE

_AT_A_TIME = 500
"""MLflow takes 1000 metrics of one call."""


class MlflowTracker:
    """See ``harness.integrations.tracking.tracker.Tracker``."""

    def __init__(self) -> None:
        self._step = 0

    def start(self, run: BegunRun) -> str:
        """Begin a run of an experiment, by default ``turkbench``."""
        if not (os.environ.get("MLFLOW_EXPERIMENT_NAME") or os.environ.get("MLFLOW_EXPERIMENT_ID")):
            mlflow.set_experiment(PACKAGE)
        begun = mlflow.start_run(run_name=run.name)
        mlflow.log_params(dict(run.parameters))
        return f"run {begun.info.run_id} at {mlflow.get_tracking_uri()}"

    def episode(self, ended: EndedEpisode) -> None:
        """Log how far the run is; the step is the number of episodes."""
        self._step = ended.number
        self._log(ended.metrics)

    def end(self, summary: RunSummary) -> None:
        """Log its numbers at the last step, and end the run."""
        mlflow.log_params(dict(summary.parameters))
        self._log(summary.metrics)
        mlflow.end_run("FINISHED" if summary.is_complete else "KILLED")

    def _log(self, metrics: Metrics) -> None:
        left = iter(metrics.items())
        while some := dict(islice(left, _AT_A_TIME)):
            mlflow.log_metrics(some, step=self._step)
