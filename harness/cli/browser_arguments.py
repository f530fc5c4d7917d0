"""Arguments that say where the browsers of a run are, if not on this machine."""

from __future__ import annotations

import argparse


def add_browsers(parse: argparse.ArgumentParser) -> None:
    """Add them, in a group of their own."""
    browsers = parse.add_argument_group("browsers elsewhere (forms only)")
    browsers.add_argument(
        "--browser-url",
        metavar="URL",
        help="use a Chromium that somebody runs: the address of its DevTools, http://HOST:PORT, or of its WebSocket. "
        "Pages get a context of their own there, which ends with the run; how that browser is shut in is its owner's "
        "affair",
    )
    browsers.add_argument(
        "--grid",
        metavar="URL",
        help="use the browsers of a Selenium Grid, or of another remote WebDriver with DevTools (se:cdp): "
        "http://HOST:4444",
    )
    browsers.add_argument(
        "--serve-at",
        metavar="ADDRESS",
        help="the address of this machine that those browsers reach: the task server listens there, and everybody who "
        "reaches it can read pages, without labels (default: 127.0.0.1, for browsers on this machine)",
    )
