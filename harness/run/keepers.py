"""Who reads the tables of a run: a process of its own, unless all of its processes may know the labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from harness.episode.registry import find_solver
from harness.records.config import RunConfig
from harness.records.run_record import is_asked
from harness.run.desk import KeyDesk
from harness.run.failing_pages import FailingPages
from harness.run.key_keeper import KeyKeeper, OpenKeeper
from harness.run.plan import Plan

NODES = 8
"""For so many nodes of a cluster the keeper has the tables in memory that their workers are at."""


def keeper_for(
    config: RunConfig,
    folder: Path,
    plan: Callable[[], Plan],
    backstage_key: str,
    *,
    begins: bool,
) -> KeyKeeper | OpenKeeper:
    """The keeper of a run.

    Args:
        config: Of the run.
        folder: The run directory.
        plan: Chooses the instances.
        backstage_key: Of the run's task server.
        begins: Whether nothing was played before: the run is given up if its solver cannot do the work at all.
    """
    found, is_local = find_solver(config.solver), config.engine == "local"
    keyed = found.needs_labels
    desk = partial(KeyDesk, config, folder, backstage_key=backstage_key)
    if keyed and is_local:
        return OpenKeeper(desk, plan)
    tables = config.workers if is_local else NODES * config.workers
    streak = FailingPages(config.options) if begins and is_asked(config.solver, keyed=found.keyed) else None
    return KeyKeeper(partial(desk, tables=tables), plan, keyed=keyed, streak=streak)
