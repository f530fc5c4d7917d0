"""The addresses of the pages about runs, below ``/runs/``; ``turkle_app.viewer.slugs`` says what stands for a run."""

from __future__ import annotations

from django.urls import path

from turkle_app.viewer import comparison_page, run_list, run_page

urlpatterns = [
    path("", run_list.run_list, name="runs"),
    path("compare/", comparison_page.comparison_page, name="compare-runs"),
    path("<str:run>/", run_page.run_page, name="run"),
]
