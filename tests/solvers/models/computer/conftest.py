"""What the tests of all dialects share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.input_back_end import BrowserSession
from tests.sites.served import site_browser


@pytest.fixture(scope="package")
def shop() -> Iterator[BrowserSession]:
    """A browser for the bundled shop."""
    with site_browser("shop") as session:
        yield session
