"""Solvers of recorded steps that do odd things."""

from __future__ import annotations

from harness.models.client import ModelError


class Raises:
    def reply(self, prompt):
        raise RuntimeError(f"on {len(prompt.source)} characters")


class SaysNothing:
    def reply(self, prompt):  # noqa: ARG002 - as all
        return None


class NotAlways:
    """Answers every other time, as a provider that is down now and then."""

    asked = 0

    def reply(self, prompt):  # noqa: ARG002 - as all
        NotAlways.asked += 1
        if NotAlways.asked % 2:
            raise ModelError("the provider is down")
        return "click('AA')"
