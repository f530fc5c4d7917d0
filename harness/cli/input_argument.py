"""The argument that says how actions reach pages."""

from __future__ import annotations

import argparse
from typing import get_args

from harness.runlog.config import InputName

ONE_DESKTOP = "--input desktop has one pointer and one keyboard: it takes --workers 1"


def add_input(parse: argparse._ActionsContainer) -> None:
    """Add it."""
    parse.add_argument(
        "--input",
        choices=get_args(InputName),
        default="devtools",
        help="how actions reach the page: over DevTools (default), over WebDriver with Selenium, or, those on the "
        "screen, with PyAutoGUI on an X display",
    )
