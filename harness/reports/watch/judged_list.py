"""What judges said of the episodes of a run, for lists of them: it lies beside the run and may change at any time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from harness.kit.errors import UserError
from harness.records.run_record import RunRecord
from harness.records.verdict import AnswerVerdict, JudgedRun, Verdicts, read_verdicts
from harness.scoring.judges.saved_judgements import judged_folders, judges_beside

Place = tuple[str, int]
"""Task and index."""
_OUTCOMES: Mapping[AnswerVerdict | None, str] = {"correct": "success", "wrong": "failure"}
_UNREAD = "unread"
_FILES_KEPT = 32


@dataclass(frozen=True)
class SaidOfEpisode:
    """What one judge said of an episode.

    Attributes:
        judge: Its name.
        outcomes: ``success``, ``failure`` or ``unread``, of each of its repeats.
    """

    judge: str
    outcomes: tuple[str, ...]


@dataclass(frozen=True)
class JudgedEpisodes:
    """What judges said of a run's episodes.

    Attributes:
        said: By episode, judge by judge.
        problems: Why some of it cannot be read.
    """

    said: Mapping[Place, tuple[SaidOfEpisode, ...]] = field(default_factory=dict)
    problems: tuple[str, ...] = ()

    def of(self, task: str, index: int) -> tuple[SaidOfEpisode, ...]:
        """What judges said of one episode; nothing if none did."""
        return self.said.get((task, index), ())

    @property
    def choices(self) -> Mapping[str, int]:
        """What a list can be narrowed to, as ``EpisodeQuery.judged`` has it -> episodes: ``success rule``."""
        return Counter(
            choice
            for each in self.said.values()
            for choice in sorted({f"{outcome} {one.judge}" for one in each for outcome in one.outcomes})
        )

    def chosen(self, choice: str) -> tuple[Place, ...]:
        """The episodes of which a judge said something at least once.

        Args:
            choice: One of ``choices``.
        """
        outcome, _, judge = choice.partition(" ")
        return tuple(
            place
            for place, each in self.said.items()
            if any(one.judge == judge and outcome in one.outcomes for one in each)
        )


def judged_episodes(folder: Path, record: RunRecord) -> JudgedEpisodes:
    """What judges said of a run's episodes; what was said of another run in its place is passed over.

    Args:
        folder: The run directory.
        record: Its ``run.json``.
    """
    run = JudgedRun.of(record)
    said: dict[Place, dict[str, list[str]]] = {}
    problems = []
    for each in judged_folders(judges_beside(folder)):
        try:
            verdicts = _read(each.verdicts_file)
        except UserError as error:
            problems.append(str(error))
            continue
        if verdicts is None or verdicts.run != run:
            continue
        for verdict in verdicts.verdicts:
            by_judge = said.setdefault((verdict.task, verdict.index), {})
            by_judge.setdefault(verdicts.judge.name, []).append(_OUTCOMES.get(verdict.answer, _UNREAD))
    found = {
        place: tuple(SaidOfEpisode(judge, tuple(outcomes)) for judge, outcomes in by_judge.items())
        for place, by_judge in said.items()
    }
    return JudgedEpisodes(found, tuple(problems))


def _read(file: Path) -> Verdicts | None:
    """The verdicts in a file, read once for each of its states; None if nothing was judged yet."""
    try:
        state = file.stat()
    except OSError:
        return None
    return _read_state(file, state.st_mtime_ns, state.st_size)


@lru_cache(_FILES_KEPT)
def _read_state(file: Path, _changed: int, _size: int) -> Verdicts:
    return read_verdicts(file)
