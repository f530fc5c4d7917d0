"""``python manage.py serve``: the task server on a production-grade WSGI server."""

from __future__ import annotations

import contextlib
import ipaddress
import os
import signal
import socket
import sys
import threading
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Mapping
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

import waitress
from django.apps import apps
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.core.wsgi import get_wsgi_application

from harness.catalog.mirror import Mirror
from harness.catalog.overlay import overlay_file
from harness.catalog.tasks_folder import no_tasks
from harness.kit.errors import UserError
from harness.kit.text import counted
from harness.run.memory import give_back_early
from turkle_app.tasks import catalog

THREADS = 8
# A browser keeps up to six connections to a server open; a run may have many browsers.
CONNECTIONS = 500
LAST_PORT = 65535
MOST_TRIED = 100
"""Ports behind that of people that are tried for pages."""
_WRONG_USE = 2


class Command(BaseCommand):
    """Serve a task set until the process is told to end."""

    help = "Serves the tasks of a folder: pages for people, or with --agent bare pages and nothing else."
    # What the checks would find is said in one line instead, once the options are known.
    requires_system_checks = []  # noqa: RUF012 - declared so by Django

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options; those left out come from the environment."""
        parser.add_argument("--tasks-dir", type=Path, metavar="DIR", help="the folder that holds the task folders")
        parser.add_argument(
            "--overlay",
            type=overlay_file,
            metavar="FILE",
            help="facts about tasks: a JSON file, or the name of a known task set",
        )
        parser.add_argument(
            "--network",
            choices=settings.NETWORKS,
            help="where outside addresses in pages lead: mirror leads them to this server; live and "
            "none leave them as they are (default: mirror)",
        )
        parser.add_argument(
            "--media", type=Path, metavar="DIR", help="copies of remote media, as `wget -x` lays them out"
        )
        parser.add_argument(
            "--runs", type=Path, metavar="DIR", help="a folder of run directories, or one run directory, to look at"
        )
        parser.add_argument("--record", type=Path, metavar="DIR", help="folder into which people record website tasks")
        parser.add_argument(
            "--annotate", action="store_true", help="let people do tasks: accounts, and answers in a database"
        )
        parser.add_argument(
            "--database",
            metavar="URL",
            help="the database: sqlite:///... or postgres://... (default: a file in your data folder)",
        )
        parser.add_argument("--host", default="127.0.0.1", help="the address to listen at (default: %(default)s)")
        parser.add_argument(
            "--port",
            type=_port,
            default=8000,
            help="port to listen at; 0 takes a free one; in browse mode task pages use the next free "
            "port (default: %(default)s)",
        )
        parser.add_argument(
            "--agent", action="store_true", help="agent mode: serve the pages for agents and nothing else"
        )
        parser.add_argument("--exit-with-parent", action="store_true", help="stop when standard input is closed")

    def handle(self, *_args: object, **options: Any) -> None:
        """Serve.

        Raises:
            CommandError: With exit status 2, if the folder, the overlay, the host or the port cannot be used.
        """
        give_back_early()
        for number in (signal.SIGTERM, signal.SIGINT):
            signal.signal(number, _end_on_signal)
        if options["exit_with_parent"]:
            threading.Thread(target=_end_with_stdin, name="exit-with-parent", daemon=True).start()
        _configure(options)
        _check_runs(options["runs"])
        if options["record"] and settings.TURKLE_AGENT_MODE:
            raise CommandError("Agents record nothing: leave out --record or --agent", returncode=_WRONG_USE)
        if settings.TURKLE_MEDIA and not settings.TURKLE_MEDIA.is_dir():
            raise CommandError(f"--media {settings.TURKLE_MEDIA} is not a folder", returncode=_WRONG_USE)
        try:
            count = len(catalog().names())
            Mirror.load()
        except UserError as error:
            raise CommandError(str(error), returncode=_WRONG_USE) from error
        if settings.TURKLE_ANNOTATION:
            self._prepare_database()
        listeners = _listeners(options["host"], options["port"])
        server = waitress.create_server(
            get_wsgi_application(),
            sockets=listeners,
            threads=THREADS,
            connection_limit=CONNECTIONS,
            max_request_body_size=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
            ident=None,
            # What a proxy says of a request is believed where one is configured, and taken away otherwise.
            clear_untrusted_proxy_headers=not settings.TURKLE_ORIGINS,
        )
        ports = [listener.getsockname()[1] for listener in listeners]
        mode = "agent mode" if settings.TURKLE_AGENT_MODE else f"browse mode, pages from port {ports[1]}"
        host = f"[{options['host']}]" if ":" in options["host"] else options["host"]
        tasks = counted(count, "task")
        address = f"http://{host}:{ports[0]}/"
        self.stdout.write(f"Serving {tasks} at {address} ({mode})")
        self.stdout.flush()
        if settings.TURKLE_ANNOTATION:
            self._note_address(listeners[0].getsockname()[0], ports[0])
        if not count:
            self.stderr.write(no_tasks(settings.TURKLE_TASKS_DIR))
        if settings.TURKLE_RUNS_DIR and not settings.TURKLE_AGENT_MODE:
            viewer: Any = apps.get_app_config("viewer")
            threading.Thread(target=viewer.prepare, name="prepare-pages", daemon=True).start()
        server.run()

    def _note_address(self, host: str, port: int) -> None:
        from turkle_app.annotation.prepared import note_server  # noqa: PLC0415 - only with it

        address = ipaddress.ip_address(host)
        if address.is_unspecified:  # it listens at all addresses of this machine, and this is no address to go to
            address = ipaddress.ip_address("127.0.0.1" if address.version == 4 else "::1")
        note_server(f"http://[{address}]:{port}" if address.version == 6 else f"http://{address}:{port}")

    def _prepare_database(self) -> None:
        from turkle_app.annotation.prepared import DatabaseUnusable, bring_up_to_date  # noqa: PLC0415 - only with it

        try:
            done = bring_up_to_date()
        except DatabaseUnusable as error:
            raise CommandError(str(error), returncode=_WRONG_USE) from error
        if done:
            self.stderr.write(done)


def _port(text: str) -> int:
    if not text.isdecimal() or int(text) > LAST_PORT:
        raise ArgumentTypeError(f"{text!r} is no port: a port is a number from 0 to 65535")
    return int(text)


def _configure(options: Mapping[str, Any]) -> None:
    """Complete the settings by the command line, before anything has used them."""
    for option in ("tasks_dir", "overlay", "network", "media"):
        if options[option] is not None:
            setattr(settings, f"TURKLE_{option.upper()}", options[option])
    if options["agent"]:
        settings.TURKLE_AGENT_MODE = True
        settings.ROOT_URLCONF = "turkle_app.agent_urls"
    host = options["host"]
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, f"[{host}]" if ":" in host else host]


def _check_runs(folder: Path | None) -> None:
    """See that runs can be shown if they are asked for; raises ``CommandError``."""
    if folder is None:
        return
    if settings.TURKLE_AGENT_MODE:
        raise CommandError("Agents are not shown runs: leave out --runs or --agent", returncode=_WRONG_USE)
    if not folder.is_dir():
        raise CommandError(f"--runs {folder} is not a folder", returncode=_WRONG_USE)


def _listeners(host: str, port: int) -> list[socket.socket]:
    """Listen where people come, and in browse mode at the next free port, too: for strangers' pages."""
    listeners = [_listen(host, port)]
    settings.TURKLE_LOOPBACK = ipaddress.ip_address(listeners[0].getsockname()[0]).is_loopback
    if not settings.TURKLE_AGENT_MODE:
        listeners.append(_listen_next(host, listeners[0].getsockname()[1] if port else 0))
        people, pages = (listener.getsockname()[1] for listener in listeners)
        settings.TURKLE_PORTS = (people, pages)
    return listeners


def _listen_next(host: str, port: int) -> socket.socket:
    """Listen at the first free port behind ``port``, at any if it is 0."""
    if not port:
        return _listen(host, 0)
    for candidate in range(port + 1, min(port + MOST_TRIED, LAST_PORT) + 1):
        with contextlib.suppress(CommandError):
            return _listen(host, candidate)
    message = f"No port behind {port} is free for the pages of tasks. Choose another --port, or 0 for any."
    raise CommandError(message, returncode=_WRONG_USE)


def _listen(host: str, port: int) -> socket.socket:
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        return socket.create_server(address[:2], family=family, backlog=1024)
    except OSError as error:
        # Python adds the address to what the system says, but not always.
        reason = error.strerror if isinstance(error, socket.gaierror) else os.strerror(error.errno or 0)
        message = f"Cannot listen at {host}, port {port}: {reason}. Choose another --port or --host."
        raise CommandError(message, returncode=_WRONG_USE) from error


def _end_on_signal(_number: int, _frame: FrameType | None) -> NoReturn:
    _end()


def _end_with_stdin() -> NoReturn:
    """Wait until the pipe from the parent closes, as it does even when the parent is killed."""
    while os.read(sys.stdin.fileno(), 4096):
        pass
    _end()


def _end() -> NoReturn:
    # What is kept is in a database, which is whole at any moment; a slow answer must not delay the end.
    os._exit(0)
