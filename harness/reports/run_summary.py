"""The summary of a run as plain text, for a terminal. Scores are shown in per cent.

It is made of what ``run.json`` says, without pandas, which would be in the memory of every worker of a run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

from harness.runlog.agent_name import agent_name, told_of_other_models
from harness.runlog.results import MeanScores, Results
from harness.runlog.run_record import RunRecord
from harness.text.numbers import percent
from harness.text.shortening import shorten
from harness.text.tables import aligned

_COLUMNS = (
    "score",
    "ceiling",
    "of_ceiling",
    "do_nothing",
    "constant",
    "copy",
    "skill_over_do_nothing",
    "skill_over_constant",
)
_HEADINGS = ("score", "ceiling", "of ceil.", "nothing", "constant", "copy", "skill/n", "skill/c")
_NAME_AT_END = re.compile(r" (?:'[^']*'|\"[^\"]*\")$")
"""The name that ends a reason such as ``repeats the input 'id'``: reasons are counted without it."""


OVERALL = "overall (mean over tasks)"


def summary_table(record: RunRecord) -> str:
    """The summary of a run.

    Returns:
        Tables per task, per kind and overall, the counts of every outcome, what was left out, and the
        comparability id.
    """
    results, config = record.results, record.config
    if results is None:
        return "No episode was finished."
    parts = [
        f"Solver {agent_name(record)} · profile {config.metrics} · comparability id {record.comparability_id}",
        _section("task", {name: (scores.instances, scores) for name, scores in results.tasks.items()}, "n"),
        _section("kind of field", {name: (scores.fields, scores) for name, scores in results.kinds.items()}, "n"),
        _section("split", {name: ("", scores) for name, scores in results.splits.items()}, ""),
        _section("overall (mean over tasks)", {"": (results.overall.instances, results.overall)}, "n"),
        "\n".join(_notes(record, results)),
    ]
    return "\n\n".join(parts)


def _section(title: str, rows: Mapping[str, tuple[object, MeanScores]], count: str) -> str:
    table = [[title, count, *_HEADINGS]]
    for name, (number, scores) in rows.items():
        table.append([shorten(name), str(number), *(percent(getattr(scores, column)) for column in _COLUMNS)])
    return aligned(table)


def _notes(record: RunRecord, results: Results) -> list[str]:
    overall, rates, outcomes = results.overall, results.rates, results.outcomes
    lines = [
        f"Mean over instances {percent(overall.mean_over_instances)}, over fields "
        f"{percent(overall.mean_over_fields)}; on fields without a tie {percent(overall.untied)}.",
        "Outcomes: "
        + ", ".join(f"{name} {count}" for name, count in outcomes.items())
        + f" of {record.planned_episodes} planned.",
        f"Submissions that the page accepted: {percent(rates.accepted_submissions)} %; "
        f"fields filled that every worker left blank: "
        f"{percent(rates.filled_where_every_worker_left_blank)} %.",
    ]
    unseen = outcomes["scored"] + outcomes["limit"] + outcomes["agent_error"] - overall.instances
    if unseen:
        lines.append(f"Pages without a field that this profile scores: {unseen}; they count in no mean.")
    if results.unscored_fields:
        reasons = by_reason(results.unscored_fields)
        lines.append("Fields not scored: " + ", ".join(f"{n} × {reason}" for reason, n in reasons.items()) + ".")
    if record.left_out:
        lines.append("Left out: " + ", ".join(f"{count} {what}" for what, count in record.left_out.items()) + ".")
    for group in record.identical_tasks:
        lines.append("Identical tasks (leakage): " + " = ".join(group) + ".")
    if overall.bounds:
        low, high = overall.bounds
        lines.append(
            f"INCOMPLETE: instances without a score allow any headline from {percent(low)} to {percent(high)}."
        )
    if other := told_of_other_models(record):
        lines.append(f"ANOTHER MODEL: {other}.")
    if record.status == "interrupted":
        lines.append("INTERRUPTED: these numbers cover the finished episodes only.")
    return lines


def by_reason(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by reason, sorted, with reasons that differ in the name at their end together."""
    reasons: Counter[str] = Counter()
    for reason, number in counts.items():
        reasons[_NAME_AT_END.sub("", reason)] += number
    return dict(sorted(reasons.items()))
