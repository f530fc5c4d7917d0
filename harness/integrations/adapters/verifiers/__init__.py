"""Pages as an environment: ``verifiers.load_environment("harness.integrations.adapters.verifiers", task=...)``."""

from __future__ import annotations

from harness.integrations.adapters.verifiers.loading import load_environment

__all__ = ["load_environment"]
