"""Is an agent good enough for a requester's task? Everything that answers it, of one run or several."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from harness.analysis.replacement.answers import AnsweredField, AnsweredItem, Answers
from harness.analysis.replacement.decisions import (
    LEVEL,
    Answer,
    Decision,
    decision_over_tasks,
    field_decisions,
    task_decision,
)
from harness.analysis.replacement.estimates import Quantity, quantities
from harness.analysis.replacement.routing import Routing, route
from harness.analysis.replacement.slices import WorstSlices, worst_slices
from harness.analysis.replacement.workers import KnownWorkers
from harness.kit.files.codec import JsonObject, plain
from harness.kit.statistics.clustered import AMOUNTS, mean_of_clusters, mean_of_one
from harness.kit.statistics.estimate import Estimate

EPSILON = 0.1
"""How much worse than a worker an agent may be, as the paper of the test advises for crowd workers."""


@dataclass(frozen=True)
class TaskReplacement:
    """One task.

    Attributes:
        task: Its name.
        items: Its items.
        constructed: Whether its labels were made and not given by people.
        whole: All of its fields together.
        fields: Field by field.
        quantities: What can be said of all items in the end.
    """

    task: str
    items: int
    constructed: bool
    whole: Decision
    fields: tuple[Decision, ...]
    quantities: tuple[Quantity, ...]


@dataclass(frozen=True)
class Costs:
    """What an item costs. An estimate without a value is not known.

    Attributes:
        agent_dollars: US dollars of the model.
        agent_seconds: Of work.
        people_dollars: Of all workers of an item; only with their pay.
        people_seconds: Of work of all its workers.
        workers: Workers an item.
        pay: US dollars an answer; None if it was not said.
    """

    agent_dollars: Estimate
    agent_seconds: Estimate
    people_dollars: Estimate
    people_seconds: Estimate
    workers: Estimate
    pay: float | None


@dataclass(frozen=True)
class Replacement:
    """All that is known of whether an agent may take workers' places.

    Attributes:
        agent: Whom the run evaluated.
        profile: The scoring profile.
        epsilon: How much worse than a worker it may be, 0 to 1.
        items: Items that it answered.
        left_out: Why -> how many episodes are not among them.
        workers_from: Where worker ids were read; empty if they are not known.
        tasks: Task by task.
        kinds: Kind of field -> what was found over all tasks; empty with one task.
        costs: What an item costs.
        routing: Who should do what; None without labels.
        slices: Where it fails.
    """

    agent: str
    profile: str
    epsilon: float
    items: int
    left_out: Mapping[str, int]
    workers_from: str
    tasks: tuple[TaskReplacement, ...]
    kinds: tuple[Decision, ...]
    costs: Costs
    routing: Routing | None
    slices: WorstSlices

    @property
    def counts(self) -> dict[Answer, int]:
        """Answer -> how many fields have it."""
        counted = Counter(each.answer for task in self.tasks for each in task.fields)
        return {"yes": counted["yes"], "not yet known": counted["not yet known"], "no": counted["no"]}

    def to_json(self) -> JsonObject:
        """A JSON object with the attributes' names as its keys; of items their task, index and id."""
        routing = self.routing
        found: dict[str, Any] = {name: plain(getattr(self, name)) for name in _PLAIN}
        found["counts"] = dict(self.counts)
        found["routing"] = None
        if routing:
            told = ("wanted", "labelled", "curve", "chosen", "signals")
            found["routing"] = {name: plain(getattr(routing, name)) for name in told}
            found["routing"] |= {"to_people": _named(routing.to_people), "to_agent": _named(routing.to_agent)}
        found["slices"] = {
            "looked_at": self.slices.looked_at,
            "found": [
                {
                    **{name: getattr(each, name) for name in ("what", "items", "lost", "elsewhere", "p")},
                    "examples": _named(each.examples),
                }
                for each in self.slices.found
            ],
        }
        return found


_PLAIN = ("agent", "profile", "epsilon", "items", "left_out", "workers_from", "tasks", "kinds", "costs")


def _named(items: Sequence[AnsweredItem]) -> list[JsonObject]:
    return [{"task": each.task, "index": each.index, "id": each.id} for each in items]


def weigh(
    answers: Answers,
    workers: KnownWorkers,
    *,
    epsilon: float = EPSILON,
    pay: float | None = None,
    wanted_error: float = 0.05,
    level: float = LEVEL,
    constructed: frozenset[str] = frozenset(),
) -> Replacement:
    """Weigh an agent's answers against those of workers.

    Args:
        answers: What the agent answered.
        workers: Who the workers are.
        epsilon: How much worse than a worker the agent may be, 0 to 1.
        pay: US dollars that a worker gets for an answer.
        wanted_error: What answers may lack on average once people do their share, 0 to 1.
        level: The chance of any false yes of a task.
        constructed: Tasks whose labels were made and not given by people.
    """
    tasks = []
    for task, items in answers.by_task().items():
        fields = field_decisions(items, workers.names, epsilon, level)
        tasks.append(
            TaskReplacement(
                task=task,
                items=len(items),
                constructed=task in constructed,
                whole=task_decision(task, items, workers.names, epsilon, level),
                fields=tuple(fields),
                quantities=tuple(quantities(items)),
            )
        )
    return Replacement(
        agent=answers.agent,
        profile=answers.profile,
        epsilon=epsilon,
        items=len(answers.items),
        left_out=answers.left_out,
        workers_from=workers.source,
        tasks=tuple(tasks),
        kinds=_kinds(answers.items, epsilon) if len(tasks) > 1 else (),
        costs=_costs(answers.items, workers, pay),
        routing=route(answers.items, wanted_error),
        slices=worst_slices(answers.items, workers.words),
    )


def _kinds(items: Sequence[AnsweredItem], epsilon: float) -> tuple[Decision, ...]:
    """Each kind of field over all tasks, and all kinds together."""
    of_kind: dict[str, dict[str, list[AnsweredField]]] = {}
    for item in items:
        for each in item.fields:
            if each.pairs:
                for kind in (each.kind, "all kinds"):
                    of_kind.setdefault(kind, {}).setdefault(item.task, []).append(each)
    names = sorted(of_kind, key=lambda kind: (kind == "all kinds", kind))
    return tuple(decision_over_tasks(kind, of_kind[kind], epsilon) for kind in names)


def _costs(items: Sequence[AnsweredItem], workers: KnownWorkers, pay: float | None) -> Costs:
    tasks = {task: number for number, task in enumerate(sorted({each.task for each in items}))}
    answered = [each for each in items if each.workers]
    each_workers = _mean([float(each.workers) for each in answered], [tasks[each.task] for each in answered])
    priced, timed = ([each for each in items if getattr(each, of) is not None] for of in ("cost", "seconds"))
    typical = fmean(each.workers for each in answered) if answered else None
    return Costs(
        agent_dollars=_mean([each.cost or 0.0 for each in priced], [tasks[each.task] for each in priced]),
        agent_seconds=_mean([each.seconds or 0.0 for each in timed], [tasks[each.task] for each in timed]),
        people_dollars=_times(each_workers, pay),
        people_seconds=_times(mean_of_one(workers.seconds, bounds=AMOUNTS), typical),
        workers=each_workers,
        pay=pay,
    )


def _mean(values: Sequence[float], tasks: Sequence[int]) -> Estimate:
    """The mean over items: for further items of one task, or for tasks like these."""
    if len(set(tasks)) < 2:
        return mean_of_one(values, bounds=AMOUNTS)
    return mean_of_clusters(values, tasks, bounds=AMOUNTS)


def _times(estimate: Estimate, factor: float | None) -> Estimate:
    """An estimate times a number; unknown if that is not known."""
    if factor is None or estimate.value is None:
        return Estimate(None, None, None, 0, 0)
    low, high = (None if limit is None else limit * factor for limit in (estimate.low, estimate.high))
    return Estimate(estimate.value * factor, low, high, estimate.clusters, estimate.items, estimate.method)
