"""What a task set consists of, as a page with plots."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from harness.datasets.stats.set_stats import SetStats, TaskFigures, unread_in_words
from harness.datasets.stats.task_stats import CHARACTERS, SAMPLE
from harness.datasets.stats.wording import MOST_KEYWORDS, kinds, mean, measures, modalities, remarks, share
from harness.kit.text import NOTHING, UNKNOWN, spread
from harness.reports.html.blocks import (
    Block,
    Highlight,
    HighlightsBlock,
    ParagraphBlock,
    ReportPage,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.plots.bars import Bar, bars
from harness.reports.wording import plural

_LABEL_STEPS = (1, 2, 3, 4, 5, 10, 20, 50, 100, 1000)
_LENGTH_STEPS = (0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 64_000, 128_000, 256_000, 512_000, 1_024_000)


def stats_page(stats: SetStats) -> ReportPage:
    """The page of a task set, as ``harness.reports.html.rendering`` writes it."""
    whole = stats.whole
    sections = [_overview(stats), _kinds(stats), _labels(stats), _lengths(stats), _modalities(stats)]
    if whole.keywords:
        sections.append(_topics(stats))
    sections += [_tasks(stats), _left_out(stats)]
    lead = (
        f"{plural(whole.tasks, 'task')}, {plural(whole.instances, 'instance')}, {plural(whole.rows, 'row')} of "
        f"workers' answers, in {stats.folder}."
    )
    footer = "docs/reference/task-sets.md says how each number is counted. This file needs nothing but itself."
    return ReportPage(f"Task set: {stats.name}", lead, sections, footer)


def _overview(stats: SetStats) -> Section:
    whole = stats.whole
    answers = sum(whole.answers.values())
    large = HighlightsBlock(
        [
            Highlight("tasks", f"{whole.tasks:,}", f"{whole.with_table:,} with a table"),
            Highlight("instances", f"{whole.instances:,}", f"{whole.unlabelled:,} without a label"),
            Highlight("fields a task", mean(answers, whole.answered_tasks), "that workers answered"),
            Highlight("labels an instance", mean(whole.rows, whole.instances), spread(whole.workers)),
        ]
    )
    groups = stats.groups if len(stats.groups) > 2 else stats.groups[:1]
    columns = [TableColumn("", "words"), *(TableColumn(each.name) for each in groups)]
    return Section(
        "overview", "In numbers", [large, TableBlock("The whole set and its splits", columns, measures(groups))]
    )


def _kinds(stats: SetStats) -> Section:
    whole = stats.whole
    counts = whole.answers or whole.fields
    of = "Fields that workers answered" if whole.answers else "Named fields; no field has labels"
    columns = [
        TableColumn("kind", "words"),
        *map(TableColumn, ("fields", "answered", "share of answered", "answered, in all instances")),
    ]
    table = TableBlock("Kinds of fields, each task counted once, and over all instances", columns, kinds(whole))
    seen = _from_where(stats)
    blocks: list[Block] = [ParagraphBlock(seen)]
    if counts:
        blocks.append(bars("kinds-once", f"{of}, by kind, each task counted once", _bars(counts), table))
    if whole.answers_by_instance:
        caption = f"{of}, by kind, each task counted as often as it has instances"
        blocks.append(bars("kinds-often", caption, _bars(whole.answers_by_instance), table))
    return Section("kinds", "Fields by kind", blocks)


def _from_where(stats: SetStats) -> str:
    whole = stats.whole
    if not whole.looked_at:
        return "Fields are those that stand in the templates; no browser looked at the pages."
    rest = whole.tasks - whole.looked_at
    others = f" For {plural(rest, 'task')} that no browser showed they are those of the template." if rest else ""
    return f"Fields are those that a browser found on the first page of each task.{others}"


def _labels(stats: SetStats) -> Section:
    counts = _binned(stats.whole.workers, _LABEL_STEPS)
    columns = [TableColumn("labels of an instance", "words"), TableColumn("instances")]
    table = TableBlock("Rows of an instance", columns, [[name, f"{many:,}"] for name, many in counts.items()])
    if not counts:
        return Section(
            "labels", "Labels an instance", [ParagraphBlock("No task has a table, so that nothing is labelled.")]
        )
    caption = "Instances by the number of workers who answered them (rows of the table)"
    return Section("labels", "Labels an instance", [bars("workers", caption, _bars(counts), table)])


def _lengths(stats: SetStats) -> Section:
    blocks: list[Block] = [
        ParagraphBlock(
            "The length of a page is that of the template with the values of an instance filled in, before anything is "
            f"run; the mean over at most {SAMPLE} instances of a task."
        )
    ]
    for place, (unit, known) in enumerate(stats.whole.lengths.items()):
        of = unit if unit == CHARACTERS else f"{unit} tokens"
        if known is None:
            blocks.append(ParagraphBlock(f"{of}: unknown, the vocabulary is not in the cache."))
            continue
        lengths = [each.files.lengths[unit] for each in stats.tasks]
        counts = _binned(Counter(round(length.page) for length in lengths if length), _LENGTH_STEPS)
        columns = [TableColumn(of, "words"), TableColumn("tasks")]
        table = TableBlock(f"Tasks by length in {of}", columns, [[name, f"{many:,}"] for name, many in counts.items()])
        caption = f"Tasks by the length of their pages in {of}: mean {known.pages:,.0f}"
        blocks.append(bars(f"length-{place}", caption, _bars(counts), table))
    return Section("lengths", "Length", blocks)


def _modalities(stats: SetStats) -> Section:
    whole = stats.whole
    if whole.modalities is None:
        words = ParagraphBlock("Unknown: no browser looked at the pages.")
        return Section("modalities", "What pages show", [words])
    words = ParagraphBlock(
        "What a browser found on the first page of each task when it had loaded. A page can show several. Interaction: "
        "an answer belongs to no control that can be seen then. A frame holds another page, which is not looked into."
    )
    columns = [TableColumn("first pages show", "words"), TableColumn("tasks"), TableColumn("share")]
    table = TableBlock("What pages show", columns, modalities(whole))
    rows = [Bar(name, many, f"{many:,} ({share(many, whole.looked_at)})") for name, many in whole.modalities.items()]
    figure = bars("shown", f"What pages show, of {plural(whole.looked_at, 'task')}", rows, table)
    return Section("modalities", "What pages show", [words, figure] if rows else [words])


def _topics(stats: SetStats) -> Section:
    whole = stats.whole
    words = ParagraphBlock(
        "The files say no more of a task's topic than its requester did: the keywords in the first row of its table. "
        f"{whole.with_keywords} of {plural(whole.tasks, 'task')} have some, {len(whole.keywords):,} different ones "
        "in all; a task counts under each of its own."
    )
    listed = list(whole.keywords.items())
    columns = [TableColumn("keyword", "words"), TableColumn("tasks")]
    table = TableBlock("All keywords", columns, [[word, str(many)] for word, many in listed])
    caption = f"Tasks by keyword, the {min(MOST_KEYWORDS, len(listed))} most frequent"
    return Section("topics", "Topics", [words, bars("keywords", caption, _bars(dict(listed[:MOST_KEYWORDS])), table)])


def _tasks(stats: SetStats) -> Section:
    units = list(stats.whole.lengths)
    unit = next((each for each in reversed(units) if stats.whole.lengths[each]), CHARACTERS)
    columns = [
        TableColumn("task", "words"),
        TableColumn("split", "words"),
        *map(TableColumn, ("instances", "labels each", "fields", "answered")),
        TableColumn(f"page, {unit}" if unit == CHARACTERS else f"page, {unit} tokens"),
        TableColumn("shows", "words"),
    ]
    rows = [_task_row(each, unit) for each in stats.tasks]
    return Section("tasks", "Task by task", [TableBlock("All tasks", columns, rows)])


def _task_row(each: TaskFigures, unit: str) -> list[str]:
    files, length = each.files, each.files.lengths[unit]
    shows = ", ".join(each.page.modalities) if each.page else each.unseen or UNKNOWN
    return [
        files.task,
        files.split,
        f"{files.instances:,}" if files.has_table else NOTHING,
        spread(files.workers),
        str(sum(each.fields.values())),
        str(sum(each.answers.values())) if files.has_table else NOTHING,
        f"{length.page:,.0f}" if length else UNKNOWN,
        shows,
    ]


def _left_out(stats: SetStats) -> Section:
    said = [*remarks(stats), unread_in_words(stats)]
    lines = [line for line in said if line] or ["Nothing is left out."]
    return Section("left-out", "What is left out or unknown", [ParagraphBlock(line) for line in lines])


def _bars(counts: Mapping[str, int]) -> Sequence[Bar]:
    return [Bar(name, many, f"{many:,}") for name, many in counts.items()]


def _binned(counts: Mapping[int, int], steps: Sequence[int]) -> dict[str, int]:
    """How many numbers are in each step, from the first to the last step that has one; the last step has no end."""
    found: Counter[int] = Counter()
    for number, many in counts.items():
        found[max((place for place, step in enumerate(steps) if step <= number), default=0)] += many
    if not found:
        return {}
    return {_step(steps, place): found[place] for place in range(min(found), max(found) + 1)}


def _step(steps: Sequence[int], place: int) -> str:
    low = steps[place]
    if place + 1 == len(steps):
        return f"{low:,} and more"
    high = steps[place + 1] - 1
    return f"{low:,}" if high == low else f"{low:,} to {high:,}"
