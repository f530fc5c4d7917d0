"""Where named things are found: those of this package, and those that other installed packages bring along."""

from harness.kit.registry.registry import Registry, registry

__all__ = ["Registry", "registry"]
