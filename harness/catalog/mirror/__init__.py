"""Outside scripts, styles and fonts, served from local files: what is where, and how it got there."""

from harness.catalog.mirror.mirror import Asset, Mirror

__all__ = ["Asset", "Mirror"]
