"""The addresses of the API, each with its audience."""

from __future__ import annotations

from typing import Any, cast

from django.urls import URLPattern

from turkle_app.annotation.api import people, projects
from turkle_app.annotation.api.service import api

for _part in (people, projects):
    api.add_router("", _part.router)
addresses = api.urls
"""For `django.urls.path`: what takes programs with a token, and the description in OpenAPI."""
for _pattern in addresses[0]:
    _pattern = cast("URLPattern", _pattern)
    _view: Any = _pattern.callback
    _described = _pattern.name in {"openapi-json", "api-root"}
    _view.audience = "everybody" if _described else "programs"
    _view.__doc__ = "Describe the API to everybody." if _described else "Answer programs that send a token."
