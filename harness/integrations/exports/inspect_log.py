"""Runs as logs of Inspect, version 2 of its format, in ``.eval`` files.

A file is a ZIP archive: a sample a member, a list of their summaries, and a header with what holds for all of them.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile

from harness.integrations.exports.exported_runs import ExportedEpisode, ExportedRun
from harness.integrations.exports.inspect_sample import MEAN, MEASURES, SCORER, inspect_sample, measures_of
from harness.kit.files.installation import PACKAGE, own_version

VERSION = 2
ENDING = ".eval"
NO_MODEL = "none/none"
"""What Inspect calls the model of an evaluation that asks none."""
_STATUS = {
    "running": "started",
    "complete": "success",
    "incomplete": "error",
    "interrupted": "cancelled",
    "failed": "error",
}
_IN_SUMMARY = ("id", "epoch", "input", "target", "metadata", "scores", "model_usage")


class InspectLog:
    """A log that is being written.

    Attributes:
        count: Its samples.
    """

    def __init__(self, file: Path, source: ExportedRun) -> None:
        """Begin a file.

        Args:
            file: The file.
            source: The run whose episodes it will hold.
        """
        self.count = 0
        self._source = source
        self._archive = ZipFile(file, "w", ZIP_DEFLATED)
        self._summaries: list[dict[str, Any]] = []
        self._scores: list[tuple[str, Mapping[str, float | None]]] = []
        self._usage: dict[str, Counter[str]] = {}
        self._kind = "forms"
        self._model = NO_MODEL

    def add(self, each: ExportedEpisode) -> None:
        """Write an episode.

        Raises:
            harness.records.directory.NotARun: what was sent to its model, or a picture, is missing or damaged.
        """
        sample = inspect_sample(each)
        self._write(f"samples/{sample['id']}_epoch_1.json", sample)
        self._summaries.append(_summary(sample))
        self._scores.append((each.episode.task, measures_of(each)))
        for model, usage in sample["model_usage"].items():
            self._usage.setdefault(model, Counter()).update(usage)
        if each.episode.site:
            self._kind = "sites"
        if self._model == NO_MODEL and sample["output"]["model"]:
            self._model = sample["output"]["model"]
        self.count += 1

    def close(self) -> None:
        """Write what holds for all of it."""
        self._write("summaries.json", self._summaries)
        self._write("header.json", self._header())
        self._archive.close()

    def _write(self, name: str, document: object) -> None:
        # As ASCII: half a pair of surrogates, which a page may hold, has no other encoding.
        self._archive.writestr(name, json.dumps(document))

    def _header(self) -> dict[str, Any]:
        source, record = self._source, self._source.run.read()
        config = source.config
        return {
            "version": VERSION,
            "status": _STATUS[record.status],
            "eval": {
                "eval_id": source.name,
                "run_id": source.name,
                "created": record.started,
                "task": f"{PACKAGE}/{self._kind}",
                "task_id": source.name,
                "task_version": record.provenance.packages.get(PACKAGE) or "unknown",
                "solver": source.solver,
                "dataset": {
                    "name": config.tasks_dir.name,
                    "samples": self.count,
                    "sample_ids": [summary["id"] for summary in self._summaries],
                },
                "model": self._model,
                "config": {"epochs": 1},
                "packages": {name: version for name, version in record.provenance.packages.items() if version},
                "metadata": {
                    "exported_by": f"{PACKAGE} {own_version()}",
                    "metrics": config.metrics,
                    "split": config.split,
                    "comparability_id": record.comparability_id,
                },
                "scorers": [{"name": SCORER}],
            },
            "plan": {"name": "plan", "steps": [{"solver": source.solver}]},
            "results": {
                "total_samples": self.count,
                "completed_samples": sum(summary["completed"] for summary in self._summaries),
                "scores": [self._result(name) for name in MEASURES],
            },
            "stats": {
                "started_at": record.started,
                "completed_at": record.ended or "",
                "model_usage": {model: dict(usage) for model, usage in self._usage.items()},
            },
        }

    def _result(self, name: str) -> dict[str, Any]:
        """What there is of one measure: its mean over tasks, as far as it is known."""
        known: dict[str, list[float]] = {}
        for task, values in self._scores:
            if (value := values[name]) is not None:
                known.setdefault(task, []).append(value)
        scored = sum(map(len, known.values()))
        metrics = {}
        if known:
            mean = fmean(map(fmean, known.values()))
            metrics[MEAN] = {"name": MEAN, "value": mean}
        return {
            "name": name,
            "scorer": SCORER,
            "scored_samples": scored,
            "unscored_samples": self.count - scored,
            "metrics": metrics,
        }


def _summary(sample: Mapping[str, Any]) -> dict[str, Any]:
    """What a list of samples shows of one."""
    summary = {name: sample[name] for name in _IN_SUMMARY if name in sample}
    if limit := sample.get("limit"):
        summary |= {"limit": limit["type"], "limit_reason": limit["reason"]}
    if error := sample.get("error"):
        summary["error"] = error["message"]
    return {**summary, "completed": "error" not in sample, "message_count": len(sample["messages"])}
