"""The viewer of runs, as an application of Django."""

from __future__ import annotations

from django.apps import AppConfig


class ViewerConfig(AppConfig):
    """The viewer, which a server prepares once it listens."""

    name = "turkle_app.viewer"

    def prepare(self) -> None:
        """Start a worker, and import the pages: whoever opens a run first would wait for both."""
        from turkle_app.viewer.watched import watched  # noqa: PLC0415 - other commands do without

        watched().workers.ask({"do": "start"})
        import turkle_app.viewer.urls  # noqa: F401, PLC0415
