"""The section about episodes on websites: evaluators side by side, and key nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.analysis.site_results import EvaluatorNumbers, SiteGroup, SiteResults
from harness.catalog.site_facts import EVALUATORS, EvaluatorName
from harness.reports.html.blocks import Block, FoldBlock, ParagraphBlock, Section, TableBlock, TableColumn
from harness.reports.html.sections.by_task import MOST_TASKS
from harness.reports.reported import Reported
from harness.reports.wording import count, dollars, number, percent, plural
from harness.text.numbers import NOTHING

_NAMES: dict[EvaluatorName, str] = {
    "key_nodes": "key nodes",
    "final_state": "final state",
    "page_reward": "page reward",
    "answer": "answer",
    "fields": "fields",
}
_READ = (
    "Each evaluator looks at the same episodes: key nodes at the way, final state and answer at what came of it. Means "
    "are over episodes of which an evaluator could tell the score; docs/key-nodes.md defines every number."
)


def sites(results: Sequence[Reported]) -> Section | None:
    """The section of websites; None where no result has an episode on one."""
    blocks: list[Block] = []
    for each in results:
        if each.sites:
            blocks += _blocks(each.sites, f": {each.name}" if len(results) > 1 else "")
    return Section("sites", "Websites", [ParagraphBlock(_READ), *blocks]) if blocks else None


def _blocks(found: SiteResults, named: str) -> Iterator[Block]:
    # A level of its own that holds everything would say the same twice.
    groups = [*(found.levels if len(found.levels) > 1 else ()), found.overall]
    yield _side_by_side(f"Evaluators side by side, per cent{named}", "level", groups, summed=1)
    if found.split_opinions:
        yield ParagraphBlock(
            f"Of {plural(found.split_opinions, 'episode')} one evaluator says that it reached the goal, and another "
            "that it did not."
        )
    if any(each.evaluator == "key_nodes" for each in found.overall.evaluators):
        yield _key_nodes(f"Key nodes{named}", groups)
    shown = found.tasks[:MOST_TASKS]
    more = f"{plural(len(found.tasks) - len(shown), 'task')} not shown." if len(found.tasks) > len(shown) else ""
    by_task = _side_by_side(f"Evaluators by task, per cent{named}", "task", shown, more=more)
    yield FoldBlock(f"{plural(len(found.tasks), 'task')}, by each evaluator", [by_task])


def _side_by_side(
    caption: str, first: str, groups: Sequence[SiteGroup], *, summed: int = 0, more: str = ""
) -> TableBlock:
    there = {each.evaluator for group in groups for each in group.evaluators}
    names = [name for name in EVALUATORS if name in there]
    columns = [TableColumn(first, "words"), TableColumn("episodes")]
    for name in names:
        columns += [TableColumn(_NAMES[name]), TableColumn("success"), TableColumn("not known")]
    rows = []
    for group in groups:
        by_name = {each.evaluator: each for each in group.evaluators}
        cells = [cell for name in names for cell in _cells(by_name.get(name))]
        rows.append([group.name, count(group.episodes), *cells])
    return TableBlock(caption, columns, rows, more, summed=summed)


def _cells(numbers: EvaluatorNumbers | None) -> list[str]:
    if numbers is None:
        return [NOTHING] * 3
    return [percent(numbers.score), percent(numbers.success), count(numbers.unknown)]


def _key_nodes(caption: str, groups: Sequence[SiteGroup]) -> TableBlock:
    headings = (
        "episodes",
        "not known",
        "completion, per cent",
        "mean of tasks'",
        "success, per cent",
        "with one missing",
        "steps a node",
        "US dollars a node",
        "human alignment",
        "lengths of the reference",
        "without a node",
    )
    rows = []
    for group in groups:
        found = group.key_nodes
        rows.append(
            [
                group.name,
                count(found.episodes),
                count(found.unknown),
                percent(found.completion_micro),
                percent(found.completion_macro),
                percent(found.success),
                percent(found.success_with_one_missing),
                number(found.steps_per_node, 2),
                dollars(found.usd_per_node),
                number(found.human_alignment, 3),
                number(found.length_ratio, 2),
                count(found.without_a_node),
            ]
        )
    return TableBlock(caption, [TableColumn("level", "words"), *map(TableColumn, headings)], rows, summed=1)
