"""A driver of Selenium's for a page that a browser of this machine shows already."""

from __future__ import annotations

from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.chrome.webdriver import WebDriver

from harness.browser.webdriver.driver_process import find_driver


def joined_driver(host: str, target: str) -> WebDriver:
    """Start one; its ``quit`` leaves the browser as it is.

    Args:
        host: Host and port at which the browser's DevTools are.
        target: The id of the page, which is the handle of its window.

    Raises:
        selenium.common.exceptions.WebDriverException: there is no driver, or it cannot join.
    """
    options = Options()
    options.debugger_address = host
    driver = WebDriver(options=options, service=Service(find_driver()))
    driver.switch_to.window(target)
    return driver
