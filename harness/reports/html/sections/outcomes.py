"""Sections about what happened: outcomes, failed actions, effort, cost, and what was left out."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import quote

from harness.analysis.endings import EndReason
from harness.analysis.failed_actions import UNKNOWN as UNKNOWN_CLASS
from harness.kit.text import NOTHING, UNKNOWN, counted
from harness.models.cost import Spending
from harness.reports.html.blocks import (
    Block,
    Cell,
    HeadingBlock,
    LinkCell,
    ParagraphBlock,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.plots.scatter import cost_against_score
from harness.reports.html.sections.headline import dot
from harness.reports.reported import Reported
from harness.reports.run_summary import by_reason
from harness.reports.wording import count, dollars, interval, number, percent, plural, second_attempts, told_of_time
from harness.run.reported_spending import ReportedSpending

_OUTCOMES = {
    "scored": "the solver ended by itself",
    "limit": "ended at a limit; scored on what the page held",
    "agent_error": "the solver failed; scored on what the page held",
    "unscored": "no label to score against",
    "harness_error": "turkbench or the page failed; no score",
}
_OUTCOMES_OF_SITES = {
    "scored": "the solver ended by itself",
    "limit": "ended at a limit; scored on what had happened until then",
    "agent_error": "the solver failed; scored on what had happened until then",
    "unscored": "the task's main evaluator could not tell",
    "harness_error": "turkbench or the site failed; no score",
}
_EFFORT = {
    "steps": ("actions", count),
    "failed": ("failed actions", count),
    "turns": ("exchanges with a model", count),
    "seconds": ("seconds", count),
    "input_tokens": ("input tokens", count),
    "output_tokens": ("output tokens", count),
    "cost": ("cost, US dollars", dollars),
}
MOST_CLASSES = 30
MOST_PROBLEMS = 50


def outcomes(results: Sequence[Reported], place: Path | None = None) -> Section:
    """The section of outcomes, their reasons, and failed actions.

    Args:
        results: Whose.
        place: The folder of the report, from where links lead; None for no links.
    """
    columns = [TableColumn("outcome", "words"), TableColumn("what it means", "words")]
    for each in results:
        columns += [TableColumn(each.name if len(results) > 1 else "episodes"), TableColumn("share, per cent")]
    rows = []
    on_sites = all(each.is_on_sites for each in results)
    for outcome, meaning in (_OUTCOMES_OF_SITES if on_sites else _OUTCOMES).items():
        row = [outcome.replace("_", " "), meaning]
        for each in results:
            found, total = each.numbers.outcomes[outcome], sum(each.numbers.outcomes.values())
            row += [count(found), percent(found / total if total else None)]
        rows.append(row)
    total_row = ["all", ""]
    for each in results:
        total_row += [count(sum(each.numbers.outcomes.values())), ""]
    blocks: list[Block] = [TableBlock("How episodes ended", columns, [*rows, total_row], summed=1)]
    blocks += [_reasons(each, place, named=len(results) > 1) for each in results if each.endings]
    for each in results:
        if said := second_attempts(each.second_attempts):
            blocks.append(ParagraphBlock(f"{each.name}: {said}" if len(results) > 1 else said))
    if not on_sites:
        blocks.append(_rates(results))
    for number_of, each in enumerate(results, start=1):
        blocks += _errors(each, number_of if len(results) > 1 else 0)
    return Section("outcomes", "Outcomes and errors", blocks)


def _reasons(result: Reported, place: Path | None, *, named: bool) -> TableBlock:
    """Why episodes ended otherwise than by themselves."""
    columns = [TableColumn("outcome", "words"), TableColumn("episodes")]
    columns += [TableColumn("why", "words"), TableColumn("for example", "words")]
    rows: list[list[Cell]] = []
    for outcome, of_outcome in result.endings.items():
        name = outcome.replace("_", " ")
        rows += [[name, count(each.count), each.words, _example(each, place)] for each in of_outcome.reasons]
        if of_outcome.others:
            rows.append([name, count(of_outcome.others), "other reasons", NOTHING])
    caption = "Why episodes ended early, or without a score: the most frequent reasons"
    return TableBlock(f"{caption}: {result.name}" if named else caption, columns, rows)


def _example(reason: EndReason, place: Path | None) -> Cell:
    words = f"{reason.task}, instance {reason.index}"
    if reason.file is None or place is None:
        return words
    return LinkCell(words, episode_address(reason.file, place))


def episode_address(file: Path, place: Path) -> str:
    """Where the file of an episode is from the folder of a report: the viewer, too, shows the episode there."""
    return quote(os.path.relpath(file.resolve(), place.resolve()))


def _rates(results: Sequence[Reported]) -> TableBlock:
    columns = [TableColumn("share, per cent", "words"), *(TableColumn(each.name) for each in results)]
    rates = [each.numbers.rates for each in results]
    filled = [percent(each.filled_where_every_worker_left_blank) for each in rates]
    rows = [
        ["submissions that the page accepted", *(percent(each.accepted_submissions) for each in rates)],
        ["fields filled that every worker left blank", *filled],
    ]
    return TableBlock("What pages accepted, and what nobody asked for", columns, rows)


def _errors(result: Reported, place: int) -> list[Block]:
    failures = result.numbers.failures
    title = f"Failed actions: {result.name}" if place else "Failed actions"
    heading = HeadingBlock(title, f"errors-{place}")
    unread = failures.unread.count
    said = f"{count(failures.failed)} of {plural(failures.steps, 'action')} failed, on "
    said += f"{count(failures.episodes_touched)} of {plural(failures.episodes, 'page')}."
    if unread:
        said += f" Besides, {plural(unread, 'reply', 'replies')} held what is no action."
    if old := failures.classes.get(UNKNOWN_CLASS):
        said += f" The class of {count(old.count)} is unknown: the run was written before error codes were recorded."
    if not failures.classes:
        return [heading, ParagraphBlock(said)]
    columns = [
        TableColumn("class", "words"),
        TableColumn("times"),
        TableColumn("pages"),
        TableColumn("share, per cent"),
    ]
    columns += [TableColumn("for example", "words"), TableColumn("what the solver was told", "words")]
    shown = list(failures.classes.items())[:MOST_CLASSES]
    rows = [
        [
            name,
            count(entry.count),
            count(entry.episodes),
            percent(entry.count / failures.failed),
            entry.example.action if entry.example else NOTHING,
            entry.example.message if entry.example else NOTHING,
        ]
        for name, entry in shown
    ]
    return [heading, ParagraphBlock(said), TableBlock("Failed actions by class", columns, rows)]


def effort(results: Sequence[Reported]) -> Section:
    """The section of what it took: actions, time, tokens, money."""
    blocks: list[Block] = []
    for place, each in enumerate(results, start=1):
        if len(results) > 1:
            blocks.append(HeadingBlock(each.name, f"effort-{place}"))
        columns = [
            TableColumn("measure", "words"),
            *map(TableColumn, ("in all", "per instance", "per point", "instances")),
        ]
        rows = []
        for name, (words, write) in _EFFORT.items():
            spent = each.numbers.effort[name]
            if spent.total is None:
                rows += [[words, *[UNKNOWN] * 3, count(0)]] if spent.unknown else []
                continue
            small = dollars if write is dollars else number
            row = [words, write(spent.total), small(spent.per_instance), small(spent.per_point)]
            rows.append([*row, count(spent.known)])
        caption = (
            "Effort. A point is one per cent of the score of an instance; instances are those with a known value, and "
            "what nobody told of others is in no number here"
        )
        blocks.append(TableBlock(caption, columns, rows) if rows else ParagraphBlock("Nothing is known of it."))
        blocks += _accounts(each)
    blocks += _cost(results)
    return Section("effort", "Effort and cost", blocks)


def _accounts(result: Reported) -> list[ParagraphBlock]:
    """What a run took in all; episodes that were played again count once in the table, and here each time."""
    found = []
    for record in result.records:
        if time := told_of_time(record):
            found.append(ParagraphBlock(f"The whole run. {time}"))
        if record.spent:
            spending = Spending.of(record.spent, record.config.options)
            calls = plural(record.spent.calls, "call")
            said = f"{calls}, {spending.tokens_in_words()}, {spending.cost_in_words()}"
            found.append(ParagraphBlock(f"The whole run, by its ledger, with what led to no episode: {said}."))
        elif record.reported:
            told = ReportedSpending(record.reported)
            said = f"{told.tokens_in_words()}, {told.cost_in_words()}"
            found.append(ParagraphBlock(f"Tokens and cost are what the agents say of themselves: {said}."))
    return found


def _cost(results: Sequence[Reported]) -> list[Block]:
    known = [
        (each, cost) for each in results if (cost := each.numbers.effort["cost"].per_instance) is not None and cost
    ]
    if len(known) < 2:
        return (
            []
            if len(results) < 2
            else [ParagraphBlock("Cost is known for fewer than two of these results: it is not drawn.")]
        )
    columns = [
        TableColumn("solver", "words"),
        TableColumn("US dollars an instance"),
        TableColumn("score"),
        TableColumn("95 % interval"),
    ]
    rows = [
        [each.name, dollars(cost), percent(each.score), interval(each.overall.estimates.score)] for each, cost in known
    ]
    missing = [each.name for each in results if each not in [one for one, _ in known]]
    caption = "Cost against score, with 95 % intervals of the score."
    if missing:
        caption += f" Without a known cost, and not drawn: {', '.join(missing)}."
    points = [(each.name, cost, dot(each.overall.estimates.score)) for each, cost in known]
    table = TableBlock("Cost and score, per cent", columns, rows)
    return [cost_against_score("cost", caption, points, table, "an instance")]


def left_out(results: Sequence[Reported]) -> Section:
    """The section of what no number covers, and why."""
    blocks: list[Block] = [ParagraphBlock("What no score covers is counted here, with its reason.")]
    for place, each in enumerate(results, start=1):
        if len(results) > 1:
            blocks.append(HeadingBlock(each.name, f"left-out-{place}"))
        rows = [[what, count(found)] for what, found in _left_out(each).items() if found]
        columns = [TableColumn("what, and why", "words"), TableColumn("number")]
        blocks.append(TableBlock("Left out", columns, rows or [["nothing", "0"]]))
        problems = each.record.problems
        blocks += [ParagraphBlock(f"Task that cannot be read: {problem}") for problem in problems[:MOST_PROBLEMS]]
        if len(problems) > MOST_PROBLEMS:
            blocks.append(
                ParagraphBlock(f"{counted(len(problems) - MOST_PROBLEMS, 'more task')} that cannot be read not listed.")
            )
        alike = [" = ".join(names) for names in each.record.identical_tasks]
        if alike:
            blocks.append(
                ParagraphBlock(f"Tasks that are equal byte for byte, and may leak between splits: {'; '.join(alike)}.")
            )
    return Section("left-out", "What was left out", blocks)


def _left_out(result: Reported) -> Mapping[str, int]:
    found: Counter[str] = Counter()
    record, numbers = result.record, result.numbers
    for what, number_of in record.left_out.items():
        found[what] += number_of
    for reason, number_of in by_reason(numbers.unscored_fields).items():
        found[f"fields that are not scored: {reason}"] += number_of
    found["instances without a score: harness error"] = numbers.outcomes["harness_error"]
    for why, number_of in result.dropped.items():
        found[f"instances that not all seeds share: {why}"] += number_of
    outside = record.outside
    placeholders = outside.instances_without_their_media
    found["instances shown with a placeholder for a picture, video or frame (scored)"] = placeholders
    found["outside scripts, styles and fonts that could not be had (pages scored)"] = len(outside.missing_assets)
    return found
