"""What is known of judges, as tables for people."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, aligned, counted, percent
from harness.papers.online_mind2web.paper import judge_inputs, judge_source, published_agreement, published_rates
from harness.reports.escapes import plain
from harness.scoring.judges.agent_rates import AgentEfficiency, CorrectedRate
from harness.scoring.judges.failure_kinds import FAILURE_KINDS, FailureShares
from harness.scoring.judges.human_labels import AgentLabels
from harness.scoring.judges.judged_pairs import NOT_KNOWN, PairGroup
from harness.scoring.judges.named_failures import NamedFailures
from harness.scoring.judges.recorded_replies import PICTURE_READINGS, PlacedReplies
from harness.scoring.judges.result_folders import ResultFolders
from harness.scoring.judges.verdict_pairs import SpreadOfRepeats

_LIMITS = "Intervals are of 95 % and hold for tasks like these: all verdicts on one task belong together."
_MOST_LISTED = 20


def agreement_text(judge: str, groups: Sequence[PairGroup], spread: Sequence[SpreadOfRepeats]) -> str:
    """How far a judge agrees with the truth.

    Args:
        judge: Its name.
        groups: Its verdicts, all and by what they have in common.
        spread: How its repeats spread; shown where there is more than one.
    """
    whole = groups[0].agreement
    rows = [["", "verdicts", "unread", "agreement", "95 % interval", "kappa", "95 % interval"]]
    shares = [["", "truth", "95 % interval", "judge", "95 % interval", "F1", "95 % interval"]]
    sides = [["", "precision", "95 % interval", "recall", "95 % interval"]]
    sides[0] += ["right among failures", "95 % interval", "failures found", "95 % interval"]
    for each in groups:
        name = f"{each.by} {NOT_KNOWN}" if each.name == NOT_KNOWN else plain(each.name)
        found = each.agreement
        cells = [*_with_limits(found.agreement, percent), *_with_limits(found.kappa, _fraction)]
        rows.append([name, str(found.counts.items), str(found.counts.unread), *cells])
        shares.append([name, *_percentages(found.truth_rate, found.verdict_rate, found.f1)])
        of_failures = (found.negative_predictive_value, found.true_negative_rate)
        sides.append([name, *_percentages(found.precision, found.recall, *of_failures)])
    parts = [
        f"{plain(judge)}: {counted(whole.counts.items, 'verdict')} on {counted(whole.agreement.clusters, 'task')}\n"
        + _LIMITS,
        aligned(rows),
        "In per cent; truth and judge: the share of successes by each",
        aligned(shares),
        aligned(sides),
    ]
    if any(each.repeats > 1 for each in spread):
        lines = [["agent", "repeats", "success rate", "sd", "agreement", "sd"]]
        lines += [
            [
                plain(each.agent),
                str(each.repeats),
                *map(percent, (each.rate, each.rate_sd, each.agreement, each.agreement_sd)),
            ]
            for each in spread
        ]
        parts.append(aligned(lines))
    return "\n\n".join(parts)


def corrected_text(judge: str, rates: Sequence[CorrectedRate]) -> str:
    """Success rates before and after a judge's bias is taken out."""
    rows = [["agent", "verdicts", "truth known", "judge", "rank", "bias", "known truth", "95 % interval", "corrected"]]
    rows[0] += ["95 % interval", "rank"]
    for each in rates:
        corrected = each.corrected
        rows.append(
            [
                plain(each.agent),
                str(each.tries),
                str(each.known),
                percent(each.judged.value),
                str(each.rank_judged),
                f"{100 * corrected.bias:+.1f}",
                *_with_limits(each.by_truth, percent),
                *_with_limits(corrected.estimate, percent),
                str(each.rank_corrected),
            ]
        )
    note = (
        "Success rates in per cent. corrected: prediction-powered inference from the judge's verdicts on all and the\n"
        f"truth where it is known, which has to have been drawn by chance.\n{_LIMITS}"
    )
    return f"{plain(judge)}\n{note}\n\n{aligned(rows)}"


def failures_text(found: NamedFailures) -> str:
    """How many failures are of which kind, and how far judges and people agree on it."""
    rows = [["", "failures", *(kind.replace("_", " ") for kind in FAILURE_KINDS), "not named"]]
    if found.people:
        rows.append(["people", *_kind_shares(found.people)])
    rows += [[plain(name), *_kind_shares(shares)] for name, shares in found.judges.items()]
    note = (
        "Failures in per cent of those of which a kind was named. Of several people, the kind that most of them name."
    )
    parts = [note, aligned(rows)]
    if found.agreement:
        lines = [["against people", "trajectories", "same kind", "95 % interval", "kappa", "95 % interval"]]
        for name, each in found.agreement.items():
            cells = [*_percentages(each.agreement), *_with_limits(each.kappa, _fraction)]
            lines.append([plain(name), str(each.pairs), *cells])
        both = "Trajectories that judge and people both call failures, and of which both name a kind."
        parts += [f"{both}\n{_LIMITS}", aligned(lines)]
    return "\n\n".join(parts)


def _kind_shares(shares: FailureShares) -> list[str]:
    total = sum(shares.counts.values()) + shares.unnamed
    return [str(total), *(percent(shares.share(kind)) for kind in FAILURE_KINDS), str(shares.unnamed)]


def efficiency_text(found: Mapping[str, AgentEfficiency]) -> str:
    """How many steps agents take."""
    rows = [["agent", "efficiency", "95 % interval", "steps of successes", "95 % interval", "steps of failures"]]
    rows[0] += ["95 % interval", "not known"]
    for agent, each in found.items():
        cells = [_with_limits(one, _number) for one in (each.efficiency, each.success_steps, each.failure_steps)]
        rows.append([plain(agent), *(cell for pair in cells for cell in pair), str(each.unknown)])
    left_out = sum(each.without_reference for each in found.values())
    note = "efficiency: the mean over successes of steps over the reference's steps; less is better."
    missing = f" {counted(left_out, 'success', 'successes')} without a reference left out." if left_out else ""
    return f"{note}{missing}\n\n{aligned(rows)}"


def human_rates_text(agents: Sequence[AgentLabels]) -> str:
    """Success rates by people, over all tasks and over those that could be executed."""
    rows = [["agent", "tasks", "success", "failure", "not executed", "over all", "95 % interval", "over executed"]]
    rows[0] += ["95 % interval"]
    for each in sorted(agents, key=lambda agent: -agent.count("success")):
        counts = [str(each.count(label)) for label in ("success", "failure", "not executed")]
        limits = [*_with_limits(each.over_all(), percent), *_with_limits(each.over_executed(), percent)]
        rows.append([plain(each.agent), str(len(each.labels)), *counts, *limits])
    return aligned(rows)


def replies_text(found: PlacedReplies) -> str:
    """How recorded replies are read."""
    outcomes, pictures = found.outcomes(), found.pictures()
    lines = [
        f"{found.placed} of {counted(len(found.judgements), 'recorded reply', 'recorded replies')} placed: "
        f"{outcomes['success']} success, {outcomes['failure']} failure, {outcomes[None]} unread",
        f"{counted(pictures.total(), 'picture')}: "
        + ", ".join(f"{pictures[reading]} {reading}" for reading in PICTURE_READINGS),
    ]
    unread = [each for each in found.judgements if not each.is_placed]
    for each in unread[:_MOST_LISTED]:
        whose = ", ".join(filter(None, (each.recorded.benchmark, each.recorded.agent, each.recorded.task)))
        lines.append(f"  not placed: line {each.line}: {plain(whose)}: {plain('; '.join(each.problems))}")
    if len(unread) > _MOST_LISTED:
        rest = ", ".join(str(each.line) for each in unread[_MOST_LISTED:])
        lines.append(f"  and {len(unread) - _MOST_LISTED} more: lines {rest}")
    if pointless := [str(each.line) for each in found.judgements if each.lacks_points]:
        lines.append(f"  without key points that can be read: lines {', '.join(pointless)}")
    return "\n".join(lines)


def folders_text(found: ResultFolders) -> str:
    """Which trajectories there are in result folders."""
    steps = sum(each.steps for each in found.trajectories)
    pictures = sum(len(each.pictures) for each in found.trajectories)
    lines = [
        f"{counted(len(found.trajectories), 'trajectory', 'trajectories')}, {counted(steps, 'action')}, "
        f"{counted(pictures, 'picture')}, {found.missing_pictures} missing"
    ]
    gone = [each for each in found.trajectories if each.missing]
    for each in gone[:_MOST_LISTED]:
        lines.append(f"  {plain(each.task_id)}: no picture {plain(', '.join(each.missing[:_MOST_LISTED]))}")
    if len(gone) > _MOST_LISTED:
        lines.append(f"  and {len(gone) - _MOST_LISTED} more trajectories without all pictures")
    lines += [f"  not read: {plain(problem)}" for problem in found.problems[:_MOST_LISTED]]
    if len(found.problems) > _MOST_LISTED:
        lines.append(f"  and {len(found.problems) - _MOST_LISTED} more folders")
    return "\n".join(lines)


def published_text() -> str:
    """Tables 1 to 3 of the paper."""
    return "\n\n".join(_published())


def _published() -> Iterator[str]:
    yield f"{judge_source('citation')}\n{judge_source('url')}. Rates in per cent, as printed."
    inputs = [["Table 1: what a judge is given", "pictures", "actions", "thoughts", "answer"]]
    inputs += [
        [each.judge, *("yes" if one else "no" for one in (each.pictures, each.actions, each.thoughts, each.answer))]
        for each in judge_inputs()
    ]
    yield aligned(inputs)
    rates = [["Table 2: success rates", "by people", "by WebJudge", "sd", "agreement", "sd"]]
    rates += [
        [
            each.agent,
            *map(str, (each.people, each.webjudge, each.webjudge_sd, each.agreement, each.agreement_sd)),
        ]
        for each in published_rates()
    ]
    yield aligned(rates)
    agreed = [["Table 3: agreement with people", "autonomous", "AgentTrek", "WebVoyager", "WebJudge"]]
    agreed += [
        [
            each.agent,
            *(
                NOTHING if one is None else str(one)
                for one in (each.autonomous, each.agenttrek, each.webvoyager, each.webjudge)
            ),
        ]
        for each in published_agreement()
    ]
    yield aligned(agreed)


def _percentages(*estimates: Estimate) -> list[str]:
    """Each in per cent, and its interval."""
    return [cell for each in estimates for cell in _with_limits(each, percent)]


def _with_limits(estimate: Estimate, said: Callable[[float | None], str]) -> list[str]:
    if estimate.low is None or estimate.high is None:
        return [said(estimate.value), NOTHING]
    return [said(estimate.value), f"{said(estimate.low)} to {said(estimate.high)}"]


def _fraction(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2f}"


def _number(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.1f}"
