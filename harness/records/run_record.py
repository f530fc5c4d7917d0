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
        overlay: The overlay facts of all tasks that were asked for.
        task_set: The files, splits and overlay facts of those tasks.
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
        network: What pages reached, as in the configuration.
        instances_without_their_media: How many instances need a picture, video, sound or frame for which a placeholder
            stood.
        tasks_without_their_media: Task to the indices of those instances.
        missing_assets: Address of a script, style or font that could not be had to how many pages asked for it.
        media_of_templates: Task to addresses of media that its template itself shows and that are not there.
    """

    network: Network
    instances_without_their_media: int
    tasks_without_their_media: Mapping[str, tuple[int, ...]]
    missing_assets: Mapping[str, int]
    media_of_templates: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, kw_only=True)
class RunRecord:
    """The content of a ``run.json``; docs/reference/run-directory.md says more of each key.

    Attributes:
        schema: The version of the format.
        status: How far the run is; ``incomplete`` if at least one instance has no score, or ended for lack of budget;
            ``failed`` if the solver could not do the work at all, for what ``stopped`` says.
        started: When it began: ISO 8601, UTC.
        resumed: When it was gone on with.
        ended: When it ended; None while it goes on.
        stopped: Why it ended before its end, or came to nothing; None while it goes on, if it came to its own end, and
            in runs that were written before this was kept.
        config: What was asked for.
        provenance: Where the numbers come from.
        sandbox: Whether the sandbox was seen to be on in all browsers of the run: ``off`` if it was in none or some,
            ``unknown`` where nobody could look, or no browser was at work.
        solver: What the solver tells of itself.
        isolation: How the program of the solver was shut in; None if it has none, or if that is not known.
        keyed: Whether the solver is handed the labels; None in runs that were written before this was kept.
        foundations: What the episodes must have in common; ``--resume`` compares it.
        task_set: A hash of the tasks in the run.
        inventory: A hash of the fields that the reference pass found on the pages of the episodes.
        protocol: What solvers are told.
        sample: A hash of the chosen instances.
        planned_episodes: How many instances were chosen; None while they are being chosen.
        left_out: Reason to the count of what was not evaluated.
        problems: What is wrong with tasks that cannot be read, in words.
        identical_tasks: Groups of tasks whose files are equal byte for byte.
        outside: What pages asked the outside world for in vain.
        pages_lacking_assets: How many pages asked in vain for a script, style or font; None in runs that were written
            before this was kept.
        served: Model that answered, as its provider names it, to the number of episodes in which it did.
        results: The numbers; None before the end, or if no episode was finished.
        comparability_id: One short hash over all that has to be equal for two scores to be compared.
        spent: What its calls of models took, by its ledger; None if none was made.
        judge_spent: What the calls of its judge took, by a ledger of their own; None if none was made.
        reported: What the agents of its episodes say that they spent themselves; None if it had none, or in runs that
            were written before this was kept.
        time: How long it took; None in runs that were written before this was kept.
        out_of_budget: Limit of the run (``cost``, ``tokens``) to how many instances it ended.
        budgets_before: What it might use before it was gone on with under other budgets, in order.
        episodes_digest: A hash over the files of its episodes, see ``harness.records.digests``; empty before the end,
            and in runs that were written before this was kept.
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
