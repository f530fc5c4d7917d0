"""Pages as tasks of Inspect (https://inspect.aisi.org.uk): ``inspect eval turkbench/forms``, ``turkbench/sites``.

Inspect imports this by the entry point ``turkbench``, and knows what it registers from then on.
"""

from __future__ import annotations

from harness.integrations.adapters.inspect.open_page import OpenPage, page_of_sample
from harness.integrations.adapters.inspect.page_agent import PageTools, page_agent
from harness.integrations.adapters.inspect.tasks import forms, sites

__all__ = ["OpenPage", "PageTools", "forms", "page_agent", "page_of_sample", "sites"]
