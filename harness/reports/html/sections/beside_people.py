"""Sections that hold a solver against people, and against solvers that understand nothing."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis.people.label_agreement import Agreement
from harness.reports.html.blocks import Block, FoldBlock, HeadingBlock, ParagraphBlock, Section, TableBlock, TableColumn
from harness.reports.html.plots.scatter import Point, against
from harness.reports.html.sections.headline import FLOORS, series_of
from harness.reports.reported import Reported
from harness.reports.wording import count, fraction, interval, percent, plural, points

MOST_FLAGGED = 300
"""Trivial solvers in tasks that are listed."""
_UNFOLDED = 15


def people(results: Sequence[Reported]) -> Section:
    """The section of the solver against the crowd, task by task."""
    solvers = [each for each in results if not each.is_of_workers]
    blocks: list[Block] = [
        ParagraphBlock(
            "Each worker is scored against the other workers of the same instance, by the same metrics. A worker faces "
            "one label less than a solver does, so the solver is scored again on the very label sets that the workers "
            "face: with each worker left out in turn. Tasks where no instance has two workers are not here."
        )
    ]
    found = False
    for number, part in enumerate(series_of(solvers), start=1):
        series = [(each.name, _points(each)) for each in part]
        if not any(shown for _, shown in series):
            continue
        found = True
        caption = "Solver against crowd, a point a task. Below the diagonal people are better; those furthest from it "
        caption += "are numbered, with the solver's score and then the crowd's."
        words = ("crowd, per cent", "solver on the same label sets, per cent")
        blocks.append(against(f"people-{number}", caption, words, series, _table(part)))
    if not found:
        blocks.append(ParagraphBlock("No task of these results has instances that two or more workers answered."))
    blocks += _agreement(results)
    return Section("people", "Solver and crowd", blocks)


def _points(result: Reported) -> list[Point]:
    estimates = ((task, group.estimates) for task, group in result.numbers.groups.tasks.items())
    pairs = ((task, each.crowd.value, each.own_left_out.value) for task, each in estimates)
    return [Point(name, crowd, own) for name, crowd, own in pairs if crowd is not None and own is not None]


def _table(results: Sequence[Reported]) -> TableBlock:
    several = len(results) > 1
    headings = ("crowd", "95 % interval", "solver", "95 % interval", "points from crowd", "95 % interval")
    whose = [TableColumn("solver's name", "words")] if several else []
    rows = []
    for each in results:
        for name, group in each.numbers.groups.tasks.items():
            crowd, own, gap = group.estimates.crowd, group.estimates.own_left_out, group.estimates.gap
            if crowd.value is None:
                continue
            rows.append(
                [
                    name,
                    *([each.name] if several else []),
                    percent(crowd.value),
                    interval(crowd),
                    percent(own.value),
                    interval(own),
                    points(gap.value),
                    interval(gap, points),
                ]
            )
    columns = [TableColumn("task", "words"), *whose, *map(TableColumn, headings)]
    return TableBlock("Solver and crowd on the same label sets, per cent", columns, rows)


def _agreement(results: Sequence[Reported]) -> list[Block]:
    """How far workers agree: on the labels alone, once for each set of labels."""
    blocks: list[Block] = []
    labels = {each.comparability_id: each for each in results}
    headings = ("questions", "answers", "alpha", "unanimous", "majority", "tie")
    for number, (ident, each) in enumerate(labels.items(), start=1):
        found = each.numbers.agreement
        whose = f" (comparability id {ident})" if len(labels) > 1 else ""
        if not found.overall.units:
            continue
        rows = [_agreed(kind, entry) for kind, entry in found.kinds.items()]
        rows.append(_agreed("all", found.overall))
        columns = [TableColumn("kind of field", "words"), *map(TableColumn, headings)]
        caption = (
            f"Agreement of the workers{whose}: Krippendorff's alpha, and the shares of questions, in per cent, on "
            "which all agree, most agree, or several answers are tied"
        )
        blocks += [
            HeadingBlock(f"Agreement of the labels{whose}", f"agreement-{number}"),
            TableBlock(caption, columns, rows, summed=1),
        ]
    blocks += _with_workers(results)
    return blocks


def _agreed(name: str, found: Agreement) -> list[str]:
    shares = map(percent, (found.unanimous, found.majority, found.tie))
    return [name, count(found.units), count(found.labels), fraction(found.alpha), *shares]


def _with_workers(results: Sequence[Reported]) -> list[Block]:
    rows = [
        [each.name, kind, percent(found.share), count(found.fields)]
        for each in results
        for kind, found in each.numbers.with_workers.items()
    ]
    if not rows:
        return []
    columns = [
        TableColumn("solver", "words"),
        TableColumn("kind of choice", "words"),
        TableColumn("share, per cent"),
        TableColumn("fields"),
    ]
    return [TableBlock("Workers who gave the solver's answer, a mean over fields", columns, rows)]


def trivial(results: Sequence[Reported]) -> Section:
    """The section of tasks in which a score says little."""
    blocks: list[Block] = [
        ParagraphBlock(
            "In these tasks a solver that understands nothing comes within 5 points of the crowd (or, where no crowd "
            "is known, of the solver): a high score there says little. They count in every mean all the same."
        )
    ]
    rows: dict[tuple[str, str, str, float], list[str]] = {}
    for each in results:
        for flagged in each.numbers.trivial:
            against_whom = "crowd" if flagged.against == "crowd" else each.name
            key = (flagged.task, flagged.floor, against_whom, flagged.against_score)
            rows[key] = [
                flagged.task,
                FLOORS[flagged.floor],
                percent(flagged.floor_score),
                against_whom,
                percent(flagged.against_score),
            ]
    shown = list(rows.values())[:MOST_FLAGGED]
    more = f"{len(rows) - len(shown)} more are not shown." if len(shown) < len(rows) else ""
    tasks = plural(len({key[0] for key in rows}), "task")
    columns = [
        TableColumn("task", "words"),
        TableColumn("what comes close", "words"),
        TableColumn("its score"),
        TableColumn("to", "words"),
    ]
    columns.append(TableColumn("with the score"))
    if shown:
        table = TableBlock(f"{tasks} in which a trivial solver comes close, per cent", columns, shown, more)
        blocks.append(table if len(shown) <= _UNFOLDED else FoldBlock(f"Flagged: {tasks}", [table]))
    else:
        blocks.append(ParagraphBlock("There are none."))
    return Section("trivial", "Trivial tasks", blocks)
