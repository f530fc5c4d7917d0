"""Processes for work on what is on disk: all cores for a large run, none but this one for a small one."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path

from harness.analysis.episode_pass import IN_PLACE
from harness.kit.files.installation import cores
from harness.records.directory import RunDirectory
from harness.run.forked import live_with

EPISODES = 2_000
"""For which another process is worth its start: two seconds of a processor, mostly imports."""


@contextmanager
def processes_for(folders: Sequence[Path]) -> Iterator[Executor]:
    """What is to read and score runs: as many processes as there are cores, and fewer where there is little to do.

    They are started when they are needed, import what they need anew, and end with the context: when it is left by an
    error or an interrupt, after what is under way, which takes seconds, and with this process however that ends.

    Args:
        folders: The run directories.
    """
    number = min(cores(), sum(RunDirectory(folder).size() for folder in folders) // EPISODES)
    if number < 2:
        yield IN_PLACE
        return
    spawned = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(number, spawned, live_with, (os.getpid(),)) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(cancel_futures=True)
            raise
