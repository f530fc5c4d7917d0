"""Databases for tests, and the settings of a server with accounts in this process."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from unittest.mock import patch

from django.apps import apps
from django.core.checks.registry import registry
from django.core.management.color import no_style
from django.db import connection, connections

import turkle_app.settings
from tests.server.conftest import with_apps
from turkle_app.annotation.database_settings import with_accounts


def settings_with_accounts(url: str, data: Path) -> dict[str, object]:
    """All settings that accounts add, for a database and a folder of data."""
    with patch.dict(os.environ, {"DATABASE_URL": url, "XDG_DATA_HOME": str(data)}):
        found = with_accounts(vars(turkle_app.settings))
    return found | {"TURKLE_ANNOTATION": True, "PASSWORD_HASHERS": ["django.contrib.auth.hashers.MD5PasswordHasher"]}


def load_models() -> None:
    """Make the classes of the database, which Django makes where their apps are on: tests name them at their top."""
    known = set(registry.registered_checks)
    apps.set_installed_apps(
        ["turkle_app", "django.contrib.auth", "django.contrib.contenttypes", "django.contrib.sessions",
         "django.contrib.messages", "turkle_app.annotation", "django.contrib.admin.apps.SimpleAdminConfig"]
    )  # fmt: skip
    apps.unset_installed_apps()
    registry.registered_checks = known  # those of an app that is off ask for its models


@contextlib.contextmanager
def switched_on(settings: dict[str, object], **others: object) -> Iterator[None]:
    """Let this process have accounts, and the database of the settings."""
    on = dict(settings)
    databases = on.pop("DATABASES")
    names = [name for name in on.pop("INSTALLED_APPS") if name != "turkle_app"]
    known, checks = connections.settings, set(registry.registered_checks)
    connections.settings = connections.configure_settings(databases)
    _forget_connection()
    try:
        with with_apps(*names, **on, **others):
            yield
    finally:
        _forget_connection()
        connections.settings = known
        registry.registered_checks = checks


def _forget_connection() -> None:
    connections.close_all()
    with contextlib.suppress(AttributeError):
        del connections["default"]


def empty() -> None:
    """Empty all tables."""
    tables = [name for name in connection.introspection.table_names() if name != "django_migrations"]
    statements = connection.ops.sql_flush(no_style(), tables, reset_sequences=True, allow_cascade=True)
    connection.ops.execute_sql_flush(statements)
    apps.get_model("contenttypes", "ContentType").objects.clear_cache()  # of rows that are gone now
