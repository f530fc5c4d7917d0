"""Boxes that are containers of an image of the user's: the command line of docker or podman."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from harness.browser.box.probing import failure_of

ENGINES = ("docker", "podman")
"""Programs that run containers; the first that is there is used."""
PYTHON = "python3"
"""What an image has to have."""
OF_THIS_MACHINE = frozenset(
    {"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "VIRTUAL_ENV", "PYTHONPATH", "NODE_PATH"}
    | {"LD_LIBRARY_PATH", "SSL_CERT_FILE", "SSL_CERT_DIR"}
)
"""Variables that say where something is here, and mean nothing in an image."""
TMP = Path("/tmp")  # noqa: S108 - of the container
NOBODY = 65534
"""Whom a program is in the container if we are root."""
_REMOVE_SECONDS = 30.0


def engine() -> str | None:
    """The program that runs containers; None if there is none."""
    return next(filter(None, map(shutil.which, ENGINES)), None)


def why_not() -> str:
    """Why there can be no container on this machine; empty if there can."""
    found = engine()
    return failure_of([found, "info"]) if found else f"neither {' nor '.join(ENGINES)} is installed"


def new_name() -> str:
    """A name for a container."""
    return f"harness-{secrets.token_hex(8)}"


def owner() -> tuple[int, int]:
    """User and group of programs in a container; root is nobody there."""
    return (os.getuid(), os.getgid()) if os.getuid() else (NOBODY, NOBODY)


def command_line(
    name: str,
    image: str,
    mounts: Iterable[tuple[Path, Path, bool]],
    environment: Mapping[str, str],
    first: Sequence[str],
) -> list[str]:
    """What starts a program in a container without a network, whose own files cannot be written.

    Args:
        name: Of the container.
        image: The image.
        mounts: Path outside, path in the container, and whether it can be written there.
        environment: The variables that the program is to have; their values are in the environment of the engine, not
            in its command line, which everybody can read.
        first: Arguments of ``PYTHON``.
    """
    found = engine() or ENGINES[0]
    user, group = owner()
    keeps_id = ["--userns", "keep-id"] if Path(found).name == "podman" and os.getuid() else []
    volumes = [f"{outside}:{inside}:{'rw' if writable else 'ro'}" for outside, inside, writable in mounts]
    # fmt: off
    return [
        found, "run", "--rm", "--interactive", "--name", name, "--network", "none", "--read-only", "--tmpfs", str(TMP),
        "--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--user", f"{user}:{group}", *keeps_id,
        *(word for volume in volumes for word in ("--volume", volume)),
        *(word for variable in sorted(environment) for word in ("--env", variable)),
        "--entrypoint", PYTHON, image, *first,
    ]
    # fmt: on


def remove(name: str) -> None:
    """End a container if it is there still."""
    subprocess.run(
        [engine() or ENGINES[0], "rm", "--force", name],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=_REMOVE_SECONDS,
        check=False,
    )
