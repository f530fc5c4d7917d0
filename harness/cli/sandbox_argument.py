"""The argument of all commands that start browsers."""

from __future__ import annotations

import argparse


def add_sandbox(group: argparse._ActionsContainer) -> None:
    """Add whether browsers may do without their sandbox."""
    group.add_argument(
        "--require-sandbox",
        action="store_true",
        help="start no browser without its own sandbox (default: it is said loudly where there can be none)",
    )
