"""The section about episodes on websites: evaluators side by side, and key nodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from harness.analysis.site_results import EvaluatorNumbers, SiteGroup, SiteResults
from harness.catalog.site_facts import EVALUATORS
from harness.kit.text import NOTHING
from harness.reports.html.blocks import Block, FoldBlock, ParagraphBlock, Section, TableBlock, TableColumn
from harness.reports.html.sections.by_task import MOST_TASKS
from harness.reports.html.sections.site_courses import NamedCourses, course_blocks
from harness.reports.reported import Reported
from harness.reports.wording import count, dollars, evaluator_words, number, percent, plural

_READ = (
    "Each evaluator looks at the same episodes: key nodes at the way, the others at what came of it. "
    "Means are over episodes of which an evaluator could tell the score; docs/reference/key-nodes.md defines every "
    "number."
)


def sites(results: Sequence[Reported]) -> Section | None:
    """The section of websites; None where no result has an episode on one."""
    found = [(each, each.sites) for each in results if each.sites]
    if not found:
        return None
    blocks: list[Block] = [ParagraphBlock(_READ)]
    if len(found) > 1:
        blocks.append(_solvers(found))
    for each, on_sites in found:
        blocks += _blocks(on_sites, f": {each.name}" if len(results) > 1 else "")
    blocks += course_blocks([NamedCourses(each.name, on_sites.courses) for each, on_sites in found])
    return Section("sites", "Websites", blocks)


def _solvers(found: Sequence[tuple[Reported, SiteResults]]) -> TableBlock:
    headings = (
        "episodes",
        "goal reached",
        "not known",
        "completion, per cent",
        "success by nodes, per cent",
        "steps a node",
        "US dollars a node",
        "without a node",
    )
    rows = []
    for each, on_sites in found:
        nodes = on_sites.overall.key_nodes
        rows.append(
            [
                each.name,
                count(on_sites.overall.episodes),
                count(on_sites.reached),
                count(on_sites.reach_unknown),
                percent(nodes.completion_micro),
                percent(nodes.success),
                number(nodes.steps_per_node, 2),
                dollars(nodes.usd_per_node),
                count(nodes.without_a_node),
            ]
        )
    return TableBlock("Solvers side by side", [TableColumn("solver", "words"), *map(TableColumn, headings)], rows)


def _blocks(found: SiteResults, named: str) -> Iterator[Block]:
    # A level of its own that holds everything would say the same twice.
    groups = [*(found.levels if len(found.levels) > 1 else ()), found.overall]
    yield _side_by_side(f"Evaluators side by side, per cent{named}", "level", groups, summed=1)
    if found.split_opinions:
        yield ParagraphBlock(
            f"Of {plural(found.split_opinions, 'episode')} one evaluator says that it reached the goal, and another "
            "that it did not."
        )
    has_nodes = any(each.evaluator == "key_nodes" for each in found.overall.evaluators)
    if has_nodes:
        yield _key_nodes(f"Key nodes{named}", "level", groups, summed=1)
    if len(found.sites) > 1:
        parts = [*found.sites, *found.parts] if len(found.parts) > len(found.sites) else found.sites
        shown = parts[:MOST_TASKS]
        more = _hidden(parts, shown, "site or level", "sites or levels")
        tables = [_side_by_side(f"Evaluators by site, per cent{named}", "site", shown, more=more)]
        if has_nodes:
            tables.append(_key_nodes(f"Key nodes by site{named}", "site", shown, more=more))
        yield FoldBlock(f"{plural(len(found.sites), 'site')}, with their levels{named}", tables)
    tasks = found.tasks[:MOST_TASKS]
    by_task = _side_by_side(
        f"Evaluators by task, per cent{named}", "task", tasks, more=_hidden(found.tasks, tasks, "task")
    )
    yield FoldBlock(f"{plural(len(found.tasks), 'task')}, by each evaluator{named}", [by_task])


def _hidden(all_of_them: Sequence[SiteGroup], shown: Sequence[SiteGroup], one: str, many: str = "") -> str:
    left = len(all_of_them) - len(shown)
    return f"{plural(left, one, many)} not shown." if left else ""


def _side_by_side(
    caption: str, first: str, groups: Sequence[SiteGroup], *, summed: int = 0, more: str = ""
) -> TableBlock:
    there = {each.evaluator for group in groups for each in group.evaluators}
    names = [name for name in EVALUATORS if name in there]
    columns = [TableColumn(first, "words"), TableColumn("episodes")]
    for name in names:
        columns += [TableColumn(evaluator_words(name)), TableColumn("success"), TableColumn("not known")]
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


def _key_nodes(caption: str, first: str, groups: Sequence[SiteGroup], *, summed: int = 0, more: str = "") -> TableBlock:
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
    columns = [TableColumn(first, "words"), *map(TableColumn, headings)]
    return TableBlock(caption, columns, rows, more, summed=summed)
