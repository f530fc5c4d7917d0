"""The ways to make one label of many, by the names that ``--labels`` takes.

``harness.analysis.people.aggregated_labels`` does it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

MAJORITY = "majority"
DAWID_SKENE = "dawid-skene"
WAWA = "wawa"
AGGREGATIONS: Mapping[str, str] = MappingProxyType(
    {
        MAJORITY: "every label counts as it stands: the answer with the most votes, ties included",
        DAWID_SKENE: "one confusion matrix for all workers, for each set of options of a task",
        WAWA: "votes weigh as much as their worker agrees with the others on the same page",
    }
)
"""Name -> what it does, in a line."""
