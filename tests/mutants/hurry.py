"""A plugin of pytest for runs on mutants: most are noticed by an example, and none need be made small."""

from __future__ import annotations

import pytest
from hypothesis import Phase, settings

settings.register_profile("mutants", derandomize=True, database=None, phases=(Phase.explicit, Phase.generate))
settings.load_profile("mutants")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: item.get_closest_marker("hypothesis") is not None)
