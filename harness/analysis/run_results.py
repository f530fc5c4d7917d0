"""The results of a run as ``run.json`` holds them: scores of all groups without intervals, and what was counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import asdict, dataclass

from harness.analysis.aggregation import Groups, Rows, bounds, groups_of, means_of, number, sizes_of
from harness.analysis.episode_pass import IN_PLACE, Visitor, pass_over
from harness.analysis.score_table import ScoreTable
from harness.analysis.scored_run import as_scored, work_of
from harness.catalog.labels import is_blank
from harness.records.directory import RunDirectory
from harness.records.episode import OUTCOMES, FieldRecord
from harness.records.results import KindScores, OverallScores, Rates, Results, TaskScores, Work
from harness.records.run_record import RunRecord
from harness.scoring.answers.columns import SCORED, UNLABELLED
from harness.scoring.metrics import Profile
from harness.scoring.scores import InstanceScore


class Counts:
    """Counts of outcomes, submissions, and fields that are not scored.

    Attributes:
        outcomes: Outcome -> episodes.
        unscored: Reason -> fields that are not scored.
    """

    def __init__(self) -> None:
        self.outcomes: Counter[str] = Counter()
        self.unscored: Counter[str] = Counter()
        self._submissions = self._accepted = self._blank = self._filled = 0

    def see(self, score: InstanceScore) -> None:
        """Take an episode into account."""
        episode = score.episode
        self.outcomes[episode.outcome] += 1
        for record in episode.fields:
            if record.status != SCORED:
                self.unscored[record.status] += 1
            if record.status == UNLABELLED and episode.submission:
                self._blank += 1
                self._filled += _filled(record)
        if episode.submission:
            self._submissions += 1
            self._accepted += episode.submission.accepted

    def merge(self, other: Counts) -> None:
        """Take into account what others have counted."""
        self.outcomes.update(other.outcomes)
        self.unscored.update(other.unscored)
        self._submissions += other._submissions
        self._accepted += other._accepted
        self._blank += other._blank
        self._filled += other._filled

    def rates(self) -> Rates:
        """Shares of submissions and of fields."""
        return Rates(
            accepted_submissions=self._accepted / self._submissions if self._submissions else None,
            filled_where_every_worker_left_blank=self._filled / self._blank if self._blank else None,
        )


def _filled(field: FieldRecord) -> bool:
    return field.sent != field.untouched and not all(map(is_blank, field.sent))


@dataclass(frozen=True)
class RunScores:
    """The scores of a run's episodes under one profile, parted into groups.

    Attributes:
        groups: The scores of all episodes.
        counts: What was counted beside them.
        work: In how many episodes the solver did anything.
    """

    groups: Groups[Rows]
    counts: Counts
    work: Work

    @classmethod
    def of(cls, scores: Iterable[InstanceScore], record: RunRecord | None = None) -> RunScores:
        """Collect scores, in any order. They are looked at once, and none is kept, so that little memory is needed.

        Args:
            scores: Of all episodes of a run.
            record: Of the run; None to keep the scores of whoever never replied.
        """
        table, counts = ScoreTable(), Counts()
        for score in scores:
            table.see(score)
            counts.see(score)
        return cls._seen_by(table, counts, record)

    @classmethod
    def read(
        cls, run: RunDirectory, profile: Profile, visitors: Sequence[Visitor] = (), pool: Executor = IN_PLACE
    ) -> RunScores:
        """Read and score all episodes of a run, in one pass that keeps none.

        Args:
            run: The run directory; it is not changed.
            profile: The rules of the scores.
            visitors: Each is shown every episode, too, see ``harness.analysis.episode_pass``.
            pool: What reads and scores the episodes.

        Raises:
            NotARun: an episode cannot be read.
        """
        table, counts = ScoreTable(), Counts()
        pass_over(run, profile, [table, counts, *visitors], pool)
        return cls._seen_by(table, counts, run.read())

    @classmethod
    def _seen_by(cls, table: ScoreTable, counts: Counts, record: RunRecord | None) -> RunScores:
        """What these two have seen of the same episodes."""
        instances, fields = table.instances(), table.fields()
        if record:
            instances, fields = as_scored(record, instances, fields)
        return cls(groups_of(instances, fields), counts, work_of(instances))

    def results(self) -> Results:
        """All numbers of the run."""
        groups = self.groups
        return Results(
            overall=_overall(groups),
            splits={split: means_of(rows) for split, rows in groups.splits.items()},
            tasks={task: _task(rows) for task, rows in groups.tasks.items()},
            kinds={kind: _kind(rows) for kind, rows in groups.kinds.items()},
            outcomes={outcome: self.counts.outcomes[outcome] for outcome in OUTCOMES},
            rates=self.counts.rates(),
            unscored_fields=dict(sorted(self.counts.unscored.items())),
            work=self.work,
        )


def _overall(groups: Groups[Rows]) -> OverallScores:
    sizes = sizes_of(groups.overall)
    return OverallScores(
        **asdict(means_of(groups.overall)),
        instances=sizes.instances,
        tasks=sizes.tasks,
        mean_over_instances=number(groups.instances.rows["score"].mean()),
        mean_over_fields=number(groups.fields.rows["score"].mean()),
        bounds=bounds(groups.instances.rows),
    )


def _task(rows: Rows) -> TaskScores:
    sizes = sizes_of(rows)
    return TaskScores(**asdict(means_of(rows)), split=rows.split, instances=sizes.instances, episodes=sizes.episodes)


def _kind(rows: Rows) -> KindScores:
    return KindScores(**asdict(means_of(rows)), fields=sizes_of(rows).fields)
