"""The key that signs sessions, links and the addresses of sheets: made once, kept where its owner alone can read it."""

from __future__ import annotations

import contextlib
import os
import stat
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured
from django.core.management.utils import get_random_secret_key

_FILE = "secret-key"


def secret_key(folder: Path) -> str:
    """Return the key in a folder, made if there is none.

    Raises:
        ImproperlyConfigured: If it cannot be read or written, or others can read it.
    """
    file = folder / _FILE
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError):
            _make(file)
        mode = stat.S_IMODE(file.stat().st_mode)
        key = file.read_text(encoding="ascii").strip()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not text"
        raise ImproperlyConfigured(f"{file} cannot be used: {reason}. Mend it, or remove it.") from error
    if mode & 0o077:
        raise ImproperlyConfigured(f"{file} can be read by others: run chmod 600 on it, or remove it for a new key.")
    if len(key) < 50:
        raise ImproperlyConfigured(f"{file} holds no key: remove it for a new one.")
    return key


def _make(file: Path) -> None:
    """Write a new key beside the file and link it there, so that of two processes both read the same, whole one."""
    if file.exists():
        raise FileExistsError
    temporary = file.with_name(f".{_FILE}.{os.getpid()}.part")
    descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as stream:
            stream.write(get_random_secret_key() + "\n")
        os.link(temporary, file)
    finally:
        temporary.unlink()
