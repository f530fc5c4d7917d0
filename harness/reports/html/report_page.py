"""A report, section by section."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.reports.html.blocks import ReportPage, Section
from harness.reports.html.sections.about import again, citing
from harness.reports.html.sections.beside_people import people, trivial
from harness.reports.html.sections.by_task import instances, kinds, splits, tasks
from harness.reports.html.sections.headline import headline, published
from harness.reports.html.sections.outcomes import effort, left_out, outcomes
from harness.reports.html.sections.sites import sites
from harness.reports.html.sections.ways import length, ways
from harness.reports.html.sections.wrong import wrong
from harness.reports.published_score import PublishedScore
from harness.reports.reported import Reported
from harness.reports.wording import plural


def page_of(
    results: Sequence[Reported],
    lines: Sequence[PublishedScore],
    place: Path | None = None,
    said: Section | None = None,
    judged: Section | None = None,
) -> ReportPage:
    """The report of one or several results. Where nothing has a score, it says why, and shows what needs none.

    Args:
        results: At least one.
        lines: Published numbers to show beside them, in a section of their own.
        place: The folder of the report, from where links to episodes lead; None for no links.
        said: What people said of the answers; None if nothing.
        judged: What judges said of the episodes; None if nothing.
    """
    sections = [headline(results)]
    if lines and any(each.original for each in results):
        sections.append(published(results, lines))
    if on_sites := sites(results):
        sections.append(on_sites)
    # What is told of fields and their labels says nothing of websites.
    has_fields = not all(each.is_on_sites for each in results)
    if any(each.score is not None for each in results):
        sections += [
            tasks(results),
            splits(results),
            *([kinds(results), people(results), trivial(results)] if has_fields else []),
            instances(results),
            *filter(None, [ways(results), length(results)]),
            *([wrong(results, place)] if has_fields else []),
        ]
    sections += filter(None, (said, judged))
    sections += [
        outcomes(results, place),
        effort(results),
        left_out(results),
        again(results),
        citing(results),
    ]
    return ReportPage(_title(results), _lead(results), sections, _FOOTER)


_FOOTER = (
    "Scores are per cent. An interval is of 95 per cent and holds for tasks like these, not for these alone; "
    "docs/reference/reports.md explains the numbers. This file needs nothing but itself."
)


def _title(results: Sequence[Reported]) -> str:
    if len(results) == 1:
        return f"Report: {results[0].name}"
    names = [each.name for each in results]
    return f"Report: {', '.join(names[:3])}" + (f" and {len(names) - 3} more" if len(names) > 3 else "")


def _lead(results: Sequence[Reported]) -> str:
    if len(results) > 1:
        ids = {each.comparability_id for each in results}
        alike = f"comparability id {next(iter(ids))}" if len(ids) == 1 else f"{len(ids)} comparability ids"
        return f"{len(results)} results, {alike}, {_rules(results)}."
    (result,) = results
    sizes, config = result.overall.sizes, result.record.config
    split = f"split {config.split}" if config.split else "every split"
    sample = f", at most {plural(config.max_instances, 'instance')} of a task" if config.max_instances else ""
    sample += f", shard {config.shard}" if config.shard else ""
    rules = _rules(results)
    on = f"on {plural(len(result.sites.sites), 'website')}" if result.sites and result.is_on_sites else ""
    measured = (
        f"{plural(sizes.tasks, 'task')}, {plural(sizes.instances, 'instance')}, "
        f"{on or plural(sizes.fields, 'scored field')}"
    )
    if result.score is None:
        measured = f"{plural(sizes.episodes, 'episode')}, none of them with a score"
    return f"{measured}; {split}{sample}. {rules[0].upper()}{rules[1:]}, comparability id {result.comparability_id}."


def _rules(results: Sequence[Reported]) -> str:
    profiles = sorted({each.profile for each in results if not each.is_on_sites})
    said = [f"scoring profile {' and '.join(profiles)}"] if profiles else []
    if any(each.is_on_sites for each in results):
        said.append("scored by evaluators of websites")
    return ", ".join(said)
