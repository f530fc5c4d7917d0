"""The numbers of an evaluation on recorded steps as text."""

from __future__ import annotations

from collections.abc import Iterable

from harness.kit.text import aligned, counted, shorten
from harness.papers.teacher_forced.autowebbench.command_numbers import CommandGroup, CommandNumbers
from harness.reports.escapes import plain
from harness.reports.wording import interval, percent

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
