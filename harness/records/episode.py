"""The record of one page, as it was played: its fields with what was sent, its steps and turns, how it ended."""

from __future__ import annotations

import datetime
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.actions.result import Step
from harness.browser.form.submission import Submission
from harness.catalog.kinds import FORM, KindName
from harness.kit.files.codec import Count
from harness.models.messages import Usage
from harness.records.agent_report import AgentReport
from harness.records.site_record import SiteRecord
from harness.records.turn import Turn

SCHEMA: Literal[4] = 4
"""The version of the format of run directories."""

Outcome = Literal["scored", "unscored", "limit", "agent_error", "harness_error"]
AnsweredBy = Literal["solver", "workers"]
OUTCOMES: tuple[Outcome, ...] = ("scored", "limit", "agent_error", "unscored", "harness_error")
"""``limit``, ``agent_error``: scored on what the page holds; ``unscored``: no labels; ``harness_error``: no score."""


def now(timespec: Literal["seconds", "milliseconds"] = "milliseconds") -> str:
    """This moment as records have it: ISO 8601, UTC."""
    return datetime.datetime.now(datetime.UTC).isoformat(timespec=timespec)


@dataclass(frozen=True)
class FieldRecord:
    """One answer field of an episode: all that its score depends on.

    Attributes:
        name: The field's name.
        kind: How it is scored: ``text``, ``textarea``, ``radio``, ``checkbox``, ``select``, ``range`` or ``hidden``.
        options: Values of its options.
        labels: One a worker, blanks included.
        status: ``scored``, or why it is not.
        told: Whether the solver got the name.
        visible: Whether it could be seen when the page had loaded.
        sent: Values that the form sent.
        untouched: Values that the untouched form sends.
        constant: The most frequent answer of the other instances.
    """

    name: str
    kind: str
    options: tuple[str, ...]
    labels: tuple[str, ...]
    status: str
    told: bool
    visible: bool
    sent: tuple[str, ...]
    untouched: tuple[str, ...]
    constant: tuple[str, ...]


@dataclass(frozen=True, kw_only=True)
class OtherRecord:
    """What an episode has of a kind of task that another package brings.

    Attributes:
        kind: The kind's name.
        kept: All that its score depends on, as that kind writes it.
    """

    kind: str
    kept: Mapping[str, Any]


@dataclass(frozen=True)
class Episode:
    """The record of one instance in a run, as it stands in ``episodes/<task>/<index>.json``.

    Attributes:
        task: The task's name.
        index: The instance's place in its table, from 0.
        id: Hash of the instance's inputs; it survives a new order of rows.
        split: The task's split.
        outcome: How it ended.
        detail: Which limit, or the error in words; else empty.
        limit: Limit that ended it: ``steps``, ``time``, ``repeats`` (same actions on the same page), ``cost``,
            ``tokens``, or a solver's own.
        allowed: How much that limit allowed: actions, seconds, US dollars or tokens.
        fields: The answer fields, in page order; empty after a harness error.
        submission: What the form sent; None after a harness error and with ``crowd``.
        steps: What the solver did, in order.
        turns: Exchanges with a model, in order.
        page: Digest of the fields that the reference pass found; empty if it found no page.
        missing_media: Addresses of media that a placeholder stood for.
        missing_assets: Addresses of scripts, styles and fonts that the page did not get.
        timing: Milliseconds: ``open`` (the page), ``observe`` (the solver's looks), ``think``, ``wait`` (for a provider
            or a person), ``act``, ``submit``, ``read`` (what was sent), ``record`` (scoring), ``film``.
        ended: When it was written: ISO 8601, UTC.
        messages: Number of awaited DevTools messages (``messages``) and of stops for one (``waits``).
        script_errors: Errors of the page's own scripts.
        longest_input: Text of the instance's longest input: what the floor ``copy`` writes.
        answered_by: ``solver``; ``workers`` with ``--solver crowd``, where each worker is scored against the others.
        agent_report: What a program says of its own work; None for other solvers.
        unseen: Whether more was done than the steps say, by a program, a driver of its own or a killed process.
        attempts: How often the solver got the page.
        lost_turns: Turns of an attempt that came to nothing; they cost all the same. None if unknown.
        site: Only on a website: what happened, and what evaluators say.
        other: Only of a kind of task from another package.
        schema: Version of the format.
    """

    schema: Literal[4] = field(default=SCHEMA, kw_only=True)
    task: str
    index: Count
    id: str
    split: str
    outcome: Outcome
    detail: str = ""
    page: str = ""
    missing_media: tuple[str, ...] = ()
    missing_assets: tuple[str, ...] = ()
    fields: tuple[FieldRecord, ...] = ()
    submission: Submission | None = None
    steps: tuple[Step, ...] = ()
    turns: tuple[Turn, ...] = ()
    timing: Mapping[str, float] = field(default_factory=dict)
    messages: Mapping[str, int] = field(default_factory=dict)
    script_errors: tuple[str, ...] = ()
    longest_input: str = ""
    answered_by: AnsweredBy = "solver"
    agent_report: AgentReport | None = None
    unseen: bool = False
    limit: str = ""
    allowed: float | None = None
    attempts: Count | None = None
    lost_turns: tuple[Turn, ...] | None = ()
    site: SiteRecord | None = None
    ended: str = ""
    other: OtherRecord | None = None

    @property
    def kind(self) -> KindName:
        """The kind of its task; of one that came to nothing, and has no record of any, that of a form."""
        if self.other:
            return self.other.kind
        return "site" if self.site else FORM

    @property
    def ended_at(self) -> str:
        """The limit that ended it; empty if none did. Before ``limit`` was kept, ``detail`` said which."""
        return (self.limit or self.detail) if self.outcome == "limit" else ""

    @property
    def usage(self) -> Usage | None:
        """The tokens of all its turns, those of replies included that had been paid for before; None if not known."""
        if self.lost_turns is None:
            return None
        if report := self.agent_report:
            if report.input_tokens is None or report.output_tokens is None:
                return None
            return Usage(report.input_tokens, report.output_tokens)
        total = Usage()
        for turn in (*self.lost_turns, *self.turns):
            if turn.usage is None:
                return None
            total += turn.usage
        return total

    @property
    def cost(self) -> float | None:
        """What its turns cost, in US dollars; None if the cost of one of them is not known."""
        if self.lost_turns is None:
            return None
        if self.agent_report:
            return self.agent_report.cost
        costs = [turn.cost for turn in (*self.lost_turns, *self.turns)]
        return None if None in costs else math.fsum(cost for cost in costs if cost is not None)

    @property
    def model_seconds(self) -> float | None:
        """Seconds between its requests to models and their replies; None if not known, as where there is no reply."""
        if self.lost_turns is None or self.agent_report:
            return None
        turns = (*self.lost_turns, *self.turns)
        return math.fsum(turn.ms for turn in turns) / 1000 if turns else None

    @property
    def reported(self) -> AgentReport | None:
        """What its agent says that it took; None where the harness saw all of it.

        Nothing of it is known if an attempt was lost, of which the agent can say nothing any more.
        """
        return AgentReport() if self.agent_report and self.lost_turns is None else self.agent_report

    @property
    def effort_in_steps(self) -> int | None:
        """How many actions it took; None if not known, as of a program that acts past the action library."""
        if self.unseen:
            return self.agent_report.steps if self.agent_report else None
        return len(self.steps)

    @property
    def served(self) -> frozenset[str]:
        """The models that answered, as their providers name them; empty if none is known."""
        reported = self.agent_report.model if self.agent_report else None
        return frozenset(filter(None, (*(turn.model for turn in (*(self.lost_turns or ()), *self.turns)), reported)))


@dataclass(frozen=True)
class EpisodeRecord:
    """An episode, and the files that it names.

    Attributes:
        episode: The episode.
        images: PNG by SHA-256.
        texts: JSON text by SHA-256.
    """

    episode: Episode
    images: Mapping[str, bytes] = field(default_factory=dict)
    texts: Mapping[str, str] = field(default_factory=dict)
