"""The actions are tested over each input back end that works without a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.browser import Browser
from harness.browser.devtools_input import DevtoolsInput
from harness.browser.webdriver.driver_process import DriverProcess
from harness.browser.webdriver.webdriver_input import WebdriverInput, boxed_input
from tests.conftest import Show, shower
from tests.needs import WEBDRIVER, require
from tests.site import Site


@pytest.fixture(scope="session")
def webdriver(browser: Browser) -> Iterator[WebdriverInput]:
    """The one browser of this test process, over WebDriver."""
    require(*WEBDRIVER)
    back_end = boxed_input(browser, DriverProcess(browser.version))
    yield back_end
    back_end.close()


@pytest.fixture(params=["devtools", "webdriver"])
def show(request: pytest.FixtureRequest, site: Site, browser: Browser) -> Show:
    """See ``tests.conftest``; over each back end. A test that is marked ``devtools`` is about that one."""
    if request.param == "devtools":
        return shower(site, browser, DevtoolsInput(browser))
    if request.node.get_closest_marker("devtools"):
        pytest.skip("about input over DevTools")
    return shower(site, browser, request.getfixturevalue("webdriver"))
