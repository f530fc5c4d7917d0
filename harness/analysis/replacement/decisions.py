"""May an agent take the place of a worker? Yes, no, or not yet known, for a field, a task, or a kind of field.

Two tests answer it, by what is known of the workers. With worker ids it is the alternative annotator test (Calderon,
Reichart and Dror 2025, *The Alternative Annotator Test for LLM-as-a-Judge*, ACL 2025, arXiv 2501.10970): each worker is
left out in turn, and the agent and the worker are held against the others. Without ids the agent is held against the
crowd: it may score a few points less than workers do on the same labels, and no more (a test of non-inferiority).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.stats import false_discovery_control, norm, ttest_1samp

from harness.analysis.replacement.answers import AnsweredField, AnsweredItem, ItemKey
from harness.kit.statistics.bootstrap import Floats
from harness.kit.statistics.bounded_mean import LEAST_P, BoundedMean, bounded_mean
from harness.kit.statistics.clustered import DIFFERENCES
from harness.kit.statistics.significance import holm
from harness.kit.text import counted

Answer = Literal["yes", "no", "not yet known"]
LEVEL = 0.05
"""The chance of a false yes, over all fields of a task together."""
MIN_WORKERS, MIN_ITEMS = 3, 30
"""The alternative annotator test asks for so many workers with so many items each."""
_POWER = 0.8
_MOST_ITEMS = 100_000
_MOST_TRIED = 500
"""Of more items than these a normal distribution tells how many are needed."""

WorkerNames = Mapping[ItemKey, Sequence[str]]
"""Item -> who gave each row of its labels; an empty name where that is not known."""


@dataclass(frozen=True)
class WorkerTest:
    """The agent beside one worker.

    Attributes:
        worker: Who.
        items: Items that both answered.
        agent: Share of items on which the agent agrees with the others at least as well as the worker does.
        worker_wins: Share of items on which the worker does as well as the agent at least.
        p: That the agent is worse by epsilon or more, corrected for the number of workers.
        p_worse: That it is not, likewise.
        p_student: The first by Student's test, not corrected, as in the paper.
    """

    worker: str
    items: int
    agent: float
    worker_wins: float
    p: float
    p_worse: float
    p_student: float


@dataclass(frozen=True)
class AnnotatorTest:
    """The alternative annotator test.

    Attributes:
        workers: Those with enough items.
        aside: Workers with fewer, who are not in it.
        winning_rate: The share of workers that the agent may replace; a half says yes.
        winning_rate_student: The same by Student's test, as in the paper.
        advantage: The mean over workers of the share of items on which the agent does as well at least.
    """

    workers: tuple[WorkerTest, ...]
    aside: int
    winning_rate: float
    winning_rate_student: float
    advantage: float


@dataclass(frozen=True)
class CrowdTest:
    """The agent beside the crowd.

    Attributes:
        agent: Its mean score with each worker left out in turn, 0 to 1.
        crowd: The workers' on the same labels.
        difference: The first less the second.
        low: Lower limit of the difference: the true one is below with a chance of 5 per cent.
        high: Upper limit, likewise.
    """

    agent: float
    crowd: float
    difference: float
    low: float
    high: float


@dataclass(frozen=True)
class Decision:
    """What was found of a field, a task or a kind.

    Attributes:
        name: Of the field, the task or the kind.
        kind: The kind of the field; empty of more than one.
        answer: Whether the agent may take a worker's place.
        items: Items with two workers or more.
        unit: What is counted as one observation: ``item``, or ``task`` of what is found over several tasks.
        crowd: The agent beside the crowd; None without such items.
        annotators: The alternative annotator test; None if worker ids are not known, or too few workers have enough.
        p: That it is worse by more than is allowed, corrected for the fields of a task; None if nothing was tested.
        p_worse: That it is not.
        further: Further items that would probably tell; None if an answer is there, or if no number would.
        constant_too: Whether always giving the most frequent answer would be good enough, too: then a yes says little
            of the agent.
        why: What the answer rests on, or what is missing, in words.
    """

    name: str
    kind: str
    answer: Answer = "not yet known"
    items: int = 0
    unit: Literal["item", "task"] = "item"
    crowd: CrowdTest | None = None
    annotators: AnnotatorTest | None = None
    p: float | None = None
    p_worse: float | None = None
    further: int | None = None
    constant_too: bool = False
    why: str = ""


def field_decisions(
    items: Sequence[AnsweredItem], names: WorkerNames, epsilon: float, level: float = LEVEL, plan: bool = True
) -> list[Decision]:
    """Decide field by field.

    Args:
        items: Of one task.
        names: Who the workers are, as far as that is known.
        epsilon: How much worse than a worker the agent may be: of shares of items in the alternative annotator test,
            of scores beside the crowd. From 0 to 1.
        level: The chance of any false yes.
        plan: Whether to find out, too, how many more items would tell, which takes most of the time.
    """
    of_field: dict[str, list[tuple[AnsweredItem, Sequence[AnsweredField]]]] = defaultdict(list)
    for item in items:
        for each in item.fields:
            if each.score is not None:
                of_field[each.name].append((item, [each]))
    found = [_weigh(name, rows[0][1][0].kind, rows, names, epsilon) for name, rows in of_field.items()]
    return _answered(found, epsilon, level, plan)


def task_decision(
    name: str, items: Sequence[AnsweredItem], names: WorkerNames, epsilon: float, level: float = LEVEL
) -> Decision:
    """Decide on all fields of a task together: what counts of an item is the mean over its fields."""
    rows = [(item, [each for each in item.fields if each.score is not None]) for item in items]
    return _answered([_weigh(name, "", [row for row in rows if row[1]], names, epsilon)], epsilon, level)[0]


def decision_over_tasks(
    name: str, means: Mapping[str, Sequence[AnsweredField]], epsilon: float, level: float = LEVEL
) -> Decision:
    """Decide on a kind of field, or on everything, over several tasks, each of which is one observation.

    Args:
        name: What is decided on.
        means: Task -> its fields that count.
        epsilon: As of ``field_decisions``.
        level: Likewise.
    """
    of_tasks = [_beside_crowd(fields) for fields in means.values()]
    kept = [each for each in of_tasks if each is not None]
    weighed = _crowd_decision(name, "", kept, epsilon)
    return _answered([replace(weighed, decision=replace(weighed.decision, unit="task"))], epsilon, level)[0]


@dataclass(frozen=True)
class _Weighed:
    """A decision without its answer, and the differences that it rests on."""

    decision: Decision
    differences: Floats


def _answered(found: Sequence[_Weighed], epsilon: float, level: float, plan: bool = True) -> list[Decision]:
    """Decisions with p-values that are corrected for their number, and the answers."""
    good = holm([each.decision.p for each in found])
    bad = holm([each.decision.p_worse for each in found])
    tested = sum(each.decision.p is not None for each in found)
    return [
        _answer(replace(each.decision, p=p, p_worse=worse), each.differences, epsilon, level, tested if plan else 0)
        for each, p, worse in zip(found, good, bad, strict=True)
    ]


def _answer(found: Decision, differences: Floats, epsilon: float, level: float, tested: int) -> Decision:
    if found.p is None:
        return found
    if found.p <= level:
        too = "; so would always giving the most frequent answer" if found.constant_too else ""
        return replace(found, answer="yes", why=_said(found, "at most", epsilon) + too)
    if found.p_worse is not None and found.p_worse <= level:
        return replace(found, answer="no", why=_said(found, "more than", epsilon))
    if not tested:
        return found
    further = _further(differences, epsilon, level / tested)
    return replace(found, further=further, why=_missing(replace(found, further=further), epsilon))


def _said(found: Decision, than: str, epsilon: float) -> str:
    if found.annotators:
        kept = len(found.annotators.workers)
        return f"may replace {round(found.annotators.winning_rate * kept)} of {kept} workers (a half is wanted)"
    return f"loses {than} {100 * epsilon:g} points against the crowd"


def _missing(found: Decision, epsilon: float) -> str:
    if found.further is None:
        return f"so near to {100 * epsilon:g} points below the crowd that no number of {found.unit}s would tell soon"
    workers = " with two workers or more" if found.unit == "item" else ""
    return f"about {counted(found.further, f'more {found.unit}')}{workers} would tell"


def _weigh(
    name: str,
    kind: str,
    rows: Sequence[tuple[AnsweredItem, Sequence[AnsweredField]]],
    names: WorkerNames,
    epsilon: float,
) -> _Weighed:
    beside = [found for _, fields in rows if (found := _beside_crowd(fields)) is not None]
    weighed = _crowd_decision(name, kind, beside, epsilon)
    annotators = _annotator_test(rows, names, epsilon)
    if annotators is None:
        return weighed
    half = math.ceil(len(annotators.workers) / 2) - 1
    ps, worse = (sorted(getattr(each, which) for each in annotators.workers) for which in ("p", "p_worse"))
    decision = replace(weighed.decision, annotators=annotators, p=ps[half], p_worse=worse[half])
    return replace(weighed, decision=decision)


def _beside_crowd(fields: Iterable[AnsweredField]) -> tuple[float, float, float] | None:
    """The scores of the agent, the crowd and the constant answer, means over fields; None without a second worker."""
    pairs = [each.pairs for each in fields if each.pairs]
    if not pairs:
        return None
    agent, crowd, constant = (
        sum(sum(getattr(pair, which) for pair in each) / len(each) for each in pairs) / len(pairs)
        for which in ("agent", "worker", "constant")
    )
    return agent, crowd, constant


def _crowd_decision(name: str, kind: str, beside: Sequence[tuple[float, float, float]], epsilon: float) -> _Weighed:
    if not beside:
        why = "no item has two workers who answered: whether the agent is as good as they cannot be told"
        return _Weighed(Decision(name, kind, why=why), np.zeros(0))
    agent, crowd, constant = np.asarray(beside).T
    differences = np.clip(agent - crowd, *DIFFERENCES)
    weighed = bounded_mean(differences, DIFFERENCES)
    low, high = weighed.limits(1 - 2 * LEVEL)
    decision = Decision(
        name,
        kind,
        items=len(beside),
        crowd=CrowdTest(float(agent.mean()), float(crowd.mean()), float(differences.mean()), low, high),
        p=weighed.p_above(-epsilon),
        p_worse=weighed.p_below(-epsilon),
        constant_too=bounded_mean(np.clip(constant - crowd, *DIFFERENCES), DIFFERENCES).p_above(-epsilon) <= LEVEL,
    )
    return _Weighed(decision, differences)


def _further(differences: Floats, epsilon: float, level: float) -> int | None:
    """How many more such numbers would settle it with a chance of 80 per cent; None if a great many would not."""
    mean, have = float(differences.mean()), len(differences)
    spread = float(differences.std(ddof=1)) if have > 1 else 0.0
    distance = mean + epsilon
    level = max(level, LEAST_P)  # of the first of many looks it can be 0
    if abs(distance) * _MOST_ITEMS < 1:
        return None
    # As many as Student's test takes, and as the exact one takes of numbers that are all alike.
    by_spread = ((norm.ppf(1 - level) + norm.ppf(_POWER)) * spread / distance) ** 2
    nearer = (1 - epsilon) / (1 + mean) if distance > 0 else (1 + epsilon) / (1 + epsilon + abs(distance))
    alike = math.log(level) / math.log(nearer) if 0 < nearer < 1 else 1.0
    size = math.ceil(max(by_spread, alike, have + 1))
    likely = np.sort(differences)
    while size <= _MOST_TRIED:
        places = ((np.arange(size) + 0.5) / size * have).astype(int)
        weighed = bounded_mean(np.clip(likely[places], *DIFFERENCES), DIFFERENCES)
        unlucky = norm.ppf(_POWER) * spread / math.sqrt(size)
        if (weighed.p_above(unlucky - epsilon) if distance > 0 else weighed.p_below(-unlucky - epsilon)) <= level:
            break
        size = math.ceil(size * 1.3)
    return size - have if size <= _MOST_ITEMS else None


def _annotator_test(
    rows: Sequence[tuple[AnsweredItem, Sequence[AnsweredField]]], names: WorkerNames, epsilon: float
) -> AnnotatorTest | None:
    """The test, if enough workers with enough items are known."""
    wins: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for item, fields in rows:
        known = names.get(item.key, ())
        of_worker: dict[str, list[tuple[float, float]]] = defaultdict(list)
        for each in fields:
            for pair in each.pairs:
                if pair.row < len(known) and known[pair.row]:
                    of_worker[known[pair.row]].append(
                        (float(pair.agent >= pair.worker), float(pair.worker >= pair.agent))
                    )
        for worker, found in of_worker.items():
            wins[worker].append((sum(a for a, _ in found) / len(found), sum(b for _, b in found) / len(found)))
    kept = {worker: np.asarray(found) for worker, found in sorted(wins.items()) if len(found) >= MIN_ITEMS}
    if len(kept) < MIN_WORKERS:
        return None
    weighed = {worker: bounded_mean(found[:, 0] - found[:, 1], DIFFERENCES) for worker, found in kept.items()}
    ps = _corrected(weighed.values(), lambda each: each.p_above(-epsilon))
    worse = _corrected(weighed.values(), lambda each: each.p_below(-epsilon))
    student = [_student(found[:, 0] - found[:, 1], epsilon) for found in kept.values()]
    tests = tuple(
        WorkerTest(worker, len(found), float(found[:, 0].mean()), float(found[:, 1].mean()), p, p_worse, alone)
        for (worker, found), p, p_worse, alone in zip(kept.items(), ps, worse, student, strict=True)
    )
    rejected = false_discovery_control(student, method="by") <= LEVEL
    return AnnotatorTest(
        workers=tests,
        aside=len(wins) - len(kept),
        winning_rate=sum(each.p <= LEVEL for each in tests) / len(tests),
        winning_rate_student=float(rejected.mean()),
        advantage=sum(each.agent for each in tests) / len(tests),
    )


def _corrected(weighed: Iterable[BoundedMean], p_of: Callable[[BoundedMean], float]) -> list[float]:
    """p-values of workers, corrected for their number as the paper does it."""
    return [float(p) for p in false_discovery_control([p_of(each) for each in weighed], method="by")]


def _student(differences: Floats, epsilon: float) -> float:
    """Student's one-sided p-value that the agent wins less often than the worker by epsilon or more."""
    if np.ptp(differences) == 0:
        return 0.0 if differences[0] > -epsilon else 1.0
    return float(ttest_1samp(differences, -epsilon, alternative="greater").pvalue)
