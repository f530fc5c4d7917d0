"""A program that stands for a browser elsewhere: it speaks DevTools over a pipe, as Chromium does, and hands it all on.

    python bridge.py ADDRESS [SESSION]

ADDRESS is the browser's WebSocket. At descriptor 3 it reads what is for the browser, to descriptor 4 it writes what
comes back, each message with a NUL byte behind it. It ends when either side hangs up, or when it is told to (SIGTERM);
the browser then throws away what was made for this connection. SESSION, an address of WebDriver, is kept alive
meanwhile, since a Grid ends sessions in which nothing is done, and deleted at the end.

It is run as a file: it imports nothing of the harness.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import urllib.request

from websockets.exceptions import WebSocketException
from websockets.sync.client import ClientConnection, connect

COMMANDS, ANSWERS = 3, 4
OPEN_SECONDS, FAREWELL_SECONDS = 30.0, 5.0
ALIVE_SECONDS = 60.0
"""How often a session is asked for something: Grids wait for 300 s by default."""
_PIECE = 1 << 20


class _Told(Exception):
    """It is to end."""


def carry_commands(browser: ClientConnection) -> None:
    """Hand on what comes over the pipe until it is closed."""
    partial = bytearray()
    while data := os.read(COMMANDS, _PIECE):
        first, *others = data.split(b"\0")
        partial += first
        for other in others:
            browser.send(partial.decode())
            partial = bytearray(other)


def carry_answers(browser: ClientConnection) -> None:
    """Hand on what comes from the browser until it hangs up, and end then."""
    try:
        for message in browser:
            rest = memoryview((message.encode() if isinstance(message, str) else message) + b"\0")
            while rest:
                rest = rest[os.write(ANSWERS, rest) :]
    except (WebSocketException, OSError):
        pass
    finally:
        os.kill(os.getpid(), signal.SIGTERM)


def keep_alive(session: str, over: threading.Event) -> None:
    """Ask a session of WebDriver for something now and then that has nothing to do with its page."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    while not over.wait(ALIVE_SECONDS):
        with contextlib.suppress(OSError):
            opener.open(f"{session}/timeouts", timeout=FAREWELL_SECONDS).close()


def give_back(session: str) -> None:
    """End a session of WebDriver; one that is gone is none to end."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    request = urllib.request.Request(session, method="DELETE")  # noqa: S310 - the address of the user's Grid
    with contextlib.suppress(OSError):
        opener.open(request, timeout=FAREWELL_SECONDS).close()


def _on_signal(*_: object) -> None:
    raise _Told


def main() -> None:
    """Run the command line."""
    signal.signal(signal.SIGTERM, _on_signal)
    address, *session = sys.argv[1:]
    over = threading.Event()
    try:
        with connect(
            address, open_timeout=OPEN_SECONDS, close_timeout=FAREWELL_SECONDS, ping_interval=None, max_size=None,
            compression=None, proxy=None,
        ) as browser:  # fmt: skip
            threading.Thread(target=carry_answers, args=(browser,), daemon=True).start()
            for each in session:
                threading.Thread(target=keep_alive, args=(each, over), daemon=True).start()
            carry_commands(browser)
    except (WebSocketException, OSError) as error:
        print(error, file=sys.stderr, flush=True)
    except _Told:
        pass
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        over.set()
        os.close(ANSWERS)
        for each in session:
            give_back(each)


if __name__ == "__main__":
    main()
