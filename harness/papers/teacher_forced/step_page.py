"""The page of a step as a browser is shown it: its own elements, and nothing that runs, loads or leads elsewhere."""

from __future__ import annotations

import secrets
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from lxml import etree
from lxml import html as lxml_html

from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import BrowserSession, devtools_session
from harness.browser.launch import BrowserSettings

_OUT = ("script", "noscript", "base", "link", "iframe", "frame", "object", "embed", "template")
_RECORDED_TEXT = "text"
"""Mind2Web's recorder puts each text into an element of this name, which a field of a form would show as its text."""
_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'"
)
"""What a page may do by itself (Content-Security-Policy): be seen, with the styles and the pictures that it holds."""


def page_without_scripts(raw_html: str) -> str:
    """A recorded page as one that can be shown.

    Scripts, what loads from elsewhere and what leads elsewhere by itself are removed. The recorder's elements around
    texts give way to the texts. What the recorder took down as clickable shows a hand, as the page's own styles may
    have done.

    Args:
        raw_html: The page; whatever else it is, it is data.

    Raises:
        ValueError: it holds no element.
    """
    parser = lxml_html.HTMLParser(huge_tree=True, remove_comments=True, remove_pis=True, encoding="utf-8")
    try:
        page = lxml_html.document_fromstring(raw_html.encode("utf-8", "replace"), parser=parser)
    except etree.LxmlError as error:
        raise ValueError(f"the page holds nothing to be shown: {error}") from error
    etree.strip_elements(page, *_OUT, with_tail=False)
    for each in list(page.iter(etree.Element)):
        if each.tag == "meta" and each.get("http-equiv") is not None:
            each.drop_tree()
        elif each.tag == _RECORDED_TEXT and not any(above.tag == "svg" for above in each.iterancestors()):
            each.drop_tag()
        elif each.get("is_clickable") == "true" and each.get("style") is None:
            each.set("style", "cursor: pointer")
    return lxml_html.tostring(page, encoding="unicode", doctype="<!DOCTYPE html>")


class StepPageServer:
    """Serves one page at a time on this machine, at an address that nobody else knows.

    Attributes:
        place: Host and port.
    """

    def __init__(self) -> None:
        self._path = ""
        self._body = b""
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                """Send the page."""
                server._answer(self)

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.place = f"127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def show(self, html: str, path: str = "") -> str:
        """Serve a page in place of the last one; gives its path, by default one that nobody can guess."""
        self._body = html.encode("utf-8", "replace")
        self._path = path or f"/{secrets.token_hex(8)}/"
        return self._path

    def close(self) -> None:
        """Serve nothing any more."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        is_known = handler.path == self._path
        body = self._body if is_known else b""
        handler.send_response(200 if is_known else 404)
        handler.send_header("Content-Type", "text/html; charset=utf-8")
        handler.send_header("Content-Security-Policy", _POLICY)
        handler.send_header("Cache-Control", "no-store")
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)


HOST = "demonstration.test"
"""Where pages seem to come from; nothing else can be reached."""
ORIGIN = f"http://{HOST}"


class StepBrowser:
    """Serves pages and shows them; the browser is started with the first."""

    def __init__(self) -> None:
        self._server = StepPageServer()
        self._open: BrowserSession | None = None

    @property
    def session(self) -> BrowserSession:
        """The browser, started if it is not there."""
        if self._open is None:
            policy = NavigationPolicy((ORIGIN,), {HOST: self._server.place})
            self._open = devtools_session(BrowserSettings(f"http://{self._server.place}", policy=policy))
        return self._open

    def show(self, html: str, path: str = "") -> str:
        """Show a page in an emptied browser; gives its address.

        Args:
            html: The page, without what runs (``page_without_scripts``).
            path: Of its address; by default one that nobody can guess.
        """
        browser = self.session.site
        browser.clear()
        url = f"{ORIGIN}{self._server.show(html, path)}"
        browser.open(url)
        browser.take_moments()
        return url

    def end(self) -> None:
        """End the browser; the next page starts another."""
        if self._open is not None:
            self._open.browser.close()
            self._open = None

    def close(self) -> None:
        """End the browser, and serve no page any more."""
        self.end()
        self._server.close()
