"""Has the cards of the list made by a process beside the server, so that no page ever waits for a browser."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterable

from django.conf import settings

from harness.kit.files.installation import IMPORT_ROOT

_LOCK = threading.Lock()
_ASKED: set[str] = set()
"""Keys of cards that were asked for: what could not be made is not tried again until the server is started again."""
_running: list[subprocess.Popen[bytes]] = []


def ask_for_cards(keys: Iterable[str]) -> bool:
    """Have the cards made that are missing, unless that is going on; return whether it is.

    Args:
        keys: Of cards that are missing, by ``harness.catalog.card_store.card_key``.
    """
    if not settings.TURKLE_CARDS:
        return False
    with _LOCK:
        _running[:] = [process for process in _running if process.poll() is None]
        wanted = set(keys) - _ASKED
        if not _running and wanted:
            _ASKED.update(wanted)
            _running.append(_start())
        return bool(_running)


def _start() -> subprocess.Popen[bytes]:
    words = [sys.executable, "-m", "harness.datasets.gallery.card_maker", str(settings.TURKLE_TASKS_DIR.absolute())]
    for option, folder in (("--overlay", settings.TURKLE_OVERLAY), ("--media", settings.TURKLE_MEDIA)):
        words += [option, str(folder.absolute())] if folder else []
    # Its standard input closes with this process, however that ends. Its standard output is nobody's.
    return subprocess.Popen(words, cwd=IMPORT_ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)
