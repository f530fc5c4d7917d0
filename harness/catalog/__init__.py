"""Task folders on disk -> tasks, instances, facts and splits, with every problem named."""

from harness.catalog.catalog import Catalog
from harness.catalog.facts import Facts
from harness.catalog.problems import CatalogError, MalformedTask, Problem
from harness.catalog.task import Instance, Task

__all__ = ["Catalog", "CatalogError", "Facts", "Instance", "MalformedTask", "Problem", "Task"]
