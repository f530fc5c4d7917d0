r"""An agent from outside, in Python with Selenium: it joins the browser of the episode by its ``debuggerAddress``.

    pip install -r requirements.txt        # the driver is the one that the harness uses
    python -m harness.evaluate --solver command --command "python examples/selenium_agent.py" \
        --isolate-read harness --isolate-read turkbench.py --max-instances 2

The harness' own actions do the work (docs/how-to/actions-on-any-page.md). What to enter is decided in
``answering.py``: by a model, if one is named. What it is told, and how it may end, is in docs/reference/program.md.
"""

from __future__ import annotations

import json
import shutil
import sys

from answering import answers
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

from turkbench import ActionLibrary


def main() -> None:
    """Read what there is to do, do it, and leave page and browser open."""
    told = json.load(sys.stdin)
    options = webdriver.ChromeOptions()
    options.debugger_address = told["devtools"]["host"]
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
    try:
        # The browser may list pages of its own beside this one; a window's handle is its DevTools id.
        driver.switch_to.window(told["devtools"]["target"])
        act = ActionLibrary(driver)
        fields = [field for field in told["fields"] if field["visible"]]
        values = answers(fields, driver.find_element(By.TAG_NAME, "body").text)
        for field in fields:
            if field["name"] in values:
                kind = "text" if field["kind"] == "textarea" else field["kind"]
                result = act.use(f"modify_{kind}", {"name": field["name"], "value": values[field["name"]]})
                # What is printed is kept with the episode.
                print(result.message, file=sys.stdout if result.ok else sys.stderr)
    finally:
        driver.quit()  # ends the driver; a browser that was joined goes on


if __name__ == "__main__":
    main()
