"""Drivers of one's own for tests: Selenium with Chromium and Firefox, Playwright with the system's Chromium."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from selenium import webdriver

from harness.browser.launch import find_browser
from harness.browser.webdriver.driver_process import find_driver
from tests.needs import CHROMEDRIVER, Need

PLAYWRIGHT = Need("Playwright", ".ci/extras playwright", lambda: importlib.util.find_spec("playwright") is not None)


def geckodriver() -> str | None:
    """Path of Firefox's driver: from the environment, else from PATH."""
    return os.environ.get("TURKBENCH_GECKODRIVER") or shutil.which("geckodriver")


def _firefox() -> str | None:
    return shutil.which("firefox-esr") or shutil.which("firefox")


FIREFOX = Need(
    "Firefox and its driver",
    "apt-get install firefox-esr; geckodriver on the path, or its path in TURKBENCH_GECKODRIVER",
    lambda: bool(geckodriver() and _firefox()),
)


@dataclass(frozen=True)
class Driven:
    """A driver that is handed in.

    Attributes:
        driver: The WebDriver, or the page of Playwright.
        go: Shows an address.
        value: What a JavaScript expression gives in the page.
    """

    driver: Any
    go: Callable[[str], object]
    value: Callable[[str], Any]


def _selenium(driver: Any) -> Driven:
    return Driven(driver, driver.get, lambda expression: driver.execute_script(f"return {expression}"))


@contextmanager
def chrome(*flags: str) -> Iterator[Driven]:
    """Selenium with Chromium."""
    options = webdriver.ChromeOptions()
    options.binary_location = find_browser() or ""
    for flag in ("--no-sandbox", "--window-size=1280,900", *(flags or ("--headless=new",))):
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=webdriver.ChromeService(find_driver()))
    try:
        yield _selenium(driver)
    finally:
        driver.quit()


@contextmanager
def firefox() -> Iterator[Driven]:
    """Selenium with Firefox."""
    options = webdriver.FirefoxOptions()
    options.binary_location = _firefox() or ""
    options.add_argument("-headless")
    options.set_preference("intl.accept_languages", "en-US")
    service = webdriver.FirefoxService(geckodriver(), log_output=os.devnull)
    driver = webdriver.Firefox(options=options, service=service)
    try:
        yield _selenium(driver)
    finally:
        driver.quit()


@contextmanager
def playwright() -> Iterator[Driven]:
    """Playwright's sync API."""
    from playwright.sync_api import sync_playwright

    with (
        sync_playwright() as started,
        started.chromium.launch(executable_path=find_browser(), args=["--no-sandbox"]) as browser,
    ):
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        yield Driven(page, page.goto, page.evaluate)


DRIVERS: dict[str, tuple[Callable[[], Any], Sequence[Need]]] = {
    "chrome": (chrome, (CHROMEDRIVER,)),
    "firefox": (firefox, (CHROMEDRIVER, FIREFOX)),
    "playwright": (playwright, (PLAYWRIGHT,)),
}
"""Name -> what starts it, and what it needs."""
