"""A stage for adapters: episodes in a process of their own, driven step by step.

    with Stage(RunConfig("adapter", BUNDLED_TASKS)) as stage:
        page = stage.open("Sentiment of reviews", 3)
        stage.call("modify_radio", {"name": "sentiment", "value": "positive"})
        print(stage.submit().ended.score)

The labels are in the other process, and what comes from there is scores.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, TypeVar

from harness.integrations.adapters.stage.messages import Acted, Instances, Opened, Request, StageSettings
from harness.kit.errors import UnfinishedWork, UserError
from harness.kit.files import codec
from harness.kit.files.installation import importing_environment
from harness.records.config import RunConfig

T = TypeVar("T")
CLOSE_SECONDS = 30.0
"""How long a stage is given to end its browser and its server by itself."""


class NotStaged(UserError):
    """A request of a stage could not be met; the message says why."""


class StageGone(UnfinishedWork):
    """The process of a stage has ended; the message is its last words."""


class Stage:
    """A process that plays episodes by request. It starts at the first request, and ends with ``close``.

    Attributes:
        config: As it was made with.
    """

    def __init__(self, config: RunConfig, *, tell_worth: bool = False) -> None:
        """Prepare.

        Args:
            config: How pages are shown and scored, within which limits, and which instances there are (split, tasks,
                kind, seed, number); its solver is a name for whoever drives.
            tell_worth: Whether each answer tells what the form as it stands would score.
        """
        self.config = config
        self._settings = StageSettings(config, tell_worth)
        self._process: subprocess.Popen[bytes] | None = None

    def __enter__(self) -> Stage:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def instances(self) -> Instances:
        """The instances that the configuration chooses: task -> places in its table.

        Raises:
            NotStaged: the configuration names what there is not.
            StageGone: the process has ended.
        """
        return self._ask(Request("list"), dict[str, tuple[int, ...]])

    def open(self, task: str, row: int, *, over_devtools: bool = False) -> Opened:
        """Open an instance; an episode that is under way is given up.

        Args:
            task: The task's name.
            row: The instance's place in its table, from 0.
            over_devtools: Whether a program of the caller's drives the browser, in place of ``call`` and ``write``.

        Raises:
            NotStaged: there is no such instance, or it cannot be shown.
            StageGone: the process has ended.
        """
        return self._ask(Request("open", task, row, over_devtools), Opened)

    def call(self, name: str, arguments: Mapping[str, Any]) -> Acted:
        """Call a tool of the page that is open.

        Raises:
            NotStaged: no page is open, or its browser was lost.
            StageGone: the process has ended.
        """
        return self._ask(Request("call", name=name, arguments=arguments), Acted)

    def write(self, text: str) -> Acted:
        """Do the first action that stands in a text, which is parsed and never executed; raises as ``call``."""
        return self._ask(Request("write", text=text), Acted)

    def look(self) -> Acted:
        """The fields of the form as they are now; raises as ``call``."""
        return self._ask(Request("look"), Acted)

    def submit(self, answer: str | None = None) -> Acted:
        """Send the form as it stands, or end the work on a website; what came of it is told by ``ended``.

        Args:
            answer: On a website, what the goal asks for; None for no answer.

        Raises:
            NotStaged, StageGone: as of ``call``.
        """
        return self._ask(Request("submit", answer=answer), Acted)

    def close(self) -> None:
        """End the process with its browser and its server; nothing the second time."""
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin  # noqa: S101 - both are pipes
        assert process.stdout  # noqa: S101
        with suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(CLOSE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()  # what it has started notices, and ends
            process.wait()
        process.stdout.close()
        self._complaints.close()

    def _ask(self, request: Request, kind: type[T]) -> T:
        process = self._started()
        assert process.stdin  # noqa: S101 - both are pipes
        assert process.stdout  # noqa: S101
        with suppress(BrokenPipeError):  # its last words say why
            process.stdin.write(codec.line(request))
            process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            process.wait()
            self._complaints.seek(0)
            words = self._complaints.read().decode(errors="replace").strip().removeprefix("error: ")
            status = process.returncode
            self.close()
            raise StageGone(words or f"the process of the stage ended with status {status}")
        answer = json.loads(line)
        if "error" in answer:
            raise NotStaged(answer["error"])
        return codec.typed(answer, kind)

    def _started(self) -> subprocess.Popen[bytes]:
        if self._process is None:
            self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process
            self._process = subprocess.Popen(
                [sys.executable, "-m", "harness.cli.commands.stage_process"],
                env=importing_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._complaints,
                start_new_session=True,  # a Ctrl-C is this process's, which closes the stage
            )
            assert self._process.stdin  # noqa: S101 - a pipe
            with suppress(BrokenPipeError):
                self._process.stdin.write(codec.line(self._settings))
        return self._process
