"""Scores of fields and instances, as pure functions of the labels and of what the form sent.

Nothing here imports a browser or a server. ``docs/metrics.md`` defines the rules.
"""

from __future__ import annotations

from harness.kit.registry import Registry
from harness.metrics.field_score import FieldScore, Profile

PROFILES: Registry[Profile] = Registry(
    "metrics",
    {
        "standard": "harness.metrics.standard:STANDARD",
        "turkingbench-2024": "harness.metrics.turkingbench_2024:TURKINGBENCH_2024",
    },
)

__all__ = ["PROFILES", "FieldScore", "Profile"]
