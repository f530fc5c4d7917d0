"""Scores of fields and instances, as pure functions of the labels and of what the form sent.

Nothing here imports a browser or a server. ``docs/metrics.md`` defines the rules.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from harness.metrics.field_score import FieldScore, Profile
from harness.metrics.standard import Standard
from harness.metrics.turkingbench_2024 import TurkingBench2024

PROFILES: Mapping[str, Profile] = MappingProxyType(
    {profile.name: profile for profile in (Standard(), TurkingBench2024())}
)

__all__ = ["PROFILES", "FieldScore", "Profile"]
