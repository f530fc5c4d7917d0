"""One connection to a provider: the library's client over an HTTP client whose calls end in time."""

from __future__ import annotations

import encodings.idna  # noqa: F401 - else at the first call, in each process that is forked
import math
import os
import ssl
import threading
import time
import weakref
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar, Generic, TypeVar

import httpcore2  # noqa: F401 - as above, by httpx2
import httpx2

from harness.models.client import ModelError
from harness.models.messages import Reply, Request
from harness.models.providers.failures import ProviderServer
from harness.models.providers.omissions import Omissions, Unsupported, named
from harness.models.providers.surroundings import is_loopback, without_own_variables

T = TypeVar("T")

_NO_KEY = "none"
"""Sent where a server needs no key: libraries insist on one."""

MOST_BYTES = 16 * 2**20
"""Of an answer: many times what the longest reply takes."""


def as_it_is(timeout: float, headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """What makes ``post`` of a provider's library hand on a body unread, and its answer, too.

    Its typed methods go through every value of every message and tool first, which takes several milliseconds a call.

    Args:
        timeout: Seconds for all of the call.
        headers: Sent beside the library's own.
    """
    return {"cast_to": httpx2.Response, "options": {"timeout": timeout, "headers": headers or {}}}


class Session(Generic[T]):
    """Makes a library's client at its first use in each process, and closes its connections when it is dropped.

    A connection that was made before a fork would be shared by two processes, and each would read the other's answers.

    Args:
        build: Makes the library's client over an HTTP client.
        base_url: The server's address.
    """

    def __init__(self, build: Callable[[httpx2.Client], T], base_url: str) -> None:
        self._build = build
        # What stays on this machine goes through no proxy, whatever the environment says.
        self._heeds_proxies = not is_loopback(base_url)
        self._omissions = Omissions()
        self._lock = threading.Lock()
        self._live: tuple[int, T, weakref.finalize[..., Session[T]]] | None = None

    def library(self) -> T:
        """The library's client in this process."""
        with self._lock:
            if self._live is None or self._live[0] != os.getpid():
                http = httpx2.Client(
                    event_hooks={"request": [_start], "response": [_limit]},
                    headers={"Accept-Encoding": "identity"},  # a few packed bytes can become any number
                    trust_env=self._heeds_proxies,
                    verify=_trusted(),
                )
                with without_own_variables():
                    library = self._build(http)
                self._live = (os.getpid(), library, weakref.finalize(self, http.close))
            return self._live[1]

    def ask(
        self, request: Request, timeout: float, send: Callable[[T, Request, frozenset[str], float], Reply]
    ) -> Reply:
        """Ask, without the parameters that the server refuses.

        Args:
            request: What to ask.
            timeout: Seconds for all of it.
            send: Asks by the library's client, without the parameters and within the seconds that it is given; see
                ``Omissions.ask``, whose errors pass.
        """
        library = self.library()
        return self._omissions.ask(request, timeout, lambda without, seconds: send(library, request, without, seconds))

    def close(self) -> None:
        """End the connections of this process; the next use makes new ones."""
        with self._lock:
            if self._live is not None and self._live[0] == os.getpid():
                self._live[2]()
                self._live = None


class LibraryClient(ABC, Generic[T]):
    """A ``Client`` that asks by its provider's library.

    Args:
        base_url: The server's address; by default the provider's own.
        key: The key; None if the server needs none.
        key_name: The environment variable that it is from, for messages.

    Attributes:
        ADDRESS: The provider's own address.
        REFUSES: The statuses with which it refuses a parameter that a model does not take.
    """

    ADDRESS: ClassVar[str]
    REFUSES: ClassVar[tuple[int, ...]] = (400,)

    def __init__(self, base_url: str = "", key: str | None = None, key_name: str = "") -> None:
        base_url = base_url or self.ADDRESS
        self._server = ProviderServer(base_url, key_name)
        # Not a bound method: a session that its client refers to ends with it, at once.
        self._session = Session(partial(type(self)._library, base_url, key or _NO_KEY), base_url)

    def complete(self, request: Request, *, timeout: float) -> Reply:
        """As ``Client.complete``."""
        return self._session.ask(request, timeout, self._ask)

    def close(self) -> None:
        """End the connections."""
        self._session.close()

    @staticmethod
    @abstractmethod
    def _library(base_url: str, key: str, http: httpx2.Client) -> T:
        """Make the library's client, which tries nothing again by itself."""

    @abstractmethod
    def _ask(self, library: T, request: Request, without: frozenset[str], timeout: float) -> Reply:
        """Ask once, without the parameters that are named."""

    def _refusal(
        self,
        model: str,
        status: int,
        sent: Iterable[str],
        *,
        code: str,
        message: str,
        headers: Mapping[str, str],
        body: object,
        parameter: str = "",
    ) -> ModelError:
        """What an answer with an error means; ``Unsupported`` where it refuses a parameter of those that were sent."""
        told = self._server.failure(model, status, code=code, message=message, headers=headers, body=body)
        if status in self.REFUSES and (name := named(message, parameter, sent)):
            return Unsupported(str(told), name)
        return told


def _trusted() -> ssl.SSLContext:
    """What certificates are held against: the authorities that the environment names, else those that come with httpx.

    ``SSL_CERT_FILE`` and ``SSL_CERT_DIR`` are OpenSSL's names, ``REQUESTS_CA_BUNDLE`` the one of requests.
    """
    named = (os.environ.get(name, "") for name in ("SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "SSL_CERT_DIR"))
    for place in map(Path, filter(None, named)):
        if place.is_dir():
            return ssl.create_default_context(capath=place)
        if place.is_file():
            return ssl.create_default_context(cafile=place)
    return httpx2.create_ssl_context(trust_env=False)


def _start(request: httpx2.Request) -> None:
    request.extensions["started"] = time.monotonic()


def _limit(response: httpx2.Response) -> None:
    """Make the time-out one of the whole answer, and read no more of it than any answer has.

    By itself it is one of each wait for the next bytes, so that a server that sends a space now and then, as some do
    to keep a connection open, would hold a call for ever. An answer that is packed, which nobody has asked for, is not
    unpacked.
    """
    extensions = response.request.extensions
    timeout = extensions["timeout"]["read"]
    response.headers.pop("Content-Encoding", None)
    if isinstance(response.stream, httpx2.SyncByteStream):
        until = math.inf if timeout is None else extensions["started"] + timeout
        response.stream = _Limited(response.stream, response.request, until)


class _Limited(httpx2.SyncByteStream):
    """The bytes of an answer until a moment of the monotonic clock, ``MOST_BYTES`` at most."""

    def __init__(self, stream: httpx2.SyncByteStream, request: httpx2.Request, until: float) -> None:
        self._stream = stream
        self._request = request
        self._until = until

    def __iter__(self) -> Iterator[bytes]:
        size = 0
        for chunk in self._stream:
            size += len(chunk)
            if size > MOST_BYTES:
                raise httpx2.ReadError(f"the answer is larger than {MOST_BYTES:,} bytes", request=self._request)
            if time.monotonic() > self._until:
                raise httpx2.ReadTimeout("the answer took too long", request=self._request)
            yield chunk

    def close(self) -> None:
        self._stream.close()
