"""The gate: where a program reaches an episode's page, or a site's tabs, over DevTools, and nothing else."""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import json
import secrets
import socket
import threading
from collections.abc import Callable, Iterable
from http import HTTPStatus
from types import TracebackType

from websockets.asyncio.server import ServerConnection, serve
from websockets.datastructures import Headers
from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response

from harness.browser.channel import Channel, Params, Refusal
from harness.browser.gate.connection import ProgramConnection
from harness.browser.gate.gate_access import ReachablePage, TabAccess, Watcher
from harness.browser.wire import Wire

MOST_BYTES = 256 * 1024 * 1024
"""The largest message that a program may send: a script, or a picture to be set into the page."""
MOST_CONNECTIONS = 64
"""At a time; clients have one or a few."""
MOST_WAITING = 100_000
"""Messages that wait for a program which does not read; then its connection is ended."""
MOST_WAITING_CHARACTERS = 256 * 1024 * 1024
"""The same for all that they say."""
MOST_REFUSALS = 100
"""Kinds of refusals that are kept apart."""
CLOSE_SECONDS = 0.1
"""How long a program may take for the farewell of its connection. A driver that waits for its next command never
answers one, and each page worked over WebDriver ends with it; whoever is late finds the connection cut, and loses
nothing."""


class Gate:
    """A context in which programs can reach the page.

    Attributes:
        wire: The way to the browser, which the gate attends.
        tabs: Who opens and closes tabs; None where there is one page and no other.
        taken: Names that no binding may have.
        host: Host and port with the token in the host's name, for clients that take nothing else.
        refusals: What programs were refused.
        patience: How often a program that asks for a blocked address is still kept from leaving the page for an error.
        kept_from: The address that one was kept from last; empty if none was.
        watcher: Who looks on; None for nobody.
    """

    def __init__(
        self,
        wire: Wire,
        root: Channel,
        pages: Iterable[str],
        *,
        is_blocked: Callable[[str], bool],
        taken: Iterable[str],
        tabs: TabAccess | None = None,
        listener: socket.socket | None = None,
    ) -> None:
        """Prepare.

        Args:
            wire: The way to the browser.
            root: The session with the browser itself.
            pages: The ids of those that programs may reach.
            is_blocked: Whether the browser would show an error in place of an address.
            taken: Names that no binding of a program may have, since pages' scripts and ours use them.
            tabs: Who opens and closes tabs; None where there is one page and no other.
            listener: A socket that listens, for programs in a network of their own; None for a free port of this
                machine.
        """
        self.wire = wire
        self.tabs = tabs
        self.taken = frozenset(taken)
        self.refusals: list[Refusal] = []
        self.patience = 1
        self.kept_from = ""
        self._is_blocked = is_blocked
        self.watcher: Watcher | None = None
        self._root = root
        self._listener = listener
        self._token = secrets.token_hex(16)
        self._clients: set[ProgramConnection] = set()
        self._pages = {
            target: ReachablePage(root.call("Target.getTargetInfo", targetId=target)["targetInfo"]) for target in pages
        }
        self._version: Params = root.call("Browser.getVersion")
        self._port = 0
        self._ready = threading.Event()
        self._over: asyncio.Event | None = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._error: BaseException | None = None
        self._is_open = False
        self._thread = threading.Thread(target=self._run, name="gate", daemon=True)

    @property
    def http(self) -> str:
        """Where it lists the page (``/json/list``) and tells its WebSocket (``/json/version``)."""
        return f"http://127.0.0.1:{self._port}/{self._token}"

    @property
    def page(self) -> str:
        """The WebSocket of the page, of several the first."""
        return self._address(self.pages[0])

    def _address(self, page: ReachablePage) -> str:
        return f"ws://127.0.0.1:{self._port}/{self._token}/devtools/page/{page.target}"

    @property
    def browser(self) -> str:
        """The WebSocket of the browser."""
        return f"ws://127.0.0.1:{self._port}/{self._token}/devtools/browser"

    @property
    def host(self) -> str:
        """See above."""
        return f"{self._token}.localhost:{self._port}"

    def __enter__(self) -> Gate:
        self._root.on("Target.targetInfoChanged", self._on_changed)
        self._thread.start()
        self._ready.wait()
        if self._error:
            self._root.off("Target.targetInfoChanged", self._on_changed)
            raise self._error
        self._is_open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shut()

    def shut(self) -> None:
        """Let nobody in any more, and end all sessions with what they have set; nothing the second time."""
        if not self._is_open:
            return
        self._is_open = False
        assert self._loop  # noqa: S101 - it has begun
        assert self._over  # noqa: S101
        with contextlib.suppress(RuntimeError):  # it has ended by itself
            self._loop.call_soon_threadsafe(self._over.set)
        self._thread.join()
        self._root.off("Target.targetInfoChanged", self._on_changed)

    # ---- what connections ask -------------------------------------------------------------------------------

    @property
    def pages(self) -> list[ReachablePage]:
        """See ``harness.browser.gate.gate_access.GateAccess``."""
        return list(self._pages.values())

    def show(self, info: Params) -> None:
        """Let programs reach another page, of which DevTools says so much (``Target.TargetInfo``)."""
        page = self._pages[info["targetId"]] = ReachablePage(info)
        for client in list(self._clients):
            client.page_opened(page)

    def hide(self, target: str) -> None:
        """A page is there no more."""
        if page := self._pages.pop(target, None):
            for client in list(self._clients):
                client.page_closed(page)

    def refuse(self, method: str, reason: str) -> None:
        """See ``harness.browser.gate.gate_access.GateAccess``."""
        for each in self.refusals:
            if (each.method, each.reason) == (method, reason):
                each.times += 1
                return
        if len(self.refusals) < MOST_REFUSALS:
            self.refusals.append(Refusal(method[:100], reason))
        else:
            self.refusals[-1].times += 1

    def keeps(self, page: ReachablePage, params: Params) -> bool:
        """See ``harness.browser.gate.gate_access.GateAccess``."""
        url, frame = params.get("url"), params.get("frameId") or page.target
        if not self.patience or not isinstance(url, str) or frame != page.target or not self._is_blocked(url):
            return False
        if self.tabs is None:
            self.patience -= 1
        self.kept_from = url
        return True

    def _on_changed(self, params: Params) -> None:
        page = self._pages.get(params["targetInfo"]["targetId"])
        if page:
            page.info = params["targetInfo"]
            for client in list(self._clients):
                client.page_changed(page)

    # ---- the thread -----------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            asyncio.run(self._serve())
        except BaseException as error:  # noqa: BLE001 - whoever waits for it raises it
            self._error = error
        finally:
            self._ready.set()

    async def _serve(self) -> None:
        self._loop, self._over = asyncio.get_running_loop(), asyncio.Event()
        listener = self._listener.dup() if self._listener else socket.create_server(("127.0.0.1", 0))
        try:
            async with serve(
                self._attend,
                sock=listener,
                process_request=self._receive,
                origins=[None],  # no page of any browser
                max_size=MOST_BYTES,
                compression=None,
                close_timeout=CLOSE_SECONDS,
                ping_interval=None,  # a program may be busy for long
                server_header=None,
            ) as server:
                self._port = next(iter(server.sockets)).getsockname()[1]
                self._loop.add_reader(self.wire.attend(), self._pass_on)
                self._ready.set()
                await self._over.wait()
                # What connections hold is given back before the reader goes.
                for client in list(self._clients):
                    client.end()
        finally:
            self._loop.remove_reader(self.wire.ends.answers)
            self.wire.leave()

    def _pass_on(self) -> None:
        if not self.wire.hand_on_all():
            assert self._over  # noqa: S101 - this runs in its loop
            self._over.set()

    def _receive(self, connection: ServerConnection, request: Request) -> Response | None:
        """Answer a plain request, or let a WebSocket begin."""
        place = self._place(request)
        if place is None:
            return _response(HTTPStatus.NOT_FOUND, None)
        if request.headers.get("Upgrade", "").lower() == "websocket":
            kinds: dict[str, ReachablePage | None] = {f"/devtools/page/{page.target}": page for page in self.pages}
            if place.startswith("/devtools/browser"):
                kinds[place] = None
            if place not in kinds:
                return _response(HTTPStatus.NOT_FOUND, None)
            if len(self._clients) >= MOST_CONNECTIONS:
                self.refuse("connection", f"there are {MOST_CONNECTIONS} already")
                return _response(HTTPStatus.SERVICE_UNAVAILABLE, None)
            connection.at_page = kinds[place]  # type: ignore[attr-defined]
            return None
        place = place.rstrip("/")
        if place == "/json/version":
            return _response(HTTPStatus.OK, self._described())
        if place in ("/json", "/json/list"):
            return _response(HTTPStatus.OK, [self._listed(page) for page in self.pages])
        return _response(HTTPStatus.NOT_FOUND, None)

    def _place(self, request: Request) -> str | None:
        """The path behind the token, which stands before it or in the host's name; None if it is in neither."""
        hosts = request.headers.get_all("Host")
        host = hosts[0].partition(":")[0] if len(hosts) == 1 else ""
        if _same(host, f"{self._token}.localhost"):
            return request.path
        _, first, rest = (*request.path.split("/", 2), "", "")[:3]
        if host in ("127.0.0.1", "localhost") and _same(first, self._token):
            return f"/{rest}"
        return None

    def _described(self) -> dict[str, str]:
        known = self._version
        return {
            "Browser": known["product"],
            "Protocol-Version": known["protocolVersion"],
            "User-Agent": known["userAgent"],
            "V8-Version": known["jsVersion"],
            "WebKit-Version": f"537.36 ({known['revision']})",
            "webSocketDebuggerUrl": self.browser,
        }

    def _listed(self, page: ReachablePage) -> dict[str, str]:
        return {
            "id": page.target,
            "type": "page",
            "title": page.info["title"],
            "url": page.info["url"],
            "description": "",
            "webSocketDebuggerUrl": self._address(page),
        }

    async def _attend(self, connection: ServerConnection) -> None:
        """One connection, from its beginning to its end."""
        waiting = _Waiting()

        def tell(text: str | None) -> None:
            if waiting.qsize() < MOST_WAITING and waiting.characters < MOST_WAITING_CHARACTERS:
                waiting.put_nowait(text)
            else:
                connection.transport.abort()

        client = ProgramConnection(self, tell, lambda: tell(None))
        self._clients.add(client)
        writer = asyncio.create_task(_write(connection, waiting))
        try:
            begun = asyncio.Event()
            client.begin(begun.set, connection.at_page)  # type: ignore[attr-defined]
            await asyncio.wait({asyncio.create_task(begun.wait()), writer}, return_when=asyncio.FIRST_COMPLETED)
            async for text in connection:
                client.take(text if isinstance(text, str) else text.decode(errors="replace"))
        except ConnectionClosed:
            pass
        finally:
            self._clients.discard(client)
            client.end()
            writer.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await writer


class _Waiting(asyncio.Queue[str | None]):
    """What waits for a program; None is word that it is over.

    Attributes:
        characters: How long it all is.
    """

    characters = 0

    def _put(self, item: str | None) -> None:
        self.characters += len(item or "")
        super()._put(item)

    def _get(self) -> str | None:
        item = super()._get()
        self.characters -= len(item or "")
        return item


async def _write(connection: ServerConnection, waiting: _Waiting) -> None:
    """Send what waits, in order, until there is word that it is over."""
    with contextlib.suppress(ConnectionClosed):
        while (text := await waiting.get()) is not None:
            await connection.send(text)
        await connection.close()


def _same(given: str, secret: str) -> bool:
    return hmac.compare_digest(given.encode(), secret.encode())


def _response(status: HTTPStatus, content: object) -> Response:
    body = json.dumps(content).encode() if content is not None else b""
    headers: Iterable[tuple[str, str]] = [
        ("Content-Type", "application/json; charset=UTF-8"),
        ("Content-Length", str(len(body))),
        ("Connection", "close"),
    ]
    return Response(int(status), status.phrase, Headers(headers), body)
