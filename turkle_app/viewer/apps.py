"""The Django app of the pages about runs, on where the server is told where runs are."""

from __future__ import annotations

from pathlib import Path

from django.apps import AppConfig

from harness.reports.reviews.questions import PAGE
from harness.reports.watch.episode_html import EPISODE_SCRIPTS


class ViewerConfig(AppConfig):
    """Pages about runs."""

    name = "turkle_app.viewer"
    label = "viewer"
    # What its pages share with files that need no server: of `turkbench view` and of `turkbench people review draw`.
    script_folders = (EPISODE_SCRIPTS, Path(str(PAGE)))
