"""The argument ``--metrics``: by which profile a run is scored."""

from __future__ import annotations

import argparse

from harness.kit.arguments import add_options
from harness.records.config import SCORING, RunConfig
from harness.scoring.metrics import PROFILES


def add_profile(parse: argparse.ArgumentParser) -> None:
    """Add the profile of a run that is to be made."""
    add_options(parse, RunConfig, SCORING)


def add_other_profile(
    parse: argparse.ArgumentParser, explanation: str = "scoring profile (default: the run's own)"
) -> None:
    """Add a profile by which runs that are there are scored again; without it the value is None.

    Args:
        parse: The command line.
        explanation: What its help says.
    """
    parse.add_argument("--metrics", choices=list(PROFILES), help=explanation)
