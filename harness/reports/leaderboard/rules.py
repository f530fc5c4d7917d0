"""Under which names a record of a leaderboard has scores, and by what rules these are made."""

from __future__ import annotations

from collections.abc import Mapping

from harness.records.config import RunConfig, rules_in_words
from harness.run.task_kind import task_kind
from harness.scoring.metrics import PROFILES

WEBSITES = "websites"
"""In place of a profile: on websites evaluators score, whatever the profile."""
SCORED_BY = (*PROFILES, WEBSITES)
"""All names, in the order in which tables of them are shown."""


def rules_of(kind: str | None, judge: str | None) -> Mapping[str, str]:
    """Name under which a record has scores -> their rules, as comparability ids are made of them.

    Args:
        kind: Of the run's tasks; None for forms.
        judge: Who compared by meaning on websites; None if nobody did.
    """
    if not task_kind(kind).has_profiles:
        return {WEBSITES: rules_in_words(RunConfig.metrics, judge)}
    return {profile: profile for profile in PROFILES}
