"""The first sections of a report: how good the solver is, how sure that is, and what was published."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from harness.analysis.result_numbers import BetweenSeeds, GroupNumbers
from harness.analysis.site_results import SiteResults
from harness.kit.statistics.estimate import Estimate
from harness.kit.text import NOTHING
from harness.records.agent_name import is_open, shut_in, told_of_other_models
from harness.records.results import MeanScores
from harness.reports.html.blocks import (
    Block,
    FigureBlock,
    Highlight,
    HighlightsBlock,
    NoticeBlock,
    ParagraphBlock,
    Section,
    TableBlock,
    TableColumn,
)
from harness.reports.html.plots.axes import MOST_SERIES, Dot, Series
from harness.reports.html.plots.forest import Marks, forest
from harness.reports.published_score import PublishedScore
from harness.reports.reported import Reported
from harness.reports.run_summary import missing_files
from harness.reports.wording import (
    count,
    ended_by_error,
    interval,
    number,
    percent,
    plural,
    points,
    told_of_cause,
    told_of_stop,
    told_of_work,
)

ORIGINAL = "turkingbench-2024"
FLOORS = {"constant": "Constant answers", "copy": "Copied input", "do_nothing": "Untouched page"}
"""Measures of solvers that understand nothing -> their words."""
_SIDE_BY_SIDE = "Scores side by side, per cent; mean over tasks"
_OTHER_MEANS = "The same scores, averaged in other ways, per cent"
_PARTS = {
    "profile": "scoring profile",
    "task_set": "task set",
    "inventory": "fields of the pages",
    "protocol": "protocol",
    "sample": "sample of instances",
    "outside": "what pages could load from outside",
}


def dot(estimate: Estimate) -> Dot:
    """An estimate as it is drawn."""
    return Dot(estimate.value, estimate.low, estimate.high)


def floor_scores(means: MeanScores) -> dict[str, float | None]:
    """Floor, a key of ``FLOORS`` -> its score."""
    return {"constant": means.constant, "copy": means.copy, "do_nothing": means.do_nothing}


def headline(results: Sequence[Reported]) -> Section:
    """The section of the headline."""
    blocks: list[Block] = [*_warnings(results)]
    if all(each.score is None for each in results):
        blocks += [_highlights(each) for each in results]
        return Section("headline", "Headline", blocks)
    if len(results) == 1:
        blocks += [_highlights(results[0]), *([] if results[0].is_on_sites else [_standing(results[0])])]
    else:
        blocks += _side_by_side(results)
    blocks += [_means_of_sites(results) if _on_sites(results) else _means(results), *_seeds(results)]
    return Section("headline", "Headline", blocks)


def _highlights(result: Reported) -> HighlightsBlock:
    means, estimates = result.overall.means, result.overall.estimates
    crowd, own = estimates.crowd, estimates.own_left_out
    figures = [Highlight("score, mean over tasks", percent(result.score), _confidence(estimates.score))]
    if ended := ended_by_error(result.numbers.outcomes):
        episodes = plural(sum(result.numbers.outcomes.values()), "episode")
        figures.append(Highlight("episodes that ended by an error", count(ended), f"of {episodes}"))
    if crowd.value is not None:
        if not result.is_of_workers:
            same = Highlight("score on the label sets that the crowd faces", percent(own.value), _confidence(own))
            figures.append(same)
        figures.append(Highlight("crowd: each worker against the others", percent(crowd.value), _confidence(crowd)))
    if result.sites and result.is_on_sites:
        reached = Highlight("episodes whose goal was reached", count(result.sites.reached), _of_episodes(result.sites))
        return HighlightsBlock([*figures, reached, Highlight("doing nothing", percent(means.do_nothing))])
    figures += [
        Highlight("ceiling: the most that the labels allow", percent(means.ceiling)),
        Highlight("constant answers", percent(means.constant)),
        Highlight("skill over constant answers", percent(means.skill_over_constant)),
    ]
    return HighlightsBlock(figures)


def _of_episodes(found: SiteResults) -> str:
    unknown = f", of {count(found.reach_unknown)} not known" if found.reach_unknown else ""
    return f"of {plural(found.overall.episodes, 'episode')}{unknown}"


def _confidence(estimate: Estimate) -> str:
    no_interval = "no interval" if estimate.value is not None else ""
    return no_interval if estimate.low is None else f"95 %: {interval(estimate)}"


def _standing(result: Reported) -> FigureBlock:
    means, estimates = result.overall.means, result.overall.estimates
    rows: list[tuple[str, Dot, str]] = [
        ("Ceiling", Dot(means.ceiling), "the most that the labels allow"),
        ("Score", dot(estimates.score), "mean over tasks: the headline"),
    ]
    if estimates.crowd.value is not None:
        rows += [
            (
                "Score, the crowd's label sets",
                dot(estimates.own_left_out),
                "on the labels of all workers but one, in turn; only where two or more answered",
            ),
            ("Crowd", dot(estimates.crowd), "each worker against the others, on the same label sets"),
        ]
    told = {
        "constant": "the most frequent answer of the task's other instances",
        "copy": "the longest input in every text field",
        "do_nothing": "what the page sends if nobody touches it",
    }
    scores = floor_scores(means)
    rows += [(words, Dot(scores[floor]), told[floor]) for floor, words in FLOORS.items()]
    shown = [row for row in rows if row[1].value is not None]
    columns = [
        TableColumn("measure", "words"),
        TableColumn("score"),
        TableColumn("95 % interval"),
        TableColumn("what it is", "words"),
    ]
    data = TableBlock(
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


def _on_sites(results: Sequence[Reported]) -> bool:
    return all(each.is_on_sites for each in results)


def _side_by_side(results: Sequence[Reported]) -> list[Block]:
    marks = [Marks(floor, [floor_scores(each.overall.means)[floor] for each in results]) for floor in FLOORS]
    marks += [
        Marks("ceiling", [each.overall.means.ceiling for each in results]),
        Marks("crowd", [each.overall.estimates.crowd.value for each in results]),
    ]
    on_sites = _on_sites(results)
    figure = forest(
        "standing",
        f"Scores with 95 % intervals{'' if on_sites else ', between floors, people and ceiling'}. Intervals of single "
        "results say little about differences: turkbench compare tests those on shared instances.",
        [each.name for each in results],
        [Series("score", [dot(each.overall.estimates.score) for each in results])],
        marks,
    )
    return [_table_of_sites(results) if on_sites else _table_of_forms(results), figure]


def _table_of_sites(results: Sequence[Reported]) -> TableBlock:
    headings = ("score", "95 % interval", "ended by an error", "doing nothing", "episodes", "goal reached", "not known")
    columns = [TableColumn("solver", "words"), *map(TableColumn, (*headings, "tasks"))]
    columns.append(TableColumn("comparability id", "words"))
    rows = [
        [
            each.name,
            percent(each.score),
            interval(each.overall.estimates.score),
            count(ended_by_error(each.numbers.outcomes)),
            percent(each.overall.means.do_nothing),
            count(each.sites.overall.episodes),
            count(each.sites.reached),
            count(each.sites.reach_unknown),
            count(each.overall.sizes.tasks),
            each.comparability_id,
        ]
        for each in results
        if each.sites
    ]
    return TableBlock(_SIDE_BY_SIDE, columns, rows)


def _table_of_forms(results: Sequence[Reported]) -> TableBlock:
    columns = [
        TableColumn("solver", "words"),
        *map(TableColumn, ("score", "95 % interval", "episodes ended by an error", "of ceiling", "on crowd's sets")),
        *map(TableColumn, ("crowd", "points from crowd", "skill over constant", "tasks", "instances")),
        TableColumn("comparability id", "words"),
    ]
    rows = []
    for each in results:
        estimates, sizes = each.overall.estimates, each.overall.sizes
        rows.append(
            [
                each.name,
                percent(each.score),
                interval(estimates.score),
                count(ended_by_error(each.numbers.outcomes)),
                percent(estimates.of_ceiling.value),
                percent(estimates.own_left_out.value),
                percent(estimates.crowd.value),
                points(estimates.gap.value),
                percent(each.overall.means.skill_over_constant),
                count(sizes.tasks),
                count(sizes.instances),
                each.comparability_id,
            ]
        )
    return TableBlock(_SIDE_BY_SIDE, columns, rows)


def _means_of_sites(results: Sequence[Reported]) -> TableBlock:
    headings = ("over tasks", "95 % interval", "over instances", "95 % interval", "tasks", "instances")
    rows = []
    for each in results:
        groups, sizes = each.numbers.groups, each.overall.sizes
        means = [cell for group in (groups.overall, groups.instances) for cell in _mean(group)[:2]]
        rows.append([each.name, *means, count(sizes.tasks), count(sizes.instances)])
    return TableBlock(_OTHER_MEANS, [TableColumn("solver", "words"), *map(TableColumn, headings)], rows)


def _means(results: Sequence[Reported]) -> TableBlock:
    several = len(results) > 1
    if several:
        columns = [TableColumn("solver", "words")]
        for unit in ("instances", "fields"):
            columns += [TableColumn(f"over {unit}"), TableColumn("95 % interval"), TableColumn("of ceiling")]
        columns.append(TableColumn("over tasks, on fields without a tied vote"))
        rows = []
        for each in results:
            groups = each.numbers.groups
            untied = percent(each.overall.means.untied)
            rows.append([each.name, *_mean(groups.instances), *_mean(groups.fields), untied])
    else:
        (result,) = results
        columns = [TableColumn("mean", "words"), *map(TableColumn, ("score", "95 % interval", "of ceiling", "number"))]
        groups, sizes = result.numbers.groups, result.overall.sizes
        rows = [
            ["over tasks", *_mean(groups.overall), count(sizes.tasks)],
            ["over instances", *_mean(groups.instances), count(sizes.instances)],
            ["over fields", *_mean(groups.fields), count(sizes.fields)],
        ]
        untied = percent(result.overall.means.untied)
        rows.append(["over tasks, on fields without a tied vote", untied, NOTHING, NOTHING, NOTHING])
    return TableBlock(_OTHER_MEANS, columns, rows)


def _mean(group: GroupNumbers) -> list[str]:
    score = group.estimates.score
    return [percent(score.value), interval(score), percent(group.estimates.of_ceiling.value)]


def _seeds(results: Sequence[Reported]) -> list[Block]:
    rows = []
    for each in results:
        if seeds := each.numbers.between_seeds:
            rows.append([each.name, *seeds_row(seeds)])
    if not rows:
        return []
    columns = [TableColumn("solver", "words"), TableColumn("seeds", "words"), TableColumn("headline of each", "words")]
    columns.append(TableColumn("standard deviation, points"))
    return [TableBlock("Seeds of one solver are one result, the mean of all", columns, rows)]


def seeds_row(seeds: BetweenSeeds) -> list[str]:
    """Seeds, headlines and the standard deviation between them."""
    headlines = ", ".join(percent(each) for each in seeds.headlines)
    spread = seeds.standard_deviation
    return [", ".join(map(str, seeds.seeds)), headlines, number(None if spread is None else 100 * spread, 2)]


def _warnings(results: Sequence[Reported]) -> list[NoticeBlock]:
    found: list[NoticeBlock] = []
    for each in results:
        found += _stops(each)
        if each.score is None:
            found.append(NoticeBlock("No score", _why_none(each)))
        elif told := told_of_work(each.numbers.asked_work):
            found.append(NoticeBlock("Doing nothing", f"{each.name}: {told}."))
        if each.numbers.bounds:
            low, high = each.numbers.bounds
            text = f"{each.name}: instances without a score allow any headline from {percent(low)} to {percent(high)}."
            found.append(NoticeBlock("Incomplete", text))
        found += [NoticeBlock("Changed records", f"{each.name}: {told}.") for told in each.changed]
        for told in dict.fromkeys(filter(None, map(told_of_other_models, each.records))):
            found.append(NoticeBlock("Another model", f"{each.name}: {told}."))
        for told in dict.fromkeys(filter(None, map(missing_files, each.records))):
            found.append(NoticeBlock("Outside files missing", f"{each.name}: {told}"))
        for record in each.records:
            if is_open(record.config.options, record.isolation):
                text = f"{each.name}: the program worked in {shut_in(record.config.options, record.isolation)}."
                found.append(NoticeBlock("Not shut in", text))
                break
        if ended := sum(sum(record.out_of_budget.values()) for record in each.records):
            text = f"{each.name}: {plural(ended, 'instance')} ended for lack of money or tokens of the whole run."
            found.append(NoticeBlock("Out of budget", f"{text} Under a higher budget --resume plays them again."))
    found += [_difference(one, other) for one, other in pairwise(results) if _parts(one) != _parts(other)]
    return found


def _stops(result: Reported) -> list[NoticeBlock]:
    """What is said of its runs that go on, or that ended before their end."""
    found = []
    for record in result.records:
        if record.status == "running":
            text = f"{result.name}: the run has not ended, or was killed; these numbers cover the episodes so far."
            found.append(NoticeBlock("Unfinished", text))
        elif cause := told_of_cause(record):
            label = "Failed" if record.status == "failed" else "Unfinished"
            found.append(NoticeBlock(label, "\n".join(filter(None, (f"{result.name}: {cause}", told_of_stop(record))))))
    return list(dict.fromkeys(found))


def _why_none(result: Reported) -> str:
    """Why a result has no score, from the most frequent reason on."""
    told = told_of_work(result.numbers.asked_work).removeprefix("no score: ")
    why = f"{result.name}: {told or 'no instance has one'}."
    if any(record.stopped for record in result.records):
        return why  # the reason is said
    for outcome, reasons in result.endings.items():
        words = "; ".join(f"{each.count} × {each.words}" for each in reasons.reasons)
        why += f" {count(reasons.count)} ended as {outcome.replace('_', ' ')}: {words}."
    return why


def _parts(result: Reported) -> dict[str, Any]:
    return {"profile": result.profile, **result.record.compared}


def _difference(one: Reported, other: Reported) -> NoticeBlock:
    first, second = _parts(one), _parts(other)
    different = [words for key, words in _PARTS.items() if first[key] != second[key]]
    return NoticeBlock(
        "Not comparable",
        f"{one.name} ({one.comparability_id}) and {other.name} ({other.comparability_id}) differ in "
        f"{', '.join(different)}. Their scores stand side by side here, but their difference says nothing about the "
        "solvers.",
    )


def published(results: Sequence[Reported], lines: Sequence[PublishedScore]) -> Section:
    """Numbers of the paper beside those of the same rules, in a section that is marked as not measured here."""
    rows = []
    for each in results:
        original = each.original
        if original:
            tasks, instances = original.tasks, original.instances
            rows += [
                [each.name, "tasks", percent(tasks.value), interval(tasks), original.comparability_id],
                [each.name, "tasks, the fields of a task pooled", percent(original.pooled), NOTHING, ""],
                [each.name, "instances", percent(instances.value), interval(instances), ""],
            ]
    words = ("solver", "mean over")
    columns = [*(TableColumn(each, "words") for each in words), TableColumn("score"), TableColumn("95 % interval")]
    measured = TableBlock(
        f"Measured here, on the same split as far as the run has it, by the rules of the original code ({ORIGINAL}), "
        "per cent",
        [*columns, TableColumn("comparability id", "words")],
        rows,
    )
    usual = Counter((each.split, each.mean_over) for each in lines).most_common(1)[0][0]
    quoted = TableBlock(
        f"Published, not measured here, per cent. Split {usual[0]}; if not said otherwise, mean over {usual[1]}",
        [
            TableColumn("solver", "words"),
            TableColumn("score"),
            TableColumn("where", "words"),
            TableColumn("note", "words"),
        ],
        [[each.label, percent(each.score), each.table, _note(each, usual)] for each in lines],
    )
    sources = "; ".join(dict.fromkeys(each.source for each in lines))
    text = ParagraphBlock(
        "These numbers were published by others, on other samples and other copies of the pages. They are for "
        "orientation only and enter no figure and no mean of this report. The second table holds the results of "
        f"this report under the same rules, {ORIGINAL}; docs/explanation/published-numbers.md says what "
        f"still differs. Source: {sources}."
    )
    return Section("published", "Published numbers", [text, quoted, measured], "outside")


def _note(line: PublishedScore, usual: tuple[str, str]) -> str:
    others = [
        f"{words} {said}"
        for words, said, usually in zip(("split", "mean over"), (line.split, line.mean_over), usual, strict=True)
        if said != usually
    ]
    return "; ".join(filter(None, [line.note, *others]))


def series_of(results: Sequence[Reported]) -> list[list[Reported]]:
    """Results in groups that fit into one figure."""
    return [list(results[start : start + MOST_SERIES]) for start in range(0, len(results), MOST_SERIES)]
