"""The numbers of an evaluation of steps as text and as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from harness.kit.statistics.estimate import Estimate
from harness.kit.text import aligned, counted, shorten
from harness.models.cost import CostAtMost
from harness.papers.teacher_forced.step_numbers import EvaluationNumbers, StepMeans, StepNumbers
from harness.reports.escapes import csv_text, plain
from harness.reports.wording import interval, percent

_MOST_LISTED = 20
_HEADING = ("", "tasks", "steps", "element acc.", "op. F1", "step success", "95 % interval", "task success")
_MEANS = ("element_accuracy", "operation_f1", "step_success")


def numbers_text(found: EvaluationNumbers) -> str:
    """What a terminal shows of an evaluation."""
    parts = [_begins(found)]
    if found.whole:
        rows = [_HEADING, _row("macro, over tasks", found.whole, found.whole.macro)]
        rows.append(_row("micro, over steps", found.whole, found.whole.micro))
        if len(found.splits) > 1:
            rows += [_row(each.name, each, each.macro) for each in found.splits]
        parts.append(aligned(rows))
        parts.append(_below(found.whole))
    if found.orders > 1 and found.spread:
        parts.append(_spread(found))
    if len(found.websites) > 1:
        listed = sorted(found.websites, key=lambda each: -(each.macro.step_success.value or 0.0))[:_MOST_LISTED]
        rows = [_row(shorten(plain(each.name)), each, each.macro) for each in listed]
        more = len(found.websites) - len(listed)
        parts.append(aligned([_HEADING, *rows]) + (f"\nand {more} more, in websites.csv" if more else ""))
    if found.problems:
        lines = [f"  {number}  {plain(why)}" for why, number in list(found.problems.items())[:_MOST_LISTED]]
        parts.append("predictions with a problem, each counted as what it is worth:\n" + "\n".join(lines))
    return "\n\n".join(parts)


def asking_cost_text(steps: int, found: CostAtMost) -> str:
    """What asking takes at most.

    Args:
        steps: How many steps, each counted as often as it is asked.
        found: What was reckoned.
    """
    cost = "of unknown cost" if found.cost is None else f"{found.cost:.4f} US dollars"
    return (
        f"{counted(steps, 'step')}: at most {counted(found.questions, 'question')}, "
        f"{found.usage.input_tokens:,} tokens sent and {found.usage.output_tokens:,} received, {cost}\n"
        "if every reply is as long as it may be and can be read, and none is on disk"
    )


def _begins(found: EvaluationNumbers) -> str:
    orders = f", each step {counted(found.orders, 'time')}" if found.orders > 1 else ""
    line = f"{plain(found.solver)}, teacher-forced{orders}; in per cent, intervals by {found.clusters}"
    if found.missing:
        line += (
            f"\nnot finished: {counted(found.missing, 'prediction')} missing; "
            f"{counted(found.unfinished, 'task')} left out of all numbers"
        )
    return line


def _below(whole: StepNumbers) -> str:
    failed = ", ".join(f"{name}: {percent(share)}" for name, share in whole.failed_steps.items())
    lines = [
        f"task success with one failed step forgiven: {percent(whole.task_success_but_one.value)}",
        f"tasks by failed steps: {failed}",
    ]
    if whole.unscorable:
        lines.append(
            f"{counted(whole.unscorable, 'step')} without an acceptable element in the recording: failed by rule"
        )
    return "\n".join(lines)


def _spread(found: EvaluationNumbers) -> str:
    rows: list[Sequence[str]] = [("over orders", "mean", "sd", "least", "most")]
    for name, each in found.spread.items():
        values = (each.mean, each.sd, min(each.values), max(each.values))
        rows.append((name.replace("_", " "), *map(percent, values)))
    return aligned(rows)


def _row(name: str, numbers: StepNumbers, means: StepMeans) -> tuple[str, ...]:
    step = means.step_success
    shares = (means.element_accuracy, means.operation_f1, step)
    cells = [percent(each.value) for each in shares]
    task = percent(numbers.task_success.value)
    return (name, str(numbers.tasks), str(numbers.steps), *cells, interval(step), task)


def websites_csv(found: EvaluationNumbers) -> bytes:
    """Website by website, a row each, shares from 0 to 1: what Figure 6 is drawn from."""
    columns = [*_MEANS, "task_success"]
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["website", "tasks", "steps", *(f"{each}{end}" for each in columns for end in ("", "_low", "_high"))])
    for each in found.websites:
        estimates = [getattr(each.macro, name) for name in _MEANS]
        limits = _limits([*estimates, each.task_success])
        rows.writerow([csv_text(each.name), each.tasks, each.steps, *limits])
    return out.getvalue().encode()


def _limits(estimates: Sequence[Estimate]) -> Iterator[float | None]:
    for each in estimates:
        yield from (each.value, each.low, each.high)
