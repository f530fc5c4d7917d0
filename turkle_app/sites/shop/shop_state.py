"""What one episode has made of the shop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass
class ShopState:
    """Cart and account of one customer."""

    cart: list[dict[str, Any]] = field(default_factory=list)

    def told(self) -> dict[str, Any]:
        """See ``SiteState``."""
        return {"cart": list(self.cart)}


def make_state(seed: int, variant: str) -> ShopState:
    """The state of a new episode."""
    del seed, variant
    return ShopState()
