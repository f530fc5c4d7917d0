"""Two contestants: the fastest script by Selenium, and the actions of TurkingBench's own code on the same driver.

The second does with each field what that code's oracle does; its server and its scoring, which would need a database of
the tasks, have no part in it.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.ui import Select

from benchmarks.peers.turns import FLAGS, HEIGHT, PATIENCE, READ, WIDTH, Fill, Held, Job, Play, RacePage, take_part


@contextmanager
def begin(job: Job) -> Iterator[Play]:
    """One driver, one window."""
    options = Options()
    options.binary_location = job["browser"]
    for flag in ("--headless=new", f"--window-size={WIDTH},{HEIGHT}", *FLAGS):
        options.add_argument(flag)
    do = _their_actions(job["code"]) if job["code"] else _fill_in
    driver = webdriver.Chrome(options, Service(job["driver"]))
    try:
        driver.set_page_load_timeout(PATIENCE)

        def play(page: RacePage) -> Held:
            driver.get(page["url"])
            for fill in page["fills"]:
                do(driver, fill)
            held: Held = driver.execute_script(f"return ({READ})()")
            return held

        yield play
    finally:
        driver.quit()


def _fill_in(driver: WebDriver, fill: Fill) -> None:
    control = driver.find_element(By.CSS_SELECTOR, fill["selector"])
    match fill["kind"]:
        case "text":
            control.clear()
            control.send_keys(fill["value"])
        case "select":
            try:
                Select(control).select_by_value(fill["value"])
            except NoSuchElementException:  # an option without a value has its text for one
                Select(control).select_by_visible_text(fill["value"])
        case _ if not control.is_selected():
            control.click()


def _their_actions(code: str) -> Callable[[WebDriver, Fill], None]:
    sys.path.insert(0, str(Path(code) / "src"))
    actions = importlib.import_module("evaluation.actions").MyActions

    def fill_in(driver: WebDriver, fill: Fill) -> None:
        getattr(actions(driver), f"modify_{fill['kind']}")(fill["name"], fill["value"])

    return fill_in


if __name__ == "__main__":
    take_part(begin, "selenium")
