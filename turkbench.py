"""What verifiers imports by the name of this package: ``vf-eval turkbench`` (docs/adapters.md)."""

from harness.integrations.adapters.verifiers.page_env import PageEnv
from harness.integrations.adapters.verifiers.page_harness import PageHarness
from harness.integrations.adapters.verifiers.page_tasks import PageTaskset

__all__ = ["PageEnv", "PageHarness", "PageTaskset"]
