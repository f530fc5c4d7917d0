"""Django settings of the task server.

The server shows task folders, and runs if it is told where, and keeps nothing: no database, no sessions, no users, no
uploads. What it needs to know comes from the environment, or from the options of ``python manage.py serve``, which win:

    TURKLE_TASKS_DIR      the folder of task folders (default: the tasks that come with the project)
    TURKLE_OVERLAY        a JSON file with facts about tasks whose files we do not own (default: none)
    TURKLE_AGENT_MODE     1 to serve agent pages and nothing else (default: 0)
    TURKLE_NETWORK        what becomes of outside addresses in pages: mirror, live or none (default: mirror)
    TURKLE_MEDIA          a folder with copies of remote pictures, videos, sounds and frames (default: none)
    TURKLE_RUNS_DIR       a folder of run directories, or one of them, for people to look at (default: none)
    TURKLE_RECORD_DIR     a folder into which tasks are recorded by people; it is made (default: none, and no recording)
    TURKLE_CONTROL_KEY  the key of the bundled sites' control, for runs (default: none, and so no control)
    TURKLE_CARDS          0 to have no browser make pictures of the tasks for the list (default: 1, where it is served)
    TURKLE_ALLOWED_HOSTS  further host names, separated by commas, under which browsers may reach the server

Only with TURKLE_ANNOTATION=1, or ``--annotate``, is there a database, and accounts; see ``annotation/`` for what that
adds to these settings.
"""

from __future__ import annotations

import os
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

from harness.kit.files.installation import BUNDLED_TASKS
from turkle_app.sites.registry import HOSTS as SITE_HOSTS


def _switch(name: str) -> bool:
    value = os.environ.get(name, "").strip().lower()
    if value in {"1", "true", "yes", "on"}:
        return True
    if value in {"", "0", "false", "no", "off"}:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}: set it to 1 or 0.")


def _choice(name: str, choices: tuple[str, ...]) -> str:
    value = os.environ.get(name, "").strip().lower() or choices[0]
    if value not in choices:
        raise ImproperlyConfigured(f"{name} is {value!r}: set it to one of {', '.join(choices)}.")
    return value


TURKLE_TASKS_DIR: Path = Path(os.environ.get("TURKLE_TASKS_DIR") or BUNDLED_TASKS)
TURKLE_OVERLAY: Path | None = Path(os.environ["TURKLE_OVERLAY"]) if os.environ.get("TURKLE_OVERLAY") else None
TURKLE_AGENT_MODE: bool = _switch("TURKLE_AGENT_MODE")
# mirror: led to this server. live and none: left as they are; whether a browser may follow them is its own business.
NETWORKS = ("mirror", "live", "none")
TURKLE_NETWORK: str = _choice("TURKLE_NETWORK", NETWORKS)
TURKLE_MEDIA: Path | None = Path(os.environ["TURKLE_MEDIA"]) if os.environ.get("TURKLE_MEDIA") else None
TURKLE_RUNS_DIR: Path | None = Path(os.environ["TURKLE_RUNS_DIR"]) if os.environ.get("TURKLE_RUNS_DIR") else None
TURKLE_RECORD_DIR: Path | None = Path(os.environ["TURKLE_RECORD_DIR"]) if os.environ.get("TURKLE_RECORD_DIR") else None
# What is recorded from the start, as JSON: arguments of `harness.sites.recording.order.order_of`, given by
# `turkbench tasks record`.
TURKLE_RECORD_BEGIN: str = os.environ.get("TURKLE_RECORD_BEGIN", "")
# Whether there are accounts; see `turkle_app.access`.
TURKLE_ANNOTATION: bool = _switch("TURKLE_ANNOTATION")
# Whether mail can be sent, for new passwords.
TURKLE_MAIL: bool = False
# Whether only this machine reaches the server, which `serve` sees by the address that it listens at.
TURKLE_LOOPBACK: bool = False
# Whether a process beside the server makes what the list shows of tasks; `serve` and `runserver` say so by default.
TURKLE_CARDS: bool = _switch("TURKLE_CARDS")
# The ports of people and of pages, where `serve` listens at two; None: one for both.
TURKLE_PORTS: tuple[int, int] | None = None
# The origins of people and of pages, where browsers come through a proxy with a name for each; None: see the ports.
TURKLE_ORIGINS: tuple[str, str] | None = None

DEBUG = False
# Nothing is signed for longer than a process lives, so no secret needs to be kept anywhere.
SECRET_KEY = get_random_secret_key()

# A page somewhere else whose name resolves to this machine (DNS rebinding) must not read what is served here.
# Under the names of sites nothing but the sites is served (`sites/hosts.py`).
ALLOWED_HOSTS = ["localhost", "127.0.0.1", "[::1]", *SITE_HOSTS]
ALLOWED_HOSTS += [host.strip() for host in os.environ.get("TURKLE_ALLOWED_HOSTS", "").split(",") if host.strip()]

INSTALLED_APPS = [__name__.rpartition(".")[0]]
# Who only browses tasks, and agents, get by without what reads runs.
if TURKLE_RUNS_DIR and not TURKLE_AGENT_MODE:
    INSTALLED_APPS.append("turkle_app.viewer")
if TURKLE_RECORD_DIR and not TURKLE_AGENT_MODE:
    INSTALLED_APPS.append("turkle_app.recording")
# CommonMiddleware checks the host name and adds a missing final slash. The forms of strangers' templates have no token
# against forged requests: their views are exempt, and what they post is never kept.
MIDDLEWARE = [
    "turkle_app.middleware.bodiless_head",  # first, so that the length of the body is known when it goes
    "turkle_app.sites.hosts.by_host",
    "turkle_app.origins.keep_apart",
    "turkle_app.middleware.bounded_body",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_FAILURE_VIEW = "turkle_app.errors.forged_request"
X_FRAME_OPTIONS = "SAMEORIGIN"
ROOT_URLCONF = "turkle_app.agent_urls" if TURKLE_AGENT_MODE else "turkle_app.urls"
WSGI_APPLICATION = "turkle_app.wsgi.application"
TEMPLATES = [
    {
        "BACKEND": "turkle_app.templating.SendableTemplates",
        "NAME": "people",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": ["django.template.context_processors.request", "turkle_app.navigation.navigation"]
        },
    },
    {
        "BACKEND": "turkle_app.templating.SendableTemplates",
        "NAME": "sites",
        "DIRS": [str(folder) for folder in sorted(Path(__file__).parent.glob("sites/*/templates"))],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "turkle_app.sites.pages.in_every_page",
            ],
            "builtins": ["turkle_app.sites.filters"],
        },
    },
]

DATABASES: dict[str, dict[str, str]] = {}
USE_I18N = False
USE_TZ = True
TIME_ZONE = "UTC"

# A form may carry a drawing or a long list of boxes. Its files stay in memory and go with the request; of a form that
# is larger than the handler takes, Django would drop the files without a word.
DATA_UPLOAD_MAX_MEMORY_SIZE = 32 * 1024 * 1024
FILE_UPLOAD_MAX_MEMORY_SIZE = DATA_UPLOAD_MAX_MEMORY_SIZE
DATA_UPLOAD_MAX_NUMBER_FIELDS = 20_000
FILE_UPLOAD_HANDLERS = ["django.core.files.uploadhandler.MemoryFileUploadHandler"]

# Errors of the server go to its own stderr; the page that a browser gets never holds a traceback.
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "%(levelname)s %(name)s: %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "loggers": {
        # Warnings are of no use to a run: every address that is not there, every moment in which all threads are busy.
        name: {"handlers": ["stderr"], "level": "ERROR", "propagate": False}
        for name in ("django", "waitress")
    },
}

if TURKLE_ANNOTATION:
    from turkle_app.annotation.database_settings import with_accounts  # only here: all else is without a store

    globals().update(with_accounts(globals()))
