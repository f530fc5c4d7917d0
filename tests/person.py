"""A browser as a person has one, not shut in: driven by Selenium."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from harness.browser.launch import find_browser
from tests.needs import CHROMEDRIVER, require

SECONDS = 240
"""For what a server does meanwhile, on the slowest machine."""


def waiting(live: webdriver.Chrome) -> WebDriverWait:
    """What looks every twentieth of a second whether something has come about."""
    return WebDriverWait(live, SECONDS, poll_frequency=0.05)


@contextlib.contextmanager
def person_browser(size: str = "1280,1000", *flags: str) -> Iterator[webdriver.Chrome]:
    """A browser with an empty profile, while the context lasts; where its driver is missing, the test is left out."""
    require(CHROMEDRIVER)
    options = webdriver.ChromeOptions()
    options.binary_location = find_browser() or ""
    usual = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-popup-blocking")
    for flag in (*usual, f"--window-size={size}", *flags):
        options.add_argument(flag)
    live = webdriver.Chrome(options=options, service=Service(executable_path=shutil.which("chromedriver")))
    try:
        yield live
    finally:
        live.quit()
