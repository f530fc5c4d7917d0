"""A tracker that notes what it is told in a file, line by line, and fails as its environment says."""

from __future__ import annotations

import json
import os
import signal
from pathlib import Path
from typing import Any

from harness.integrations.tracking.tracker import BegunRun, EndedEpisode, RunSummary


class NotingTracker:
    """``NOTES`` names the file; ``NOTES_FAIL``, ``_HANG``, ``_KILL`` when it raises, hangs or is killed."""

    def start(self, run: BegunRun) -> str:
        self._note("start", {"name": run.name, "solver": run.solver, "parameters": dict(run.parameters)})
        return "in the notes"

    def episode(self, ended: EndedEpisode) -> None:
        self._note("episode", {"place": [ended.record.task, ended.record.index], "metrics": dict(ended.metrics)})

    def end(self, summary: RunSummary) -> None:
        told = {"parameters": dict(summary.parameters), "metrics": dict(summary.metrics)}
        self._note("end", {"status": summary.status, **told})

    def _note(self, what: str, told: dict[str, Any]) -> None:
        if os.environ.get("NOTES_KILL") == what:
            os.kill(os.getpid(), signal.SIGKILL)
        if os.environ.get("NOTES_HANG") == what:
            signal.pause()
        if os.environ.get("NOTES_FAIL") == what:
            raise ConnectionError("nobody answers\nat all")
        with Path(os.environ["NOTES"]).open("a", encoding="utf-8") as file:
            file.write(json.dumps({"what": what, **told}) + "\n")


def notes(file: Path) -> list[dict[str, Any]]:
    """What was noted in a file."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
