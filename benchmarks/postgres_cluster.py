"""A PostgreSQL server for a while: a new cluster in a folder of its own, by an unprivileged user, at a free port."""

from __future__ import annotations

import contextlib
import os
import pwd
import secrets
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import quote

from harness.kit.files.installation import installing

_PLACES = Path("/usr/lib/postgresql")
_OWNERS = ("postgres", "nobody")
"""As whom it runs if we are root, which it refuses to run as."""
_USER = "harness"


def missing() -> str:
    """Why there can be no server here, in one line; "" if there can be one."""
    if find_spec("psycopg") is None:
        return f"psycopg is missing ({installing('postgres')})"
    if _programs() is None:
        return "no PostgreSQL server in /usr/lib/postgresql (.ci/system-packages postgres)"
    return ""


@contextlib.contextmanager
def postgres_cluster(*, durable: bool = True) -> Iterator[str]:
    """Run a server while the context lasts.

    Args:
        durable: Whether it waits until what it writes is on the disk, as servers do that are not for tests.

    Yields:
        The address of an empty database, as ``DATABASE_URL`` takes it.
    """
    programs = _programs()
    assert programs is not None, missing()
    owner = _owner()
    password, port = secrets.token_hex(16), _free_port()
    folder = Path(tempfile.mkdtemp(prefix="harness-postgres-"))
    try:
        secret = folder / "password"
        secret.write_text(password)
        if owner:
            for path in (folder, secret):
                shutil.chown(path, owner.pw_uid, owner.pw_gid)
        data, log = str(folder / "data"), str(folder / "log")
        made = ["--auth=scram-sha-256", f"--pwfile={secret}", f"--username={_USER}", "--encoding=UTF8", "--no-locale"]
        _run(owner, folder, programs / "initdb", ["--pgdata", data, "--no-sync", *made])
        options = f"-c listen_addresses=127.0.0.1 -p {port} -k {folder} -c max_connections=300"
        if not durable:
            options += " -c fsync=off -c synchronous_commit=off -c full_page_writes=off"
        _run(owner, folder, programs / "pg_ctl", ["start", "--wait", "-D", data, "-l", log, "-o", options])
        try:
            yield f"postgres://{_USER}:{quote(password)}@127.0.0.1:{port}/postgres"
        finally:
            _run(owner, folder, programs / "pg_ctl", ["stop", "--wait", "-D", data, "--mode=immediate"])
    finally:
        shutil.rmtree(folder)


def _programs() -> Path | None:
    """The folder of the newest server's programs."""
    found = [place for place in _PLACES.glob("*/bin") if (place / "initdb").exists() and (place / "pg_ctl").exists()]
    return max(found, key=lambda place: float(place.parent.name), default=None)


def _owner() -> pwd.struct_passwd | None:
    """Who it runs as, None for who we are."""
    if os.geteuid() != 0:
        return None
    known = {entry.pw_name: entry for entry in pwd.getpwall()}
    return next(known[name] for name in _OWNERS if name in known)


def _run(owner: pwd.struct_passwd | None, folder: Path, program: Path, arguments: Sequence[str]) -> None:
    as_whom = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": ()} if owner else {}
    # Not by a pipe: the server that pg_ctl leaves behind would hold it open.
    with (folder / f"{program.name}.out").open("ab") as out:
        done = subprocess.run(
            [str(program), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=subprocess.STDOUT,
            check=False,
            cwd=folder,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C"},
            **as_whom,  # type: ignore[call-overload]
        )
    if done.returncode:
        said = (folder / f"{program.name}.out").read_text(errors="replace")
        raise RuntimeError(f"{program.name} ended with {done.returncode}: {said}")


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port
