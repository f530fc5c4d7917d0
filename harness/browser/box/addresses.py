"""Hosts with their ports, as a user names them and as programs ask for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
