"""What tests of all bundled sites share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.sites.visits import Visit, visit
from tests.sites.walk import do_something

SITES = ("shop", "travel", "board")


@pytest.fixture(params=[(name, variant) for name in SITES for variant in ("", "moved")], ids="-".join)
def visited(request: pytest.FixtureRequest) -> Iterator[tuple[Visit, str]]:
    """An episode on each site in each layout, in which something was done; and the site's name."""
    name, variant = request.param
    with visit(name, 1, variant) as begun:
        do_something(begun, name)
        yield begun, name
