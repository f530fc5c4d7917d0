"""Measure speed: ``python -m benchmarks [NAME ...]``, by default all; docs/notes/performance.md has the figures."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

from benchmarks import (
    annotators,
    coverage,
    doors,
    driver,
    encodings,
    episode_pages,
    episodes,
    film,
    listing,
    memory,
    moments,
    reporting,
    rescoring,
    serving,
    site_steps,
    soak,
    tables,
    waiting,
    watching,
    workers,
)
from benchmarks.peers import race
from benchmarks.setting import Setting, default_tasks
from harness.kit.arguments import positive

BENCHMARKS: Mapping[str, Callable[[Setting], str]] = {
    "listing": listing.measure,
    "tables": tables.measure,
    "serving": serving.measure,
    "rescoring": rescoring.measure,
    "reporting": reporting.measure,
    "watch": watching.measure,
    "episode-page": episode_pages.measure,
    "episodes": episodes.measure,
    "film": film.measure,
    "workers": workers.measure,
    "memory": memory.measure,
    "moments": moments.measure,
    "encodings": encodings.measure,
    "doors": doors.measure,
    "site-steps": site_steps.measure,
    "coverage": coverage.measure,
    "annotators": annotators.measure,
    "waiting": waiting.measure,
    "soak": soak.measure,
    "peers": race.measure,
    "driver": driver.measure,
}
ON_THEIR_OWN = frozenset(
    {"serving", "moments", "site-steps", "coverage", "annotators", "waiting", "soak", "peers", "driver"}
)
"""Those that read no tasks, or bundled ones."""


def main() -> int:
    """Run the benchmarks that are asked for, and print each one's figures as they come."""
    parse = argparse.ArgumentParser(prog="python -m benchmarks", description=(__doc__ or "").partition(":")[0])
    parse.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)} (default: all)")
    parse.add_argument("--tasks-dir", type=Path, metavar="DIR")
    parse.add_argument("--pages", type=int, default=Setting.pages, metavar="N", help="pages (default: %(default)s)")
    parse.add_argument(
        "--episodes",
        type=int,
        default=Setting.episodes,
        metavar="N",
        help="episodes to score or to report on (default: %(default)s)",
    )
    parse.add_argument(
        "--long",
        type=int,
        default=Setting.long,
        metavar="N",
        help="episodes to watch for a long time (default: %(default)s)",
    )
    parse.add_argument(
        "--in-flight",
        type=positive,
        nargs="+",
        default=Setting.in_flight,
        metavar="N",
        help="episodes at a time, where a model is waited for (default: 8 32 64)",
    )
    parse.add_argument(
        "--replies",
        type=positive,
        nargs="+",
        default=Setting.replies,
        metavar="S",
        help="seconds that its replies take (default: 1 2 8)",
    )
    parse.add_argument(
        "--pages-per-browser",
        type=positive,
        nargs="+",
        default=Setting.pages_per_browser,
        metavar="N",
        help="how many of them share a browser (default: 1 8)",
    )
    arguments = parse.parse_args()
    if unknown := [name for name in arguments.names if name not in BENCHMARKS]:
        parse.error(f"unknown benchmark {unknown[0]!r}; there are {', '.join(BENCHMARKS)}")
    names = arguments.names or list(BENCHMARKS)
    named = arguments.tasks_dir
    arguments.tasks_dir = named or default_tasks()
    if (named or not ON_THEIR_OWN.issuperset(names)) and not arguments.tasks_dir.is_dir():
        parse.error(f"{arguments.tasks_dir} is no folder; give --tasks-dir or set TURKINGBENCH_DIR")
    given = {name: value for name, value in vars(arguments).items() if name != "names"}
    setting = Setting(**given, named_tasks=named)
    for name in names:
        print(f"{BENCHMARKS[name](setting)}\n", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
