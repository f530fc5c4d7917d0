"""The numbers of an evaluation on recorded steps: the paper's measures, and those of the public script beside them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from harness.kit.statistics.clustered import mean_of_items
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import aligned, counted, shorten
from harness.papers.teacher_forced.autowebbench.command_score import KeptReply
from harness.papers.teacher_forced.autowebbench.recorded_steps import RecordedStep
from harness.reports.escapes import plain
from harness.reports.wording import interval, percent


@dataclass(frozen=True, kw_only=True)
class CommandMeans:
    """Means over replies by the paper's measures; ``items`` of each is how many replies it is over.

    Attributes:
        type: Share whose function is right.
        element: Share whose element is right, of steps with one.
        parameter: Mean ROUGE-1 F of the parameter, of steps with one.
        success: Share of which all is right.
    """

    type: Estimate
    element: Estimate
    parameter: Estimate
    success: Estimate


@dataclass(frozen=True)
class ScriptMean:
    """A mean as the public script reckons it.

    Attributes:
        value: The mean of what it took down; None if that is nothing. The script prints 0 then.
        items: How many replies it took down.
    """

    value: float | None
    items: int


@dataclass(frozen=True, kw_only=True)
class CommandGroup:
    """The numbers of some steps.

    Attributes:
        name: Which.
        tasks: Of how many tasks they are.
        replies: How many replies there are to them.
        unread: How many of these hold no command: they are worth nothing in ``means``.
        means: By the paper's measures.
        script: Measure -> mean, the public script's way: what it cannot read is left out of it.
    """

    name: str
    tasks: int
    replies: int
    unread: int
    means: CommandMeans
    script: Mapping[str, ScriptMean]


@dataclass(frozen=True, kw_only=True)
class CommandNumbers:
    """All numbers of an evaluation.

    Attributes:
        solver: Who was asked.
        words: By what parameters are compared.
        orders: How often each step was asked.
        missing: How many replies are missing; they are in no mean.
        whole: Of all; None if there is no reply.
        splits: Split by split.
        types: By the function of the first label.
        problems: Why replies hold no command -> how many.
    """

    solver: str
    words: str
    orders: int
    missing: int
    whole: CommandGroup | None
    splits: tuple[CommandGroup, ...]
    types: tuple[CommandGroup, ...]
    problems: Mapping[str, int]


_SCRIPT = ("type", "label", "param", "all")


def command_numbers(
    solver: str, steps: Sequence[RecordedStep], replies: Iterable[KeptReply], orders: int, words: str
) -> CommandNumbers:
    """Reckon.

    Args:
        solver: Who was asked.
        steps: All steps that were to be asked.
        replies: What was written about them.
        orders: How often each was to be asked.
        words: By what parameters were compared.
    """
    kept = list(replies)
    tasks = {task: number for number, task in enumerate(dict.fromkeys(each.task for each in steps))}
    clusters = [tasks[each.task] for each in steps]

    def grouped(by: Callable[[KeptReply], str]) -> tuple[CommandGroup, ...]:
        names = sorted({by(each) for each in kept})
        return tuple(_group(name, [each for each in kept if by(each) == name], clusters) for name in names)

    return CommandNumbers(
        solver=solver,
        words=words,
        orders=orders,
        missing=len(steps) * orders - len(kept),
        whole=_group("all", kept, clusters) if kept else None,
        splits=grouped(lambda each: each.split),
        types=grouped(lambda each: each.type),
        problems=dict(Counter(each.problem.partition(":")[0] for each in kept if each.problem).most_common()),
    )


def _group(name: str, kept: Sequence[KeptReply], clusters: Sequence[int]) -> CommandGroup:
    of_tasks = [clusters[each.step] for each in kept]
    means = {
        measure: _mean([getattr(each.score, measure) for each in kept], of_tasks)
        for measure in ("type", "element", "parameter", "success")
    }
    return CommandGroup(
        name=name,
        tasks=len(set(of_tasks)),
        replies=len(kept),
        unread=sum(bool(each.problem) for each in kept),
        means=CommandMeans(**means),
        script={each: _script_mean([getattr(one.script, each) for one in kept]) for each in _SCRIPT},
    )


def _mean(values: Sequence[float | None], clusters: Sequence[int]) -> Estimate:
    counted = [(value, cluster) for value, cluster in zip(values, clusters, strict=True) if value is not None]
    sums = np.array([value for value, _ in counted], dtype=np.float64)
    return mean_of_items(sums, np.ones(len(counted)), np.array([cluster for _, cluster in counted], dtype=np.int64))


def _script_mean(values: Sequence[float | None]) -> ScriptMean:
    taken = [float(each) for each in values if each is not None]
    return ScriptMean(sum(taken) / len(taken) if taken else None, len(taken))


_HEADING = ("", "tasks", "replies", "type", "element", "parameter", "step success", "95 % interval", "no command")
_SCRIPT_HEADING = ("the public script's way", "type", "of", "label", "of", "param", "of", "all", "of")


def command_text(found: CommandNumbers) -> str:
    """What a terminal shows of an evaluation."""
    orders = f", each step {counted(found.orders, 'time')}" if found.orders > 1 else ""
    begins = f"{plain(found.solver)}, teacher-forced{orders}; in per cent; parameters by {found.words}"
    if found.missing:
        begins += f"\nnot finished: {counted(found.missing, 'reply', 'replies')} missing, which are in no number"
    parts = [begins]
    if found.whole:
        groups = [found.whole, *(found.splits if len(found.splits) > 1 else ())]
        parts.append(aligned([_HEADING, *map(_row, (*groups, *found.types))]))
        parts.append(aligned([_SCRIPT_HEADING, *map(_script_row, groups)]))
        parts.append(
            "It leaves out of each mean what it cannot read, what shares no word, and finish() without an answer."
        )
    if found.problems:
        lines = [f"  {number}  {plain(why)}" for why, number in found.problems.items()]
        parts.append("replies without a command, each worth nothing:\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _row(group: CommandGroup) -> tuple[str, ...]:
    means = group.means
    shares = (percent(each.value) for each in (means.type, means.element, means.parameter, means.success))
    name = shorten(plain(group.name), 40)
    return (name, str(group.tasks), str(group.replies), *shares, interval(means.success), str(group.unread))


def _script_row(group: CommandGroup) -> tuple[str, ...]:
    return (shorten(plain(group.name), 40), *_cells(group))


def _cells(group: CommandGroup) -> Iterable[str]:
    for each in group.script.values():
        yield from (percent(each.value), str(each.items))
