"""Record a task on a website: a person does it once, and what was done becomes a task folder with a reference trace.

URL is a bundled site, such as http://shop.test/, or with --network live any other. The browser opens in a window, or
with --served in a page of the server; on the panel, whose address is printed, key nodes are put on steps. What is saved
is replayed at once.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
import urllib.request
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.arguments import add_some, whole
from harness.kit.errors import UserError
from harness.kit.files.installation import (
    BASIC,
    BUNDLED_TASKS,
    IMPORT_ROOT,
    OWN_BROWSER,
    PYTHON,
    SCREEN,
    allowed,
    by_both_names,
    without_caller,
)
from harness.records.config import RunConfig

EXIT_CODES = (
    "exit codes: 0 the task is saved and its replay holds; 1 it does not hold, or nothing was saved; 2 wrong use, or "
    "no browser"
)
PANEL = "/record/1/"
"""Where the server shows the recording that it was started for."""
_BROWSERS = (*by_both_names({OWN_BROWSER: ""}), "DBUS_SESSION_BUS_ADDRESS")
"""Which browser to start, and what its window asks for."""
_PATIENCE = 0.5
"""Seconds between two looks at how the recording stands."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("tasks record"), description=__doc__, epilog=EXIT_CODES)
    parse.add_argument("url", metavar="URL", help="address at which the task begins")
    parse.add_argument(
        "--out",
        type=Path,
        default=Path("recorded"),
        metavar="DIR",
        help="the folder of task folders (default: recorded)",
    )
    parse.add_argument("--seed", type=whole, default=0, help="seed of a bundled site's data (default: %(default)s)")
    parse.add_argument(
        "--variant", default="", metavar="NAME", help="layout of a bundled site (default: the usual one)"
    )
    web = parse.add_argument_group("a site on the web")
    web.add_argument(
        "--network",
        choices=("none", "live"),
        default="none",
        help="live: the browser reaches the public web; what you do there is real, and the replay does it again",
    )
    web.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="HOST",
        help="a further host that the browser may visit; may be repeated",
    )
    shown = parse.add_argument_group("browser and server")
    shown.add_argument(
        "--served", action="store_true", help="show the browser in the panel, which needs no display on this machine"
    )
    add_some(shown, RunConfig, "require_sandbox")
    shown.add_argument(
        "--no-browser", action="store_true", help="print the panel's address, and open no browser for it"
    )
    shown.add_argument("--port", type=whole, default=0, metavar="N", help="port to listen at (default: a free one)")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    from harness.sites.recording.order import order_of  # noqa: PLC0415 - slow to import, and for work only

    asked = {
        "seed": arguments.seed,
        "variant": arguments.variant,
        "live": arguments.network == "live",
        "allow": arguments.allow,
        "headed": not arguments.served,
        "require_sandbox": arguments.require_sandbox,
    }
    order = order_of(arguments.url, **asked)
    if order.headed and not _has_screen():
        raise UserError(
            "no window can open: neither DISPLAY nor WAYLAND_DISPLAY names a display; add --served to work in a page "
            "of the server, or run it under xvfb-run"
        )
    if order.is_live:
        _say(f"The browser reaches the web: {', '.join(order.origins)}. What is done there is real.")
    return _record(arguments, {"url": arguments.url, **asked})


def _record(arguments: argparse.Namespace, asked: dict[str, Any]) -> int:
    command = [sys.executable, *without_caller("serve"), "--exit-with-parent", "--port", str(arguments.port)]
    command += ["--tasks-dir", str(BUNDLED_TASKS), "--record", str(arguments.out.resolve())]
    with subprocess.Popen(
        command,
        cwd=IMPORT_ROOT,
        env=allowed((*BASIC, *PYTHON, *SCREEN, *_BROWSERS)) | {"TURKLE_RECORD_BEGIN": json.dumps(asked)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as server:
        told: dict[str, Any] = {}
        try:
            panel = f"{_origin(server.stdout)}{PANEL}"
            print_out(f"{panel}\nEnd it there, or with Ctrl-C.")
            if not arguments.no_browser and _has_screen():
                webbrowser.open(panel)
            told = _follow(f"{panel}state.json", lambda: server.poll() is None)
        except KeyboardInterrupt:
            told = _state(f"{panel}state.json") if server.poll() is None else told
        finally:
            server.kill()
    return _result(told)


def _follow(address: str, is_there: Callable[[], bool]) -> dict[str, Any]:
    """Say what is recorded until the recording has ended; gives how it stands then."""
    count, told = 0, _state(address)
    while True:
        has_ended = told["phase"] in ("ended", "failed")
        # The last may still become another: a press in a field that is written in.
        done = told["steps"] if has_ended else told["steps"][:-1]
        for place, step in enumerate(done[count:], start=count + 1):
            _say(f"{place:3}  {step['words']}")
        count = len(done)
        if has_ended:
            return told
        time.sleep(_PATIENCE)  # the server is asked again, as the panel does: it tells nobody of a step
        if not is_there():
            raise UserError("the server has ended by itself; what it said stands above")
        told = _state(address)


def _result(told: dict[str, Any]) -> int:
    """Say what the recording came to; gives the exit code."""
    if told.get("phase") == "failed":
        raise UserError(told["trouble"])
    if not told.get("folder"):
        _say("Nothing was saved.")
        return INCOMPLETE
    print_out(told["folder"])
    proof = told["proof"]
    if not proof:
        _say(told["trouble"] or "It was not replayed to the end.")
        return INCOMPLETE
    for part in [*proof["steps"], *proof["nodes"]]:
        state = {True: "holds", False: "FAILS", None: "not known"}[part["holds"]]
        print_out(f"  {state:9}  {part['words']}" + (f" ({part['why']})" if part["why"] else ""))
    for warning in proof["warnings"]:
        _say(f"note: {warning}")
    return COMPLETE if proof["holds"] else INCOMPLETE


def _state(address: str) -> dict[str, Any]:
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(address, timeout=30) as answer:
            told: dict[str, Any] = json.load(answer)
            return told
    except (OSError, ValueError) as error:
        raise UserError(f"the server does not say how the recording stands: {error}") from error


def _origin(output: IO[str] | None) -> str:
    for line in output or ():
        if address := next((word for word in line.split() if word.startswith("http://")), None):
            return address.rstrip("/")
    raise UserError("the server does not start; what it said stands above")


def _has_screen() -> bool:
    return sys.platform == "darwin" or bool(allowed(("DISPLAY", "WAYLAND_DISPLAY")))


def _say(words: str) -> None:
    print(words, file=sys.stderr, flush=True)
