"""One recording: a thread that owns the browser, and the task that is made of what a person does in it."""

from __future__ import annotations

import contextlib
import queue
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as TakesTooLong
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar
from urllib.parse import quote, quote_plus

from harness.browser.browser import PageFailed
from harness.browser.channel import CommandFailed
from harness.browser.input_back_end import devtools_session
from harness.browser.wire import BrowserGone
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.catalog.task import Instance
from harness.catalog.trace import ElementMark, Trace
from harness.episode.action_sets import actions_of
from harness.episode.assignment import Page
from harness.episode.probe import Probe
from harness.episode.registry import find_solver
from harness.episode.site_actions import SiteActions
from harness.episode.site_assignment import SiteAssignment
from harness.episode.solver import KeyedSolver
from harness.episode.trajectory import Trajectory
from harness.kit.errors import UserError
from harness.run.server import own_server
from harness.run.site_control import SiteControl, SiteControlRefused, new_episode, new_key
from harness.sites.recording.draft import CannotDo, TaskDraft
from harness.sites.recording.order import RecordingOrder
from harness.sites.recording.proof import Proof, prove
from harness.sites.recording.recorded_session import RecordedSession, browser_settings
from harness.sites.recording.recorded_step import NOT_RECORDED, PersonAct
from harness.sites.recording.task_files import write_task


def redo(trace: Trace, session: RecordedSession) -> None:
    """Do the steps of a trace.

    Args:
        trace: The trace.
        session: The browser, with the trace's first page open.

    Raises:
        CannotDo: a step cannot be done again; those before it were.
        harness.browser.wire.BrowserGone: the browser died.
    """
    oracle = find_solver("oracle").make()
    assert isinstance(oracle, KeyedSolver)  # noqa: S101 - it replays traces
    act = SiteActions(session.site, session.input, Trajectory(), actions_of())
    facts = SiteFacts(goal=trace.goal, start=trace.start, origins=(), evaluators=Evaluators())
    assignment = SiteAssignment(
        page=Page(trace.start, (), (), 0, trace.goal),
        instance=Instance("", 0, "", {}, {}, (), ()),
        facts=facts,
        trace=trace,
    )
    try:
        oracle.solve_with_key(assignment, act, Probe(session.site, act.trajectory))
    except Exception as error:
        if type(error).__module__.startswith("harness.browser"):
            raise
        raise CannotDo(f"The steps before it cannot be done again: {error}") from error


SHORTEST = 4
"""Characters of a password that is looked for in addresses and texts: what is shorter stands in too many by chance."""


class SecretWords:
    """The passwords of one recording."""

    def __init__(self) -> None:
        self._by_field: dict[tuple[int, str, str], str] = {}

    def learn(self, act: PersonAct) -> None:
        """Take down what a password field holds; each further character makes it anew."""
        if act.secret and act.element and act.value:
            self._by_field[act.tab, act.url, act.element.css] = act.value

    def without(self, text: str) -> str:
        """A text with no password in it, be it as it is or as an address writes it."""
        for word in sorted(set(self._by_field.values()), key=len, reverse=True):
            if len(word) >= SHORTEST:
                for form in {word, quote(word), quote(word, safe=""), quote_plus(word)}:
                    text = text.replace(form, NOT_RECORDED)
        return text

    def cleaned(self, act: PersonAct) -> PersonAct:
        """An act with no password in it."""
        value = None if act.value is None else NOT_RECORDED if act.secret else self.without(act.value)
        element = act.element and self._cleaned_mark(act.element)
        return replace(act, url=self.without(act.url), label=self.without(act.label), element=element, value=value)

    def _cleaned_mark(self, mark: ElementMark) -> ElementMark:
        attributes: Mapping[str, Any] = {name: self.without(value) for name, value in mark.attributes.items()}
        return replace(mark, css=self.without(mark.css), text=self.without(mark.text), attributes=attributes)


Phase = Literal["starting", "recording", "proving", "browser gone", "failed", "ended"]
ResultT = TypeVar("ResultT")
LISTENING_SECONDS = 0.15
"""How often the browser is asked what was done in its window, and for a picture of it."""
ANSWER_SECONDS = 300.0
"""How long somebody waits for what was asked for: a replay of many steps is the longest."""
_LOST = (BrowserGone, CommandFailed, PageFailed)


class Recorder:
    """One recording, which begins when it is made.

    Attributes:
        order: What is recorded.
        draft: The task so far; to be looked at and changed under ``lock``.
        lock: See there.
        phase: How far it is.
        trouble: Why it failed, or why the browser is gone; empty if neither.
        version: Grows with each change of what a person sees of it, but for the view.
        tabs: Of the browser: number, address, title, and whether it is the one that is shown.
        folder: Where the task was written; None if it was not.
        proof: What its replay has shown; None before.
    """

    def __init__(self, order: RecordingOrder, tasks: Path) -> None:
        """Begin.

        Args:
            order: What is to be recorded.
            tasks: The folder in which the task's folder is to be made.
        """
        self.order = order
        self.draft = TaskDraft(order)
        self.lock = threading.RLock()
        self.phase: Phase = "starting"
        self.trouble = ""
        self.version = 0
        self.tabs: list[dict[str, Any]] = []
        self.folder: Path | None = None
        self.proof: Proof | None = None
        self._tasks = tasks
        self._secrets = SecretWords()
        self._wanted: queue.Queue[tuple[Callable[[RecordedSession], Any], Future[Any]]] = queue.Queue()
        self._session: RecordedSession | None = None
        self._origin = ""
        self._control: SiteControl | None = None
        self._episode = ""
        self._has_looked = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    # ---- for whoever shows it -------------------------------------------------------------------------------------

    @property
    def notes(self) -> tuple[str, ...]:
        """What could not be recorded, in sentences."""
        return tuple(self._session.notes) if self._session else ()

    @property
    def looks(self) -> int:
        """How many views of the browser there were."""
        return self._session.looks if self._session else 0

    def view(self, after: int, seconds: float) -> tuple[int, bytes]:
        """The number and the JPEG of what the browser shows, once it is another than that of number ``after``.

        Args:
            after: The number of the view that is known already.
            seconds: How long to wait for another.
        """
        with self._has_looked:
            self._has_looked.wait_for(lambda: self.looks != after or self.phase in ("failed", "ended"), seconds)
        return self.looks, self._session.view if self._session else b""

    def picture(self, name: str) -> bytes | None:
        """A picture of a step by its name; None if there is none."""
        return self._session.picture(name) if self._session else None

    def ask(self, work: Callable[[RecordedSession], ResultT]) -> ResultT:
        """Have something done to the browser, in the thread that owns it, and wait for that.

        Args:
            work: What to do.

        Raises:
            CannotDo: the recording has ended, the browser is gone, or does not get it done.
        """
        answer: Future[ResultT] = Future()
        if self.phase in ("failed", "ended"):
            raise CannotDo(self.trouble or "The recording has ended")
        self._wanted.put((work, answer))
        try:
            return answer.result(ANSWER_SECONDS)
        except CancelledError:
            raise CannotDo(self.trouble or "The recording has ended") from None
        except TakesTooLong as error:
            raise CannotDo("The browser does not get this done: see what its page is waiting for") from error
        except _LOST as error:
            raise CannotDo(f"The browser does not do this: {error}") from error

    def edit(self, work: Callable[[TaskDraft], ResultT]) -> ResultT:
        """Change the task; gives what ``work`` does."""
        with self.lock:
            result = work(self.draft)
            self._has_changed()
        return result

    def take(self, acts: list[PersonAct]) -> None:
        """Take down what was done."""
        with self.lock:
            for act in acts:
                self._secrets.learn(act)
                self.draft.maker.take(self._secrets.cleaned(act))
            if acts:
                self._has_changed()

    def undo(self, session: RecordedSession) -> None:
        """Take the last step back; on a bundled site the browser is brought to where it was before it.

        Raises:
            CannotDo: there is no step, or those before it cannot be done again.
        """
        with self.lock:
            if not self.draft.steps:
                raise CannotDo("There is no step to take back")
            self.draft.remove(self.draft.steps[-1].number)
            trace = self.draft.trace()
            self._has_changed()
        if not self._control:
            return
        steps = tuple(step for step in trace.steps if step.do != "finish")
        self._begin(session)
        try:
            redo(Trace(goal=trace.goal, start=trace.start, steps=steps), session)
        finally:
            session.forget()
            self.draft.maker.tab = session.site.tab.number
            self.show(session)

    def save(self) -> Path:
        """Write the task, and have it replayed in the recorder's thread; gives the folder.

        Raises:
            CannotDo: the task is not complete, or another has its name.
            OSError: it cannot be written.
        """
        with self.lock:
            if self.phase not in ("recording", "browser gone"):
                raise CannotDo("It is being replayed: wait until that is done")
            self.folder = write_task(self.draft, self._tasks, self.picture, mine=self.folder)
            self.proof, before, self.phase = None, self.phase, "proving"
            self._has_changed()
        self._wanted.put((lambda _: self._prove(before), Future()))
        return self.folder

    def end(self) -> None:
        """End the browser and the recording; what is written stays."""
        if self.phase != "failed":
            self._enter("ended")
        self._thread.join(ANSWER_SECONDS)

    # ---- the thread -----------------------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            with self._served(), contextlib.closing(RecordedSession(self.order, self._origin)) as session:
                self._begin(session)
                self._session = session
                self.show(session)
                self._enter("recording")
                while self.phase != "ended":
                    self._go_on(session)
        except (UserError, *_LOST) as error:
            self._enter("failed", str(error))
        finally:
            while not self._wanted.empty():
                self._wanted.get()[1].cancel()

    @contextlib.contextmanager
    def _served(self) -> Iterator[None]:
        """Serve the bundled site meanwhile, if it is one."""
        if not self.order.setting.site:
            yield
            return
        key = new_key()
        with tempfile.TemporaryDirectory() as nothing, own_server(Path(nothing), None, control_key=key) as origin:
            self._origin, self._control = origin, SiteControl(origin, key)
            yield

    def _begin(self, session: RecordedSession) -> None:
        """Open the first page, of a bundled site with a new episode."""
        if self._control:
            before, self._episode = self._episode, new_episode()
            self._control.begin(self._episode, self.order.setting)
            if before:
                with contextlib.suppress(SiteControlRefused):
                    self._control.end(before)
        session.open(self._episode)
        is_rewarded = session.is_rewarding
        with self.lock:
            self.draft.is_rewarded = is_rewarded

    def _go_on(self, session: RecordedSession) -> None:
        """Do what is asked for next, and hear what was done in the browser."""
        with contextlib.suppress(queue.Empty):
            work, answer = self._wanted.get(timeout=LISTENING_SECONDS)
            self._do(work, answer, session)
        if self.phase == "recording":
            try:
                self.hear(session)
            except _LOST as error:
                if session.is_there:  # but not the tab that was looked at
                    return
                self._enter("browser gone", f"The browser was closed, or does not answer: {error}")

    def _do(self, work: Callable[[RecordedSession], Any], answer: Future[Any], session: RecordedSession) -> None:
        try:
            result = work(session)
            if self.phase == "recording":
                self.hear(session)
        except Exception as error:  # noqa: BLE001 - it is told to whoever waits for it
            answer.set_exception(error)
        else:
            answer.set_result(result)

    def hear(self, session: RecordedSession) -> None:
        """Take down what was done in the browser; in the recorder's thread."""
        notes = len(session.notes)
        acts = session.listen()
        if acts or len(session.notes) != notes:
            self.take(acts)
            self.show(session)
            with self.lock:
                session.keep({step.picture for step in self.draft.steps})
        else:
            session.look()
        with self._has_looked:
            self._has_looked.notify_all()

    def show(self, session: RecordedSession) -> None:
        """Say which tabs there are; in the recorder's thread."""
        shown = session.site.tab
        with self.lock:
            self.tabs = [
                {
                    "number": tab.number,
                    "url": self._secrets.without(tab.url),
                    "title": self._secrets.without(tab.title),
                    "shown": tab is shown,
                }
                for tab in session.site.tabs
            ]
            self._has_changed()

    def _prove(self, before: Phase) -> None:
        """Replay the task that was written, in a browser of its own."""
        trouble, proof = "", None
        try:
            session = devtools_session(browser_settings(self.order, self._origin))
            with session.browser:
                proof = prove(self.folder or self._tasks, session, self._control)
        except (UserError, *_LOST) as error:
            trouble = f"The task is written and could not be replayed: {error}"
        finally:
            with self.lock:
                self.proof = proof
            if self.phase == "proving":
                self._enter(before, trouble)

    def _enter(self, phase: Phase, trouble: str = "") -> None:
        with self.lock:
            self.phase, self.trouble = phase, trouble
            self._has_changed()
        with self._has_looked:
            self._has_looked.notify_all()

    def _has_changed(self) -> None:
        self.version += 1
