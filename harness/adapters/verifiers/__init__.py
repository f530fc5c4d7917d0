"""Pages as an environment of verifiers: ``verifiers.load_environment("harness.adapters.verifiers", task=...)``."""

from __future__ import annotations

from harness.adapters.verifiers.loading import load_environment

__all__ = ["load_environment"]
