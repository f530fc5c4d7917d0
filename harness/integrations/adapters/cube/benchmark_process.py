"""A benchmark that is set up in a process of its own, with the servers that it starts."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from multiprocessing.connection import Connection
from types import TracebackType

from cube.benchmark import BenchmarkConfig
from cube.task import RuntimeContext

from harness.integrations.adapters.cube.installed_cube import in_a_line
from harness.run.foreign_tasks import NoForeignTasks
from harness.run.forked import PROCESSES, ChildAnswer
from harness.run.interrupts import SIGNALS

_STOP_SECONDS = 20.0


class BenchmarkProcess:
    """A context, which gives what the benchmark's tasks share.

    A Ctrl-C at the terminal reaches neither it nor its servers, so that episodes under way can finish; and it closes
    the benchmark when its parent is gone, however that came about.
    """

    def __init__(self, config: BenchmarkConfig) -> None:
        """Prepare; nothing is started yet."""
        self._config = config

    def __enter__(self) -> RuntimeContext | None:
        self._line, theirs = PROCESSES.Pipe()
        self._process = PROCESSES.Process(target=self._keep, args=[theirs])
        self._process.start()
        theirs.close()
        try:
            answer: ChildAnswer = self._line.recv()
        except BaseException as error:
            self._end()
            if isinstance(error, EOFError):
                raise NoForeignTasks(f"{self._config.name}: its process ended while it was set up") from error
            raise
        if answer.error:
            self._end()
            raise answer.error
        context: RuntimeContext | None = answer.value
        return context

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError):
            self._line.send(None)
        self._process.join(_STOP_SECONDS)
        self._end()

    def _keep(self, line: Connection) -> None:
        self._line.close()
        for number in SIGNALS:
            signal.signal(number, signal.SIG_DFL)  # those that came along are the run's
        os.setsid()
        try:
            with self._config.make() as benchmark:
                # As CUBE's own harness does.
                line.send(ChildAnswer(benchmark._runtime_context))
                with suppress(EOFError):
                    line.recv()
        except Exception as error:  # noqa: BLE001 - whatever somebody else's code meets, the parent says it
            refused = NoForeignTasks(f"{self._config.name} cannot be set up: {in_a_line(error)}")
            with suppress(OSError):
                line.send(ChildAnswer(error=refused))

    def _end(self) -> None:
        """End the process, with what it has started, unless it has ended."""
        self._line.close()
        if self._process.is_alive() and (leader := self._process.pid):
            self._process.terminate()
            with suppress(ProcessLookupError):
                os.killpg(leader, signal.SIGTERM)
        self._process.join(_STOP_SECONDS)
        self._process.kill()
        self._process.join()
