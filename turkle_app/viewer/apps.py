"""The Django app of the pages about runs, on where the server is told where runs are."""

from __future__ import annotations

from django.apps import AppConfig


class ViewerConfig(AppConfig):
    """Pages about runs."""

    name = "turkle_app.viewer"
    label = "viewer"
