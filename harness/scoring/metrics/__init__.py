"""Scores of fields and instances, as pure functions of the labels and of what the form sent.

Nothing here imports a browser or a server. ``docs/reference/metrics.md`` defines the rules.
"""

from __future__ import annotations

from harness.kit.registry import Registry, registry
from harness.scoring.metrics.field_score import FieldScore, Profile

PROFILES: Registry[Profile] = registry("metrics")
"""The rules by name; ``docs/reference/metrics.md`` defines them."""

__all__ = ["PROFILES", "FieldScore", "Profile"]
