"""The viewer of runs, as an application of Django."""

from __future__ import annotations

from pathlib import Path

from django.apps import AppConfig

from harness.reports.reviews.questions import PAGE
from harness.reports.watch.episode_html import EPISODE_SCRIPTS


class ViewerConfig(AppConfig):
    """Pages about runs, which a server prepares once it listens."""

    name = "turkle_app.viewer"
    label = "viewer"
    # What its pages share with files that need no server: of `turkbench view` and of `turkbench people review draw`.
    script_folders = (EPISODE_SCRIPTS, Path(str(PAGE)))

    def prepare(self) -> None:
        """Start a worker, and import the pages: whoever opens a run first would wait for both."""
        from turkle_app.viewer.watched import watched  # noqa: PLC0415 - other commands do without

        watched().workers.ask({"do": "start"})
        from turkle_app.viewer import urls  # noqa: F401, PLC0415
