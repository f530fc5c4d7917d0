"""The addresses of the shop."""

from __future__ import annotations

from django.urls import path

from turkle_app import agents
from turkle_app.sites import pages
from turkle_app.sites.shop import front_views

urlpatterns = [
    path("", front_views.home, name="home"),
    path("static/<str:name>", pages.static, name="static"),
]

handler400 = agents.bad_request
handler404 = pages.not_found
handler500 = agents.server_error
