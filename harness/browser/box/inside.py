"""The first program in a box: opens ports whose other ends are outside, then becomes the program that it is told.

    python inside.py [--guard] SOCKET PORTS PROGRAM ARGUMENT...

A box has a network of its own, with nothing in it. The ports are opened in that network, and handed over the socket to
the harness, which stands outside and accepts what connects to them (``harness.browser.box.relay``). PORTS are numbers
with commas between; the first is 0, for a free one, and gets the proxy for named hosts.

With ``--guard`` the program is a child, and all ends when the program does, or when the harness hangs up: a container
is not ended with the process that asked for it.

It is copied into the box and run as a file: it imports nothing but Python's own library, as old as 3.7.
"""

from __future__ import annotations

import array
import os
import socket
import sys
import threading

CANNOT_START = 127
"""Exit status if there is no such program in the box, as shells have it."""


def open_ports(wire: socket.socket, ports: list[int]) -> int:
    """Listen on ports of the box and hand them over a connected Unix socket; gives the number of the first."""
    listeners = []
    for port in ports:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
        listeners.append(listener)
    handed = array.array("i", [listener.fileno() for listener in listeners])
    wire.sendmsg([b"."], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, handed)])
    wire.recv(1)  # taken
    return int(listeners[0].getsockname()[1])


def become(command: list[str]) -> None:
    """Be another program; if that cannot be, say why and end."""
    try:
        os.execvp(command[0], command)  # noqa: S606 - that is what it is for
    except OSError as error:
        what = f"{command[0]} cannot be started in the box: {error.strerror}"
        sys.stderr.write(f"{what}; what it needs there can be named with --isolate-read\n")
        sys.stderr.flush()
        os._exit(CANNOT_START)


def guard(command: list[str], wire: socket.socket) -> int:
    """Run the program as a child until it ends or the harness hangs up; gives the exit status."""
    child = os.fork()
    if not child:
        become(command)

    def end_with_the_harness() -> None:
        wire.recv(1)
        os._exit(1)

    threading.Thread(target=end_with_the_harness, daemon=True).start()
    while True:
        ended, status = os.wait()
        if ended == child:
            return os.WEXITSTATUS(status) if os.WIFEXITED(status) else 128 + os.WTERMSIG(status)


def main() -> None:
    """Run the command line."""
    words = sys.argv[1:]
    is_guard = words[0] == "--guard"
    path, ports, *command = words[is_guard:]
    wire = socket.socket(socket.AF_UNIX)
    wire.connect(path)
    port = open_ports(wire, [int(each) for each in ports.split(",")])
    for name in ("HTTP_PROXY", "HTTPS_PROXY"):
        os.environ[name] = os.environ[name.lower()] = f"http://127.0.0.1:{port}"
    os.environ["NO_PROXY"] = os.environ["no_proxy"] = "127.0.0.1,localhost,::1"
    if is_guard:
        os._exit(guard(command, wire))
    become(command)


if __name__ == "__main__":
    main()
