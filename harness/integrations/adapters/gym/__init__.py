"""Pages as environments of Gymnasium (https://gymnasium.farama.org), whose ids are known once this is imported."""

from __future__ import annotations

from harness.integrations.adapters.gym.registration import register

register()
