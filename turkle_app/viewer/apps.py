"""The Django app of the pages about runs, on where the server is told where runs are."""

from __future__ import annotations

from django.apps import AppConfig

from harness.watch.episode_html import EPISODE_SCRIPTS


class ViewerConfig(AppConfig):
    """Pages about runs."""

    name = "turkle_app.viewer"
    label = "viewer"
    # What the page of an episode shares with the file that `turkbench view` writes.
    script_folders = (EPISODE_SCRIPTS,)
