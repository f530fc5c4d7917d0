"""The name of the harness's own world in pages."""

from __future__ import annotations

import secrets

WORLD = f"harness-{secrets.token_hex(16)}"
"""Made anew by each process that starts browsers, so that nothing can be aimed at it by name; workers have their
parent's, and can read each other's pages."""
