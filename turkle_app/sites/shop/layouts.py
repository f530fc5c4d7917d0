"""The layouts of the shop, and what is planted in the other one."""

from __future__ import annotations

from turkle_app.sites.site import PlantedChange

CHANGES: dict[str, tuple[PlantedChange, ...]] = {"moved": ()}
