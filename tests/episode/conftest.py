"""The actions are tested over each input back end that works without a window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.browser.browser import Browser
from harness.browser.input_back_end import DevtoolsInput
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
    """See ``tests.conftest``; over each back end."""
    if request.param == "devtools":
        return shower(site, browser, DevtoolsInput(browser))
    return shower(site, browser, request.getfixturevalue("webdriver"))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Leave out what a test that is marked ``devtools`` would do over another back end."""
    items[:] = [each for each in items if not (_is_over_another(each) and _is_over_devtools_alone(each))]


def _is_over_another(item: pytest.Item) -> bool:
    call = getattr(item, "callspec", None)
    return call is not None and any(call.params.get(name) in ("webdriver", "desktop") for name in ("show", "page"))


def _is_over_devtools_alone(item: pytest.Item) -> bool:
    name = item.name.removesuffix("]")
    return any(not name.endswith(tuple(f"-{each}" for each in mark.args)) for mark in item.iter_markers("devtools"))
