"""A browser as one of its users has it: a connection to the switchboard that looks like a browser's pipe."""

from __future__ import annotations

import os
import socket
from contextlib import suppress

from harness.browser.channel import Channel, CommandFailed
from harness.browser.launch import START_SECONDS, BrowserSettings, NoBrowser
from harness.browser.sandbox import Sandbox
from harness.browser.shared.switchboard import JOIN, order_of
from harness.browser.wire import BrowserGone, PipeEnds, Wire


class SharedBrowser:
    """See ``harness.browser.running_browser.RunningBrowser``; what ends is the part of it that is this user's.

    Whoever else has the ends of the connection, as a pool has for pages that a killed worker has left, keeps that part
    alive as long as ``end`` was not called.
    """

    session = ""

    def __init__(self, door: socket.socket, settings: BrowserSettings) -> None:
        """Join one.

        Args:
            door: The way to the switchboard.
            settings: How it is started, if that is still to be done; by whom it is watched and where its files are is
                the switchboard's affair.

        Raises:
            NoBrowser: it could not be started, or nobody is at the switchboard.
        """
        ours, theirs = socket.socketpair()
        order = order_of(settings)
        try:
            with theirs:
                socket.send_fds(door, [order], [theirs.fileno()])
        except OSError as error:
            ours.close()
            raise NoBrowser(f"the process that lets workers share browsers is gone: {error}") from error
        self._connection = ours
        self.wire = Wire(PipeEnds(answers=os.dup(ours.fileno()), commands=os.dup(ours.fileno())))
        try:
            # Others may want it at the same time, and it is started first.
            told = Channel(self.wire, timeout=2 * START_SECONDS).call(JOIN)
        except (CommandFailed, BrowserGone) as error:
            self.end()
            raise NoBrowser(str(error)) from error
        self.program, self.version = str(told["program"]), str(told["version"])
        self.account, self.group = str(told["account"]), int(told["group"])
        self._sandbox: Sandbox = told["sandbox"]

    def sandbox(self) -> Sandbox:
        """What the switchboard has seen when it was joined."""
        return self._sandbox

    def end(self) -> None:
        """Leave it, whoever else holds the connection; never raises."""
        with suppress(OSError):
            self._connection.shutdown(socket.SHUT_RDWR)
        self._connection.close()
        self.wire.close()
