"""What pages show before they are answered, for demonstrations: the oracle fills them in, in workers' processes."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.browser.form.inventory import inspect_page
from harness.browser.input_back_end import BrowserSession
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.episode.assignment import Assignment, Page, TaskAssignments
from harness.episode.library import ACTIONS, Actions
from harness.episode.probe import Probe
from harness.episode.registry import find_solver
from harness.episode.solver import KeyedSolver, Setup
from harness.episode.trajectory import LimitReached, Trajectory
from harness.kit.files.writing import write_json
from harness.models.messages import Message, Request
from harness.observe.snapshot import Snapshot
from harness.records.config import Limits
from harness.run.interrupts import Interrupts
from harness.run.pool import Pool, PoolListener
from harness.run.server import own_server, page_url
from harness.run.worker import JobReport
from harness.scoring.metrics import PROFILES
from harness.solvers.models.demos import ASKED_KINDS
from harness.solvers.models.prompt_sets import prompter_for
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer, PageState

WORKERS = 2
PATIENCE_SECONDS = 240.0
LIMITS = Limits(max_steps=200, max_seconds=60.0)
"""Of the oracle on one page."""
LONGEST_VALUE = 300
"""Characters of an answer that is fit for a demonstration."""


@dataclass(frozen=True)
class PageBeforeAnswer:
    """A page before an answer.

    Attributes:
        field: The field that is answered next; empty for the whole form.
        kinds: Kinds of the fields that are answered.
        sight: What the page is.
        calls: The right actions.
    """

    field: str
    kinds: tuple[str, ...]
    sight: PageState
    calls: tuple[ActionCall, ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON object that ``from_json`` reads back."""
        return {
            "field": self.field,
            "kinds": list(self.kinds),
            "snapshot": self.sight.snapshot.to_json(),
            "png": base64.b64encode(self.sight.png).decode("ascii"),
            "marks": [[number, name] for number, name in self.sight.marks.items()],
            "calls": [call.to_json() for call in self.calls],
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PageBeforeAnswer:
        """From ``to_json``."""
        snapshot = Snapshot.from_json(record["snapshot"])
        marks = dict(record["marks"])
        sight = PageState(snapshot, base64.b64decode(record["png"]), marks, snapshot.digest())
        return cls(record["field"], tuple(record["kinds"]), sight, tuple(map(ActionCall.from_json, record["calls"])))


@dataclass(frozen=True)
class DemoJob:
    """One page to be shown.

    Attributes:
        task: Its task.
        index: Its instance.
        file: Where it is kept in the cache.
        field: The field whose answer is wanted; empty for the first fit answer of each kind, or the whole form.
    """

    task: str
    index: int
    file: Path
    field: str = ""

    def kept(self) -> list[PageBeforeAnswer] | None:
        """What the cache holds of it; None if nothing that can be read."""
        try:
            return [PageBeforeAnswer.from_json(each) for each in json.loads(self.file.read_text(encoding="utf-8"))]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


def show_pages(setup: Setup, recipe: Recipe, jobs: Sequence[DemoJob]) -> None:
    """Show pages in workers' processes, and keep what each shows in its job's file.

    Raises:
        harness.run.server.ServerRefused: the task server does not start.
        harness.browser.launch.NoBrowser: no browser can be started.
        KeyboardInterrupt: the user has asked for the end.
    """
    with (
        Interrupts() as interrupts,
        Pool(
            lambda: DemonstrationWork(setup, recipe),
            PoolListener[DemoJob, None](lambda _job, _done: None, lambda job, _reason: write_json(job.file, [])),
            workers=min(WORKERS, len(jobs)),
            patience=PATIENCE_SECONDS,
            interrupts=interrupts,
        ) as pool,
        own_server(setup.tasks_dir, setup.overlay) as origin,
    ):
        pool.open(BrowserSettings(origin=origin, require_sandbox=setup.require_sandbox))
        for job in jobs:
            pool.put(job.task, [job])
        pool.finish()
        if interrupts.asked:
            raise KeyboardInterrupt


class DemonstrationWork:
    """Lets the oracle fill in pages, in a worker's process; see ``harness.run.worker.Work``."""

    spent = False

    def __init__(self, setup: Setup, recipe: Recipe) -> None:
        self._catalog = Catalog(setup.tasks_dir, setup.overlay)
        self._recipe = recipe
        self._observer = Observer(prompter_for(recipe, ACTIONS), _Uncounted())
        self._oracle = find_solver("oracle").make()

    def do(self, session: BrowserSession, job: DemoJob, _report: JobReport) -> None:
        """Fill in one page and keep what it shows before the answers."""
        assignments = TaskAssignments(self._catalog.task(job.task), PROFILES["standard"])
        instance = assignments.task.instances[job.index]
        url = page_url(session.browser.settings.origin, instance)
        assignment = assignments.make(instance, url, inspect_page(session.browser, url))
        page, calls = assignment.page, self._calls(session, assignment)
        if self._recipe.protocol == "form":
            shown = self._form(session, page, calls)
        elif job.field and job.field not in {call.args["name"] for call in calls}:
            shown = self._left_empty(session, page, job.field) if calls else []
        else:
            shown = self._fields(session, page, calls, job.field)
        write_json(job.file, [each.to_json() for each in shown])

    def _calls(self, session: BrowserSession, assignment: Assignment) -> list[ActionCall]:
        """What the oracle does that works; nothing if it needs more than writing into fields."""
        act = self._open(session, assignment.page)
        assert isinstance(self._oracle, KeyedSolver)  # noqa: S101 - it is ours
        try:
            self._oracle.solve_with_key(assignment, act, Probe(session.browser, act.trajectory))
        except LimitReached:
            return []
        if not all(step.action.startswith("modify_") for step in act.trajectory.steps):
            return []
        read = [parse(step.action, ACTIONS)[0] for step in act.trajectory.steps if step.ok]
        return [call for call in read if isinstance(call, ActionCall)]

    def _fields(
        self, session: BrowserSession, page: Page, calls: Sequence[ActionCall], wanted: str
    ) -> list[PageBeforeAnswer]:
        """The page before the answer of the field that is wanted; of none, before the first fit answer of each kind."""
        act = self._open(session, page)
        times = Counter(call.args["name"] for call in calls)
        shown: dict[str, PageBeforeAnswer] = {}
        for call in calls:
            name = str(call.args["name"])
            kind = next((each.kind for each in act.fields() if each.name == name and each.visible), "")
            new = name == wanted if wanted else kind not in shown
            if kind in ASKED_KINDS and new and times[name] == 1 and _is_fit(call):
                shown[kind] = PageBeforeAnswer(name, (kind,), self._observer.look(act.observation, name), (call,))
            if not act.call(call).ok:
                break
        return list(shown.values())

    def _left_empty(self, session: BrowserSession, page: Page, name: str) -> list[PageBeforeAnswer]:
        """The untouched page, if what the oracle left alone there is an empty box: then leaving it is the answer."""
        act = self._open(session, page)
        boxes = [each for each in act.fields() if each.name == name and each.kind == "checkbox" and each.visible]
        if not boxes or boxes[0].initial:
            return []
        sight = self._observer.look(act.observation, name)
        call = ActionCall("modify_checkbox", {"name": name, "value": []})
        return [PageBeforeAnswer(name, ("checkbox",), sight, (call,))]

    def _form(self, session: BrowserSession, page: Page, calls: Sequence[ActionCall]) -> list[PageBeforeAnswer]:
        """The untouched page, if each of its answers is fit."""
        if not calls or not all(map(_is_fit, calls)):
            return []
        act = self._open(session, page)
        sight = self._observer.look(act.observation, None)
        kinds = {each.name: each.kind for each in page.fields}
        filled = {kinds[name] for call in calls if (name := str(call.args["name"])) in kinds}
        return [PageBeforeAnswer("", tuple(sorted(filled)), sight, tuple(calls))]

    def _open(self, session: BrowserSession, page: Page) -> Actions:
        session.browser.open(page.url)
        return Actions(session.browser, session.input, Trajectory(LIMITS))


class _Uncounted:
    """Looking counts no tokens."""

    def text(self, text: str) -> int:
        return len(text)

    def message(self, message: Message) -> int:
        return len(message.text)

    def request(self, request: Request) -> int:
        return sum(map(self.message, request.messages))


def _is_fit(call: ActionCall) -> bool:
    return call.args["value"] not in ("", []) and len(str(call.args["value"])) <= LONGEST_VALUE
