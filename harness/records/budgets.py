"""What a run may use, in which raising it when the run is gone on with changes no number that stands."""

from __future__ import annotations

from dataclasses import dataclass, replace

from harness.kit.options import view
from harness.models.call_options import CallOptions
from harness.records.config import RunConfig
from harness.records.episode import Episode

OF_THE_RUN = ("cost", "tokens")
"""Limits that all episodes of a run share: one that they ended might have gone on under a higher one."""


@dataclass(frozen=True, kw_only=True)
class Budgets:
    """What may be raised when a run is gone on with.

    Attributes:
        max_cost: US dollars of the whole run; None for no limit.
        max_tokens: Tokens of the whole run; None for no limit.
        max_seconds: Seconds on a page.
        concurrency: Calls of the model at a time; None for any number.
    """

    max_cost: float | None
    max_tokens: int | None
    max_seconds: float
    concurrency: int | None

    @classmethod
    def of(cls, config: RunConfig) -> Budgets:
        """Those of a run."""
        calls = view(CallOptions, config.options)
        return cls(
            max_cost=calls.max_cost,
            max_tokens=calls.max_tokens,
            max_seconds=config.limits.max_seconds,
            concurrency=calls.concurrency,
        )

    def put_into(self, config: RunConfig) -> RunConfig:
        """The same run with these in place of its own."""
        of_options = {"max_cost": self.max_cost, "max_tokens": self.max_tokens, "concurrency": self.concurrency}
        options = {**config.options, **of_options}
        return replace(
            config,
            options={name: value for name, value in options.items() if value is not None},
            limits=replace(config.limits, max_seconds=self.max_seconds),
        )


@dataclass(frozen=True, kw_only=True)
class EarlierBudgets:
    """What a run might use until it was gone on with under others.

    Attributes:
        until: When they ended: ISO 8601, UTC.
        budgets: What the run was allowed.
    """

    until: str
    budgets: Budgets


def is_final(episode: Episode, config: RunConfig) -> bool:
    """Whether an episode need not be played again in a run that is gone on with.

    One without a score is played again, and so is one that a limit ended which has been raised since. One that came to
    its end within its limits would do so under higher ones, too.

    Args:
        episode: As it was recorded.
        config: Of the run as it is gone on with.
    """
    if episode.outcome == "harness_error":
        return False
    which = episode.ended_at
    if which == "steps" and episode.site:
        return True  # the task's own limit, which no run raises
    now = config.allowed(which)
    if not episode.limit:
        return which not in OF_THE_RUN  # under which limit it ended is not known
    return episode.allowed is None or (now is not None and now <= episode.allowed)
