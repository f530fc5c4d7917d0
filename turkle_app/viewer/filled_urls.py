"""The addresses of strangers' pages that show what runs sent, below ``/filled/``, at the origin of strangers' pages."""

from __future__ import annotations

from django.urls import path

from turkle_app.viewer import filled_page

urlpatterns = [
    path("<str:run>/<str:task>/<int:index>/", filled_page.filled_page, name="filled-page"),
]
