"""A worker process: one browser, one job after another, each tried again in a new browser where the old one failed."""

from __future__ import annotations

import contextlib
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from multiprocessing.reduction import recv_handle, send_handle
from typing import Any, Generic, Protocol, TypeVar

from harness.browser.browser_choice import FORM, NavigationPolicy
from harness.browser.input_back_end import BrowserSession, SessionMaker
from harness.browser.launch import BrowserSettings
from harness.browser.reaper import BrowserReaper
from harness.browser.wire import PipeEnds
from harness.kit.errors import WrongSetUp
from harness.records.fatal import FatalError
from harness.run.forked import live_with, portable
from harness.run.pause import NotNow
from harness.run.pool_state import PersonAnswer

JobT_contra = TypeVar("JobT_contra", contravariant=True)
DoneT_co = TypeVar("DoneT_co", covariant=True)

ATTEMPTS = 3
"""How often a job is tried, each time but the first in a new browser."""
PAGES_PER_BROWSER = 400
"""Jobs after which a browser is replaced, since it grows with the pages that it has shown: measured on pages of the
benchmark, 170 MB at the start, 410 after 100 pages, 450 after 300. A start costs as much as some ten pages."""


class JobReport(Protocol):
    """What a job may tell while it is done."""

    def say(self, text: str) -> None:
        """Tell the user something; the same text is shown once a run."""

    def ask(self, question: str) -> str | None:
        """Put a question to the person who attends, and wait for the answer; None if there is none."""

    def longer(self, seconds: float) -> None:
        """Ask for so much more time than the pool's patience, for what is no fault of the job's."""

    def instead(self, job: Any, died: Callable[[str, float], Any]) -> None:
        """What to do in place of the present job should this process not live to its end.

        Args:
            job: The other job, should the process hang and be killed; its browser lives on until then.
            died: Makes the other job, should the process end otherwise: called in the parent with the reason, and with
                the seconds since now.
        """

    @property
    def left(self) -> PipeEnds | None:
        """The pipe to the browser of the process that was killed, if this job is done in place of one that hung."""


class Work(Protocol[JobT_contra, DoneT_co]):
    """What a worker does with its jobs; made in its process.

    Attributes:
        spent: Whether something was left behind in the process that cannot be ended otherwise than with it.
    """

    @property
    def spent(self) -> bool:
        """See above."""

    def do(self, session: BrowserSession, job: JobT_contra, report: JobReport) -> DoneT_co:
        """Do one job.

        Raises:
            FatalError: nothing else can be done either.
            NotNow: nothing else can be done at present; the job is given back, with all that wait.
            Replaced: another job is to be done in place of this one, in a new browser.
            Exception: it is tried again in a new browser.
        """


class Replaced(Exception):
    """A job cannot come to its end any more; another takes its place, whose failures count anew.

    Attributes:
        job: The other.
    """

    def __init__(self, job: Any) -> None:
        super().__init__()
        self.job = job


@dataclass(frozen=True)
class WorkerMessage:
    """From a worker to its parent.

    Attributes:
        kind: ``browser`` (a new one is up; the ends of its pipe follow), ``begin`` (a job), ``longer``, ``instead``
            (see ``JobReport``), ``replaced`` (a job, by another), ``later`` (all its jobs are given back), ``done``,
            ``failed``, ``free`` (it has no job), ``say``, ``ask`` (a ``PersonAnswer`` is waited for), ``fatal``.
        number: Of the job.
        what: What is seen of the browser's sandbox, the seconds, the other job or both of them, the result, the reason,
            the text or the error.
    """

    kind: str
    number: int = -1
    what: Any = None


@dataclass(frozen=True)
class LeftBrowser:
    """To a worker: a job of those that follow has to do with a killed worker's browser; the ends of its pipe follow.

    Attributes:
        number: Of the job.
    """

    number: int


def send_ends(pipe: Connection, ends: PipeEnds) -> None:
    """Send another process the ends of a browser's pipe, which both then have."""
    for descriptor in (ends.answers, ends.commands):
        send_handle(pipe, descriptor, None)


def receive_ends(pipe: Connection) -> PipeEnds:
    """Take what ``send_ends`` sends."""
    return PipeEnds(answers=recv_handle(pipe), commands=recv_handle(pipe))


@dataclass(frozen=True)
class _JobReport:
    """Of one job."""

    number: int
    tell: Callable[[WorkerMessage], None]
    wait: Callable[[], str | None]
    left: PipeEnds | None

    def say(self, text: str) -> None:
        self.tell(WorkerMessage("say", what=text))

    def ask(self, question: str) -> str | None:
        self.tell(WorkerMessage("ask", self.number, question))
        return self.wait()

    def longer(self, seconds: float) -> None:
        self.tell(WorkerMessage("longer", self.number, seconds))

    def instead(self, job: Any, died: Callable[[str, float], Any]) -> None:
        self.tell(WorkerMessage("instead", self.number, (job, died)))


class Worker(Generic[JobT_contra, DoneT_co]):
    """The worker's side of a pool."""

    def __init__(
        self,
        pipe: Connection,
        reaper: BrowserReaper,
        make_work: Callable[[], Work[JobT_contra, DoneT_co]],
        make_session: SessionMaker,
        *,
        browsers_start: bool,
    ) -> None:
        """Prepare a worker, in its own process.

        Args:
            pipe: To the parent.
            reaper: Watches the browsers.
            make_work: Makes what does the jobs.
            make_session: Starts a browser with its screen.
            browsers_start: Whether browsers are known to start here.
        """
        self._pipe = pipe
        self._reaper = reaper
        self._make_work = make_work
        self._make_session = make_session
        self._browsers_start = browsers_start
        self._settings: BrowserSettings | None = None
        self._policy = self._started_for = FORM
        self._session: BrowserSession | None = None
        self._pages = 0
        self._waiting: deque[tuple[int, Any]] = deque()
        self._left: dict[int, PipeEnds] = {}
        self._stopping = False
        self._turn = threading.Lock()

    def run(self) -> None:
        """Work until the parent says stop or is gone."""
        try:
            work = self._make_work()
            while self._listen():
                number, job = self._waiting.popleft()
                self._attempt(work, number, job)
                if work.spent:
                    return
        except (EOFError, BrokenPipeError):
            return
        except Exception as error:  # noqa: BLE001 - its process would end without a word; the pool raises it
            self._tell(WorkerMessage("fatal", what=portable(error)))
        finally:
            self._leave()

    def _listen(self) -> bool:
        """Take orders; waits for one if there is nothing else to do. Whether there is a job."""
        if not self._waiting:
            self._tell(WorkerMessage("free"))
        while not self._waiting and not self._stopping:
            self._take(self._pipe.recv())
        return not self._is_to_stop()

    def _is_to_stop(self) -> bool:
        while self._pipe.poll():
            self._take(self._pipe.recv())
        return self._stopping

    def _take(self, order: object) -> None:
        if isinstance(order, BrowserSettings):
            self._settings = replace(order, scratch=self._reaper.folder, announce=self._reaper.watch_me)
        elif isinstance(order, NavigationPolicy):
            self._policy = order
        elif isinstance(order, LeftBrowser):
            self._left[order.number] = receive_ends(self._pipe)
        elif isinstance(order, list):
            self._waiting.extend(order)
        else:
            self._stopping = True

    def _answer(self) -> str | None:
        """Wait for what the person answers, and take what else is said meanwhile; in the thread of who has asked."""
        while not isinstance(order := self._pipe.recv(), PersonAnswer):
            self._take(order)
        return order.text

    def _attempt(self, work: Work[JobT_contra, DoneT_co], number: int, job: JobT_contra) -> None:
        tries, reason = 0, ""
        report = _JobReport(number, self._tell, self._answer, self._left.get(number))
        while tries < ATTEMPTS:
            tries += 1
            self._tell(WorkerMessage("begin", number))
            try:
                result = work.do(self._take_session(), job, report)
            except FatalError:
                raise
            except NotNow as why:
                self._waiting.clear()
                self._tell(WorkerMessage("later", number, why))
                return
            except Replaced as other:
                # Even if all is to end: the other job is the end of one that was under way.
                tries, job = 0, other.job
                self._tell(WorkerMessage("replaced", number, job))
                self._leave()
                continue
            except Exception as error:  # whatever one job meets must not end the others
                if isinstance(error, WrongSetUp) and not self._browsers_start:
                    raise
                reason = str(error) or type(error).__name__
                self._leave()
                if self._is_to_stop():
                    return  # neither done nor failed: it could have been tried again
                continue
            self._tell(WorkerMessage("done", number, result))
            return
        self._tell(WorkerMessage("failed", number, reason))

    def _take_session(self) -> BrowserSession:
        if self._session and (self._pages >= PAGES_PER_BROWSER or self._started_for != self._policy):
            self._leave()
        if self._session is None:
            assert self._settings  # noqa: S101 - the pool sends them before any job
            self._session = self._make_session(replace(self._settings, policy=self._policy))
            self._started_for = self._policy
            self._pages = 0
            self._browsers_start = True
            self._tell(WorkerMessage("browser", what=self._session.browser.sandbox))
            send_ends(self._pipe, self._session.browser.ends)
        self._pages += 1
        return self._session

    def _leave(self) -> None:
        session, self._session = self._session, None
        if session:
            session.input.close()
            session.browser.close()
            self._reaper.forget(session.browser.process_group)

    def _tell(self, message: WorkerMessage) -> None:
        with self._turn:  # who asks a person does so in a thread of its own
            self._pipe.send(message)


def enter(worker: Callable[[], Worker[Any, Any]], foreign: Sequence[Connection | PipeEnds], parent: int) -> None:
    """The first and last function of a worker's process.

    Args:
        worker: Makes the worker.
        foreign: Ends of pipes that belong to the parent, to workers and to browsers: they came along with the fork.
        parent: The parent's process.
    """
    for pipe in foreign:
        pipe.close()
    live_with(parent)
    with contextlib.suppress(BrokenPipeError):
        worker().run()
