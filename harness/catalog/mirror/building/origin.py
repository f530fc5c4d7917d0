"""Files from their original addresses, where the network allows it."""

from __future__ import annotations

import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterable
from http.client import HTTPException

from harness.catalog.mirror.addresses import absolute, split
from harness.catalog.mirror.building.packages import Unavailable

_SECONDS = 6
_LARGEST = 32 * 1024 * 1024
# Font services give today's formats to browsers that know them.
_HEADERS = {
    "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/120 Safari/537.36"
}


class Origin:
    """The web. A host that did not answer is not asked again."""

    def __init__(self) -> None:
        self._got: dict[str, bytes] = {}
        self._silent: dict[str, str] = {}

    def try_hosts(self, urls: Iterable[str]) -> None:
        """Ask for one address of each host, all at once, to learn which hosts answer.

        On a closed network a look-up of a name takes seconds and cannot be broken off; one after the other, they would
        take minutes.
        """
        first = {_host(url): url for url in reversed(list(urls))}
        threads = {host: threading.Thread(target=self._try, args=(url,), daemon=True) for host, url in first.items()}
        for thread in threads.values():
            thread.start()
        until = time.monotonic() + _SECONDS
        for host, thread in threads.items():
            thread.join(max(0.0, until - time.monotonic()))
            if thread.is_alive():
                self._silent.setdefault(host, f"no answer within {_SECONDS} seconds")

    def _try(self, url: str) -> None:
        try:
            self._got[url] = self._ask(url)
        except Unavailable:
            return  # noted by host, where it was the host

    def fetch(self, url: str) -> bytes:
        """Return what is at an address.

        Raises:
            Unavailable: If it cannot be had.
        """
        if url in self._got:
            return self._got.pop(url)
        return self._ask(url)

    def _ask(self, url: str) -> bytes:
        host = _host(url)
        if host in self._silent:
            raise Unavailable(f"{host}: {self._silent[host]}")
        request = urllib.request.Request(absolute(url), headers=_HEADERS)  # noqa: S310 - http or https, see `split`
        try:
            with urllib.request.urlopen(request, timeout=_SECONDS) as answer:  # noqa: S310
                data: bytes = answer.read(_LARGEST + 1)
        except urllib.error.HTTPError as error:
            raise Unavailable(f"{host}: status {error.code}") from error
        except (OSError, HTTPException, ValueError) as error:
            reason = getattr(error, "reason", None) or error
            self._silent[host] = str(getattr(reason, "strerror", None) or reason)
            raise Unavailable(f"{host}: {self._silent[host]}") from error
        if len(data) > _LARGEST:
            raise Unavailable(f"{host}: more than {_LARGEST} bytes")
        return data


def _host(url: str) -> str:
    parts = split(url)
    return parts.hostname or "" if parts else ""
