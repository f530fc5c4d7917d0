"""The first program in the box of a driver: starts the driver, and hands sockets of the box's network to the harness.

    python inside.py PORT PROGRAM ARGUMENT...

A box has a network of its own, with nothing in it. The driver listens there at PORT, where nobody outside can reach it.
Standard input is a Unix socket to the harness. Over it go one socket that listens, at which the harness lets the driver
reach the page, and then, for each byte that the harness sends, one that is not connected yet, by which the harness
reaches the driver. When the harness hangs up, all ends.

It is run as a file: it imports nothing but Python's own library.
"""

from __future__ import annotations

import array
import os
import socket
import subprocess
import sys
import threading

STARTED = b"started successfully"
"""What a driver says when it listens."""


def hand_over(wire: socket.socket, end: socket.socket, words: bytes) -> None:
    """Send the harness a socket, with words; ours is closed."""
    wire.sendmsg([words], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [end.fileno()]))])
    end.close()


def main() -> None:
    """Run the command line."""
    port, *command = sys.argv[1:]
    wire = socket.socket(fileno=0)
    try:
        driver = subprocess.Popen(
            [*command, f"--port={port}"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
    except OSError as error:
        wire.sendall(f"{command[0]} cannot be started: {error.strerror}".encode())
        return
    assert driver.stdout  # noqa: S101 - a pipe
    said = b""
    for line in driver.stdout:
        if STARTED in line:
            break
        said = line.strip() or said
    else:
        wire.sendall(said or b"the driver ended without a word")
        return
    threading.Thread(target=driver.stdout.read, daemon=True).start()
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    listener.listen(16)
    hand_over(wire, listener, b"!")
    while wire.recv(1):
        hand_over(wire, socket.socket(), b"!")
    os._exit(0)


if __name__ == "__main__":
    main()
