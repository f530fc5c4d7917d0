"""The server's settings with all of its apps on, for the type checker: it learns from them which models there are."""

from __future__ import annotations

from turkle_app.settings import *  # noqa: F403
from turkle_app.settings import INSTALLED_APPS

INSTALLED_APPS = [
    *INSTALLED_APPS,
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "turkle_app.viewer",
    "turkle_app.annotation",
    "django.contrib.admin.apps.SimpleAdminConfig",
    "turkle_app.recording",
]
