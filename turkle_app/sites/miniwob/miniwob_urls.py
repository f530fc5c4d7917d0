"""The addresses of MiniWoB++: as in its own folder, so that pages find what they name."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents
from turkle_app.sites.miniwob import miniwob_views

urlpatterns = [
    path("", miniwob_views.page_list),
    path("favicon.ico", miniwob_views.icon),
    path("<path:name>", miniwob_views.file),
]

handler400 = agents.bad_request
handler404 = agents.not_found
handler500 = agents.server_error
