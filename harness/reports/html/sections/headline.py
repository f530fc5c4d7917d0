"""The first sections of a report: how good the solver is, how sure that is, and what was published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from harness.published import Published
from harness.reports.html.blocks import Block, Column, Figure, Highlight, Highlights, Notice, Section, Table, Words
from harness.reports.html.plots.axes import MOST_SERIES, Dot, Series
from harness.reports.html.plots.forest import Marks, forest
from harness.reports.reported import Record, Reported
from harness.reports.wording import count, interval, number, percent, points, value
from harness.text.numbers import NOTHING

ORIGINAL = "turkingbench-2024"
FLOORS = {"constant": "Constant answers", "copy": "Copied input", "do_nothing": "Untouched page"}
"""Measures of solvers that understand nothing -> their words."""
_PARTS = {
    "profile": "scoring profile",
    "task_set": "task set",
    "inventory": "fields of the pages",
    "protocol": "protocol",
    "sample": "sample of instances",
    "outside": "what pages could load from outside",
}


def dot(estimate: Record | None) -> Dot:
    """An estimate as it is drawn."""
    return Dot(estimate["value"], estimate["low"], estimate["high"]) if estimate else Dot(None)


def headline(results: Sequence[Reported]) -> Section:
    """The section of the headline."""
    blocks: list[Block] = [*_warnings(results)]
    if len(results) == 1:
        blocks += [_highlights(results[0]), _standing(results[0])]
    else:
        blocks += _side_by_side(results)
    blocks += [_means(results), *_seeds(results)]
    return Section("headline", "Headline", blocks)


def _highlights(result: Reported) -> Highlights:
    numbers = result.overall
    crowd, own = numbers["crowd"], numbers["own_left_out"]
    figures = [Highlight("score, mean over tasks", percent(result.score), _confidence(numbers["score"]))]
    if value(crowd) is not None:
        if not result.is_of_workers:
            same = Highlight("score on the label sets that the crowd faces", percent(value(own)), _confidence(own))
            figures.append(same)
        figures.append(Highlight("crowd: each worker against the others", percent(value(crowd)), _confidence(crowd)))
    figures += [
        Highlight("ceiling: the most that the labels allow", percent(numbers["ceiling"])),
        Highlight("constant answers", percent(numbers["constant"])),
        Highlight("skill over constant answers", percent(numbers["skill_over_constant"])),
    ]
    return Highlights(figures)


def _confidence(estimate: Record) -> str:
    return "no interval" if estimate["low"] is None else f"95 %: {interval(estimate)}"


def _standing(result: Reported) -> Figure:
    numbers = result.overall
    rows: list[tuple[str, Dot, str]] = [
        ("Ceiling", Dot(numbers["ceiling"]), "the most that the labels allow"),
        ("Score", dot(numbers["score"]), "mean over tasks: the headline"),
    ]
    if value(numbers["crowd"]) is not None:
        rows += [
            (
                "Score, the crowd's label sets",
                dot(numbers["own_left_out"]),
                "on the labels of all workers but one, in turn; only where two or more answered",
            ),
            ("Crowd", dot(numbers["crowd"]), "each worker against the others, on the same label sets"),
        ]
    told = {
        "constant": "the most frequent answer of the task's other instances",
        "copy": "the longest input in every text field",
        "do_nothing": "what the page sends if nobody touches it",
    }
    rows += [(words, Dot(numbers[measure]), told[measure]) for measure, words in FLOORS.items()]
    shown = [row for row in rows if row[1].value is not None]
    columns = [Column("measure", "words"), Column("score"), Column("95 % interval"), Column("what it is", "words")]
    data = Table(
        "Where the score stands, per cent",
        columns,
        [[name, percent(each.value), _range(each), what] for name, each, what in rows],
    )
    return forest(
        "standing",
        "Where the score stands between floors, people and ceiling. Lines are 95 % intervals.",
        [name for name, _, _ in shown],
        [Series("", [each for _, each, _ in shown])],
        [],
        data=data,
    )


def _range(each: Dot) -> str:
    return NOTHING if each.low is None or each.high is None else f"{percent(each.low)} to {percent(each.high)}"


def _side_by_side(results: Sequence[Reported]) -> list[Block]:
    columns = [
        Column("solver", "words"),
        *map(Column, ("score", "95 % interval", "of ceiling", "on crowd's sets", "crowd", "points from crowd")),
        *map(Column, ("skill over constant", "tasks", "instances")),
        Column("comparability id", "words"),
    ]
    rows = []
    for each in results:
        numbers = each.overall
        rows.append(
            [
                each.name,
                percent(each.score),
                interval(numbers["score"]),
                percent(value(numbers["of_ceiling"])),
                percent(value(numbers["own_left_out"])),
                percent(value(numbers["crowd"])),
                points(value(numbers["gap"])),
                percent(numbers["skill_over_constant"]),
                count(numbers["tasks"]),
                count(numbers["instances"]),
                each.comparability_id,
            ]
        )
    marks = [Marks(what, [each.overall[what] for each in results]) for what in FLOORS]
    marks += [
        Marks("ceiling", [each.overall["ceiling"] for each in results]),
        Marks("crowd", [value(each.overall["crowd"]) for each in results]),
    ]
    table = Table("Scores side by side, per cent; mean over tasks", columns, rows)
    figure = forest(
        "standing",
        "Scores with 95 % intervals, between floors, people and ceiling. Intervals of single results say little about "
        "differences: python -m harness.compare tests those on shared instances.",
        [each.name for each in results],
        [Series("score", [dot(each.overall["score"]) for each in results])],
        marks,
    )
    return [table, figure]


def _means(results: Sequence[Reported]) -> Table:
    groups = [("instances_mean", "instances"), ("fields_mean", "fields")]
    several = len(results) > 1
    if several:
        columns = [Column("solver", "words")]
        for _, unit in groups:
            columns += [Column(f"over {unit}"), Column("95 % interval"), Column("of ceiling")]
        columns.append(Column("over tasks, on fields without a tied vote"))
        rows = []
        for each in results:
            means = [cell for key, _ in groups for cell in _mean(each.numbers[key])]
            rows.append([each.name, *means, percent(each.overall["untied"])])
    else:
        (result,) = results
        columns = [Column("mean", "words"), *map(Column, ("score", "95 % interval", "of ceiling", "number"))]
        rows = [
            [f"over {unit}", *_mean(result.numbers[key]), count(result.overall[unit])]
            for key, unit in (("overall", "tasks"), *groups)
        ]
        untied = percent(result.overall["untied"])
        rows.append(["over tasks, on fields without a tied vote", untied, NOTHING, NOTHING, NOTHING])
    return Table("The same scores, averaged in other ways, per cent", columns, rows)


def _mean(group: Record) -> list[str]:
    return [percent(value(group["score"])), interval(group["score"]), percent(value(group["of_ceiling"]))]


def _seeds(results: Sequence[Reported]) -> list[Block]:
    rows = []
    for each in results:
        seeds = each.numbers["between_seeds"]
        if seeds:
            rows.append([each.name, *seeds_row(seeds)])
    if not rows:
        return []
    columns = [Column("solver", "words"), Column("seeds", "words"), Column("headline of each", "words")]
    columns.append(Column("standard deviation, points"))
    return [Table("Seeds of one solver are one result, the mean of all", columns, rows)]


def seeds_row(seeds: Record) -> list[str]:
    """Seeds, headlines and the standard deviation between them."""
    headlines = ", ".join(percent(each) for each in seeds["headlines"])
    spread = seeds["standard_deviation"]
    return [", ".join(map(str, seeds["seeds"])), headlines, number(None if spread is None else 100 * spread, 2)]


def _warnings(results: Sequence[Reported]) -> list[Notice]:
    found = []
    for each in results:
        statuses = {record.status for record in each.records}
        bounds = each.numbers["bounds"]
        if bounds:
            low, high = bounds
            text = f"{each.name}: instances without a score allow any headline from {percent(low)} to {percent(high)}."
            found.append(Notice("Incomplete", text))
        elif statuses & {"interrupted", "running"}:
            text = f"{each.name}: the run has not ended; these numbers cover the episodes that are there."
            found.append(Notice("Unfinished", text))
    found += [_difference(one, other) for one, other in pairwise(results) if _parts(one) != _parts(other)]
    return found


def _parts(result: Reported) -> dict[str, Any]:
    return {"profile": result.profile, **result.record.compared}


def _difference(one: Reported, other: Reported) -> Notice:
    first, second = _parts(one), _parts(other)
    different = [words for key, words in _PARTS.items() if first[key] != second[key]]
    return Notice(
        "Not comparable",
        f"{one.name} ({one.comparability_id}) and {other.name} ({other.comparability_id}) differ in "
        f"{', '.join(different)}. Their scores stand side by side here, but their difference says nothing about the "
        "solvers.",
    )


def published(results: Sequence[Reported], lines: Sequence[Published]) -> Section:
    """Numbers of the paper beside those of the same rules, in a section that is marked as not measured here."""
    rows = []
    for each in results:
        original = each.original
        if original:
            tasks, instances = original.tasks, original.instances
            rows += [
                [each.name, "tasks", percent(value(tasks)), interval(tasks), original.comparability_id],
                [each.name, "tasks, the fields of a task pooled", percent(original.pooled), NOTHING, ""],
                [each.name, "instances", percent(value(instances)), interval(instances), ""],
            ]
    words = ("solver", "mean over")
    columns = [*(Column(each, "words") for each in words), Column("score"), Column("95 % interval")]
    measured = Table(
        f"Measured here, on the same split as far as the run has it, by the rules of the original code ({ORIGINAL}), "
        "per cent",
        [*columns, Column("comparability id", "words")],
        rows,
    )
    usual = Counter((each.split, each.mean_over) for each in lines).most_common(1)[0][0]
    quoted = Table(
        f"Published, not measured here, per cent. Split {usual[0]}; if not said otherwise, mean over {usual[1]}",
        [Column("solver", "words"), Column("score"), Column("where", "words"), Column("note", "words")],
        [[each.label, percent(each.score), each.table, _note(each, usual)] for each in lines],
    )
    sources = "; ".join(dict.fromkeys(each.source for each in lines))
    text = Words(
        "These numbers were published by others, on other samples and other copies of the pages. They are for "
        "orientation only and enter no figure and no mean of this report. The second table holds the results of "
        f"this report under the same rules, {ORIGINAL}; docs/parity.md explains what still differs. Source: {sources}."
    )
    return Section("published", "Published numbers", [text, quoted, measured], "outside")


def _note(line: Published, usual: tuple[str, str]) -> str:
    others = [
        f"{words} {said}"
        for words, said, usually in zip(("split", "mean over"), (line.split, line.mean_over), usual, strict=True)
        if said != usually
    ]
    return "; ".join(filter(None, [line.note, *others]))


def series_of(results: Sequence[Reported]) -> list[list[Reported]]:
    """Results in groups that fit into one figure."""
    return [list(results[start : start + MOST_SERIES]) for start in range(0, len(results), MOST_SERIES)]
