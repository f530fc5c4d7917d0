"""An agent from outside, in Python with Selenium: it joins the browser of the episode by its ``debuggerAddress``.

    pip install selenium                   # the library alone; the driver is the one that the harness uses
    python -m harness.evaluate --solver command --command "python examples/selenium_agent.py" --max-instances 2

What to enter is decided in ``answering.py``: by a model, if one is named. What it is told, and how it may end, is in
docs/agents-from-outside.md.
"""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any

from answering import answers
from selenium import webdriver
from selenium.common.exceptions import NoSuchElementException, WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement


def main() -> None:
    """Read what there is to do, do it, and leave page and browser open."""
    told = json.load(sys.stdin)
    options = webdriver.ChromeOptions()
    options.debugger_address = told["devtools"]["host"]
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        # The browser may list pages of its own beside this one; a window's handle is its DevTools id.
        driver.switch_to.window(told["devtools"]["target"])
        fields = [field for field in told["fields"] if field["visible"]]
        values = answers(fields, driver.find_element(By.TAG_NAME, "body").text)
        for field in fields:
            if field["name"] in values:
                try:
                    fill_in(driver, field, values[field["name"]])
                except WebDriverException as error:
                    # What is printed is kept with the episode.
                    print(f"{field['name']}: {(error.msg or '').partition(chr(10))[0]}", file=sys.stderr)
    finally:
        driver.quit()  # ends the driver; a browser that was joined goes on


def fill_in(driver: webdriver.Chrome, field: dict[str, Any], value: str) -> None:
    """Enter it as a person would: with the mouse and the keyboard."""
    controls = driver.find_elements(By.CSS_SELECTOR, f"[name={json.dumps(field['name'])}]")
    match field["kind"]:
        case "radio" | "checkbox":
            press(driver, valued(controls, value))
        case "select":
            valued(controls[0].find_elements(By.TAG_NAME, "option"), value).click()
        case "range":
            low, _, step = field["scale"]
            controls[0].send_keys(Keys.HOME, Keys.ARROW_RIGHT * round((float(value) - low) / (step or 1)))
        case _:
            controls[0].clear()
            controls[0].send_keys(value)
    print(f"{field['name']}: {value}")


def valued(elements: list[WebElement], value: str) -> WebElement:
    """The one of some boxes or options that stands for a value."""
    for each in elements:
        if each.get_attribute("value") == value:
            return each
    raise NoSuchElementException(f"there is no option {value!r}")


def press(driver: webdriver.Chrome, control: WebElement) -> None:
    """Press a button that is not pressed yet; the scroll brings it out from under what sticks to the window's edge."""
    driver.execute_script("arguments[0].scrollIntoView({block: 'center'})", control)
    if not control.is_selected():
        control.click()


if __name__ == "__main__":
    main()
