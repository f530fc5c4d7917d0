"""Has the cards of the list made by a process beside the server, so that no page ever waits for a browser."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable, Iterable

from django.conf import settings

from harness.kit.files.installation import IMPORT_ROOT


def start_card_maker() -> subprocess.Popen[bytes]:
    """Start the process that makes the cards of the server's tasks."""
    words = [sys.executable, "-m", "harness.datasets.gallery.card_maker", str(settings.TURKLE_TASKS_DIR.absolute())]
    for option, folder in (("--overlay", settings.TURKLE_OVERLAY), ("--media", settings.TURKLE_MEDIA)):
        words += [option, str(folder.absolute())] if folder else []
    # Its standard input closes with this process, however that ends. Its standard output is nobody's.
    return subprocess.Popen(words, cwd=IMPORT_ROOT, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL)


class CardMaking:
    """Has one process make cards at a time, and each card once: what could not be made is not tried again."""

    def __init__(self, start: Callable[[], subprocess.Popen[bytes]] = start_card_maker) -> None:
        """Nothing is being made yet.

        Args:
            start: Starts the process.
        """
        self._start = start
        self._lock = threading.Lock()
        self._asked: set[str] = set()
        self._running: subprocess.Popen[bytes] | None = None

    def ask(self, keys: Iterable[str]) -> bool:
        """Have the cards made that are missing, unless that is going on; return whether it is.

        Args:
            keys: Of cards that are missing, by ``harness.catalog.card_store.card_key``.
        """
        with self._lock:
            if self._running and self._running.poll() is not None:
                with self._running:  # which closes its standard input
                    self._running = None
            wanted = set(keys) - self._asked
            if not self._running and wanted:
                self._asked |= wanted
                self._running = self._start()
            return bool(self._running)


_CARDS = CardMaking()


def ask_for_cards(keys: Iterable[str]) -> bool:
    """Have the cards made that are missing, unless the server makes none; return whether that is going on.

    Args:
        keys: As of ``CardMaking.ask``.
    """
    return settings.TURKLE_CARDS and _CARDS.ask(keys)
