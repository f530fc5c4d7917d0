"""Figures 4 to 7 of Online-Mind2Web over one's own data, as bars."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from harness.kit.errors import UserError
from harness.kit.files.writing import write_bytes
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import percent
from harness.papers.online_mind2web.task_set import Level
from harness.reports.html.blocks import TableBlock, TableColumn
from harness.reports.html.plots.bars import Bar, bars
from harness.reports.html.svg_file import svg_file
from harness.scoring.judges.agent_rates import AgentEfficiency
from harness.scoring.judges.failure_kinds import FAILURE_KINDS, FailureShares
from harness.scoring.judges.human_labels import AgentLabels
from harness.scoring.judges.judged_pairs import PairGroup
from harness.scoring.judges.named_failures import NamedFailures


def success_bars(levels: Mapping[Level, Sequence[AgentLabels]]) -> tuple[Bar, ...]:
    """Figure 4: success of each agent by the level of the tasks.

    Args:
        levels: Level -> what people say of each agent on its tasks.
    """
    rates = [(f"{level}: {each.agent}", each.over_all()) for level, agents in levels.items() for each in agents]
    return tuple(_shares(rates))


def agreement_bars(judges: Mapping[str, Sequence[PairGroup]]) -> tuple[Bar, ...]:
    """Figure 5: how often each judge agrees with the truth, by the steps of the trajectory.

    Args:
        judges: Judge -> its pairs, in groups.
    """
    return tuple(
        _shares(
            [
                (f"{judge}: {group.name}", group.agreement.agreement)
                for judge, groups in judges.items()
                for group in groups
                if group.by == "length"
            ]
        )
    )


def step_bars(agents: Mapping[str, AgentEfficiency]) -> tuple[Bar, ...]:
    """Figure 6: the mean steps of what each agent solves, with its efficiency, and of what it does not."""
    found = []
    for agent, each in agents.items():
        if each.success_steps.value is not None:
            times = "" if each.efficiency.value is None else f", {each.efficiency.value:.1f} references"
            value = each.success_steps.value
            found.append(Bar(f"{agent}: successes", value, f"{value:.1f} steps{times}"))
        if each.failure_steps.value is not None:
            found.append(Bar(f"{agent}: failures", each.failure_steps.value, f"{each.failure_steps.value:.1f} steps"))
    return tuple(found)


def failure_bars(found: NamedFailures) -> tuple[Bar, ...]:
    """Figure 7: of which kinds failures are, by people and by each judge."""
    by: dict[str, FailureShares] = {**({"people": found.people} if found.people else {}), **found.judges}
    return tuple(
        Bar(f"{who}: {kind.replace('_', ' ')}", share, percent(share))
        for who, shares in by.items()
        for kind in FAILURE_KINDS
        if (share := shares.share(kind)) is not None
    )


def write_figure(file: Path, caption: str, rows: Sequence[Bar]) -> None:
    """Write bars as a file of SVG.

    Args:
        file: Where to.
        caption: What is to be seen.
        rows: The bars.

    Raises:
        UserError: there is nothing to draw, or the file cannot be written.
    """
    if not rows:
        raise UserError(f"{file} is not written: nothing is known that could be drawn")
    data = TableBlock(caption, (TableColumn(""), TableColumn("")), [(row.name, row.words) for row in rows])
    try:
        write_bytes(file, svg_file(bars("figure", caption, rows, data)).encode())
    except OSError as error:
        raise UserError(f"{file} cannot be written: {error.strerror}") from error


def _shares(rates: Sequence[tuple[str, Estimate]]) -> Iterator[Bar]:
    for name, rate in rates:
        if rate.value is not None:
            yield Bar(name, rate.value, f"{percent(rate.value)} of {rate.items}")
