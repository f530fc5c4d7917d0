"""What moments cost on a site: a press on documents of growing size, told and not, in turns."""

from __future__ import annotations

import statistics
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from benchmarks.setting import Setting
from harness.browser.browser_choice import NavigationPolicy
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.launch import BrowserSettings
from harness.browser.site_browser import SiteBrowser
from harness.kit.text import aligned

ROWS = (20, 333, 1666)
"""Rows of the documents; each has six elements."""
PRESSES = 60
BUTTON = "<button style='position: fixed; left: 0; top: 0' {}>press</button>"
CHANGE = "onmousedown='this.dataset.n = 1 + Number(this.dataset.n || 0)'"
"""Changes the document with each press, so that it is told anew."""


class _Pages(BaseHTTPRequestHandler):
    """``/<rows>/same`` and ``/<rows>/changed``."""

    def do_GET(self) -> None:
        """Serve a document."""
        _, rows, kind = self.path.split("/", 2) if self.path.count("/") > 1 else ("", "0", "")
        body = BUTTON.format(CHANGE if kind == "changed" else "") + "".join(
            f"<div class='row' data-i={i}><p>Row <b>bold</b> text <i>more</i></p><a href='#{i}'>{i}</a><s>x</s></div>"
            for i in range(int(rows) if rows.isdigit() else 0)
        )
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(f"<!DOCTYPE html>{body}".encode())

    def log_message(self, *_: object) -> None:
        """Say nothing."""


def measure(_: Setting) -> str:
    """The figures as a table."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    policy = NavigationPolicy(("http://shop.test",), {"shop.test": f"127.0.0.1:{server.server_address[1]}"})
    rows = []
    try:
        with SiteBrowser(BrowserSettings("http://127.0.0.1:1", policy=policy)) as browser:
            for count in ROWS:
                for kind in ("same", "changed"):
                    rows.append(_row(browser, count, kind))
    finally:
        server.shutdown()
        server.server_close()
    header = ["elements", "document", "press told, ms", "press not told, ms", "a tree holds"]
    return "A press on a site, and how much of it is telling what it reached\n" + aligned([header, *rows])


def _row(browser: SiteBrowser, count: int, kind: str) -> list[str]:
    """A press of the left button is told, one of the middle button has no click that could be."""
    browser.open(f"http://shop.test/{count}/{kind}")
    browser.take_moments()
    pointer = DevtoolsInput(browser)
    told: list[float] = []
    silent: list[float] = []
    size = 0
    for _ in range(PRESSES):
        start = time.perf_counter()
        pointer.click(10, 10)
        browser.settle()
        told.append(time.perf_counter() - start)
        size = max([size, *(len(moment.dom) for moment in browser.take_moments())])
        start = time.perf_counter()
        send = browser.channel.send
        press = {"x": 10, "y": 10, "button": "middle", "clickCount": 1}
        browser.channel.results(
            [
                send("Input.dispatchMouseEvent", type="mouseMoved", x=10, y=10),
                send("Input.dispatchMouseEvent", type="mousePressed", buttons=4, **press),
                send("Input.dispatchMouseEvent", type="mouseReleased", buttons=0, **press),
            ]
        )
        browser.settle()
        silent.append(time.perf_counter() - start)
    elements = browser.channel.call(
        "Runtime.evaluate", expression="document.querySelectorAll('*').length", returnByValue=True
    )["result"]["value"]
    medians = [f"{1000 * statistics.median(each):.1f}" for each in (told, silent)]
    return [f"{elements:,}", kind, *medians, f"{size:,} characters"]
