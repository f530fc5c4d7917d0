"""What switching tasks done by hand on adds to the settings: a database, accounts, sessions, and their protection.

DATABASE_URL     a file of SQLite or a server of PostgreSQL (default: annotation.sqlite3 in the user's data folder)
MAIL_URL         the server by which mail goes, and from whom (default: no mail is sent)
TURKLE_ORIGINS   behind a proxy that speaks HTTPS: the origins of people and of pages, separated by a comma
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from django.core.exceptions import ImproperlyConfigured

from harness.kit.files.writing import data_folder
from turkle_app.annotation.database_url import database, sqlite
from turkle_app.annotation.secret_key import secret_key
from turkle_app.early_options import DATABASE_FILE

_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "turkle_app.annotation",
    "django.contrib.admin.apps.SimpleAdminConfig",
]
_FIRST = "django.middleware.security.SecurityMiddleware"
_SESSIONS = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
]
_CONTEXT = [
    "django.contrib.auth.context_processors.auth",
    "django.contrib.messages.context_processors.messages",
]
_VALIDATORS: list[dict[str, Any]] = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
]
_MAIL_PORTS = {"smtps": 465, "smtp+starttls": 587, "smtp": 25}
"""How the way to a server of mail is protected (from the start, after a greeting, not at all), and its usual port."""
_YEAR = 365 * 24 * 3600


def with_accounts(base: Mapping[str, Any]) -> dict[str, Any]:
    """Return what is to be added to, or to replace in, the settings of a server without accounts.

    Raises:
        ImproperlyConfigured: If the environment names no usable database, key or origins, or agent mode is asked for.
    """
    if base["TURKLE_AGENT_MODE"]:
        raise ImproperlyConfigured("Agent mode keeps nothing: it cannot be combined with --annotate.")
    url = os.environ.get("DATABASE_URL", "").strip()
    processors = base["TEMPLATES"][0]["OPTIONS"]["context_processors"]
    return (
        {
            "INSTALLED_APPS": [*base["INSTALLED_APPS"], *_APPS],
            "MIDDLEWARE": [_FIRST, *base["MIDDLEWARE"], *_SESSIONS],
            "TEMPLATES": [
                base["TEMPLATES"][0] | {"OPTIONS": {"context_processors": [*processors, *_CONTEXT]}},
                *base["TEMPLATES"][1:],
            ],
            "DATABASES": {"default": database(url) if url else sqlite(data_folder() / DATABASE_FILE)},
            "SECRET_KEY": secret_key(data_folder()),
            "AUTH_PASSWORD_VALIDATORS": _VALIDATORS,
            "MESSAGE_STORAGE": "django.contrib.messages.storage.session.SessionStorage",
            "STATIC_URL": "/static/",
            "LOGIN_URL": "login",
            "LOGIN_REDIRECT_URL": "work",
            "LOGOUT_REDIRECT_URL": "login",
            # Cookies know no ports: another application of this machine may have a cookie of the usual name.
            "SESSION_COOKIE_NAME": "turkle_session",
            "SESSION_COOKIE_HTTPONLY": True,
            "SESSION_COOKIE_SAMESITE": "Lax",
            "CSRF_COOKIE_NAME": "turkle_csrf",
            "X_FRAME_OPTIONS": "DENY",
        }
        | _behind_a_proxy(base)
        | _mail(os.environ.get("MAIL_URL", "").strip())
    )


def _behind_a_proxy(base: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of a server that browsers reach by HTTPS, through a proxy that says so."""
    text = os.environ.get("TURKLE_ORIGINS", "").strip()
    if not text:
        return {}
    origins = tuple(origin.strip().rstrip("/") for origin in text.split(","))
    hosts = [_host(origin) for origin in origins]
    if len(hosts) != 2 or hosts[0] == hosts[1]:
        raise ImproperlyConfigured(
            "TURKLE_ORIGINS has to name two origins, for example https://work.example.org,https://pages.example.org."
        )
    return {
        "TURKLE_ORIGINS": origins,
        "ALLOWED_HOSTS": [*base["ALLOWED_HOSTS"], *hosts],
        "SECURE_PROXY_SSL_HEADER": ("HTTP_X_FORWARDED_PROTO", "https"),
        "SECURE_SSL_REDIRECT": True,
        "SECURE_HSTS_SECONDS": _YEAR,
        "SESSION_COOKIE_SECURE": True,
        "CSRF_COOKIE_SECURE": True,
        # A name that only the very host can set, and only by HTTPS.
        "SESSION_COOKIE_NAME": "__Host-turkle_session",
        "CSRF_COOKIE_NAME": "__Host-turkle_csrf",
        # Neighbours under the same domain are not ours to promise anything for, nor is a list built into browsers.
        "SILENCED_SYSTEM_CHECKS": ["security.W005", "security.W021"],
    }


def _mail(url: str) -> dict[str, Any]:
    """Settings of the server that takes mail; of none, if it is not named."""
    if not url:
        return {"TURKLE_MAIL": False}
    try:
        parts = urlsplit(url)
        port, sender = parts.port, dict(parse_qsl(parts.query)).get("from", "")
    except ValueError:
        parts, port, sender = urlsplit(""), None, ""
    if parts.scheme not in _MAIL_PORTS or not parts.hostname or "@" not in sender:
        # Whatever else stands there may be a password.
        raise ImproperlyConfigured(
            f"MAIL_URL cannot be used: give {'://, '.join(_MAIL_PORTS)}:// with user:password@host:port?from=ADDRESS, "
            "for example smtps://tasks:secret@mail.example.org?from=tasks@example.org, percent-encoded."
        )
    return {
        "TURKLE_MAIL": True,
        "EMAIL_HOST": parts.hostname,
        "EMAIL_PORT": port or _MAIL_PORTS[parts.scheme],
        "EMAIL_HOST_USER": unquote(parts.username or ""),
        "EMAIL_HOST_PASSWORD": unquote(parts.password or ""),
        "EMAIL_USE_SSL": parts.scheme == "smtps",
        "EMAIL_USE_TLS": parts.scheme == "smtp+starttls",
        "EMAIL_TIMEOUT": 20,
        "DEFAULT_FROM_EMAIL": sender,
    }


def _host(origin: str) -> str:
    parts = urlsplit(origin)
    if parts.scheme != "https" or not parts.hostname or f"https://{parts.netloc}" != origin or "@" in parts.netloc:
        raise ImproperlyConfigured(f"TURKLE_ORIGINS holds {origin!r}: an origin is https:// and a host name.")
    return parts.netloc
