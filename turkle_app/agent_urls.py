"""The addresses of agent mode: nothing but bare pages and the marker."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents

urlpatterns = [
    path("page/<str:name>/<int:index>/", agents.page, name="page"),
    path("agent-mode/", agents.agent_mode, name="agent-mode"),
]

handler400 = agents.bad_request
handler404 = agents.not_found
handler500 = agents.server_error
