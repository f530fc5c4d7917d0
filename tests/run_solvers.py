"""Solvers that behave as no solver should, found by their dotted path."""

# ruff: noqa: ARG002, ARG003 - they have the arguments of a solver, whether they look at them or not

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import tempfile
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar

from harness.actions.parser import parse
from harness.browser.devtools import Devtools
from harness.episode.assignment import Assignment, Page
from harness.episode.library import ACTIONS, Actions
from harness.episode.probe import Probe
from harness.episode.registry import LeaveOut
from harness.episode.site_actions import SiteActions
from harness.episode.solver import Setup
from harness.models.accounts import ReplyCache
from harness.models.client import Exchange, MissingExtra, ModelError, NoAccess, RequestRefused, Retryable
from harness.models.ledger import Ledger
from harness.models.messages import Message, Reply, Request, Text, Usage
from harness.models.retry import ProviderDown, ProviderGone, RetryPolicy
from harness.models.service import Calling, ModelService
from harness.models.tokens.counting import tokens_for
from harness.records.turn import turn_of
from tests.site import in_page


class Fills:
    """Writes into every text field."""

    def solve(self, page: Page, act: Actions) -> None:
        for field in page.fields:
            if field.kind == "text" and field.visible:
                act.modify_text(field.name, "filled")


class Raises:
    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        raise RuntimeError("no idea")


class Exits:
    def solve(self, page: Page, act: Actions) -> None:
        sys.exit(3)


class Loops:
    def solve(self, page: Page, act: Actions) -> None:
        while True:
            act.modify_text("a", "yes")


class SwallowsTheLimit:
    def solve(self, page: Page, act: Actions) -> None:
        with contextlib.suppress(Exception):
            while True:
                act.modify_text("a", "yes")


class SwallowsEverythingForEver:
    def solve(self, page: Page, act: Actions) -> None:
        while True:
            with contextlib.suppress(Exception):
                act.modify_text("a", "yes")


class ThinksForEver:
    def solve(self, page: Page, act: Actions) -> None:
        while True:
            pass


class SubmitsItself:
    """Presses Submit by its place on the screen, then goes on as if nothing had happened."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        box = in_page(
            act._browser,
            "(({ left, top, width, height }) => [left + width / 2, top + height / 2])"
            "(document.querySelector('[type=submit]').getBoundingClientRect())",
        )
        act.click(*box)
        act.modify_text("a", "too late")


class KillsTheBrowser:
    def solve(self, page: Page, act: Actions) -> None:
        os.killpg(act._browser.process_group, signal.SIGKILL)
        act.modify_text("a", "yes")


class KillsTheBrowserOnce:
    """The first time; it works on after that."""

    def __init__(self) -> None:
        self._done = False

    def solve(self, page: Page, act: Actions) -> None:
        if not self._done:
            self._done = True
            os.killpg(act._browser.process_group, signal.SIGKILL)
        # A solver that swallows the news does not keep it from the harness.
        with contextlib.suppress(Exception):
            act.modify_text("a", "yes")


class LooksAround:
    """Keeps what it is given."""

    pages: list[Page]

    def __init__(self) -> None:
        self.pages = []

    def solve(self, page: Page, act: Actions) -> None:
        self.pages.append(page)


class LooksAtTheKey:
    assignments: list[Assignment]

    def __init__(self) -> None:
        self.assignments = []

    def solve_with_key(self, assignment: Assignment, act: Actions, probe: Probe) -> None:
        self.assignments.append(assignment)


class NeedsAnArgument:
    def __init__(self, model: str) -> None:
        self.model = model

    def solve(self, page: Page, act: Actions) -> None:
        """Never called."""


class NoSolver:
    """It can do nothing."""


class Waits:
    """Says that it is there, and never comes back by itself."""

    def solve(self, page: Page, act: Actions) -> None:
        Path(os.environ["WAITS_SIGN"]).touch()
        threading.Event().wait()


class WaitsAfterTheFirst:
    """On every page but a task's first; tells which process it is in, and never comes back by itself."""

    def solve(self, page: Page, act: Actions) -> None:
        if "/0/" not in page.url:
            (Path(os.environ["WAITS_SIGN"]) / str(os.getpid())).touch()
            threading.Event().wait()


class WaitsForItsTurn:
    """Says by a pipe that it has a page, waits for a byte of another, and writes into every text field."""

    def solve(self, page: Page, act: Actions) -> None:
        with (
            Path(os.environ["TURN_ASKED"]).open("wb", buffering=0) as asked,
            Path(os.environ["TURN_GIVEN"]).open("rb", buffering=0) as given,
        ):
            asked.write(b"?")
            given.read(1)
        Fills().solve(page, act)


class WaitsWithTheKey:
    """As ``WaitsAfterTheFirst``, but for what it is handed."""

    def solve_with_key(self, assignment: Assignment, act: Actions, probe: Probe) -> None:
        WaitsAfterTheFirst().solve(assignment.page, act)


class WaitsAfterReadingTheTables(WaitsAfterTheFirst):
    """As a solver does that makes examples of other tasks' labels, and keeps more of them than it needs."""

    read: ClassVar[list[bytes]] = []

    @classmethod
    def prepare(cls, setup: Setup) -> Mapping[str, Any]:
        cls.read += [file.read_bytes() for file in setup.tasks_dir.glob("*/batch.csv")]
        return {"tables": len(cls.read)}

    @classmethod
    def leave_out(cls, setup: Setup) -> LeaveOut:
        return lambda _task, instance: "instances with labels" if instance.labels else ""


class Sleeps:
    """Blocks in the system, from where no error can throw it."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        lock = threading.Lock()
        lock.acquire()
        lock.acquire()


class HoldsTheProcess:
    """A match that takes for ever, in which no other thread of the process gets a turn."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        re.match(r"(a+)+$", "a" * 64 + "b")


def once() -> bool:
    """Whether this is the first time in a run, whichever process asks."""
    sign = Path(os.environ["ONCE_SIGN"])
    if sign.exists():
        return False
    sign.touch()
    return True


class StopsTheBrowserOnce:
    """As a browser that hangs for good."""

    def solve(self, page: Page, act: Actions) -> None:
        if once():
            os.killpg(act._browser.process_group, signal.SIGSTOP)
        act.modify_text("a", "yes")


class KillsTheWorkerOnce:
    """Its own process."""

    def solve(self, page: Page, act: Actions) -> None:
        if once():
            os.kill(os.getpid(), signal.SIGKILL)
        act.modify_text("a", "yes")


class KillsTheBrowserOverDevtools:
    """As a program from outside may that drives it."""

    def solve_over_devtools(self, page: Page, act: Actions, devtools: Devtools) -> None:
        os.killpg(act._browser.process_group, signal.SIGKILL)
        devtools.take_back()


class CrashesTheRenderer:
    """As a page that takes more memory than there is."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        with contextlib.suppress(Exception):
            act._browser.channel.call("Page.crash")
        act.modify_text("a", "yes")


class KillsTheBrowserAtTheEnd:
    """So that its form cannot be read."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        os.killpg(act._browser.process_group, signal.SIGKILL)


class NeverAnswersAgain:
    """Sets off a script that does not end, and goes on as if nothing had happened."""

    def solve(self, page: Page, act: Actions) -> None:
        with contextlib.suppress(Exception):
            in_page(act._browser, "(() => { for (;;) {} })()")


class KillsTheWorker:
    """Its own process, always."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        with Path(os.environ["TRIES"]).open("a", encoding="utf-8") as tries:
            tries.write("try\n")
        os.kill(os.getpid(), signal.SIGKILL)


class LosesItsPageAndWaits:
    """Whenever it is handed a page, it kills its browser, but for the second time: then it never comes back."""

    def solve(self, page: Page, act: Actions) -> None:
        with Path(os.environ["TRIES"]).open("a+", encoding="utf-8") as tries:
            tries.write("try\n")
            tries.seek(0)
            second = len(tries.readlines()) == 2
        if second:
            Waits().solve(page, act)
        self.die(act)
        act.modify_text("a", "yes")

    def die(self, act: Actions) -> None:
        os.killpg(act._browser.process_group, signal.SIGKILL)


class LosesItsProcessAndWaits(LosesItsPageAndWaits):
    """The same with its own process."""

    def die(self, act: Actions) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class HoldsTheProcessWithoutABrowser:
    """It hangs, and what it has done on its page cannot be read either."""

    def solve(self, page: Page, act: Actions) -> None:
        os.killpg(act._browser.process_group, signal.SIGKILL)
        re.match(r"(a+)+$", "a" * 64 + "b")


class SpeaksAndKillsTheBrowserOnce:
    """Asks a model that always answers the same, and loses its page to the first answer."""

    def solve(self, page: Page, act: Actions) -> None:
        SaysSomething().solve(page, act)
        if once():
            os.killpg(act._browser.process_group, signal.SIGKILL)
        act.modify_text("a", "yes")


class ActsUntilItsPageDies:
    """Uses up most of what it may, loses its page, and uses up the rest."""

    def solve(self, page: Page, act: Actions) -> None:
        first = once()
        for _ in range(6):
            act.modify_text("a", "yes")
        if first:
            os.killpg(act._browser.process_group, signal.SIGKILL)
        act.modify_text("a", "yes")


class WaitsForItsProvider:
    """For longer than its episode, its watchdog and its pool would let it act."""

    def solve(self, page: Page, act: Actions) -> None:
        with act.trajectory.waiting():
            threading.Event().wait(float(os.environ["WAIT_SECONDS"]))
        act.modify_text("a", "yes")


class DoesAsItsTaskIsCalled:
    """What the solver of this module does whose name a task has, so that one run has many of them.

    After ``_`` a task's name has the outage that is named.
    """

    def __init__(self) -> None:
        self._solvers: dict[str, Any] = {}

    def solve(self, page: Page, act: Actions) -> None:
        task = page.url.rsplit("/", 3)[-3]
        name, _, outage = task.partition("_")
        os.environ.update(ONCE_SIGN=str(Path(os.environ["SIGNS"]) / task), OUTAGE=outage)
        if name not in self._solvers:
            self._solvers[name] = globals()[name]()
        self._solvers[name].solve(page, act)


class _NoClient:
    """A client of which every call fails in the same way."""

    def __init__(self, failure: ModelError) -> None:
        self._failure = failure

    def complete(self, request: Request, *, timeout: float) -> Reply:
        raise self._failure


def ask_in_vain(act: Actions, failure: ModelError) -> None:
    """Ask the harness's own service, whose provider fails so."""
    with tempfile.TemporaryDirectory() as place:
        service = ModelService(
            lambda: _NoClient(failure),
            price=None,
            tokens=tokens_for("m", "openai"),
            ledger=Ledger(Path(place) / "ledger.jsonl"),
            cache=ReplyCache(Path(place) / "replies", "m"),
            calling=Calling(policy=RetryPolicy(attempts=1)),
        )
        service.complete(Request("m", (Message("user", (Text("?"),)),)), act.trajectory)


OUTAGES: Mapping[str, Callable[[], ModelError]] = {
    "ProviderGone": lambda: ProviderGone("nobody is there"),
    "ProviderDown": lambda: ProviderDown("no answer after 6 tries"),
    "NoAccess": lambda: NoAccess("set OPENAI_API_KEY"),
    "MissingExtra": lambda: MissingExtra("openai", "openai"),
}


class SaysThatItsProviderFailed:
    """Names an outage of its own for why it should not be scored, after one that it had survived."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        with contextlib.suppress(ProviderDown):
            ask_in_vain(act, Retryable("HTTP 503"))
        raise OUTAGES[os.environ["OUTAGE"]]()


class ItsProviderIsDownOnce:
    """It acts, then asks in vain; when it is tried again, the answer comes."""

    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        with Path(os.environ["ONCE_SIGN"]).with_name("asked").open("a", encoding="utf-8") as asked:
            asked.write("asked\n")
        if once():
            ask_in_vain(act, Retryable("HTTP 503"))


class AsksForTooMuch:
    def solve(self, page: Page, act: Actions) -> None:
        act.modify_text("a", "yes")
        ask_in_vain(act, RequestRefused("the request is too long: HTTP 400"))


class LacksALibrary:
    def solve(self, page: Page, act: Actions) -> None:
        ask_in_vain(act, MissingExtra("openai", "openai"))


class LacksAKey:
    def solve(self, page: Page, act: Actions) -> None:
        ask_in_vain(act, NoAccess("set OPENAI_API_KEY"))


class SaysSomething:
    """Asks a model that always answers the same."""

    def solve(self, page: Page, act: Actions) -> None:
        with act.trajectory.waiting():
            answer = Reply("modify_text('a', 'yes')", usage=Usage(7, 3))
        request = Request("m", (Message("user", (Text(f"fill in {page.names}"),)),))
        exchange = Exchange(reply=answer, usage=answer.usage, cost=0.5)
        with turn_of(act.trajectory, request, exchange, page=act.observation.digest()) as turn:
            turn.read(*parse(answer.text, ACTIONS))
            act.modify_text("a", "yes")


class PressesNumbers:
    """Presses buttons by their numbers: one that brings out two others, whose numbers depend on when it looks."""

    def solve(self, page: Page, act: Actions) -> None:
        two = number_of(act, "Two")
        act.click_element(two)
        late = number_of(act, "Late")
        act.click_element(late)
        act.click_element(late)


def number_of(act: Actions, text: str) -> int:
    """The number of the button with a text."""
    nodes = act.observation.snapshot().nodes
    return next(nodes[node.parent].ref for node in nodes if node.text == text)


class SeesTheWebsite:
    """Writes down what a solver without a key is told of a website."""

    def solve(self, page: Page, act: Actions) -> None:
        Path(os.environ["TOLD"]).write_text(repr(vars(page)), encoding="utf-8")


class WalksForEver:
    """Loads the page again and again."""

    def solve(self, page: Page, act: SiteActions) -> None:
        while True:
            act.reload()


class DiesOnTheWebsite:
    """Its process ends while it is at work, each time."""

    def solve(self, page: Page, act: Actions) -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class DiesInTheAccount:
    """Reaches the account, and then its process ends, each time; with ``FIRST_ONLY`` it reaches it the first time only.

    ``LIVES`` has it end as it should instead.
    """

    def solve(self, page: Page, act: Actions) -> None:
        assert isinstance(act, SiteActions)
        once = os.environ.get("FIRST_ONLY")
        if once is None or not Path(once).exists():
            if once:
                Path(once).touch()
            act.goto(f"{page.origins[0]}/account/")
        if "LIVES" not in os.environ:
            os.kill(os.getpid(), signal.SIGKILL)


class SearchesTheWeb:
    """Searches, then follows a link that leads to a site that is none of the task's."""

    def solve(self, page: Page, act: Actions) -> None:
        assert isinstance(act, SiteActions)
        act.goto(f"{page.url}search?q=a+hat")
        act.observation.snapshot()
        act.click_element(1)
        act.finish()


class AsksItsUser:
    """Asks on each website for what is of its address, and answers with what it is told."""

    def solve(self, page: Page, act: SiteActions) -> None:
        act.ask_user(f"What is {page.url.rpartition('=')[2]}?")
        act.finish(act.trajectory.steps[-1].message)
