"""The answers of an agent and of workers to the same items: all that is weighed, read from run directories."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from pathlib import Path

from harness.analysis.episode_pass import IN_PLACE, pass_over
from harness.kit.errors import UserError
from harness.records.agent_name import agent_name
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, FieldRecord
from harness.records.run_record import RunRecord
from harness.scoring.leave_one_out import own_answers, score_apart, workers_of
from harness.scoring.metrics import PROFILES, FieldScore, Profile
from harness.scoring.scored_kind import has_replied
from harness.scoring.scores import InstanceScore

ItemKey = tuple[str, str]
"""Task and id of an instance."""


class NothingToWeigh(UserError):
    """The runs hold no answers of an agent that could be weighed; the message says why."""


@dataclass(frozen=True)
class WorkerPair:
    """One worker and the agent, each scored against the other workers of an item.

    Attributes:
        row: The worker's row in the labels.
        agent: The agent's score, 0 to 1.
        worker: The worker's.
        constant: That of always giving the same answer, the most frequent one of the task's other items.
    """

    row: int
    agent: float
    worker: float
    constant: float


@dataclass(frozen=True)
class AnsweredField:
    """One field of an item.

    Attributes:
        name: Its name.
        kind: Its kind.
        options: Its options' values.
        sent: What the agent's form sent.
        labels: What workers wrote, a cell each.
        score: The agent's score on all labels, 0 to 1; None if it has none.
        ceiling: What the labels allow; None likewise.
        pairs: The agent and each worker against the others; empty with fewer than two workers.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    sent: tuple[str, ...]
    labels: tuple[str, ...]
    score: float | None = None
    ceiling: float | None = None
    pairs: tuple[WorkerPair, ...] = ()

    @property
    def lost(self) -> float | None:
        """What the answer lacks of what the labels allow, from 0 to 1; None if it has no score."""
        return None if self.score is None or self.ceiling is None else max(0.0, self.ceiling - self.score)

    @property
    def beside_crowd(self) -> float | None:
        """By how much the agent is better than a worker, from -1 to 1, a mean over workers; None without pairs."""
        return sum(pair.agent - pair.worker for pair in self.pairs) / len(self.pairs) if self.pairs else None


@dataclass(frozen=True)
class AnsweredItem:
    """One instance that an agent worked on.

    Attributes:
        task: Its task.
        index: Its place in the task's table.
        id: Its id.
        run: The run directory.
        fields: Its fields, those without labels included.
        workers: How many workers answered it.
        rows: The rows of its labels.
        signals: What is known of it before anybody labels it: name -> number.
        cost: US dollars; None if not known.
        seconds: Of work; None if not known.
    """

    task: str
    index: int
    id: str
    run: Path
    fields: tuple[AnsweredField, ...]
    workers: int
    rows: int
    signals: Mapping[str, float]
    cost: float | None
    seconds: float | None

    @property
    def key(self) -> ItemKey:
        """What tells it from others."""
        return self.task, self.id

    @property
    def lost(self) -> float | None:
        """The mean over its scored fields of what they lack; None if none has a score."""
        lost = [each.lost for each in self.fields if each.lost is not None]
        return sum(lost) / len(lost) if lost else None


@dataclass(frozen=True)
class Answers:
    """What an agent answered, in one run or several.

    Attributes:
        agent: Whom the first run evaluated.
        profile: The scoring profile.
        items: By task and index; of an item that several runs have the answer of the first.
        left_out: Why -> how many episodes are not among them.
        runs: What each run was asked, by directory.
    """

    agent: str
    profile: str
    items: tuple[AnsweredItem, ...]
    left_out: Mapping[str, int]
    runs: Mapping[Path, RunRecord]

    def by_task(self) -> dict[str, list[AnsweredItem]]:
        """Task -> its items."""
        found: dict[str, list[AnsweredItem]] = {}
        for each in self.items:
            found.setdefault(each.task, []).append(each)
        return found


@dataclass
class _Items:
    """Takes down every episode of a run."""

    profile: Profile
    folder: Path
    items: list[AnsweredItem] = field(default_factory=list)
    left_out: Counter[str] = field(default_factory=Counter)
    replied: bool = False

    def see(self, score: InstanceScore) -> None:
        episode = score.episode
        if episode.outcome == "harness_error":
            self.left_out["turkbench failed"] += 1
        elif episode.answered_by == "workers" or episode.site or episode.other:
            self.left_out["not a form that an agent filled in"] += 1
        else:
            self.replied |= has_replied(episode)
            self.items.append(_item(score, self.profile, self.folder))

    def merge(self, other: _Items) -> None:
        self.items += other.items
        self.left_out += other.left_out
        self.replied |= other.replied


def read_answers(folders: Sequence[Path], profile: str | None = None, pool: Executor = IN_PLACE) -> Answers:
    """Read what an agent answered.

    Args:
        folders: Run directories, none of which is changed. Of an item that several have, the first one's answer is
            weighed; whether the others' agree with it is a signal of how sure it is.
        profile: The scoring profile; None for the first run's own.
        pool: What reads and scores the episodes.

    Raises:
        NothingToWeigh: no form was filled in, or the agent of the first run was asked and never gave a reply of use.
        harness.records.directory.NotARun: a run cannot be read.
    """
    runs = {folder: RunDirectory(folder).read() for folder in folders}
    name = profile or runs[folders[0]].config.metrics
    seen = []
    for folder, record in runs.items():
        visitor = _Items(PROFILES[name], folder)
        pass_over(RunDirectory(folder), PROFILES[name], [visitor], pool)
        if record.is_asked and visitor.items and not visitor.replied:
            raise NothingToWeigh(f"{folder}: {agent_name(record)} never gave a reply of use, so it has no answers")
        seen.append(visitor)
    left_out: Counter[str] = sum((each.left_out for each in seen), Counter())
    items = _with_agreement([each.items for each in seen])
    if not items:
        why = ", ".join(f"{count} episodes: {reason}" for reason, count in left_out.items())
        raise NothingToWeigh(
            f"{', '.join(map(str, folders))}: no form was filled in ({why or 'there are no episodes'})"
        )
    return Answers(agent_name(runs[folders[0]]), name, tuple(items), left_out, runs)


def _with_agreement(of_runs: Sequence[Sequence[AnsweredItem]]) -> list[AnsweredItem]:
    """Each item once, with how far the other runs that have it agree with its first answers."""
    first: dict[ItemKey, AnsweredItem] = {}
    others: dict[ItemKey, list[AnsweredItem]] = {}
    for items in of_runs:
        for item in items:
            if item.key in first:
                others.setdefault(item.key, []).append(item)
            else:
                first[item.key] = item
    if others:
        for key, item in first.items():
            if key in others:
                agreement = _agreement(item, others[key])
                first[key] = replace(item, signals={**item.signals, "other runs disagree": 1 - agreement})
    return sorted(first.values(), key=lambda each: (each.task, each.index))


def _agreement(item: AnsweredItem, others: Sequence[AnsweredItem]) -> float:
    """The share of fields, over the other answers to an item, that sent the same."""
    same = [
        sum(theirs.get(each.name) == each.sent for each in item.fields) / max(1, len(item.fields))
        for theirs in ({each.name: each.sent for each in other.fields} for other in others)
    ]
    return sum(same) / len(same)


def _item(score: InstanceScore, profile: Profile, folder: Path) -> AnsweredItem:
    episode = score.episode
    workers = workers_of(episode.fields)
    scored = {each.record.name: each.score for each in score.fields}
    fields = [answered_field(profile, each, workers, scored.get(each.name)) for each in episode.fields]
    return AnsweredItem(
        task=episode.task,
        index=episode.index,
        id=episode.id,
        run=folder,
        fields=tuple(fields),
        workers=len(workers),
        rows=max((len(each.labels) for each in episode.fields), default=0),
        signals=_signals(episode),
        cost=episode.cost,
        seconds=sum(episode.timing.values()) / 1000,
    )


def answered_field(
    profile: Profile, record: FieldRecord, workers: Sequence[int], score: FieldScore | None
) -> AnsweredField:
    """A field beside the workers who answered it.

    Args:
        profile: The rules of scores.
        record: The field, with its labels and what was sent.
        workers: The rows of the labels whose workers answered anything on the page.
        score: Its score on all labels; None if it has none.
    """
    found = AnsweredField(record.name, record.kind, record.options, record.sent, record.labels)
    if score is None:
        return found
    return replace(found, score=score.score, ceiling=score.ceiling, pairs=_pairs(profile, record, workers))


def _pairs(profile: Profile, record: FieldRecord, workers: Sequence[int]) -> tuple[WorkerPair, ...]:
    if len(workers) < 2:
        return ()
    found = []
    for row, theirs in own_answers(record, workers).items():
        scores = [score_apart(profile, record, row, values) for values in (record.sent, theirs, record.constant)]
        known = [each.score for each in scores if each]
        if len(known) == len(scores):
            found.append(WorkerPair(row, *known))
    return tuple(found)


def _signals(episode: Episode) -> dict[str, float]:
    """What a requester knows of an item before anybody labels it."""
    open_fields = [each for each in episode.fields if each.visible]
    likely = [turn.likelihood for turn in episode.turns if turn.likelihood is not None]
    blank = sum(not "".join(each.sent).strip() for each in open_fields)
    found: dict[str, float | None] = {
        "length of the longest input": len(episode.longest_input),
        "fields left blank": blank / max(1, len(open_fields)),
        "did not end by itself": float(episode.outcome in {"limit", "agent_error"}),
        "failed actions": sum(not step.ok for step in episode.steps),
        "actions": episode.effort_in_steps,
        "turns": len(episode.turns),
        "seconds": sum(episode.timing.values()) / 1000,
        "unlikely replies": -math.log(min(likely)) if likely and min(likely) > 0 else None,
        "tokens written": episode.usage.output_tokens if episode.usage else None,
    }
    return {name: float(value) for name, value in found.items() if value is not None}


def labelled(items: Sequence[AnsweredItem]) -> Iterator[tuple[AnsweredItem, float]]:
    """The items whose answers have a score, with what they lack."""
    for each in items:
        if each.lost is not None:
            yield each, each.lost
