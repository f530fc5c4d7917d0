"""What came of judging trajectories, as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from harness.kit.files.installation import to_type
from harness.kit.text import counted, percent
from harness.models.cost import CostAtMost
from harness.reports.escapes import plain
from harness.scoring.judges.judging import JudgingResult
from harness.scoring.judges.saved_judgements import TrajectoryJudge

_MOST_LISTED = 10
_LACKS, _NO_PICTURES = ": it lacks ", "lacks pictures"


def judging_text(judge: TrajectoryJudge, found: JudgingResult, verdicts: Path) -> str:
    """What a judge said of trajectories.

    Args:
        judge: Who.
        found: What came of it.
        verdicts: The file of its verdicts.
    """
    return "\n".join(_lines(judge, found, verdicts))


def _lines(judge: TrajectoryJudge, found: JudgingResult, verdicts: Path) -> Iterator[str]:
    success, failure, unread = (found.outcomes[each] for each in ("success", "failure", None))
    said = success + failure + unread
    name = plain(judge.name) + (f", repeat {judge.repeat}" if judge.repeat > 1 else "")
    share = f", {percent(success / said)} % success" if said else ""
    words = f"{success} success, {failure} failure, {unread} unread{share}"
    yield f"{name}: {counted(said, 'trajectory', 'trajectories')} judged ({found.known} before): {words}"
    if found.failures:
        kinds = [f"{number} {kind.replace('_', ' ')}" for kind, number in found.failures.counts.items() if number]
        yield f"Failures by kind: {', '.join([*kinds, f'{found.failures.unnamed} not named'])}"
    yield from _why("cannot be judged", found.lacking)
    if any(_NO_PICTURES in each for each in found.lacking.values()):
        yield "Pictures come of turkbench evaluate --film steps; a run of forms is given them afterwards by:"
        yield f"  {to_type('replay', _run_of(verdicts), '--film')}"
    yield from _why("not judged this time", found.failed)
    if said:
        yield f"Verdicts: {verdicts}"


def _why(what: str, reasons: Mapping[tuple[str, int], str]) -> Iterator[str]:
    """Reasons that are alike are told once, with the number of trajectories."""
    if not reasons:
        return
    yield f"{counted(len(reasons), 'trajectory', 'trajectories')} {what}:"
    alike = Counter(_without_task(reason) for reason in reasons.values())
    for reason, number in alike.most_common(_MOST_LISTED):
        yield f"  {number} x {plain(reason)}"
    if len(alike) > _MOST_LISTED:
        yield f"  and {len(alike) - _MOST_LISTED} other reasons"


def cost_text(trajectories: int, cost: CostAtMost) -> str:
    """What judging will take at most.

    Args:
        trajectories: How many there are.
        cost: What was reckoned.
    """
    money = "at a price that is not known" if cost.cost is None else f"at most ${cost.cost:,.2f}"
    return (
        f"{counted(trajectories, 'trajectory', 'trajectories')}, {counted(cost.questions, 'question')}, at most "
        f"{cost.usage.input_tokens:,} tokens sent and {cost.usage.output_tokens:,} received, {money}.\n"
        "Reckoned with the longest replies that are allowed, and with none on disk. Nothing was asked."
    )


def _without_task(reason: str) -> str:
    """``webjudge cannot judge the task 'a/0': it lacks pictures`` -> what it lacks."""
    _, lacks, what = reason.rpartition(_LACKS)
    return f"{lacks.lstrip(': ')}{what}"


def _run_of(verdicts: Path) -> str:
    top = verdicts.parent.parent.parent
    return str(top.with_name(top.name.removesuffix("_judges"))) if top.name.endswith("_judges") else "RUN"
