"""The way out of a box: connections to ports in its network are accepted here, outside, and passed on or refused."""

from __future__ import annotations

import contextlib
import re
import socket
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

HTTPS = 443
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
_ADDRESS = re.compile(r"\[?(?P<host>[A-Za-z0-9._-]+|(?<=\[)[0-9A-Fa-f:.]+(?=\]))\]?(?::(?P<port>\d{1,5}))?")


@dataclass(frozen=True)
class Address:
    """Where something listens.

    Attributes:
        host: Its name or number, in small letters.
        port: Its port.
    """

    host: str
    port: int = HTTPS

    @classmethod
    def read(cls, text: str) -> Address:
        """``host`` or ``host:port``; the port is that of https unless it is said.

        Raises:
            ValueError: it is neither.
        """
        found = _ADDRESS.fullmatch(text)
        port = int(found["port"] or HTTPS) if found else 0
        if not found or not 0 < port < 65_536:
            raise ValueError("not of the form HOST or HOST:PORT")
        return cls(found["host"].lower().rstrip("."), port)

    @property
    def is_here(self) -> bool:
        """Whether it is on this machine."""
        return self.host in LOOPBACK

    def __str__(self) -> str:
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


MOST_HEAD = 8_192
"""Bytes of a request to the proxy before its empty line."""
CONNECT_SECONDS = 20.0
MOST_REFUSED = 50
"""Different addresses that are told apart among what was refused."""
_PIECE = 262_144
_LEFT_OUT = "others"


class Relay:
    """A context, within which one box may reach what is listed.

    The first program in the box (``inside``) opens the ports and hands them over a Unix socket: the first for a proxy
    that knows ``CONNECT`` to the hosts that are allowed, the others in the order of ``reach``. After that
    nothing is taken from that socket any more.

    Attributes:
        has_begun: Whether the box was set up, and the program in it was about to start.
        refused: Address to how often the proxy refused it.
    """

    def __init__(self, path: Path, reach: Sequence[Address], hosts: Sequence[Address]) -> None:
        """Prepare it.

        Args:
            path: The socket, which is made.
            reach: What listens on this machine and is reached under the same port in the box.
            hosts: What the proxy connects to besides.
        """
        self.has_begun = False
        self.refused: Counter[str] = Counter()
        # A box has one place for a port, whatever this machine is called.
        self._reach = list({each.port: each for each in (*(host for host in hosts if host.is_here), *reach)}.values())
        self._hosts = frozenset(hosts)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen(1)
        self._lock = threading.Lock()
        self._open: set[socket.socket] = {self._listener}
        self._is_closed = False

    @property
    def ports(self) -> str:
        """The ports that are to be opened in the box, as ``harness.browser.box.inside`` takes them."""
        return ",".join(map(str, (0, *(address.port for address in self._reach))))

    def __enter__(self) -> Relay:
        self._in_thread(self._take_ports)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._lock:
            self._is_closed = True
            ends = list(self._open)
        for each in ends:
            _close(each)

    # ---- ports of the box -----------------------------------------------------------------------------------------

    def _take_ports(self) -> None:
        with contextlib.suppress(OSError):
            wire = self._listener.accept()[0]
            if not self._keep(wire):
                return
            self._drop(self._listener)
            handed = socket.recv_fds(wire, 1, 1 + len(self._reach))[1]
            ports = [socket.socket(fileno=descriptor) for descriptor in handed]
            if len(ports) != 1 + len(self._reach):  # the box failed before
                return
            handlers = (self._serve_proxy, *(self._passing_on(address) for address in self._reach))
            for port, handler in zip(ports, handlers, strict=True):
                if self._keep(port):
                    self._in_thread(self._accept, port, handler)
            self.has_begun = True
            wire.sendall(b".")

    def _accept(self, port: socket.socket, handler: Callable[[socket.socket], None]) -> None:
        with contextlib.suppress(OSError):
            while True:
                made = port.accept()[0]
                if self._keep(made):
                    self._in_thread(handler, made)

    # ---- connections ----------------------------------------------------------------------------------------------

    def _passing_on(self, address: Address) -> Callable[[socket.socket], None]:
        def pass_on(inside: socket.socket) -> None:
            try:
                outside = _connected(address)
            except OSError:
                self._drop(inside)
                return
            self._join(inside, outside)

        return pass_on

    def _serve_proxy(self, inside: socket.socket) -> None:
        """Answer one request of the form ``CONNECT host:port HTTP/1.1``."""
        try:
            inside.settimeout(CONNECT_SECONDS)
            head = _read_head(inside)
            method, _, rest = head.partition(" ")
            asked = rest.split(" ", 1)[0]
            if method != "CONNECT":
                self._refuse(inside, _host_of(asked), "405 Only CONNECT")
                return
            address = Address.read(asked)
            if address not in self._hosts:
                self._refuse(inside, str(address), "403 Not allowed by --allow-host")
                return
            outside = _connected(address)
        except (OSError, ValueError):
            with contextlib.suppress(OSError):
                inside.sendall(b"HTTP/1.1 502 Cannot be reached\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
            self._drop(inside)
            return
        with contextlib.suppress(OSError):
            inside.settimeout(None)
            inside.sendall(b"HTTP/1.1 200 Connected\r\n\r\n")
        self._join(inside, outside)

    def _refuse(self, inside: socket.socket, what: str, answer: str) -> None:
        with self._lock:
            is_listed = what in self.refused or len(self.refused) < MOST_REFUSED
            self.refused[what if is_listed else _LEFT_OUT] += 1
        with contextlib.suppress(OSError):
            inside.sendall(f"HTTP/1.1 {answer}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".encode())
        self._drop(inside)

    def _join(self, inside: socket.socket, outside: socket.socket) -> None:
        if not self._keep(outside):
            self._drop(inside)
            return
        back = self._in_thread(_pump, outside, inside)
        _pump(inside, outside)
        back.join()
        self._drop(inside)
        self._drop(outside)

    # ---- what is open ---------------------------------------------------------------------------------------------

    def _keep(self, end: socket.socket) -> bool:
        """Close it when the context ends; False if it has ended already, and the socket is closed."""
        with self._lock:
            if not self._is_closed:
                self._open.add(end)
                return True
        _close(end)
        return False

    def _drop(self, end: socket.socket) -> None:
        with self._lock:
            self._open.discard(end)
        _close(end)

    @staticmethod
    def _in_thread(work: Callable[..., None], *arguments: object) -> threading.Thread:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        thread.start()
        return thread


def _connected(address: Address) -> socket.socket:
    made = socket.create_connection((address.host, address.port), CONNECT_SECONDS)
    made.settimeout(None)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return made


def _pump(source: socket.socket, sink: socket.socket) -> None:
    """Pass on what comes until the source ends, and tell the sink."""
    with contextlib.suppress(OSError):
        while data := source.recv(_PIECE):
            sink.sendall(data)
    with contextlib.suppress(OSError):
        sink.shutdown(socket.SHUT_WR)


def _read_head(inside: socket.socket) -> str:
    """A request up to its empty line.

    Raises:
        ValueError: it is none.
    """
    head = b""
    while b"\r\n\r\n" not in head:
        data = inside.recv(MOST_HEAD - len(head))
        if not data:
            raise ValueError("no request")
        head += data
    return head.split(b"\r\n", 1)[0].decode("ascii")


def _host_of(address: str) -> str:
    """What stands between ``://`` and the path."""
    return address.partition("://")[2].partition("/")[0][:100] or "?"


def _close(end: socket.socket) -> None:
    # A thread that waits for it is woken by the shutdown, not by closing.
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
