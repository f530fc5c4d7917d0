"""The summary of a run as plain text, for a terminal. Scores are shown in per cent.

It is made of what ``run.json`` says, without pandas, which would be in the memory of every worker of a run.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from harness.analysis.endings import Endings
from harness.kit.files.installation import to_type
from harness.kit.text import aligned, percent, shorten
from harness.models.cost import Spending, dollars
from harness.records.agent_name import agent_name, is_open, shut_in, told_of_other_models
from harness.records.results import MeanScores, Results
from harness.records.run_record import RunRecord
from harness.reports.wording import (
    plural,
    scored_by,
    second_attempts,
    told_of_errors,
    told_of_stop,
    told_of_time,
    told_of_work,
)
from harness.run.reported_spending import ReportedSpending
from harness.run.task_kind import KindSummary, task_kind

if TYPE_CHECKING:
    from harness.analysis.site_results import SiteResults
from harness.catalog.mirror.addresses import key
from harness.catalog.mirror.manifest import entries
from harness.catalog.mirror.store import building
from harness.kit.text import counted


def missing_files(record: RunRecord) -> str:
    """Say which scripts, styles and fonts pages asked for in vain, and what gets them; empty if none.

    Args:
        record: The content of a run's ``run.json``.
    """
    missing = record.outside.missing_assets
    if not missing:
        return ""
    pages = "pages" if record.pages_lacking_assets is None else counted(record.pages_lacking_assets, "page")
    wanted = max(missing, key=lambda url: (missing[url], url))
    files = counted(len(missing), "outside script, style or font", "outside scripts, styles or fonts")
    what = f"{pages} did not get {files}, e.g. {wanted}, and may look or work wrongly"
    if record.outside.network != "mirror":
        return what
    if all((entry := entries().get(key(url))) and entry.source is None for url in missing):
        return f"{what}; no package holds what is missing"
    return f"{what}; what can be had is collected by: {building(record.config.tasks_dir)}"


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
_COLUMNS_SAY = (
    "of ceil.: the score as a share of the ceiling. nothing, constant, copy: the scores of simple baselines.\n"
    "skill/n, skill/c: the share of the way from nothing, or from constant, to the ceiling; 0.0 is no better than it."
)
_NAME_AT_END = re.compile(r" (?:'[^']*'|\"[^\"]*\")$")
"""The name that ends a reason such as ``repeats the input 'id'``: reasons are counted without it."""


_BUDGETS = {"cost": "--max-cost", "tokens": "--max-tokens"}
"""Limits of a whole run and their options."""
OVERALL = "overall (mean over tasks)"


def summary_table(record: RunRecord, endings: Endings | None = None, sites: SiteResults | None = None) -> str:
    """The summary of a run.

    Args:
        record: The content of its ``run.json``.
        endings: Why its episodes ended otherwise than by themselves, if that is to be told.
        sites: Of a run on websites: what evaluators say of its episodes.

    Returns:
        Tables per task, per kind (of websites: per level and site) and overall, the counts of every outcome, what was
        left out, the comparability id, what it spent, and the reasons; these first where nothing has a score. Above
        all of it, why the run stopped, if it did.
    """
    results, config = record.results, record.config
    if results is None:
        return "\n".join(filter(None, ("No episode was finished.", told_of_stop(record))))
    reasons = "\n\n".join(filter(None, told_of(endings))) if endings else ""
    nothing = _without_a_score(record, results, reasons)
    told = task_kind(config.kind).summary(results, sites) or _of_fields(results)
    by_what = scored_by(config, config.metrics)
    shard = f" · shard {config.shard}" if config.shard else ""
    parts = [
        f"Solver {agent_name(record)}{shard} · {by_what} · comparability id {record.comparability_id}",
        told_of_stop(record),
        nothing or _upper(told_of_work(record.asked_work)),
        *told.tables,
        _upper(told_of_errors(results.outcomes)),
        "\n".join(_notes(record, results, told)),
        "" if nothing else reasons,
    ]
    return "\n\n".join(filter(None, parts))


def _without_a_score(record: RunRecord, results: Results, reasons: str) -> str:
    """What stands above tables without a score: that it is so, and why; empty if there is one."""
    if results.overall.instances:
        return ""
    why = told_of_work(record.asked_work).removeprefix("no score: ") or "no instance has one"
    return f"NO SCORE: {why}.\n{reasons}".strip()


def _upper(sentence: str) -> str:
    """A sentence as it stands alone; empty if it is."""
    return f"{sentence[0].upper()}{sentence[1:]}." if sentence else ""


def told_of(endings: Endings) -> tuple[str, str]:
    """Which episodes had a second attempt, and why some ended otherwise than by themselves; each empty if none did."""
    return second_attempts(endings.second_attempts), reasons_text(endings)


def reasons_text(endings: Endings) -> str:
    """Why episodes ended otherwise than by themselves, by outcome, with an example of each; empty if none did."""
    lines = []
    for outcome, of_outcome in endings.found().items():
        lines.append(f"{outcome} {of_outcome.count}:")
        for each in of_outcome.reasons:
            lines.append(f"  {each.count} × {each.words}")
            lines.append(
                f"      for example {each.task}, instance {each.index}" + (f": {each.file}" if each.file else "")
            )
        if of_outcome.others:
            lines.append(f"  {of_outcome.others} × other reasons")
    return "\n".join(["Why, the most frequent reasons first:", *lines]) if lines else ""


def resuming(folder: Path, record: RunRecord | None = None) -> str:
    """The command that goes on with a run; with a higher budget where instances ended for lack of one."""
    words = [to_type("evaluate", "--resume", folder)]
    for limit, option in _BUDGETS.items():
        if record and record.out_of_budget.get(limit) and (most := record.config.allowed(limit)) is not None:
            words.append(f"{option} {2 * most:g}" if limit == "cost" else f"{option} {2 * int(most)}")
    return " ".join(words)


def _form_tables(results: Results) -> list[str]:
    return [
        _section("task", {name: (scores.instances, scores) for name, scores in results.tasks.items()}, "n"),
        _section("kind of field", {name: (scores.fields, scores) for name, scores in results.kinds.items()}, "n"),
        _section("split", {name: ("", scores) for name, scores in results.splits.items()}, ""),
        _section(OVERALL, {"": (results.overall.instances, results.overall)}, "n"),
        _COLUMNS_SAY,
    ]


def _section(title: str, rows: Mapping[str, tuple[object, MeanScores]], count: str) -> str:
    table = [[title, count, *_HEADINGS]]
    for name, (number, scores) in rows.items():
        table.append([shorten(name), str(number), *(percent(getattr(scores, column)) for column in _COLUMNS)])
    return aligned(table)


def _of_fields(results: Results) -> KindSummary:
    """Of forms, and of kinds of task that have nothing else to say."""
    overall, rates, outcomes = results.overall, results.rates, results.outcomes
    means = (
        f"Mean over instances {percent(overall.mean_over_instances)}, over fields "
        f"{percent(overall.mean_over_fields)}; on fields without a tie {percent(overall.untied)}."
    )
    counts = [f"Submissions that the page accepted: {percent(rates.accepted_submissions)} %."]
    if rates.filled_where_every_worker_left_blank is not None:
        filled = percent(rates.filled_where_every_worker_left_blank)
        counts.append(f"Fields filled that every worker left blank: {filled} %.")
    unseen = outcomes["scored"] + outcomes["limit"] + outcomes["agent_error"] - overall.instances
    if unseen and overall.instances:
        counts.append(f"Pages without a field that this profile scores: {unseen}; they count in no mean.")
    if results.unscored_fields:
        reasons = by_reason(results.unscored_fields)
        counts.append("Fields not scored: " + ", ".join(f"{n} × {reason}" for reason, n in reasons.items()) + ".")
    return KindSummary(_form_tables(results), means, counts)


def _notes(record: RunRecord, results: Results, told: KindSummary) -> list[str]:
    overall, outcomes = results.overall, results.outcomes
    lines = [
        told.means,
        "Outcomes: "
        + ", ".join(f"{name} {count}" for name, count in outcomes.items())
        + f" of {record.planned_episodes} planned.",
        *told.counts,
    ]
    if box := shut_in(record.config.options, record.isolation):
        heading = "NOT SHUT IN: the" if is_open(record.config.options, record.isolation) else "The"
        lines.append(f"{heading} program worked in {box}.")
    if record.left_out:
        lines.append("Left out: " + ", ".join(map(_left_out, record.left_out, record.left_out.values())) + ".")
    for group in record.identical_tasks:
        lines.append("Identical tasks (leakage): " + " = ".join(group) + ".")
    lines += filter(None, [told_of_time(record), *_spent(record)])
    if judge := record.judge_spent:
        cost = "an unknown cost" if judge.cost is None else dollars(judge.cost)
        lines.append(f"The judge, {record.config.judge}, beside that: {plural(judge.calls, 'call')}, {cost}.")
    if overall.bounds:
        low, high = overall.bounds
        lines.append(
            f"INCOMPLETE: instances without a score allow any headline from {percent(low)} to {percent(high)}."
        )
    if missing := missing_files(record):
        lines.append(f"OUTSIDE FILES MISSING: {missing}")
    if other := told_of_other_models(record):
        lines.append(f"ANOTHER MODEL: {other}.")
    for limit, number in record.out_of_budget.items():
        lines.append(
            f"INCOMPLETE: the run's {_BUDGETS[limit]} ended {plural(number, 'instance')}, scored on what the page held "
            "then; under a higher one --resume plays them again."
        )
    if record.status == "interrupted":
        lines.append("INTERRUPTED: these numbers cover the finished episodes only.")
    return lines


def _spent(record: RunRecord) -> list[str]:
    """What a run spent on its model, by its own account or as its agents say; nothing of one without."""
    if record.spent is None:
        reported = ReportedSpending(record.reported)
        said = f"Spent, as the agents say: {reported.tokens_in_words()}, {reported.cost_in_words()}."
        return [said] if record.reported else []
    totals, spending = record.spent, Spending.of(record.spent, record.config.options)
    usage = totals.usage
    lines = [
        f"Spent: {plural(totals.calls, 'call')} of the model, {spending.tokens_in_words()} "
        f"({usage.input_tokens:,} in, {usage.output_tokens:,} out), {spending.cost_in_words()}."
    ]
    if totals.cached:
        lines.append(f"Replies that had been paid for before: {totals.cached}.")
    if totals.cut:
        lines.append(
            f"CUT: of {totals.cut} of these calls the server read a part of the prompt alone. Give it a "
            "larger context (Ollama: num_ctx, or OLLAMA_CONTEXT_LENGTH), or --max-input-tokens a smaller number."
        )
    if totals.open_calls:
        most = "" if totals.cost is None else f" and {dollars(totals.open_cost)}"
        lines.append(
            f"Calls whose end nobody saw: {totals.open_calls}; they may have taken up to {totals.open_tokens:,} "
            f"tokens{most} more."
        )
    return lines


def _left_out(what: str, number: int) -> str:
    """``1 task that cannot be read``: a record has the noun of several, in front."""
    several, _, which = what.partition(" ")
    return f"{plural(number, several.removesuffix('s'), several)} {which}"


def by_reason(counts: Mapping[str, int]) -> dict[str, int]:
    """Counts by reason, sorted, with reasons that differ in the name at their end together."""
    reasons: Counter[str] = Counter()
    for reason, number in counts.items():
        reasons[_NAME_AT_END.sub("", reason)] += number
    return dict(sorted(reasons.items()))
