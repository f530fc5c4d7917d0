"""The scores of a run on websites as plain text, for a terminal, in per cent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum

from harness.analysis.site_results import SiteGroup, SiteResults
from harness.catalog.site_facts import EVALUATORS, EvaluatorName
from harness.kit.text import NOTHING, aligned, percent, shorten
from harness.records.results import MeanScores, Results
from harness.reports.wording import evaluator_words
from harness.run.task_kind import KindSummary

_SCORES = ("score", "nothing")


def site_tables(results: Results, sites: SiteResults | None) -> list[str]:
    """Tables by task, level, site and split, one of all, and what their columns hold.

    Args:
        results: The numbers of the run.
        sites: What evaluators say of its episodes; None if none could be evaluated.
    """
    evaluators = _evaluators(sites)
    shown = _Tables(results, evaluators, {each.name: each for each in sites.tasks} if sites else {})
    tables = [shown.by_task()]
    if sites:
        by_level = {each: [task.name for task in sites.tasks if task.level == each.name] for each in sites.levels}
        by_site = {each: [task.name for task in sites.tasks if task.site == each.name] for each in sites.sites}
        tables += [shown.by_group("level", by_level), shown.by_group("site", by_site)]
    if len(results.splits) > 1:
        rows = [[name, *_scores(scores)] for name, scores in results.splits.items()]
        tables.append(aligned([["split", *_SCORES], *rows]))
    return [*tables, shown.overall(sites.overall if sites else None), _columns_say(evaluators)]


def goals_reached(sites: SiteResults) -> str:
    """How many episodes reached their goals, in a sentence or two."""
    unknown = f", not known of {sites.reach_unknown}" if sites.reach_unknown else ""
    said = f"Goals reached: {sites.reached} of {sites.overall.episodes}{unknown}."
    if sites.split_opinions:
        said += f" Episodes of which one evaluator says so and another does not: {sites.split_opinions}."
    return said


def site_summary(results: Results, sites: SiteResults | None) -> KindSummary:
    """What the summary of a run on websites tells of its scores; arguments as of ``site_tables``."""
    means = f"Mean over instances {percent(results.overall.mean_over_instances)}."
    return KindSummary(site_tables(results, sites), means, [goals_reached(sites)] if sites else [])


@dataclass(frozen=True)
class _Tables:
    results: Results
    evaluators: Sequence[EvaluatorName]
    tasks: Mapping[str, SiteGroup]

    @property
    def _headings(self) -> list[str]:
        return ["n", *_SCORES, *map(evaluator_words, self.evaluators), "steps"]

    def by_task(self) -> str:
        rows = [["task", "level", "site", *self._headings]]
        for name, scores in self.results.tasks.items():
            group = self.tasks.get(name)
            where = [group.level, group.site] if group else [NOTHING, NOTHING]
            rows.append([shorten(name), *where, *self._cells(scores.instances, _scores(scores), group)])
        return aligned(rows)

    def by_group(self, title: str, groups: Mapping[SiteGroup, Sequence[str]]) -> str:
        """A row for each group with its tasks, whose scores it has the means of."""
        rows = [[title, *self._headings]]
        for group, names in groups.items():
            scores = [self.results.tasks[name] for name in names]
            means = [_mean([each.score for each in scores]), _mean([each.do_nothing for each in scores])]
            rows.append([group.name, *self._cells(sum(each.instances for each in scores), means, group)])
        return aligned(rows)

    def overall(self, group: SiteGroup | None) -> str:
        overall = self.results.overall
        return aligned(
            [
                ["overall (mean over tasks)", *self._headings],
                ["", *self._cells(overall.instances, _scores(overall), group)],
            ]
        )

    def _cells(self, instances: int, scores: Sequence[str], group: SiteGroup | None) -> list[str]:
        said = {each.evaluator: each.score for each in group.evaluators} if group else {}
        steps = NOTHING if group is None or group.steps is None else f"{group.steps:.1f}"
        return [str(instances), *scores, *(percent(said.get(name)) for name in self.evaluators), steps]


def _scores(scores: MeanScores) -> list[str]:
    return [percent(scores.score), percent(scores.do_nothing)]


def _mean(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    return percent(fsum(known) / len(known)) if known else NOTHING


def _evaluators(sites: SiteResults | None) -> list[EvaluatorName]:
    there = {each.evaluator for each in sites.overall.evaluators} if sites else set()
    return [name for name in EVALUATORS if name in there]


def _columns_say(evaluators: Sequence[EvaluatorName]) -> str:
    said = "score: of a task's main evaluator, of several tasks the mean over them. nothing: for doing nothing."
    names = ", ".join(map(evaluator_words, evaluators))
    return f"{said}\n{names}, steps: means over episodes, of each evaluator by itself." if evaluators else said
