"""The content of ``run.json``: what was asked for, where the numbers come from, and what they are."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from harness.browser.sandbox import Sandbox
from harness.catalog.mirror.outside import Network
from harness.kit.files.codec import JsonObject, plain
from harness.models.ledger import Totals
from harness.records.agent_report import ReportedTotals
from harness.records.budgets import EarlierBudgets
from harness.records.config import RunConfig
from harness.records.episode import SCHEMA
from harness.records.fatal import Stop, StopKind
from harness.records.provenance import Provenance, fingerprint_of
from harness.records.results import Results, RunTime, Work

Isolation = Literal["none", "box", "container", "masked", "strict"]
RunStatus = Literal["running", "complete", "incomplete", "interrupted", "failed"]

COMPARED = ("task_set", "inventory", "protocol", "sample", "outside")
"""The attributes of a run that have to be equal for two scores to be compared, beside the profile."""
NEVER_ASKED = frozenset({"oracle", "crowd", "constant", "random", "copy", "do-nothing", "search", "human"})
"""Solvers that give no replies: bounds, baselines and people. Whatever they do is their score."""

NOTHING_KEPT: tuple[StopKind, ...] = ("refused", "program", "no_reply")
"""Causes of a failed run whose solver has not done anything in any episode."""


@dataclass(frozen=True, kw_only=True)
class RunFingerprint:
    """What the episodes of one run must have in common, each as a hash.

    Attributes:
        overlay: Overlay facts of all tasks that were asked for.
        task_set: Files, splits and overlay facts of those tasks.
        page_code: The code that looks at pages.
        mirror: The mirror of outside files.
    """

    overlay: str
    task_set: str
    page_code: str
    mirror: str


@dataclass(frozen=True, kw_only=True)
class MissedOutside:
    """What pages asked the outside world for in vain.

    Attributes:
        network: As in ``config``.
        instances_without_their_media: Number of instances with a placeholder for a picture, video, sound or frame.
        tasks_without_their_media: Task -> indices of those instances.
        missing_assets: Address of a missing script, style or font -> number of pages that asked for it.
        media_of_templates: Task -> addresses of missing media in its template.
    """

    network: Network
    instances_without_their_media: int
    tasks_without_their_media: Mapping[str, tuple[int, ...]]
    missing_assets: Mapping[str, int]
    media_of_templates: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """The content of a ``run.json``.

    Attributes:
        schema: Version of the format.
        status: ``running``, ``complete``, ``incomplete`` (an instance has no score or ran out of budget),
            ``interrupted``, ``failed`` (the solver could not work).
        started: When it began: ISO 8601, UTC.
        resumed: When it was resumed, each time.
        ended: When it ended; None while it goes on.
        stopped: Why it ended early, or came to nothing; else None.
        config: What was asked for.
        provenance: Where the numbers come from.
        sandbox: Whether every browser ran in its own sandbox: ``on``; ``off`` if one did not; ``unknown``.
        solver: What the solver says of itself, such as its model and the hash of its prompts.
        isolation: How the solver's program was shut in; None without a program.
        keyed: Whether the solver gets the labels.
        foundations: Hashes of what all episodes must share; ``--resume`` compares them.
        task_set: Hash of the tasks' names, splits, files and overlay facts.
        inventory: Hash of the fields that the reference pass found.
        protocol: What solvers are told: ``field-names``; on websites ``goal``.
        sample: Hash of the chosen instances.
        planned_episodes: Number of chosen instances; None until they are chosen.
        left_out: Reason -> number of instances that were not evaluated.
        problems: What is wrong with tasks that cannot be read.
        identical_tasks: Groups of tasks whose files are equal byte for byte.
        outside: What pages did not get from outside.
        pages_lacking_assets: Number of pages that lacked a script, style or font.
        served: Model that answered, as its provider names it -> number of episodes.
        results: The numbers; None before the end, or without a finished episode.
        comparability_id: Hash of all that must be equal for two scores to be compared.
        spent: What calls of models took, by the run's ledger; None without calls.
        judge_spent: The same for calls of its judge.
        reported: What programs say that they spent; None without such programs.
        time: How long it took.
        out_of_budget: Limit of the run (``cost``, ``tokens``) -> number of instances that it ended.
        budgets_before: Budgets that it had before it was resumed with others, in order.
        episodes_digest: Hash of the files of all episodes; empty before the end.
    """

    schema: Literal[4] = SCHEMA
    status: RunStatus
    started: str
    resumed: tuple[str, ...] = ()
    ended: str | None = None
    stopped: Stop | None = None
    config: RunConfig
    provenance: Provenance
    sandbox: Sandbox = "unknown"
    solver: JsonObject = field(default_factory=dict)
    isolation: Isolation | None = None
    keyed: bool | None = None
    foundations: RunFingerprint
    task_set: str
    inventory: str
    protocol: str
    sample: str
    planned_episodes: int | None
    left_out: Mapping[str, int]
    problems: tuple[str, ...] = ()
    identical_tasks: tuple[tuple[str, ...], ...]
    outside: MissedOutside
    pages_lacking_assets: int | None = None
    served: Mapping[str, int] = field(default_factory=dict)
    results: Results | None = None
    comparability_id: str = ""
    spent: Totals | None = None
    judge_spent: Totals | None = None
    reported: ReportedTotals | None = None
    time: RunTime | None = None
    out_of_budget: Mapping[str, int] = field(default_factory=dict)
    budgets_before: tuple[EarlierBudgets, ...] = ()
    episodes_digest: str = ""

    @property
    def is_asked(self) -> bool:
        """Whether its solver is one that is asked for replies: no bound, no baseline, and not the workers."""
        return is_asked(self.config.solver, keyed=bool(self.keyed))

    @property
    def asked_work(self) -> Work | None:
        """What was done by a solver that is asked; None of others, and where it is not known."""
        return self.results.work if self.results and self.is_asked else None

    @property
    def begins_anew(self) -> bool:
        """Whether none of its episodes is kept when it is gone on with: all that it has is failures."""
        return self.status == "failed" and self.stopped is not None and self.stopped.kind in NOTHING_KEPT

    @property
    def would_repeat(self) -> bool:
        """Whether going on with it would bring what it brought: replies that were paid for are kept."""
        return bool(self.stopped and self.stopped.kind == "no_reply" and self.spent and self.spent.calls)

    @property
    def compared(self) -> dict[str, Any]:
        """What ``comparability_id`` is made of, as JSON: the attributes ``COMPARED``."""
        return {name: plain(getattr(self, name)) for name in COMPARED}

    def comparability_under(self, profile: str) -> str:
        """Its ``comparability_id`` were it scored by a profile; whoever compares by meaning is the same."""
        return comparability_id(self.compared, replace(self.config, metrics=profile).rules)


def is_asked(solver: str, *, keyed: bool) -> bool:
    """As ``RunRecord.is_asked``, of a solver by its name, and by whether it is handed the labels."""
    return not keyed and solver not in NEVER_ASKED


def comparability_id(compared: JsonObject, rules: str) -> str:
    """One short hash over all that has to be equal for two scores to be compared.

    Args:
        compared: As ``RunRecord.compared`` gives it.
        rules: By what is scored: ``harness.records.config.RunConfig.rules``.
    """
    return fingerprint_of([rules, *(compared[key] for key in COMPARED)])[:10]
