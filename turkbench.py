"""What verifiers imports by the name of this package: ``vf-eval turkbench`` (docs/how-to/other-frameworks.md)."""

from harness.integrations.adapters.verifiers.page_env import PageEnv, PageHarness, PageTaskset

__all__ = ["PageEnv", "PageHarness", "PageTaskset"]
