"""Whether an agent is good enough for a requester's task, as one page and as text for a terminal."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from urllib.parse import quote

from harness.analysis.replacement.answers import AnsweredItem
from harness.analysis.replacement.decisions import Decision
from harness.analysis.replacement.estimates import Quantity
from harness.analysis.replacement.replacement import Replacement, TaskReplacement
from harness.analysis.replacement.routing import Routing
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING, aligned, counted, duration, noun, shorten
from harness.records.directory import RunDirectory
from harness.reports.html.blocks import (
    Block,
    Cell,
    FactsBlock,
    FoldBlock,
    LinkCell,
    NoticeBlock,
    ParagraphBlock,
    ReportPage,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.plots.axes import Dot
from harness.reports.html.plots.lines import JoinedDots, VariedAxis, lines
from harness.reports.wording import count, dollars, number, percent, points

AGENT_ITEMS, PEOPLE_ITEMS, PAGE, DATA = "to-agent.csv", "to-people.csv", "replacement.html", "replacement.json"
"""The files that are written."""
_OPEN_TASKS = 8
"""Of more tasks, the fields of each are shown on demand."""
_SHOWN = 60


def verdict(found: Replacement) -> str:
    """The answer in a sentence or two, such as ``3 of 5 fields: yes. 1: no``."""
    counts = {answer: number for answer, number in found.counts.items() if number}
    total = sum(counts.values())
    if not total:
        return "No field has labels, so nothing can be said."
    parts = []
    for place, (answer, number_of) in enumerate(counts.items()):
        of = f" of {counted(total, 'field')}" if place == 0 else ""
        parts.append(f"{number_of}{of}: {answer}{_needed(found) if answer == 'not yet known' else ''}.")
    return " ".join(parts)


def _needed(found: Replacement) -> str:
    """What it would take to know, of the field that takes most."""
    open_fields = [each for task in found.tasks for each in task.fields if each.answer == "not yet known"]
    further = [each.further for each in open_fields if each.further is not None]
    if not further:
        return ""
    near = " for all but those that are too close to call" if len(further) < len(open_fields) else ""
    return f", {count(max(further))} more items with two workers or more would tell{near}"


def page_of(found: Replacement, address: Callable[[AnsweredItem], str], lists: bool = True) -> ReportPage:
    """The page.

    Args:
        found: What was found.
        address: Where links to items lead.
        lists: Whether the lists of who should do what lie beside the page.
    """
    sections = [_answer(found), _costs(found)]
    if found.routing:
        sections.append(_routing(found.routing, lists))
    if any(each.quantities for each in found.tasks):
        sections.append(_results(found.tasks))
    sections += [_failures(found, address), _about(found)]
    lead = f"{verdict(found)} {counted(found.items, 'item')} of {counted(len(found.tasks), 'task')}."
    return ReportPage(f"May {found.agent} take a worker's place?", lead, sections, _FOOTER)


_FOOTER = "docs/how-to/replacing.md explains the numbers. This file needs nothing but itself."


def _answer(found: Replacement) -> Section:
    blocks: list[Block] = [ParagraphBlock(verdict(found))]
    if made := [each.task for each in found.tasks if each.constructed]:
        whose = f"{len(made)} of the tasks" if len(made) < len(found.tasks) else "these tasks"
        blocks.append(
            NoticeBlock("Constructed labels", f"The labels of {whose} were made by a program, not by people.")
        )
    if found.left_out:
        why = "; ".join(f"{counted(number, 'episode')}: {reason}" for reason, number in found.left_out.items())
        blocks.append(NoticeBlock("Left out", f"{why}."))
    if found.kinds:
        caption = "Over all tasks, each of which counts as one observation: for tasks like these"
        blocks.append(_decisions(caption, "kind of field", found.kinds))
    if len(found.tasks) > 1:
        caption = "Task by task, all fields of an item together: for further items of the task"
        blocks.append(_decisions(caption, "task", [each.whole for each in found.tasks]))
    fields: list[Block] = []
    for task in found.tasks:
        table = _decisions(f"The fields of {task.task}", "field", task.fields)
        fields.append(table if len(found.tasks) <= _OPEN_TASKS else FoldBlock(task.task, [table]))
    blocks += [*fields, ParagraphBlock(_how(found))]
    return Section("answer", "The answer", blocks)


def _how(found: Replacement) -> str:
    allowed = f"{100 * found.epsilon:g} points"
    said = (
        f"Yes: the agent scores at most {allowed} less than a worker does, both held against the other workers of the "
        "same items. No: it scores less than that. Either is wrong with a chance of at most 5 per cent, over all "
        "fields of a task together."
    )
    if found.workers_from:
        return (
            f"{said} Workers are known by {found.workers_from}. Where three or more of them did 30 items or more, the "
            "agent is held against each of them by the alternative annotator test, and yes means that it may replace "
            "half of them."
        )
    return f"{said} Worker ids are not known, so the agent is held against the crowd and not against each worker."


def _decisions(caption: str, first: str, rows: Sequence[Decision]) -> TableBlock:
    tested = any(each.annotators for each in rows)
    columns = [
        TableColumn(first, "words"),
        *([TableColumn("kind", "words")] if first == "field" else []),
        TableColumn("may it?", "words"),
        TableColumn("why", "words"),
        TableColumn("agent"),
        TableColumn("workers"),
        TableColumn("difference"),
        TableColumn("90 % interval"),
        *([TableColumn("workers it may replace"), TableColumn("as good or better")] if tested else []),
        TableColumn("tasks" if any(each.unit == "task" for each in rows) else "items"),
    ]
    return TableBlock(caption, columns, [_row(each, first, tested) for each in rows])


def _row(found: Decision, first: str, tested: bool) -> list[Cell]:
    crowd, test = found.crowd, found.annotators
    limits = f"{points(crowd.low)} to {points(crowd.high)}" if crowd else NOTHING
    won = (
        [f"{round(test.winning_rate * len(test.workers))} of {len(test.workers)}", percent(test.advantage)]
        if test
        else [NOTHING] * 2
    )
    return [
        shorten(found.name, _SHOWN),
        *([found.kind] if first == "field" else []),
        found.answer,
        found.why,
        percent(crowd.agent if crowd else None),
        percent(crowd.crowd if crowd else None),
        points(crowd.difference if crowd else None),
        limits,
        *(won if tested else []),
        count(found.items),
    ]


def _costs(found: Replacement) -> Section:
    return Section("cost", "What 1,000 items cost", [FactsBlock(cost_facts(found))])


def cost_facts(found: Replacement) -> list[tuple[str, str]]:
    """What 1,000 items cost, in words; unknown where it is."""
    costs = found.costs
    known = costs.agent_dollars.items
    only = f", by the {known} of {found.items} items whose cost is known" if 0 < known < found.items else ""
    pay = (
        f" ({dollars(costs.pay)} an answer)"
        if costs.pay is not None
        else "; what an answer is paid is not known (--pay)"
    )
    return [
        ("The agent", f"{_money(costs.agent_dollars)}{only}; {_hours(costs.agent_seconds)}, one item after the other"),
        ("People", f"{_money(costs.people_dollars)}{pay}; {_hours(costs.people_seconds)} of all workers together"),
        ("Workers an item", number(costs.workers.value)),
    ]


def _money(estimate: Estimate) -> str:
    if estimate.value is None:
        return "dollars unknown"
    limits = ""
    if estimate.low is not None and estimate.high is not None and estimate.low < estimate.high:
        limits = f" ({dollars(1000 * estimate.low)} to {dollars(1000 * estimate.high)})"
    return f"{dollars(1000 * estimate.value)}{limits}"


def _hours(estimate: Estimate) -> str:
    if estimate.value is None:
        return "hours unknown"
    limits = ""
    if estimate.low is not None and estimate.high is not None:
        limits = f" ({duration(1000 * estimate.low)} to {duration(1000 * estimate.high)})"
    return f"{duration(1000 * estimate.value)}{limits}"


def _routing(found: Routing, lists: bool) -> Section:
    said = routing_words(found, lists)
    shown = [each for each in found.curve if round(each.share * 100) % 10 == 0]
    ticks = [(each.share, f"{100 * each.share:.0f} %") for each in shown]
    ordered = JoinedDots("by the rule", [(each.share, Dot(each.error, each.low, each.high)) for each in shown])
    by_lot = JoinedDots("by lot", [(each.share, Dot(each.at_random, None, None)) for each in shown])
    columns = [
        TableColumn("to people", "words"),
        TableColumn("error"),
        TableColumn("90 % interval"),
        TableColumn("error by lot"),
    ]
    rows = [
        [
            f"{100 * each.share:.0f} %",
            percent(each.error),
            f"{percent(each.low)} to {percent(each.high)}",
            percent(each.at_random),
        ]
        for each in found.curve
    ]
    figure = lines(
        "routing",
        "What answers lack on average (per cent of the score) when this share of the items goes to people",
        VariedAxis("share of the items that people do", ticks, "lacking, per cent"),
        [ordered, by_lot],
        TableBlock("The curve in numbers, per cent", columns, rows),
    )
    blocks: list[Block] = [ParagraphBlock(said), figure]
    if found.signals:
        strongest = sorted(found.signals.items(), key=lambda each: -abs(each[1]))[:8]
        table = TableBlock(
            "What the rule looks at: how much more an item lacks that is one standard deviation higher, points",
            [TableColumn("signal", "words"), TableColumn("points")],
            [[name, points(weight)] for name, weight in strongest],
        )
        blocks.append(FoldBlock("The rule", [table]))
    return Section("routing", "Who should do what", blocks)


def routing_words(found: Routing, lists: bool = True) -> str:
    """The chosen point in words, with the files that name the items if there are ``lists``."""
    chosen, wanted = found.chosen, percent(found.wanted)
    basis = f"Learnt from {counted(found.labelled, 'item')} with labels."
    if chosen.share == 0:
        return f"The agent may do all items: what its answers lack stays below {wanted} % with 95 % confidence. {basis}"
    if chosen.share == 1:
        return (
            "People are to do all items: with no smaller share is it sure that what answers lack stays below "
            f"{wanted} %. {basis} More labels, or a larger error, leave more to the agent."
        )
    return (
        f"People are to do {100 * chosen.share:.0f} % of the items, those of which the agent is least sure. What "
        f"answers lack is then {percent(chosen.error)} % on average, and below {wanted} % with 95 % confidence. "
        f"{basis}" + (f" {PEOPLE_ITEMS} and {AGENT_ITEMS} name the items." if lists else "")
    )


def _results(tasks: Sequence[TaskReplacement]) -> Section:
    blocks: list[Block] = [
        ParagraphBlock(
            "Shares of items with an answer, and means of numbers. The agent's alone are biased by its mistakes; "
            "people's alone are of few items; both together are the agent's, corrected by people's "
            "(prediction-powered inference). Worth says for how many answers of people one counts where an agent "
            "answers many items besides."
        )
    ]
    columns = [
        TableColumn("field", "words"),
        TableColumn("answer", "words"),
        TableColumn("agent alone"),
        TableColumn("people alone"),
        TableColumn("95 % interval"),
        TableColumn("both"),
        TableColumn("95 % interval"),
        TableColumn("by people"),
        TableColumn("items"),
        TableColumn("worth"),
    ]
    for task in tasks:
        if task.quantities:
            table = TableBlock(f"All items of {task.task}", columns, [_quantity(each) for each in task.quantities])
            blocks.append(table if len(tasks) <= _OPEN_TASKS else FoldBlock(task.task, [table]))
    return Section("results", "What all items say", blocks)


def _quantity(found: Quantity) -> list[Cell]:
    write = percent if found.answer else number
    return [
        shorten(found.field, _SHOWN),
        shorten(found.answer, _SHOWN) if found.answer else "(mean)",
        write(found.agent),
        write(found.people.value),
        _limits(found.people, found.answer),
        write(found.both.value),
        _limits(found.both, found.answer),
        count(found.labelled),
        count(found.items),
        number(found.worth),
    ]


def _limits(estimate: Estimate, answer: str) -> str:
    write = percent if answer else number
    if estimate.low is None or estimate.high is None:
        return NOTHING
    return f"{write(estimate.low)} to {write(estimate.high)}"


def _failures(found: Replacement, address: Callable[[AnsweredItem], str]) -> Section:
    slices = found.slices
    looked = f"{counted(slices.looked_at, 'group')} {noun(slices.looked_at, 'was', 'were')} looked at"
    if not slices.found:
        return Section("failures", "Where it fails", [ParagraphBlock(f"{looked}; none is worse by more than chance.")])
    columns = [
        TableColumn("group", "words"),
        TableColumn("items"),
        TableColumn("lacks"),
        TableColumn("elsewhere"),
        TableColumn("p"),
    ]
    rows = [
        [each.what, count(each.items), percent(each.lost), percent(each.elsewhere), f"{each.p:.3f}"]
        for each in slices.found
    ]
    caption = "Groups whose answers lack more than others, per cent; p is corrected for all that were looked at"
    blocks: list[Block] = [ParagraphBlock(f"{looked}."), TableBlock(caption, columns, rows)]
    for each in slices.found:
        blocks.append(FoldBlock(f"Examples: {each.what}", [_examples(each.examples, address)]))
    return Section("failures", "Where it fails", blocks)


def _examples(items: Sequence[AnsweredItem], address: Callable[[AnsweredItem], str]) -> TableBlock:
    columns = [
        TableColumn("field", "words"),
        TableColumn("agent", "words"),
        TableColumn("workers", "words"),
        TableColumn("lacks"),
        TableColumn("item", "words"),
    ]
    rows: list[list[Cell]] = []
    for item in items:
        for each in sorted((each for each in item.fields if each.lost), key=lambda each: -(each.lost or 0.0))[:2]:
            sent = ", ".join(each.sent) or "(blank)"
            labels = " · ".join(dict.fromkeys(filter(None, map(str.strip, each.labels))))
            where = LinkCell(f"{item.task}, item {item.index}", address(item))
            rows.append([each.name, shorten(sent, _SHOWN), shorten(labels, _SHOWN), percent(each.lost), where])
    return TableBlock("Answers that lack most", columns, rows)


def episodes_from(place: Path) -> Callable[[AnsweredItem], str]:
    """Where the record of an item's episode lies, from a page in a folder."""

    def address(item: AnsweredItem) -> str:
        file = RunDirectory(item.run).episode_file(item.task, item.index)
        return quote(os.path.relpath(file.resolve(), place.resolve()))

    return address


def _about(found: Replacement) -> Section:
    return Section(
        "about",
        "What was weighed",
        [
            FactsBlock(
                [
                    ("Agent", found.agent),
                    ("Scoring profile", found.profile),
                    ("Items", count(found.items)),
                    ("Workers known by", found.workers_from or "no ids"),
                ]
            )
        ],
    )


def text_of(found: Replacement) -> str:
    """The same for a terminal, in short."""
    parts = [f"May {found.agent} take a worker's place? {verdict(found)}"]
    if any(each.constructed for each in found.tasks):
        parts.append("Labels of bundled tasks were made by a program, not by people: this shows how the answer looks.")
    several = len(found.tasks) > 1
    rows = [_text_row(task.task if several else "", each) for task in found.tasks for each in task.fields]
    if len(found.tasks) > _OPEN_TASKS:
        rows = [_text_row("", each) for each in [*found.kinds, *(task.whole for task in found.tasks)]]
    parts.append(aligned([("field", "may it?", "agent", "workers", "difference", "items", "why"), *rows]))
    parts.append("1,000 items: " + "\n".join(f"{name}: {value}" for name, value in cost_facts(found)))
    if found.routing:
        parts.append(routing_words(found.routing))
    parts += [
        f"Worse than elsewhere: {each.what} (lacks {percent(each.lost)} %, elsewhere {percent(each.elsewhere)} %)"
        for each in found.slices.found[:3]
    ]
    return "\n\n".join(parts)


def _text_row(task: str, found: Decision) -> list[str]:
    crowd = found.crowd
    name = f"{task}: {found.name}" if task else found.name
    return [
        shorten(name, _SHOWN),
        found.answer,
        percent(crowd.agent if crowd else None),
        percent(crowd.crowd if crowd else None),
        points(crowd.difference if crowd else None),
        count(found.items),
        found.why,
    ]
