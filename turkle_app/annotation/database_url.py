"""From ``DATABASE_URL`` to Django's settings of a database. Two kinds: a file of SQLite, and a server of PostgreSQL."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from harness.kit.files.installation import installing

BUSY_SECONDS = 30
"""How long a writer waits for another to end."""
_FORMS = "sqlite:////folder/file.sqlite3 or postgres://user:password@host:port/name"
# What libpq understands that concerns the way to the server.
_OPTIONS = frozenset({"sslmode", "sslrootcert", "sslcert", "sslkey", "host", "connect_timeout", "application_name"})


def database(url: str) -> dict[str, Any]:
    """Return what ``DATABASES["default"]`` is to be.

    Args:
        url: ``sqlite:///relative``, ``sqlite:////absolute``, or ``postgres://user:password@host:port/name?sslmode=…``
            (``postgresql://`` too); user, password and name percent-encoded.

    Raises:
        ImproperlyConfigured: If it is none of these, or psycopg is missing.
    """
    scheme = url.partition(":")[0]
    if scheme == "sqlite":
        return sqlite(_sqlite_file(url))
    if scheme in {"postgres", "postgresql"}:
        return _postgresql(url)
    # Whatever else stands there may be a password.
    raise ImproperlyConfigured(f"DATABASE_URL is of an unknown kind: give {_FORMS}.")


def sqlite(file: Path) -> dict[str, Any]:
    """Return the settings of a file of SQLite, in which readers and one writer do not wait for each other."""
    return {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(file),
        "OPTIONS": {
            "timeout": BUSY_SECONDS,
            # A transaction that begins to read and goes on to write could not wait for another writer.
            "transaction_mode": "IMMEDIATE",
            "init_command": "PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;",
        },
    }


def _sqlite_file(url: str) -> Path:
    rest = url.removeprefix("sqlite:")
    if not rest.startswith("///") or not rest.strip("/") or "?" in rest:
        raise ImproperlyConfigured(f"DATABASE_URL names no file of SQLite: give {_FORMS}.")
    return Path(unquote(rest.removeprefix("///")))


def _postgresql(url: str) -> dict[str, Any]:
    if importlib.util.find_spec("psycopg") is None:
        raise ImproperlyConfigured(
            f"DATABASE_URL names a PostgreSQL server, for which psycopg is missing: {installing('postgres')}"
        )
    try:
        parts = urlsplit(url)
        port = parts.port
        options = dict(parse_qsl(parts.query, strict_parsing=bool(parts.query)))
    except ValueError:
        raise ImproperlyConfigured(f"DATABASE_URL cannot be read: give {_FORMS}.") from None
    name = unquote(parts.path.removeprefix("/"))
    if not name or "/" in name or parts.fragment:
        raise ImproperlyConfigured(f"DATABASE_URL names no database: give {_FORMS}.")
    if unknown := sorted(options.keys() - _OPTIONS):
        known = ", ".join(sorted(_OPTIONS))
        raise ImproperlyConfigured(f"DATABASE_URL has the unknown option {unknown[0]!r}; known are {known}.")
    return {
        "ENGINE": "django.db.backends.postgresql",
        "NAME": name,
        "USER": unquote(parts.username or ""),
        "PASSWORD": unquote(parts.password or ""),
        # A folder of sockets cannot stand where a host does.
        "HOST": options.pop("host", "") or unquote(parts.hostname or ""),
        "PORT": str(port or ""),
        "CONN_MAX_AGE": 600,
        "CONN_HEALTH_CHECKS": True,
        "OPTIONS": options,
    }
