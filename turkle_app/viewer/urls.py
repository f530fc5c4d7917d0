"""The addresses of the pages about runs, below ``/runs/``."""

from __future__ import annotations

from django.urls import path

from turkle_app.viewer import run_list

urlpatterns = [
    path("", run_list.run_list, name="runs"),
]
