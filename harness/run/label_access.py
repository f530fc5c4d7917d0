"""Who reads the tables of a run: a process of its own, unless all of its processes may know the labels."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from harness.episode.registry import find_solver
from harness.records.config import RunConfig
from harness.records.run_record import is_asked
from harness.run.failing_pages import FailingPages
from harness.run.label_process import LabelProcess, OpenLabels
from harness.run.label_store import LocalLabelStore
from harness.run.plan import Plan

NODES = 8
"""For so many nodes of a cluster the label process has the tables in memory that their workers are at."""


def label_access_for(
    config: RunConfig,
    folder: Path,
    plan: Callable[[], Plan],
    control_key: str,
    *,
    begins: bool,
) -> LabelProcess | OpenLabels:
    """The label process of a run.

    Args:
        config: Of the run.
        folder: The run directory.
        plan: Chooses the instances.
        control_key: Of the run's task server.
        begins: Whether nothing was played before: the run is given up if its solver cannot do the work at all.
    """
    found, is_local = find_solver(config.solver), config.engine == "local"
    keyed = found.needs_labels
    store = partial(LocalLabelStore, config, folder, control_key=control_key)
    if keyed and is_local:
        return OpenLabels(store, plan)
    tables = config.workers if is_local else NODES * config.workers
    streak = FailingPages(config.options) if begins and is_asked(config.solver, keyed=found.keyed) else None
    return LabelProcess(partial(store, tables=tables), plan, keyed=keyed, streak=streak)
