"""What judges said of the trajectories of runs: how many they call successes, beside what the tasks' evaluators say."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.text import NOTHING
from harness.records.directory import RunDirectory
from harness.records.verdict import JudgedRun
from harness.reports.html.blocks import Block, NoticeBlock, ParagraphBlock, Section, TableBlock, TableColumn
from harness.reports.wording import count, percent
from harness.scoring.judges.failure_kinds import FAILURE_KINDS, failure_shares
from harness.scoring.judges.saved_judgements import JudgementFolder, judged_folders, judges_beside
from harness.scoring.judges.verdict_pairs import main_success

_ABOUT = (
    "A judge looks at an episode as a whole and says success or failure; that is no score, and judges err. The last "
    "two columns are over the episodes of which the task's own evaluator can tell: how many of these it calls "
    "successes, and of how many the judge says the same. A reply that could not be read agrees with nothing. "
    "docs/how-to/judges.md says how judges are measured."
)
_HEADINGS = ("repeat", "judged", "success", "failure", "unread", "success, %", "by evaluator, %", "agree, %")


def judged_section(runs: Mapping[str, Path]) -> Section | None:
    """The section of what judges said of runs; None if no judge has said anything.

    Args:
        runs: Run directories by what they are called in the report.
    """
    blocks = [block for name, folder in runs.items() for block in _of_run(name, folder)]
    return Section("judges", "Judges of trajectories", [ParagraphBlock(_ABOUT), *blocks]) if blocks else None


def _of_run(name: str, folder: Path) -> Iterator[Block]:
    kept = judged_folders(judges_beside(folder))
    if not kept:
        return
    run = RunDirectory(folder)
    truths = {(each.task, each.index): main_success(each) for each in run.episodes()}
    rows, named = [], list[Sequence[str]]()
    for each in kept:
        try:
            rows.append(_row(each, JudgedRun.of(run.read()), truths))
            named += _kinds_rows(each)
        except UserError as error:
            yield NoticeBlock("Not counted", f"{name}: {error}.")
    if rows:
        columns = [TableColumn("judge", "words"), *map(TableColumn, _HEADINGS)]
        yield TableBlock(f"{name}: verdicts on whole episodes", columns, rows)
    if named:
        kinds = [kind.replace("_", " ") for kind in FAILURE_KINDS]
        columns = [TableColumn("judge", "words"), *map(TableColumn, ("repeat", *kinds, "not named"))]
        yield TableBlock(f"{name}: kinds of failures", columns, named)


def _kinds_rows(kept: JudgementFolder) -> Iterator[Sequence[str]]:
    """How many failures a judge calls of which kind; nothing if it was asked of none."""
    judge, named = kept.judge(), [each.failure.kind for each in kept.judgements() if each.failure]
    if named:
        shares = failure_shares(named)
        counts = [count(shares.counts[kind]) for kind in FAILURE_KINDS]
        yield judge.name, count(judge.repeat), *counts, count(shares.unnamed)


def _row(kept: JudgementFolder, run: JudgedRun, truths: Mapping[tuple[str, int], bool | None]) -> Sequence[str]:
    judge = kept.judge()
    if judge.run != run:
        raise UserError(f"{kept.folder} judges another run")
    said = [each for each in kept.judgements() if each.place in truths]
    known = [(each.outcome, truth) for each in said if (truth := truths[each.place]) is not None]
    agreed = sum(outcome == ("success" if truth else "failure") for outcome, truth in known)
    number = {outcome: sum(each.outcome == outcome for each in said) for outcome in ("success", "failure", None)}
    return (
        judge.name,
        count(judge.repeat),
        count(len(said)),
        *(count(each) for each in number.values()),
        _share(number["success"], len(said)),
        _share(sum(truth for _, truth in known), len(known)),
        _share(agreed, len(known)),
    )


def _share(part: int, whole: int) -> str:
    return percent(part / whole) if whole else NOTHING
