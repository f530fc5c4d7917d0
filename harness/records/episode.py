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
        kind: How it is scored.
        options: Its options' values.
        labels: The raw labels of all workers; of radio buttons with a text box what was written, else the option.
        status: ``scored``, or why it is not.
        told: Whether the solver was told its name.
        visible: Whether it could be seen when the page had loaded.
        sent: The values that the form sent; empty if none; of radio buttons with a text box the one answer, as in
            ``labels``.
        untouched: The values that the untouched form sends: the floor of doing nothing.
        constant: The most frequent answer of the other instances: the floor that knows the task.
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
        kept: What that keeps, as JSON holds it: all that its score depends on.
    """

    kind: str
    kept: Mapping[str, Any]


@dataclass(frozen=True)
class Episode:
    """The record of one instance in a run, as it stands in ``episodes/<task>/<index>.json``.

    Attributes:
        task: The task's name.
        index: The instance's place in its file.
        id: The instance's id, a hash of its inputs.
        split: The task's split.
        outcome: How it ended.
        detail: Which limit, or the error, in words; empty otherwise.
        limit: The limit that ended it: ``steps``, ``time`` or ``repeats`` of its own, ``cost`` or ``tokens`` of the
            run, or what its solver calls one; empty if none did, or if it was written before this was kept.
        allowed: How much that limit allowed: actions, seconds, US dollars or tokens; None if it is no number.
        fields: Its answer fields.
        submission: What the form sent; None after a harness error, and where nobody worked on the page.
        steps: What the solver did.
        turns: What it said to a model, and what came back.
        page: The digest of the fields that the reference pass found; empty if there was none.
        missing_media: Addresses of media on its page that a placeholder stood for.
        missing_assets: Addresses of scripts, styles and fonts that its page asked for in vain.
        timing: Milliseconds by phase, see ``harness.episode.clock.PHASES``.
        ended: When it was written: ISO 8601, UTC; empty if it was written before this was kept.
        messages: Awaited browser messages and stand-stills (``messages``, ``waits``) from open to read-back.
        script_errors: Errors that the page's own scripts raised.
        longest_input: What the instance's longest input says: the floor that copies it, see
            ``harness.scoring.answers.baselines``.
        answered_by: Whose answers are scored: the solver's, or those of the workers themselves, each against the
            others' (``--solver crowd``); then nobody worked on the page.
        agent_report: What a program from outside says of its own work, or nothing of a solver that had to be killed;
            None where the harness saw all of it.
        unseen: Whether more was done on the page than the steps say: over DevTools, or in a process that had to be
            killed. It cannot be done again.
        attempts: How often the solver was handed the page: twice if page or browser died under it the first time, 0 if
            it never was; None if it was written before this was kept.
        lost_turns: What it said to a model in an attempt that came to nothing, and what came back: paid for all the
            same. None if that is not known, as of a process that was killed.
        site: What happened on a website, and what evaluators say of it; None of a form.
        other: Of a kind of task that another package brings: what that keeps of it; not written where there is none.
        schema: The version of the format.
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
