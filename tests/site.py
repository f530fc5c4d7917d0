"""A tiny web server of pages for tests of the browser layer, and a look into the open page's own world."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from harness.actions.result import ActionResult, ErrorCode
from harness.browser.browser import Browser
from harness.browser.form.submission import Submission, submit
from harness.episode.library import Actions
from harness.episode.probe import Probe

PAGES = Path(__file__).parent / "pages"

# The first script of the page: it takes down the events that the page's own scripts can see, in order of arrival.
RECORDER = """<script>
window.seen = [];
for (const type of ["keydown", "keyup", "input", "change", "focus", "blur", "mousedown", "click", "submit"]) {
  window.addEventListener(type, (event) => {
    const target = event.target;
    const name = target instanceof Element ? target.getAttribute("name") || target.localName : "";
    seen.push({ type, name, trusted: event.isTrusted, key: event.key, code: event.code, number: event.keyCode,
      value: target.value, shift: event.shiftKey });
  }, true);
}
</script>"""


def whole_page(body: str, *, form: str = 'name="mturk_form" method="post"', head: str = "") -> str:
    """A page as the task server serves it: ``body`` in a form, with a submit button."""
    return (
        f"<!DOCTYPE html><html><head><meta charset='utf-8'>{RECORDER}{head}</head><body>"
        f'<form {form}>{body}<p><input type="submit" id="submitButton" value="Submit"></p></form></body></html>'
    )


@dataclass
class Answer:
    """What the server sends for a path."""

    body: bytes
    status: int = 200
    kind: str = "text/html; charset=utf-8"
    headers: Mapping[str, str] = field(default_factory=dict)


class Site:
    """The server, and what was asked of it.

    Attributes:
        origin: ``http://127.0.0.1:<free port>``.
        requests: Method and path of every request, in order of arrival.
    """

    def __init__(self) -> None:
        self.requests: list[tuple[str, str]] = []
        self._answers: dict[str, Answer] = {}
        self._held: dict[str, threading.Event] = {}
        self._count = 0
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                site._answer(self)

            do_POST = do_GET  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.origin = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.partition("?")[0]
        handler.rfile.read(int(handler.headers.get("Content-Length") or 0))
        self.requests.append((handler.command, handler.path))
        if path.startswith("/release/"):
            self.release(path.removeprefix("/release/"))
        if path.startswith("/held/"):
            self._gate(path.removeprefix("/held/")).wait(10)
        answer = self._answers.get(path, Answer(b"", 404))
        handler.send_response(answer.status)
        for name, value in {"Content-Type": answer.kind, **answer.headers}.items():
            handler.send_header(name, value)
        if answer.status == HTTPStatus.NO_CONTENT:
            # A body would be read as the beginning of the connection's next answer (RFC 9112, 6.3).
            handler.end_headers()
            return
        handler.send_header("Content-Length", str(len(answer.body)))
        handler.end_headers()
        handler.wfile.write(answer.body)

    def release(self, name: str) -> None:
        """Answer what was asked for at ``/held/<name>``, and what will be."""
        self._gate(name).set()

    def since(self, mark: int) -> list[tuple[str, str]]:
        """The requests behind the first ``mark``, but for the site's own icon: a browser asks for it when it likes."""
        return [request for request in self.requests[mark:] if request != ("GET", "/favicon.ico")]

    def _gate(self, name: str) -> threading.Event:
        """A request of ``/held/<name>`` is answered when ``/release/<name>`` was asked for."""
        return self._held.setdefault(name, threading.Event())

    def put(self, html: str, path: str | None = None, **answer: Any) -> str:
        """Serve ``html``, by default at a new path; gives the address."""
        if path is None:
            self._count += 1
            path = f"/page/{self._count}/0/"
        self._answers[path] = Answer(html.encode(), **answer)
        return self.origin + path

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def in_page(browser: Browser, expression: str) -> Any:
    """The value of a JavaScript expression in the page's own world; promises are awaited."""
    answer = browser.channel.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
    assert "exceptionDetails" not in answer, answer["exceptionDetails"]
    return answer["result"].get("value")


@dataclass
class Shown:
    """An open page with the actions on it."""

    browser: Browser
    actions: Actions
    url: str

    @cached_property
    def probe(self) -> Probe:
        """Looks behind what the page shows."""
        return Probe(self.browser, self.actions.trajectory)

    def __iter__(self) -> Any:
        return iter((self.browser, self.actions))

    def page(self, expression: str) -> Any:
        """The value of an expression in the page's own world."""
        return in_page(self.browser, expression)

    def events(self, *types: str) -> list[str]:
        """``type:name`` of the events so far that were recorded, of these types only; the record is emptied."""
        seen = self.page("seen.splice(0)")
        return [f"{event['type']}:{event['name']}" for event in seen if event["type"] in types]

    def sent(self) -> dict[str, tuple[str, ...]]:
        """What the form sends when it is submitted."""
        return dict(self.submit().values)

    def submit(self) -> Submission:
        """Submit the form."""
        return submit(self.browser)


def refused(result: ActionResult, code: ErrorCode, *words: str) -> None:
    """Assert that an action gave an error of this code, and that its message says all ``words``."""
    assert (result.ok, result.code) == (False, code), result.message
    for word in words:
        assert word in result.message, result.message


def done(result: ActionResult) -> None:
    """Assert that an action gave what was asked."""
    assert result.ok, result.message
