"""The addresses of browse mode."""

from __future__ import annotations

from django.apps import apps
from django.urls import URLPattern, URLResolver, include, path

from turkle_app import agents, assets, errors, scripts, views
from turkle_app.sites.site_list import site_list

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.task_list, name="tasks"),
    path("thumbnail/<str:name>/", views.thumbnail, name="thumbnail"),
    path("problems/", views.problem_list, name="problems"),
    path("task/<str:name>/", views.task, name="task"),
    path("task/<str:name>/<int:index>/", views.instance, name="instance"),
    path("page/<str:name>/<int:index>/", views.page, name="page"),
    path("page/<str:name>/media/<str:file>", assets.task_media, name="task-media"),
    path("asset/<str:sha256>/<str:name>", assets.asset, name="asset"),
    path("media/<str:kind>", assets.media, name="media"),
    path("script/<str:name>", scripts.script, name="script"),
    path("sites/", site_list, name="sites"),
    path("agent-mode/", agents.agent_mode, name="agent-mode"),
]
if apps.is_installed("turkle_app.viewer"):
    urlpatterns.append(path("runs/", include("turkle_app.viewer.urls")))
    urlpatterns.append(path("filled/", include("turkle_app.viewer.filled_urls")))
if apps.is_installed("turkle_app.recording"):
    urlpatterns.append(path("record/", include("turkle_app.recording.urls")))
if apps.is_installed("turkle_app.annotation"):
    urlpatterns.append(path("", include("turkle_app.annotation.urls")))

handler400 = errors.bad_request
handler404 = errors.not_found
handler500 = errors.server_error
