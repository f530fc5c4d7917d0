"""The task server of a run: started in agent mode on a free port, or one that runs already and is checked."""

from __future__ import annotations

import contextlib
import http.client
import json
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Protocol

from harness.catalog.template.wrapping import ACCEPTED
from harness.kit.errors import UserError
from harness.kit.files.installation import BASIC, IMPORT_ROOT, PYTHON, allowed, to_type, without_caller
from harness.kit.files.writing import url_name
from harness.records.config import RunConfig
from harness.run.site_control import CONTROL_KEY

START_SECONDS = 60
_STOP_SECONDS = 10
_VERSION = 3
"""Of the marker and of the addresses of agent pages (``turkle_app.agents``)."""


class ServerRefused(UserError):
    """A server cannot be started or used; the message says why and what to do."""


class HasPage(Protocol):
    """An instance, or what stands for one.

    Attributes:
        task: The task's name.
        index: Its place in the task's file.
    """

    @property
    def task(self) -> str:
        """See above."""

    @property
    def index(self) -> int:
        """See above."""


def page_url(origin: str, instance: HasPage) -> str:
    """The stable address of an instance's bare page, as AMT's of an accepted assignment."""
    return f"{origin}/page/{url_name(instance.task)}/{instance.index}/?{ACCEPTED}"


def start_server(command: list[str], environment: Mapping[str, str], complaints: IO[str]) -> subprocess.Popen[str]:
    """Start the process of a task server, out of reach of a Ctrl-C at the terminal.

    Args:
        command: Its program and arguments.
        environment: All that it is given of it.
        complaints: Where its standard error goes.
    """
    return subprocess.Popen(
        command,
        cwd=IMPORT_ROOT,
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=complaints,
        text=True,
        start_new_session=True,
    )


@contextlib.contextmanager
def own_server(
    tasks_dir: Path,
    overlay: Path | None,
    *,
    network: str = "mirror",
    media: Path | None = None,
    control_key: str = "",
    cache: Path | None = None,
    address: str | None = None,
) -> Iterator[str]:
    """Serve a task folder in agent mode for as long as the context lasts; gives the origin.

    The server is a process of its own. It ends with this one however that ends, since it watches the pipe between them;
    a Ctrl-C at the terminal does not reach it, so that episodes under way can finish.

    Args:
        tasks_dir: The folder of task folders.
        overlay: Facts about them; None for none.
        network: What becomes of outside addresses in pages: "mirror", "live" or "none".
        media: A folder with local copies of remote media; None for none.
        control_key: Opens the control API of the bundled sites (``harness.run.site_control``); empty to keep it shut.
        cache: The folder of the cache that the mirror is taken from, as ``XDG_CACHE_HOME`` names it; None for the
            user's.
        address: Where it listens instead of on 127.0.0.1.

    Raises:
        ServerRefused: it does not start.
    """
    command = [
        sys.executable,
        *without_caller("serve"),
        "--agent",
        "--exit-with-parent",
        "--port",
        "0",
    ]
    command += ["--tasks-dir", str(tasks_dir.resolve())]
    command += ["--network", network]
    if address:
        command += ["--host", address]
    if overlay:
        command += ["--overlay", str(overlay.resolve())]
    if media:
        command += ["--media", str(media.resolve())]
    environment = allowed((*BASIC, *PYTHON)) | ({CONTROL_KEY: control_key} if control_key else {})
    environment |= {"XDG_CACHE_HOME": str(cache)} if cache else {}
    # Not a pipe: nobody reads it during the run, and a full one would stop the server.
    with (
        tempfile.TemporaryFile("w+", errors="replace") as complaints,
        start_server(command, environment, complaints) as process,
    ):
        try:
            yield _origin_of(process, complaints)
        finally:
            process.terminate()
            try:
                process.wait(_STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()


def _origin_of(process: subprocess.Popen[str], complaints: IO[str]) -> str:
    for line in process.stdout or ():
        words = line.split()
        address = next((word for word in words if word.startswith("http://")), None)
        if address:
            return address.rstrip("/")
    process.wait()
    complaints.seek(0)
    raise ServerRefused(f"the task server does not start: {complaints.read().strip()[-500:]}")


@contextlib.contextmanager
def task_server(config: RunConfig, fingerprint: Callable[[], str], *, control_key: str = "") -> Iterator[str]:
    """The task server that a run asks for, for as long as the context lasts: one of its own, or one that runs already.

    Args:
        config: Of the run.
        fingerprint: Gives the hash of all tasks of its folder.
        control_key: As of ``own_server``; none for a run of forms.

    Yields:
        The server's origin.

    Raises:
        ServerRefused: it does not start, or is not fit for the run.
    """
    if config.server:
        origin = config.server.rstrip("/")
        check_agent_mode(origin, fingerprint(), config.network)
        yield origin
    else:
        with own_server(
            config.tasks_dir,
            config.overlay,
            network=config.network,
            media=config.media,
            control_key=control_key,
            address=config.serve_at,
        ) as origin:
            yield origin


def check_agent_mode(origin: str, fingerprint: str | None, network: str = "mirror") -> None:
    """Make sure that a running server is fit for agents: agent pages only, and the same tasks.

    Args:
        origin: E.g. ``http://127.0.0.1:8000``.
        fingerprint: The hash of the task set that it has to serve; None for any.
        network: What it has to make of outside addresses in pages.

    Raises:
        ServerRefused: it is not reachable, serves pages for people (which show labels), other tasks, or pages with
            other addresses.
    """
    try:
        with _open(f"{origin}/agent-mode/") as answer:
            marker = json.load(answer)
        root = _status(f"{origin}/")
    except (OSError, ValueError, http.client.HTTPException) as error:
        raise ServerRefused(f"no task server answers at {origin}: {error}") from error
    if not isinstance(marker, dict) or marker.get("version") != _VERSION:
        raise ServerRefused(f"the server at {origin} is no task server of this version of turkbench")
    if not marker.get("agent_mode") or root != 404:
        raise ServerRefused(
            f"the server at {origin} is not in agent mode: its pages for people show labels. "
            f"Start it with `{to_type('serve', '--agent')}`"
        )
    if fingerprint and marker.get("tasks") != fingerprint:
        raise ServerRefused(f"the server at {origin} serves other tasks than --tasks-dir and --overlay name")
    if marker.get("network") != network:
        raise ServerRefused(
            f"the server at {origin} runs with --network {marker.get('network')}, the run with --network {network}: "
            "give both the same"
        )


def _status(url: str) -> int:
    try:
        with _open(url) as answer:
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def _open(url: str):  # type: ignore[no-untyped-def]  # noqa: ANN202 - urllib gives no better type
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    return opener.open(url, timeout=START_SECONDS)
