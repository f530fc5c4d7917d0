"""The process between browsers and those that share them: each hears what is its own, as if it had a browser alone.

Chromium speaks to one program over its pipe. Here each user has a connection that looks like such a pipe: what it says
is numbered anew and goes to the browser in a session with the browser itself that is the user's own
(``Target.attachToBrowserTarget``), and so does all that it opens from there. When the connection ends, however that
comes, its session is ended, with which the browser throws away the contexts that were made in it.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from harness.browser.channel import Channel, CommandFailed
from harness.browser.launch import START_SECONDS, BrowserSettings, NoBrowser, StartedBrowser, start_browser
from harness.browser.sandbox import Sandbox
from harness.browser.wire import BrowserGone, PipeEnds, Wire

JOIN = "Harness.join"
"""What a user asks first; the answer tells of the browser."""
LIVES = 2
"""How often all places of a browser are given out before another takes its turn: it grows with the pages it shows."""
_MOST = 1 << 30
"""Bytes that a message may have."""
_ORDER = 1 << 16
"""Bytes of a wish to join, at most."""


class _Order(msgspec.Struct):
    """What of a browser's settings a user can ask for: a worker shows strangers' pages, and hands on data alone."""

    origin: str
    headless: bool
    live_clock: bool
    display: str | None
    kiosk: bool
    live: bool
    fresh_context: bool
    require_sandbox: bool
    timeout: float


def order_of(settings: BrowserSettings) -> bytes:
    """The wish to join a browser for forms that is started so."""
    return _write(_Order(**{name: getattr(settings, name) for name in _Order.__struct_fields__}))


def read_order(order: bytes) -> BrowserSettings:
    """The settings that are asked for.

    Raises:
        msgspec.DecodeError: they are none.
    """
    return BrowserSettings(**msgspec.structs.asdict(msgspec.json.decode(order, type=_Order)))


class _Message(msgspec.Struct, omit_defaults=True):
    """A message of DevTools, of which nothing but its address is looked at."""

    id: int | msgspec.UnsetType = msgspec.UNSET
    method: str = ""
    params: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    result: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    error: msgspec.Raw | msgspec.UnsetType = msgspec.UNSET
    sessionId: str = ""  # noqa: N815 - as it is called there


class _Session(msgspec.Struct):
    sessionId: str  # noqa: N815 - as it is called there


_read = msgspec.json.Decoder(_Message).decode
_read_session = msgspec.json.Decoder(_Session).decode
_write = msgspec.json.Encoder().encode


class _User:
    """Who shares a browser.

    Attributes:
        root: Its session with the browser itself.
    """

    def __init__(self, writer: asyncio.StreamWriter) -> None:
        self.root = ""
        self._writer = writer

    def say(self, message: _Message) -> None:
        """Hand it a message; it may be busy elsewhere for as long as it likes."""
        self._writer.write(_write(message) + b"\0")

    def hang_up(self) -> None:
        """End its connection."""
        self._writer.close()


class _Browser:
    """A browser and who shares it.

    Attributes:
        settings: How it is started.
        users: Who shares it now.
        joined: How many have done so far.
        up: Done once it answers.
        is_gone: Whether it has ended.
    """

    def __init__(self, settings: BrowserSettings) -> None:
        self.settings = settings
        self.users: set[_User] = set()
        self.joined = 0
        self.is_gone = False
        self.up = asyncio.create_task(self._start())
        self._numbers = itertools.count(1)
        self._asked: dict[int, Callable[[_Message], None]] = {}
        self._owners: dict[str, _User] = {}

    async def _start(self) -> StartedBrowser:
        try:
            started = await asyncio.to_thread(start_browser, self.settings)
        except BaseException:
            self.is_gone = True
            raise
        loop, ends = asyncio.get_running_loop(), started.wire.ends.copy()
        reader = asyncio.StreamReader(limit=_MOST)
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(reader), os.fdopen(ends.answers, "rb", 0))
        self._commands, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(ends.commands, "wb", 0))
        self._listening = asyncio.create_task(self._listen(reader))
        return started

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while True:
                self._take(await reader.readuntil(b"\0"))
        self.is_gone = True
        for user in self.users:
            user.hang_up()

    def _take(self, data: bytes) -> None:
        """Hand on what the browser says."""
        message = _read(data[:-1])
        if message.id is not msgspec.UNSET:
            self._asked.pop(message.id)(message)
            return
        owner = self._owners.get(message.sessionId)
        if owner is None:
            return
        if message.method == "Target.attachedToTarget":
            self._owners[_read_session(_raw(message.params)).sessionId] = owner
        elif message.method == "Target.detachedFromTarget":
            self._owners.pop(_read_session(_raw(message.params)).sessionId, None)
        if message.sessionId == owner.root:
            message.sessionId = ""
        owner.say(message)

    def _ask(self, then: Callable[[_Message], None], message: _Message) -> None:
        message.id = next(self._numbers)
        self._asked[message.id] = then
        self._commands.write(_write(message) + b"\0")

    async def admit(self, user: _User) -> None:
        """Give a user its session with the browser."""
        answered = asyncio.get_running_loop().create_future()
        self._ask(answered.set_result, _Message(method="Target.attachToBrowserTarget"))
        user.root = _read_session(_raw((await answered).result)).sessionId
        self._owners[user.root] = user

    def carry(self, user: _User, data: bytes) -> None:
        """Hand the browser what a user says; what is no message is the rest of what a killed one has begun to say."""
        try:
            message = _read(data[:-1])
        except msgspec.DecodeError:
            return
        number, session = message.id, message.sessionId

        def answer(reply: _Message) -> None:
            reply.id, reply.sessionId = number, session
            user.say(reply)

        message.sessionId = session or user.root
        self._ask(answer, message)

    async def leave(self, user: _User) -> None:
        """End what a user has, and the browser if it was the last of those for whom it was there."""
        self.users.discard(user)
        self._owners = {session: owner for session, owner in self._owners.items() if owner is not user}
        if user.root and not self.is_gone:
            ended = msgspec.Raw(_write({"sessionId": user.root}))
            self._ask(lambda _: None, _Message(method="Target.detachFromTarget", params=ended))

    async def end(self) -> None:
        """End it, whatever state it is in."""
        self.is_gone = True
        with suppress(Exception):  # it was told to whoever wanted to join
            started = await self.up
            self._listening.cancel()
            self._commands.close()
            await asyncio.to_thread(started.end)


class Switchboard:
    """Starts browsers as they are wanted, and ends each with the last of its users."""

    def __init__(self, door: socket.socket, places: int) -> None:
        """Prepare.

        Args:
            door: Where the wishes to join come in, see ``harness.browser.shared_browser``; it is over when no
                other process has the other end.
            places: How many may share a browser.
        """
        self._door = door
        self._places = places
        self._browsers: list[_Browser] = []
        self._serving: set[asyncio.Task[None]] = set()
        self._over = asyncio.Event()

    async def run(self) -> None:
        """Serve until nobody can join any more."""
        self._door.setblocking(False)
        loop = asyncio.get_running_loop()
        loop.add_reader(self._door, self._let_in)
        await self._over.wait()
        loop.remove_reader(self._door)
        await asyncio.gather(*(browser.end() for browser in self._browsers))

    def _let_in(self) -> None:
        with suppress(BlockingIOError):
            order, descriptors, _, _ = socket.recv_fds(self._door, _ORDER, 1)
            if not descriptors:
                self._over.set()
                return
            connection = socket.socket(fileno=descriptors[0])
            try:
                settings = read_order(order)
            except msgspec.DecodeError:  # whose order it is finds the connection closed
                connection.close()
                return
            task = asyncio.create_task(self._serve(settings, connection))
            self._serving.add(task)
            task.add_done_callback(self._serving.discard)

    async def _serve(self, settings: BrowserSettings, connection: socket.socket) -> None:
        """Be between a user and its browser."""
        reader, writer = await asyncio.open_connection(sock=connection, limit=_MOST)
        user, browser = _User(writer), self._place(settings)
        browser.users.add(user)
        browser.joined += 1
        try:
            asked = _read((await reader.readuntil(b"\0"))[:-1])
            answer = await self._admitted(user, browser)
            answer.id = asked.id
            user.say(answer)
            while True:
                browser.carry(user, await reader.readuntil(b"\0"))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            await browser.leave(user)
            writer.close()
            await self._clear_away(browser)

    async def _admitted(self, user: _User, browser: _Browser) -> _Message:
        """What is told of the browser in answer, or why there is none."""
        try:
            started = await asyncio.shield(browser.up)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is raised where the browser is wanted
            return _Message(error=msgspec.Raw(_write({"code": 0, "message": str(error)})))
        await browser.admit(user)
        told: dict[str, Any] = {
            "program": started.program,
            "version": started.version,
            "account": started.account,
            "sandbox": await asyncio.to_thread(started.sandbox),
            "group": started.group,
        }
        return _Message(result=msgspec.Raw(_write(told)))

    def _place(self, settings: BrowserSettings) -> _Browser:
        """The browser in which there is a place; another one where there is none."""
        for browser in self._browsers:
            has_place = len(browser.users) < self._places and browser.joined < LIVES * self._places
            if has_place and not browser.is_gone and browser.settings == settings:
                return browser
        self._browsers.append(_Browser(settings))
        return self._browsers[-1]

    async def _clear_away(self, browser: _Browser) -> None:
        """End a browser that nobody uses and nobody else is to join."""
        is_worn = browser.joined >= LIVES * self._places
        if not browser.users and (browser.is_gone or is_worn) and browser in self._browsers:
            self._browsers.remove(browser)
            await browser.end()


def _raw(part: msgspec.Raw | msgspec.UnsetType) -> bytes | msgspec.Raw:
    return b"{}" if part is msgspec.UNSET else part


def serve(door: socket.socket, places: int) -> None:
    """Be the switchboard; the last function of its process. The arguments are those of ``Switchboard``."""

    async def run() -> None:
        await Switchboard(door, places).run()

    asyncio.run(run())


class SharedBrowser:
    """See ``harness.browser.launch.RunningBrowser``; what ends is the part of it that is this user's.

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
