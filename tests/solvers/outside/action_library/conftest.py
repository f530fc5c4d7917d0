"""The library is tested over each driver of one's own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness import ActionLibrary
from tests.needs import require
from tests.solvers.outside.action_library.drivers import DRIVERS, Driven


@pytest.fixture(scope="session", params=DRIVERS)
def driven(request: pytest.FixtureRequest) -> Iterator[Driven]:
    """Each driver, one for all tests of a process."""
    start, wanted = DRIVERS[request.param]
    require(*wanted)
    with start() as live:
        yield live


@pytest.fixture
def act(driven: Driven) -> ActionLibrary:
    """The library on it."""
    return ActionLibrary(driven.driver)
