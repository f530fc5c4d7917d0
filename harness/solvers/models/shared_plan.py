"""What several runs would take on the same pages, each of which is opened once for all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field

from harness.catalog import Catalog
from harness.episode.observation import Observation
from harness.kit.text import counted
from harness.models.messages import Message, Text
from harness.models.tokens.counting import Tokens, counter
from harness.models.tokens.vocabulary import VocabularyError
from harness.observe.screenshots import Picture
from harness.observe.snapshot import Snapshot
from harness.records.config import RunConfig
from harness.run.run_tasks import fitted
from harness.run.selection import Selection, choose
from harness.solvers.models.dry_run import RunPlan, planning, reading
from harness.solvers.models.planned_request import PlannedRequest


class StillObservation(Observation):
    """Remembers snapshots and pictures, for reckoning what many runs would send about one untouched page.

    A picture of the screen stands for those of all fields: its tokens depend on its size alone. Where it has numbers,
    which are told in words, each field has its own.
    """

    def __init__(self, live: Observation) -> None:
        """Remember what ``live`` sees; its page has to stay as it is."""
        self._live = live
        self._snapshots: dict[str | None, Snapshot] = {}
        self._pictures: dict[tuple[str, str | None], Picture | None] = {}

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """As ``Observation.snapshot``."""
        if encoding not in self._snapshots:
            self._snapshots[encoding] = self._live.snapshot(encoding)
        return self._snapshots[encoding]

    def read_pictures(self, snapshot: Snapshot) -> Snapshot:
        """As ``Observation.read_pictures``."""
        return self._live.read_pictures(snapshot)

    def digest(self) -> str:
        """As ``Observation.digest``."""
        return self.snapshot().digest()

    def picture(self, mode: str, field: str | None = None) -> Picture | None:
        """As ``Observation.picture``, but for the place to which the page is scrolled."""
        seen = (mode, field if mode.startswith("marks") else None)
        if seen not in self._pictures:
            self._pictures[seen] = self._live.picture(mode, field)
        return self._pictures[seen]

    def number_elements(self) -> None:
        """As ``Observation.number_elements``."""
        self._live.number_elements()


COMMON = "gpt2"
"""The vocabulary by which the requests of all models are counted beside their own: the paper's."""


@dataclass
class SharedPlan:
    """What one of several runs would take.

    Attributes:
        tokens: Counts as its model does, or nearly.
        plan: Its requests, tokens and cost.
        subwords: Of the texts of all its requests by the vocabulary ``COMMON``; None if that was not fetched.
    """

    tokens: Tokens
    plan: RunPlan = field(default_factory=RunPlan)
    subwords: int | None = None

    def count(self, planned: PlannedRequest, subwords: Callable[[str], int] | None) -> None:
        """Count the texts of one request."""
        if subwords is not None:
            self.subwords = (self.subwords or 0) + sum(_subwords(each, subwords) for each in planned.request.messages)


def plan_together(configs: Sequence[RunConfig], tell: Callable[[str], None]) -> list[SharedPlan]:
    """Reckon as ``harness.solvers.models.dry_run.dry_run`` does, for several runs at once.

    Args:
        configs: The runs, which differ in solver and options alone.
        tell: Is given a line for each task, and what is wrong with tasks.

    Returns:
        What each would take, in their order.

    Raises:
        harness.episode.solver.WrongOptions: a solver asks no model, or does not take its options.
        harness.episode.registry.UnknownSolver: there is no such solver.
        harness.catalog.problems.CatalogError: unknown split or task.
        harness.run.server.ServerRefused: the task server does not start.
        harness.browser.launch.NoBrowser: no browser can be started.
    """
    config, catalog = configs[0], Catalog(configs[0].tasks_dir, configs[0].overlay)
    catalog.select(config.split, config.tasks)  # what is wrong there is told before demonstrations are made
    configs = [fitted(each) for each in configs]
    common = _common()
    with ExitStack() as stack:
        solvers = [stack.enter_context(planning(each, tell)) for each in configs]
        found = [SharedPlan(solver.tokens) for solver in solvers]
        reader = stack.enter_context(reading(configs[0], tell))
        for task, instances in choose(catalog, config, Selection()):
            tell(f"{task.name}: {counted(len(instances), 'page')}")
            for instance in instances:
                opened = reader.open(instance)
                opened.act.observation = StillObservation(opened.act.observation)
                for each, solver in zip(found, solvers, strict=True):
                    each.plan.pages += 1
                    for planned in solver.first_requests(opened.page, opened.act):
                        each.plan.add(planned, solver.price, len(opened.page.fields))
                        each.count(planned, common)
    for problem in catalog.problems:
        tell(f"problem: {problem}")
    return found


def _common() -> Callable[[str], int] | None:
    try:
        return counter(COMMON)
    except VocabularyError:
        return None


def _subwords(message: Message, count: Callable[[str], int]) -> int:
    return sum(count(part.text) for part in message.parts if isinstance(part, Text))
