"""The addresses of agent mode: bare pages, what they load, and the marker; nothing else."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents, assets

urlpatterns = [
    path("page/<str:name>/<int:index>/", agents.page, name="page"),
    path("page/<str:name>/media/<str:file>", assets.task_media, name="task-media"),
    path("asset/<str:sha256>/<str:name>", assets.asset, name="asset"),
    path("media/<str:kind>", assets.media, name="media"),
    path("agent-mode/", agents.agent_mode, name="agent-mode"),
]

handler400 = agents.bad_request
handler404 = agents.not_found
handler500 = agents.server_error
