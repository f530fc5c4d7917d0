"""The scripted answers through OpenEnv: its own client, and our server."""

from __future__ import annotations

import atexit
import functools
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from openenv.core import GenericEnvClient

from harness.browser.form.fields import Field
from harness.kit.files import codec
from tests.checkout import PROJECT
from tests.integrations.adapters.parity import scripted


@contextmanager
def serving(*arguments: str) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    """Our server with these arguments: its address, and its process, which is asked to end in the end."""
    environment = {**os.environ, "PYTHONPATH": str(PROJECT)}
    with subprocess.Popen(
        [sys.executable, "-m", "harness", "page", "openenv", "--port", "0", *arguments],
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout
        try:
            yield process.stdout.readline().strip(), process
        finally:
            process.terminate()


def play(address: str, task: str, row: int) -> float:
    """The scripted answers given over a server."""
    with GenericEnvClient(base_url=address).sync() as client:
        seen = client.reset(task=task, row=row)
        total = seen.reward
        for call in scripted(codec.typed(seen.observation["fields"], tuple[Field, ...])):
            total += client.step({"text": str(call)}).reward
        return total + client.step({"tool": "finish"}).reward


@functools.cache
def served() -> str:
    """A server of the bundled tasks, which ends with this process: it takes seconds to start."""
    stack = ExitStack()
    atexit.register(stack.close)
    return stack.enter_context(serving())[0]


def theirs(task: str, row: int) -> float:
    return play(served(), task, row)
