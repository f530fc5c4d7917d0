"""One page for a program of one's own in Python, such as a notebook or an adapter.

    with open_page("Sentiment of reviews", 3) as page:
        page.act.modify_radio("sentiment", "positive")
    print(page.result.score)

Whatever speaks DevTools may drive the browser, too: it is at ``page.devtools``.

The page, its browser and its labels are in another process, ``python -m harness page open``, which ends with this one.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from typing import IO

from harness.browser.form.fields import Field
from harness.kit.errors import UnfinishedWork, UserError
from harness.kit.files import codec
from harness.kit.files.installation import importing_environment, without_caller
from harness.solvers.outside.action_library import ActionLibrary
from harness.solvers.outside.agent_reports import ANSWER
from harness.solvers.outside.page_result import PageResult, SiteResult


class CannotOpen(UserError):
    """The page cannot be opened; the message says why."""


class StillOpen(UserError):
    """The result was asked for before the form was submitted."""


class NoResult(UnfinishedWork):
    """The page was lost without a result; the message says why."""


@dataclass(frozen=True)
class DevtoolsAddress:
    """The way into the browser.

    Attributes:
        http: Where it lists the page, e.g. ``http://127.0.0.1:9222/TOKEN``.
        browser: The WebSocket of the browser.
        page: The WebSocket of the page.
        host: Host and port, as Selenium takes them for its ``debuggerAddress``.
        target: The id of the page.
    """

    http: str
    browser: str
    page: str
    host: str
    target: str


@dataclass(frozen=True)
class ToldPage:
    """What is told of a page; docs/reference/program.md has the meaning of each key."""

    version: int
    url: str
    devtools: DevtoolsAddress
    names: tuple[str, ...] | None
    fields: tuple[Field, ...] | None
    seconds: float
    seed: int
    goal: str = ""
    origins: tuple[str, ...] = ()


class OpenedPage:
    """A page that is open, and its result once it is submitted.

    Attributes:
        url: Its address.
        devtools: The way to it.
        names: The names of its answer fields, in page order; None if they are not told.
        fields: Those that were in the form when it had loaded; None if they are not told.
        seconds: How long it may be worked on; then it is submitted as it stands.
        seed: A number for whatever is drawn.
        goal: What is to be done on a website; empty for a form.
        origins: Where a website's task may go; none for a form.
    """

    def __init__(self, told: ToldPage, process: subprocess.Popen[bytes], complaints: IO[bytes]) -> None:
        """Of a process that has opened the page."""
        self.url = told.url
        self.devtools = told.devtools
        self.names = told.names
        self.fields = told.fields
        self.seconds = told.seconds
        self.seed = told.seed
        self.goal = told.goal
        self.origins = told.origins
        self._process = process
        self._complaints = complaints
        self._result: PageResult | SiteResult | None = None
        self._act: ActionLibrary | None = None
        self._leave = ExitStack()

    @property
    def act(self) -> ActionLibrary:
        """The actions on the page, over a driver of Selenium's that is started when they are first asked for.

        Raises:
            CannotOpen: the page is submitted.
            harness.browser.foreign.joined_driver.NoDriverJoins: there is no driver, or it cannot join the browser.
        """
        if self._result is not None:
            raise CannotOpen("the page is submitted: there is nothing to act on any more")
        if self._act is None:
            # Imported here alone: who brings a driver does without what Selenium brings along.
            from harness.browser.foreign.joined_driver import joined_driver  # noqa: PLC0415

            self._act = ActionLibrary(
                self._leave.enter_context(joined_driver(self.devtools.host, self.devtools.target))
            )
        return self._act

    @property
    def result(self) -> PageResult | SiteResult:
        """What came of it.

        Raises:
            StillOpen: it is not submitted yet.
        """
        if self._result is None:
            raise StillOpen("the page is open still: its result is there when the context is left, or after submit()")
        return self._result

    def submit(self, answer: str | None = None) -> PageResult | SiteResult:
        """Send the form as it stands, and close the page; nothing more after the first time.

        Args:
            answer: On a website, what the goal asks for; None for no answer.

        Raises:
            NoResult: the browser was lost.
        """
        if self._result is None:
            self._leave.close()
            stdin, stdout = self._process.stdin, self._process.stdout
            assert stdin  # noqa: S101 - both are pipes
            assert stdout  # noqa: S101
            with suppress(BrokenPipeError):  # its time was up, and the result is on its way
                said = "submit" if answer is None else json.dumps({ANSWER: answer})
                stdin.write(f"{said}\n".encode())
                stdin.flush()
            line = stdout.readline()
            if not line:
                with suppress(BrokenPipeError):  # what was not read of it any more
                    stdin.close()
                raise NoResult(_last_words(self._process, self._complaints))
            self._result = codec.decode(line, SiteResult) if self.goal else codec.decode(line, PageResult)
        return self._result


@contextmanager
def open_page(task: str, row: int = 0, options: Sequence[str] = ()) -> Iterator[OpenedPage]:
    """Open one instance for as long as the context lasts, then submit and score what its page holds.

    Args:
        task: The task's name.
        row: The instance's place in its table, from 0.
        options: Further ones of ``python -m harness page open``, such as ``("--headed", "--max-time", "600")``.

    Raises:
        CannotOpen: there is no such instance, no browser, or the page cannot be opened in it.
        NoResult: the browser was lost.
    """
    command = [sys.executable, *without_caller("page open"), *options, "--", task, str(row)]
    with (
        tempfile.TemporaryFile() as complaints,
        subprocess.Popen(
            command,
            env=importing_environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,  # a Ctrl-C is this process's; the page is submitted when the context is left
        ) as process,
    ):
        assert process.stdout  # noqa: S101 - a pipe
        line = process.stdout.readline()
        if not line:
            raise CannotOpen(_last_words(process, complaints))
        page = OpenedPage(codec.decode(line, ToldPage), process, complaints)
        try:
            yield page
        finally:
            page.submit()


def _last_words(process: subprocess.Popen[bytes], complaints: IO[bytes]) -> str:
    process.wait()
    complaints.seek(0)
    words = complaints.read().decode(errors="replace").strip()
    # Before an error there may be warnings, and a process that was killed may have said nothing else.
    *_, error = re.split(r"^error: ", words, flags=re.MULTILINE)
    ended = f"the process that opens the page ended with status {process.returncode}"
    return error if error != words else f"{ended}: {words}" if words else ended
