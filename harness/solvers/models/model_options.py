"""The options of models as solvers."""

from __future__ import annotations

from dataclasses import dataclass

from harness.models.asking_options import Asking, SiteAsking
from harness.models.call_options import CallOptions, ModelChoice, RequestOptions


@dataclass(frozen=True, kw_only=True)
class ModelOptions(CallOptions, RequestOptions, SiteAsking, Asking, ModelChoice):
    """What can be chosen for a preset that fills in pages."""
