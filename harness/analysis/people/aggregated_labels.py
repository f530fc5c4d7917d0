"""One label in place of many: ``python -m harness score RUN --labels NAME``.

Methods that aggregate labels learn how reliable each worker is over many instances. Here worker ids are gone: within an
instance a row is one worker on all fields of the page, and nothing links the rows of different instances. What the
methods can mean then is said at each of them, and in docs/explanation/people.md.
"""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from types import MappingProxyType, ModuleType
from typing import NamedTuple, TypeAlias

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from harness.analysis.people.ballots import (
    NOT_TICKED,
    TICKED,
    Ballots,
    FieldVotes,
    Question,
    names_several,
)
from harness.analysis.people.label_aggregations import DAWID_SKENE, WAWA
from harness.catalog.kinds import CHOICES
from harness.catalog.labels import is_blank, ticked
from harness.kit.errors import UserError
from harness.models.client import MissingExtra
from harness.records.episode import Episode, FieldRecord
from harness.scoring.answers.columns import SCORED
from harness.scoring.leave_one_out import answered_rows

MOST_ROUNDS = 100
TOLERANCE = 1e-5
"""Gain in log-likelihood, a vote, below which the estimate is done."""
_LEAST = 1e-10
"""The least probability, so that its logarithm is one."""


def posteriors(counts: NDArray[np.int64]) -> NDArray[np.float64]:
    """How likely each answer is the true one.

    Expectation-maximisation, starting from the shares of votes. What is estimated is how often each answer is true, and
    how often a worker gives answer b where a is true.

    Args:
        counts: Votes, of shape (questions, answers); each question has at least one.

    Returns:
        Probabilities, of the same shape; each row sums to 1.
    """
    votes, kind, times = np.unique(counts, axis=0, return_inverse=True, return_counts=True)
    found = votes / votes.sum(axis=1, keepdims=True)
    total = float(counts.sum())
    before = -np.inf
    for _ in range(MOST_ROUNDS):
        weights = found * times[:, None]
        prior = np.maximum(weights.sum(axis=0) / times.sum(), _LEAST)
        confusion = np.maximum(votes.T @ weights, _LEAST)
        confusion /= confusion.sum(axis=0)
        joint = np.log(prior) + votes @ np.log(confusion)
        most = joint.max(axis=1, keepdims=True)
        likelihood = most[:, 0] + np.log(np.exp(joint - most).sum(axis=1))
        found = np.exp(joint - likelihood[:, None])
        now = float(times @ likelihood) / total
        if now - before < TOLERANCE:
            break
        before = now
    shares: NDArray[np.float64] = found[kind.reshape(-1)]
    return shares


_Pool: TypeAlias = list[tuple[Question, FieldVotes]]
EXTRA = "crowd"
Aggregate: TypeAlias = Callable[[pd.DataFrame], "pd.Series[int]"]
"""Votes, with the columns ``task`` (what is voted on), ``worker`` and ``label`` -> the label of each task."""


class NothingToAggregate(UserError):
    """The labels of a run cannot be aggregated; the message says why."""


def dawid_skene(votes: pd.DataFrame) -> pd.Series[int]:
    """The model of Dawid and Skene (1979, doi:10.2307/2346806), with one worker who stands for all.

    Its confusion matrix says how often any worker gives answer b where a is true; it is estimated together with how
    often each answer is true, and with the true answers. So it knows that some answers are taken for each other, and
    that some are rare, but not that some workers are better.
    """
    units, place = np.unique(votes["task"], return_inverse=True)
    answers, code = np.unique(votes["label"], return_inverse=True)
    counts = np.zeros((len(units), len(answers)), dtype=np.int64)
    np.add.at(counts, (place, code), 1)
    return pd.Series(answers[posteriors(counts).argmax(axis=1)], index=units)


def agreeing(votes: pd.DataFrame) -> pd.Series[int]:
    """Votes weighted by how often their worker agrees with the majority ("worker agreement with aggregate").

    A worker is known on one page only: the weight is the share of the page's questions with the same answers on which
    the worker gave the majority's. Where a page has one such question, those who lost the vote weigh nothing.
    """
    first = _vote(votes)
    agrees = first.reindex(votes["task"]).to_numpy() == votes["label"].to_numpy()
    return _vote(votes, pd.Series(agrees, index=votes["worker"].to_numpy()).groupby(level=0).mean())


def _vote(votes: pd.DataFrame, skills: pd.Series[float] | None = None) -> pd.Series[int]:
    """The answers with the most votes, or the most skilled ones; of equals the first in page order."""
    with _quiet():
        found = _crowdkit().MajorityVote().fit(votes, skills=skills)
    shares: pd.DataFrame = found.probas_
    return shares.sort_index(axis="columns").idxmax(axis="columns").astype("int64")


METHODS: Mapping[str, Aggregate] = MappingProxyType({DAWID_SKENE: dawid_skene, WAWA: agreeing})
"""A name of ``AGGREGATIONS`` -> how the votes on questions with the same answers are aggregated."""


@dataclass
class AggregationEffect:
    """What an aggregation did to the choices of a run.

    Attributes:
        fields: Scored choices of instances.
        replaced: Those that have one label now.
        single: Those with fewer than two votes, which keep what they have.
        kept: Those that keep their labels since one label cannot say what was found, or since the field has other
            options in other instances.
        overturned: Questions of which the answer is not one with the most votes. Each box is a question.
        ties: Questions of which the answer is one of several with the most votes.
    """

    fields: int = 0
    replaced: int = 0
    single: int = 0
    kept: int = 0
    overturned: int = 0
    ties: int = 0

    def to_json(self) -> dict[str, int]:
        """Its counts."""
        return asdict(self)


class AggregatedLabels:
    """The labels of a run's choices, aggregated.

    Attributes:
        effect: What was done to the episodes that were given to ``replaced``.
    """

    def __init__(self, episodes: Iterable[Episode], aggregate: Aggregate) -> None:
        """Aggregate.

        Args:
            episodes: All of the run; looked at once, and none is kept.
            aggregate: How.

        Raises:
            NothingToAggregate: the episodes are those of the workers themselves.
            harness.models.client.MissingExtra: crowd-kit is not installed.
        """
        self.effect = AggregationEffect()
        self._found: dict[Question, dict[int, _Found]] = {}
        ballots = Ballots()
        for episode in episodes:
            if episode.answered_by == "workers":
                raise NothingToAggregate(
                    "its answers are those of the workers, each scored against the labels of the others, "
                    "and one label has no others; leave --labels out"
                )
            choices = [field for field in episode.fields if _is_choice(field)]
            ballots.add(episode.task, episode.index, choices, answered_rows(episode.fields))
        for columns in ballots.of_task().values():
            for answers, pool in _pools(columns).items():
                self._take(pool, _Votes(pool, answers).aggregated(aggregate))

    def replaced(self, episode: Episode) -> Episode:
        """The episode with the labels of its choices aggregated; ``effect`` counts what was done."""
        return replace(episode, fields=tuple(self._replaced(episode, field) for field in episode.fields))

    def _replaced(self, episode: Episode, field: FieldRecord) -> FieldRecord:
        if not _is_choice(field):
            return field
        self.effect.fields += 1
        question = Question(episode.task, field.name, names_several(field))
        if question not in self._found:
            self.effect.kept += 1
            return field
        found = self._found[question].get(episode.index)
        if found is None:
            self.effect.single += 1
            return field
        label = _label(field, found.answers, several=question.several)
        if label is None:
            self.effect.kept += 1
            return field
        self.effect.replaced += 1
        self.effect.overturned += found.overturned
        self.effect.ties += found.ties
        return replace(field, labels=(label,))

    def _take(self, pool: _Pool, units: Iterable[_Unit]) -> None:
        """Keep what was found out about the questions of a pool."""
        for question, _ in pool:
            self._found[question] = {}
        for unit in units:
            question, column = pool[unit.column]
            found = self._found[question]
            answer: tuple[str, ...] = (unit.answer,)
            if question.several:
                answer = (column.questions[unit.question],) if unit.answer == TICKED else ()
            before = found.get(unit.instance, _Found((), 0, 0))
            found[unit.instance] = _Found(
                before.answers + answer, before.overturned + unit.overturned, before.ties + unit.tied
            )


class _Found(NamedTuple):
    """What an aggregation found for one field of one instance.

    Attributes:
        answers: The answer; or the options that are ticked, of a field whose options are voted on one by one.
        overturned: As in ``AggregationEffect``.
        ties: As in ``AggregationEffect``.
    """

    answers: tuple[str, ...]
    overturned: int
    ties: int


class _Unit(NamedTuple):
    """What an aggregation found for one question of one instance.

    Attributes:
        column: The field's place in the pool.
        instance: The instance's index.
        question: The question's number.
        answer: The answer.
        overturned: 1 if another answer has more votes, else 0.
        tied: 1 if other answers have as many votes, and none more, else 0.
    """

    column: int
    instance: int
    question: int
    answer: str
    overturned: int
    tied: int


class _Votes:
    """The votes on questions that have the same answers, as a table."""

    def __init__(self, pool: _Pool, answers: Sequence[str]) -> None:
        """Put the votes of several fields together.

        Args:
            pool: The fields.
            answers: What can be answered, in page order: among equals the first will be taken.
        """
        self._codes = {answer: code for code, answer in enumerate(dict.fromkeys(answers))}
        frames = []
        for number, (_, column) in enumerate(pool):
            given = [self._codes.setdefault(answer, len(self._codes)) for answer in column.answers]
            votes = column.votes()
            label = np.array(given, dtype=np.int64)[votes.pop("answer")]
            frames.append(pd.DataFrame({**votes, "column": number, "label": label}))
        table = pd.concat(frames, ignore_index=True)
        table["task"] = table.groupby(_PLACE).ngroup()
        table["worker"] = table.groupby(["instance", "row"]).ngroup()
        self._table = table[table.groupby("task")["label"].transform("size") > 1]

    def aggregated(self, aggregate: Aggregate) -> list[_Unit]:
        """The answers to each question of each instance that has two votes or more, by column, instance, question."""
        table = self._table
        if table.empty:
            return []
        counts = table.groupby(["task", "label"], as_index=False).size()
        most = counts.groupby("task")["size"].transform("max")
        first = counts[counts["size"] == most].groupby("task")["label"].agg(["first", "size"])
        chosen = first["first"]
        if len(counts) > len(chosen):  # where all agree there is nothing to find out
            chosen = aggregate(table[["task", "worker", "label"]]).reindex(first.index)
        votes = counts.set_index(["task", "label"])["size"]
        own = votes.reindex(pd.MultiIndex.from_arrays([chosen.index, chosen]), fill_value=0).to_numpy()
        overturned = own < votes.groupby("task").max().to_numpy()
        tied = ~overturned & (first["size"] > 1).to_numpy()
        answers = list(self._codes)
        places = table.groupby("task")[_PLACE].first()
        columns = [places[name].tolist() for name in _PLACE]
        columns += [[answers[code] for code in chosen.tolist()], overturned.astype(int).tolist()]
        return [_Unit(*unit) for unit in zip(*columns, tied.astype(int).tolist(), strict=True)]


_PLACE = ["column", "instance", "question"]


def _pools(columns: Mapping[Question, FieldVotes]) -> dict[tuple[str, ...], _Pool]:
    """Answers -> the fields of a task with these answers, in page order; all boxes are together.

    A field whose options differ from instance to instance is in none: what was learnt of an answer in one instance
    would mean nothing in the next.
    """
    found: dict[tuple[str, ...], _Pool] = {}
    for question, column in columns.items():
        if question.several or column.kind == "checkbox":
            found.setdefault((NOT_TICKED, TICKED), []).append((question, column))
        elif column.options:
            found.setdefault(column.options, []).append((question, column))
    return found


def _is_choice(field: FieldRecord) -> bool:
    return field.status == SCORED and field.kind in CHOICES


def _label(field: FieldRecord, answers: Sequence[str], *, several: bool) -> str | None:
    """The label that says what was found; None if none does."""
    if several:
        label = "|".join(answers)
        says = ticked(label, field.options) == frozenset(answers)
    elif field.kind == "checkbox":
        label = field.options[0] if answers[0] == TICKED else ""
        says = bool(ticked(label, field.options)) == bool(label)
    else:
        label, says = answers[0], True
    # A blank says that nothing is ticked, but of a list it says nothing.
    return label if says and (field.kind == "checkbox" or not is_blank(label)) else None


@contextmanager
def _quiet() -> Iterator[None]:
    """Without what the library is warned of by those that it calls: a user can do nothing about it."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def _crowdkit() -> ModuleType:
    """The library's aggregators.

    Raises:
        MissingExtra: it is not installed.
    """
    try:
        with _quiet():
            return importlib.import_module("crowdkit.aggregation")
    except ImportError as error:
        raise MissingExtra("crowd-kit", EXTRA) from error
