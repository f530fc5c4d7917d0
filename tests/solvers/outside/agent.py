"""A program that is evaluated from outside. It knows DevTools, not the harness; its argument says what to do."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from typing import Any

import websocket

FOR_EVER = [sys.executable, "-c", "import time; time.sleep(600)"]


class Connection:
    def __init__(self, address: str) -> None:
        self._socket = websocket.create_connection(address, suppress_origin=True, timeout=20)
        self._count = 0

    def call(self, method: str, **params: Any) -> dict[str, Any]:
        self._count += 1
        self._socket.send(json.dumps({"id": self._count, "method": method, "params": params}))
        while True:
            message = json.loads(self._socket.recv())
            if message.get("id") == self._count:
                return message.get("result", message)

    def run(self, expression: str) -> Any:
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        return answer.get("result", {}).get("value")  # an answer that a navigation cut short has none

    def fill(self, name: str, text: str) -> None:
        self.run(f"document.getElementsByName({json.dumps(name)})[0].focus()")
        self.call("Input.insertText", text=text)

    def go(self, url: str) -> None:
        self.ask_for(url)
        self.wait_for(url)

    def ask_for(self, url: str) -> None:
        self.call("Page.enable")
        self.call("Page.navigate", url=url)

    def ask_in_vain(self, url: str, back: str) -> None:
        self.ask_for(url)
        self.wait_for(back)

    def wait_for(self, url: str) -> None:
        while self.run("document.readyState") != "complete" or self.run("location.href") != url:
            time.sleep(0.01)  # as simple agents do; the run's limits end it


def main(what: str, *more: str) -> None:
    told = json.load(sys.stdin)
    page = Connection(told["devtools"]["page"])
    fill = [name for name in told["names"] or ["a"] if name == "a"]
    for name in fill:
        page.fill(name, "yes")
    match what:
        case "report":
            print(json.dumps({"told": told, "environment": dict(os.environ), "url": page.run("location.href")}))
        case "tokens":
            for report in more:
                print(report)
        case "spin":
            page.run(f"{more[0]}(() => {{ for (;;) {{}} }}, 0)")
        case "fail":
            print("one\ntwo: it cannot go on", file=sys.stderr)
            sys.exit(3)
        case "die":
            os.kill(os.getpid(), signal.SIGTERM)
        case "hang":
            child = subprocess.Popen(FOR_EVER)
            print(child.pid, flush=True)
            time.sleep(600)
        case "leave-running":
            print(subprocess.Popen(FOR_EVER).pid)
        case "flood":
            for _ in range(20):
                sys.stdout.write("x" * 10_000)
            print("the end")
        case "submit":
            page.run("document.querySelector('[type=submit]').click()")
        case "reload":
            page.go(told["url"])
            page.fill("a", "again")
        case "ask-for":
            page.ask_in_vain(more[0], told["url"])
            page.fill("b", "more")
        case "ask-for-ever":
            page.ask_in_vain(more[0], told["url"])
            page.ask_for(more[0])
        case "leave":
            page.go(more[0])
            page.fill("a", "elsewhere")
        case "tab":
            with urllib.request.urlopen(told["devtools"]["http"] + "/json/version") as answer:  # noqa: S310
                browser = Connection(json.load(answer)["webSocketDebuggerUrl"])
            browser.call("Target.createTarget", url=told["url"])
            page.call("Emulation.setDeviceMetricsOverride", width=400, height=300, deviceScaleFactor=1, mobile=True)
        case "close-page":
            page.call("Page.close")
        case "close-browser":
            page.call("Browser.close")
        case "say":
            print(os.environ[more[0]])


main(*sys.argv[1:])
