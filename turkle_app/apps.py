"""The Django app and its start-up checks."""

from __future__ import annotations

from django.apps import AppConfig
from django.core.checks import register


class TurkleAppConfig(AppConfig):
    """The task server."""

    name = __name__.rpartition(".")[0]

    def ready(self) -> None:
        """Register the check of the configured folder, which `runserver` and `check` run."""
        from turkle_app.tasks import check_tasks_dir  # noqa: PLC0415 - settings are ready only now

        register(check_tasks_dir)
