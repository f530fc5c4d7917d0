"""The addresses of the pages about runs, below ``/runs/``."""

from __future__ import annotations

from django.urls import path

from turkle_app.viewer import episode_page, run_list

urlpatterns = [
    path("", run_list.run_list, name="runs"),
    path("<str:run>/episode/<str:task>/<int:index>/", episode_page.episode, name="episode"),
    path("<str:run>/episode/<str:task>/<int:index>/episode.json", episode_page.episode_source, name="episode-source"),
    path("<str:run>/picture/<str:name>", episode_page.step_picture, name="step-picture"),
    path("<str:run>/film-picture/<str:name>", episode_page.film_picture, name="film-picture"),
    path("<str:run>/text/<str:name>", episode_page.text, name="episode-text"),
]
