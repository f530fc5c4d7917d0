"""Arguments that say what places the episodes of a run on processors."""

from __future__ import annotations

import argparse
from typing import get_args

from harness.options.argument_types import positive
from harness.runlog.config import EngineName, RunConfig


def add_engine(parse: argparse.ArgumentParser) -> None:
    """Add them, in a group of their own."""
    engine = parse.add_argument_group("engine")
    engine.add_argument(
        "--engine",
        choices=get_args(EngineName),
        default=RunConfig.engine,
        help="what places episodes on processors: worker processes of this machine (default), or the nodes of a Ray "
        "cluster, with --workers browsers on each; results are the same",
    )
    engine.add_argument(
        "--pages-per-browser",
        type=positive,
        default=RunConfig.pages_per_browser,
        metavar="N",
        help="of forms, over DevTools: N workers share a browser, each with its page in a browser context of its own, "
        "which takes less memory; a browser that dies takes N episodes with it (default: 1, a browser each)",
    )
    engine.add_argument(
        "--address",
        metavar="HOST:PORT",
        help="with --engine ray: the cluster, of which this machine has to be a node (default: the one it belongs to, "
        "or else a new one on this machine alone)",
    )
