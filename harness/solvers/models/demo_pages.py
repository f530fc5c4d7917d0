"""Makes demonstrations: lets the oracle fill in pages of the train split, and looks at them before each answer."""

from __future__ import annotations

import base64
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.answers.columns import is_answered
from harness.browser.browser_session import BrowserSession
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.catalog.problems import MalformedTask
from harness.catalog.task import Instance
from harness.episode.assignment import Assignment, Page, TaskAssignments
from harness.episode.library import ACTIONS, Actions
from harness.episode.limits import LimitReached
from harness.episode.probe import Probe
from harness.episode.registry import find_solver
from harness.episode.solver import KeyedSolver, Setup
from harness.episode.trajectory import Trajectory
from harness.errors.user import UserError
from harness.files.names import path_name
from harness.files.writing import cache_folder, write_json
from harness.metrics import PROFILES
from harness.models.messages import Message, Request
from harness.observe import ENCODINGS
from harness.observe.snapshot import Snapshot
from harness.page.inventory import code_hash, inspect_page
from harness.run.interrupts import Interrupts
from harness.run.pool import Pool, PoolListener
from harness.run.server import own_server, page_url
from harness.run.worker import JobReport
from harness.runlog.config import Limits
from harness.runlog.provenance import fingerprint_of
from harness.solvers.models.demos import (
    ASKED_KINDS,
    Demonstration,
    Demonstrations,
    drawn,
    listed_for_fields,
    listed_for_forms,
)
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer, PageState

TRAIN = "train"
BATCH = 8
"""Pages that are made before it is looked whether more are needed."""
MOST_PAGES = 32
"""Pages that are made at most; rare kinds of fields may then have fewer demonstrations of their own kind."""
WORKERS = 2
PATIENCE_SECONDS = 240.0
LIMITS = Limits(max_steps=200, max_seconds=60.0)
"""Of the oracle on one page."""
LONGEST_VALUE = 300
"""Characters of an answer that is fit for a demonstration."""
_VERSION = 1


class NoDemonstrations(UserError):
    """There is no page that demonstrations could be made of; the message says what to do."""


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
    """

    task: str
    index: int
    file: Path

    def kept(self) -> list[PageBeforeAnswer] | None:
        """What the cache holds of it; None if nothing that can be read."""
        try:
            return [PageBeforeAnswer.from_json(each) for each in json.loads(self.file.read_text(encoding="utf-8"))]
        except (OSError, ValueError, KeyError, TypeError, AttributeError):
            return None


def make_demonstrations(setup: Setup, recipe: Recipe, observer: Observer) -> Demonstrations:
    """The demonstrations of a run, from the cache as far as they are there.

    Args:
        setup: The run; its folder is left alone.
        recipe: How the model is asked.
        observer: Shows pages by that recipe.

    Raises:
        NoDemonstrations: the train split has no page for them.
        harness.run.server.ServerRefused: the task server does not start.
        harness.browser.launch.NoBrowser: no browser can be started.
    """
    if not recipe.demos:
        return Demonstrations()
    catalog = Catalog(setup.tasks_dir, setup.overlay)
    copies = {task: tuple(name for name in group if name != task) for group in catalog.duplicates() for task in group}
    needed = recipe.demos + 1 + max(map(len, copies.values()), default=0)
    budget = recipe.max_input_tokens // 2 // recipe.demos
    made: list[Demonstration] = []
    for shown in _pages(setup, recipe, catalog):
        for job, each in shown:
            page = observer.show(each.sight, each.field or None, budget).page
            made.append(Demonstration(job.task, job.index, each.field, each.kinds, page, each.calls))
        if _enough(made, recipe, needed):
            break
    listed = (listed_for_fields if recipe.protocol == "field" else listed_for_forms)(made, needed)
    if not listed:
        raise NoDemonstrations(
            f"--demos {recipe.demos}: {setup.tasks_dir} has no task of the split {TRAIN!r} with a page that the "
            "oracle can fill in; give --demos 0"
        )
    return Demonstrations(recipe.demos, listed, copies)


def _enough(made: Sequence[Demonstration], recipe: Recipe, needed: int) -> bool:
    if recipe.protocol == "form":
        return len(made) >= 2 * needed
    tasks = Counter(kind for kind, _ in {(kind, each.task) for each in made for kind in each.kinds})
    return all(tasks[kind] >= needed for kind in ASKED_KINDS)


def _pages(setup: Setup, recipe: Recipe, catalog: Catalog) -> Iterator[list[tuple[DemoJob, PageBeforeAnswer]]]:
    """What pages show, a batch at a time, in the order of the seed."""
    jobs = _jobs(setup, recipe, catalog)
    while batch := [job for job, _ in zip(jobs, range(BATCH), strict=False)]:
        if missing := [job for job in batch if job.kept() is None]:
            _show(setup, recipe, missing)
        yield [(job, each) for job in batch for each in job.kept() or ()]


def _jobs(setup: Setup, recipe: Recipe, catalog: Catalog) -> Iterator[DemoJob]:
    names = [name for name in catalog.splits().get(TRAIN, []) if not catalog.facts(name).content_warning]
    for count, name in enumerate(drawn(names, setup.seed)):
        if count == MOST_PAGES:
            return
        try:
            instances = catalog.task(name).instances
        except MalformedTask:
            continue
        answered = {each.id: each for each in instances if is_answered(each)}
        if answered:
            instance = answered[drawn(answered, setup.seed)[0]]
            yield DemoJob(name, instance.index, _file(catalog, instance, recipe))


def _file(catalog: Catalog, instance: Instance, recipe: Recipe) -> Path:
    """Where a page is kept: a place that differs with all that it depends on."""
    key = fingerprint_of(
        [
            _VERSION,
            code_hash(),
            catalog.set_fingerprint([instance.task]),
            instance.id,
            recipe.protocol,
            recipe.screenshot,
            recipe.encoding != "none" and ENCODINGS[recipe.encoding].needs_outline,
        ]
    )[:16]
    return cache_folder() / "demonstrations" / f"{path_name(instance.task)[:120]}-{instance.index}-{key}.json"


def _show(setup: Setup, recipe: Recipe, jobs: Sequence[DemoJob]) -> None:
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
        self._oracle = find_solver("oracle").make()

    def do(self, session: BrowserSession, job: DemoJob, _report: JobReport) -> None:
        """Fill in one page and keep what it shows before the answers."""
        assignments = TaskAssignments(self._catalog.task(job.task), PROFILES["standard"])
        instance = assignments.task.instances[job.index]
        url = page_url(session.browser.settings.origin, instance)
        assignment = assignments.make(instance, url, inspect_page(session.browser, url))
        page, calls = assignment.page, self._calls(session, assignment)
        shown = (
            self._fields(session, page, calls) if self._recipe.protocol == "field" else self._form(session, page, calls)
        )
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

    def _fields(self, session: BrowserSession, page: Page, calls: Sequence[ActionCall]) -> list[PageBeforeAnswer]:
        """The page before the first fit answer of each kind."""
        act = self._open(session, page)
        observer = Observer(self._recipe, _Uncounted())
        times = Counter(call.args["name"] for call in calls)
        shown: dict[str, PageBeforeAnswer] = {}
        for call in calls:
            name = str(call.args["name"])
            kind = next((each.kind for each in act.fields() if each.name == name and each.visible), "")
            if kind in ASKED_KINDS and kind not in shown and times[name] == 1 and _is_fit(call):
                shown[kind] = PageBeforeAnswer(name, (kind,), observer.look(act.observation, name), (call,))
            if not act.call(call).ok:
                break
        return list(shown.values())

    def _form(self, session: BrowserSession, page: Page, calls: Sequence[ActionCall]) -> list[PageBeforeAnswer]:
        """The untouched page, if each of its answers is fit."""
        if not calls or not all(map(_is_fit, calls)):
            return []
        act = self._open(session, page)
        sight = Observer(self._recipe, _Uncounted()).look(act.observation, None)
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
