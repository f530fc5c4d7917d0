"""The addresses of the control API; any other says the same words as everywhere in agent mode."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents
from turkle_app.sites.site_control import control

urlpatterns = [path("control/<str:episode>/", control, name="control")]

handler400 = agents.bad_request
handler404 = agents.not_found
handler500 = agents.server_error
