"""An episode that an assistant plays over standard input and output, in a process that outlives the assistant."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.catalog.task import Instance, Task
from harness.kit.files.installation import importing_environment, without_caller
from harness.records.config import RunConfig
from harness.run.progress import progress
from harness.run.runner import Run, RunResult
from harness.solvers.outside.mcp_relay import SOCKET, relay


def play_row(config: RunConfig, folder: Path, row: int) -> RunResult:
    """Play the episode of one instance.

    Args:
        config: Of the run; it names one task.
        folder: The run directory, which is made.
        row: The instance's place in its file, from 0.

    Raises:
        NothingToDo: there is no labelled instance in this place.
        CatalogError, ServerRefused, NoBrowser, FatalError: as their messages say.
    """

    def other_rows(_task: Task, instance: Instance) -> str:
        return "" if instance.index == row else "other rows"

    return Run(config, folder, progress("quiet"), other_rows).execute()


def speak_for(given: Sequence[str]) -> int:
    """Let another process play the episode, and pass on what it and the assistant say to each other.

    Assistants kill what they have started as soon as they have hung up, or when they end. So this process is the one
    they know; the other, in a session of its own, submits the form and writes the episode however this one ends.

    Args:
        given: The arguments of ``python -m harness page mcp``.

    Returns:
        The exit code of the other process.
    """
    path = Path(tempfile.mkdtemp(prefix="hm-")) / SOCKET
    command = [sys.executable, *without_caller("page mcp"), "--at", str(path), *given]
    with subprocess.Popen(
        command,
        env=importing_environment(),
        stdin=subprocess.DEVNULL,
        stdout=sys.stderr.fileno(),  # standard output belongs to the protocol
        start_new_session=True,
    ) as player:
        relay(str(path), lambda: player.poll() is None)
        return player.wait()
