"""The Django app of recording, on where the server is told into which folder recorded tasks go."""

from __future__ import annotations

import json

from django.apps import AppConfig
from django.conf import settings

from harness.sites.recording.order import order_of
from turkle_app.recording.recordings import RECORDINGS


class RecordingConfig(AppConfig):
    """Pages on which tasks are recorded."""

    name = "turkle_app.recording"
    label = "recording"

    def ready(self) -> None:
        """Begin what the server was started for."""
        if settings.TURKLE_RECORD_BEGIN:
            RECORDINGS.begin(order_of(**json.loads(settings.TURKLE_RECORD_BEGIN)))
