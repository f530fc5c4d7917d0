"""The results of a run as ``run.json`` holds them: scores of all groups without intervals, and what was counted."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from harness.analysis.aggregation import Groups, Means, Rows, bounds, groups_of, means_of, number, sizes_of
from harness.analysis.counts import Counts
from harness.analysis.score_table import ScoreTable
from harness.runlog.episode import OUTCOMES
from harness.scoring.scores import InstanceScore


@dataclass(frozen=True)
class RunScores:
    """The scores of a run's episodes under one profile, parted into groups.

    Attributes:
        groups: The scores of all episodes.
        counts: What was counted beside them.
    """

    groups: Groups[Rows]
    counts: Counts

    @classmethod
    def of(cls, scores: Iterable[InstanceScore]) -> RunScores:
        """Collect scores, in any order. They are looked at once, and none is kept, so that little memory is needed."""
        table, counts = ScoreTable(), Counts()
        for score in scores:
            table.add(score)
            counts.add(score.episode)
        return cls(groups_of(table.instances(), table.fields()), counts)

    def results(self) -> dict[str, Any]:
        """All numbers as a JSON object.

        Returns:
            ``overall``, ``splits``, ``tasks`` and ``kinds`` with score, ceiling, floors and skill; ``outcomes`` and
            ``rates``; ``unscored_fields`` by reason. A number that nothing could be measured for is null.
        """
        means, sizes = self.groups.each(means_of), self.groups.each(sizes_of)
        instances, fields = self.groups.instances.rows, self.groups.fields.rows
        return {
            "overall": {
                **_numbers(means.overall),
                "instances": sizes.overall.instances,
                "tasks": sizes.overall.tasks,
                "mean_over_instances": number(instances["score"].mean()),
                "mean_over_fields": number(fields["score"].mean()),
                "bounds": bounds(instances),
            },
            "splits": {split: _numbers(each) for split, each in means.splits.items()},
            "tasks": {
                task: {
                    "split": str(self.groups.tasks[task].averaged["split"].iloc[0]),
                    "instances": sizes.tasks[task].instances,
                    "episodes": sizes.tasks[task].episodes,
                    **_numbers(each),
                }
                for task, each in means.tasks.items()
            },
            "kinds": {
                kind: {"fields": sizes.kinds[kind].fields, **_numbers(each)} for kind, each in means.kinds.items()
            },
            "outcomes": {outcome: self.counts.outcomes[outcome] for outcome in OUTCOMES},
            "rates": asdict(self.counts.rates()),
            "unscored_fields": dict(sorted(self.counts.unscored.items())),
        }


def _numbers(means: Means) -> dict[str, float | None]:
    derived = ("of_ceiling", "skill_over_do_nothing", "skill_over_constant")
    return asdict(means) | {name: getattr(means, name) for name in derived}
