"""Join standard input and output to a socket: ``python -m harness.solvers.outside.mcp_relay SOCKET``.

Assistants know an MCP server as a program that they start. The page is in another process, at a socket; this is what
they start to get there. It imports nothing that is slow.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
import time
from collections.abc import Callable

SOCKET = "mcp.sock"
"""The name of the socket, in a folder of its own."""
RETRY_SECONDS = 0.1
"""How long after one another it is tried whether somebody is at the socket."""
PIECE = 65_536


def relay(path: str, is_expected: Callable[[], bool]) -> bool:
    """Pass on what comes from standard input to a socket, and the reverse, until the other side of it hangs up.

    Args:
        path: The socket.
        is_expected: Asked, while nobody is at the socket, whether somebody will be.

    Returns:
        Whether anybody was there.
    """
    with socket.socket(socket.AF_UNIX) as wire:
        while True:
            try:
                wire.connect(path)
                break
            except OSError:
                if not is_expected():
                    return False
                time.sleep(RETRY_SECONDS)  # a socket that is not there yet has no event; its maker's end ends the wait

        def speak() -> None:
            with contextlib.suppress(OSError):
                while data := os.read(0, PIECE):
                    wire.sendall(data)
                wire.shutdown(socket.SHUT_WR)

        threading.Thread(target=speak, daemon=True).start()
        with contextlib.suppress(OSError):
            while data := wire.recv(PIECE):
                os.write(1, data)
    return True


def main() -> int:
    """Run the command line; returns the exit code."""
    (path,) = sys.argv[1:]
    if not relay(path, lambda: False):
        print("error: the page is not open any more", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    # A thread may still wait for standard input, which would hold up an ordinary end.
    os._exit(main())
