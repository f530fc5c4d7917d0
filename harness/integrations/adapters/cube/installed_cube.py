"""Benchmarks of CUBE that are installed, by the names that ``cube list`` has, and their tasks."""

from __future__ import annotations

import os
import signal
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points
from multiprocessing.connection import Connection
from types import TracebackType

from cube.benchmark import BenchmarkConfig
from cube.task import RuntimeContext, TaskConfig
from pydantic import ValidationError

from harness.catalog.site_reading import origin_of
from harness.catalog.tasks_folder import NAMESPACE, may_be_task
from harness.kit.text import did_you_mean
from harness.records.config import CubeChoice
from harness.run.foreign_tasks import NoForeignTasks
from harness.run.forked import PROCESSES, ChildAnswer
from harness.run.interrupts import SIGNALS

_GROUP = "cube.benchmarks"
_PLAIN = (str, int, float, bool, type(None))


def configuration_of(choice: CubeChoice) -> BenchmarkConfig:
    """The configuration of a benchmark.

    Args:
        choice: Which, and what is to be other than usual.

    Raises:
        NoForeignTasks: there is no such benchmark, or it does not take its settings or origins.
    """
    kind = _class_of(choice.name)
    for origin in choice.origins:
        if origin_of(origin) != origin:
            raise NoForeignTasks(
                f"--cube-origin {origin!r} is no origin: give scheme, host and port alone, such as "
                "http://localhost:8000"
            )
    if unknown := sorted(set(choice.settings).difference(kind.model_fields)):
        raise NoForeignTasks(
            f"--cube-set {unknown[0]}: {choice.name} has no such setting.{did_you_mean(unknown[0], kind.model_fields)} "
            f"Known: {', '.join(kind.model_fields)}"
        )
    for name, value in choice.settings.items():
        # CUBE makes an object of whatever class an object names, which would be code that nobody has named.
        if not all(isinstance(each, _PLAIN) for each in (value if isinstance(value, list | tuple) else [value])):
            raise NoForeignTasks(f"--cube-set {name}: give a text, a number, true, false, null, or a list of these")
    try:
        return kind(**choice.settings)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise NoForeignTasks(f"--cube-set {place}: {first['msg']}") from error


def tasks_of(config: BenchmarkConfig) -> Mapping[str, TaskConfig]:
    """The tasks of a benchmark by the names of their folders: their ids, with the seed where an id has several.

    Args:
        config: Of the benchmark.

    Raises:
        NoForeignTasks: it cannot tell them, as where its data are still to be installed.
    """
    try:
        tasks = list(config.get_task_configs())
    except Exception as error:  # it is somebody else's code
        raise NoForeignTasks(f"{config.name} cannot tell its tasks: {in_a_line(error)}") from error
    often = Counter(task.task_id for task in tasks)
    names = (f"{each.task_id}, seed {each.seed}" if often[each.task_id] > 1 else each.task_id for each in tasks)
    return dict(zip(map(_folder_name, names), tasks, strict=True))


def _folder_name(name: str) -> str:
    name = name.replace("%", "%25").replace("/", "%2F")
    return name if may_be_task(name) else f"%{ord(name[0]):02X}{name[1:]}"


def in_a_line(error: Exception) -> str:
    """What an error of a benchmark says first and last: in between there may be the whole log of a server."""
    lines = [line.strip() for line in f"{type(error).__name__}: {error}".splitlines() if line.strip()]
    return lines[0] if len(lines) == 1 else f"{lines[0]} … {lines[-1]}"


def _class_of(name: str) -> type[BenchmarkConfig]:
    """The class of a configuration, which is imported.

    Raises:
        NoForeignTasks: there is none of that name.
    """
    if name == NAMESPACE:
        raise NoForeignTasks(
            f"--cube {name}: these are the tasks of this harness itself, which it plays without --cube"
        )
    installed = {each.name: each for each in entry_points(group=_GROUP) if each.name != NAMESPACE}
    module, colon, attribute = name.partition(":")
    if name not in installed and not colon:
        raise NoForeignTasks(
            f"--cube: unknown benchmark {name!r}.{did_you_mean(name, installed)} "
            f"Installed: {', '.join(sorted(installed)) or 'none'}; or package.module:Class of its configuration"
        )
    try:
        kind = installed[name].load() if name in installed else getattr(import_module(module), attribute)
    except Exception as error:  # it is somebody else's code
        raise NoForeignTasks(f"--cube {name} cannot be loaded: {in_a_line(error)}") from error
    if not (isinstance(kind, type) and issubclass(kind, BenchmarkConfig)):
        raise NoForeignTasks(f"--cube {name}: this is no configuration of a benchmark of CUBE")
    return kind


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
