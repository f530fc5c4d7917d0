"""The addresses of the backstage; any other says the same words as everywhere in agent mode."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents
from turkle_app.sites.backstage import backstage

urlpatterns = [path("backstage/<str:episode>/", backstage, name="backstage")]

handler400 = agents.bad_request
handler404 = agents.not_found
handler500 = agents.server_error
