"""The Django app of the pages about runs, on where the server is told where runs are."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from django.apps import AppConfig

from harness.reviews.questions import PAGE


class ViewerConfig(AppConfig):
    """Pages about runs."""

    name = "turkle_app.viewer"
    label = "viewer"
    further_scripts: Sequence[Path] = (Path(str(PAGE / "questions.js")),)
    """What its pages share with pages that need no server."""
