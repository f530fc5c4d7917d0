"""Playwright and Selenium, as strangers install them, join the browser of an episode."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from harness.solvers.outside.opened_page import open_page
from tests.checkout import PROJECT
from tests.clients.environments import client, python_of
from tests.clients.forms import answered, follows_a_model, make_form, played
from tests.needs import CHROMEDRIVER, needs
from tests.solvers.outside.action_library.drivers import PLAYWRIGHT as PLAYWRIGHT_HERE

NAMES = [
    pytest.param("playwright", marks=needs(client("playwright"))),
    pytest.param("selenium", marks=needs(client("selenium"), CHROMEDRIVER)),
]

PLAYWRIGHT = """
import asyncio, json, sys
from playwright.async_api import async_playwright

async def main(told):
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(told["http"])
        (page,) = [page for context in browser.contexts for page in context.pages if page.url == told["url"]]
        await page.fill("[name=a]", "w")
        await browser.close()

asyncio.run(main(json.load(sys.stdin)))
"""
SELENIUM = """
import json, shutil, sys
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By

told = json.load(sys.stdin)
options = webdriver.ChromeOptions()
options.debugger_address = told["host"]
driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
driver.switch_to.window(told["target"])
driver.find_element(By.NAME, "a").send_keys("w")
driver.quit()
"""
PROGRAMS = {"playwright": PLAYWRIGHT, "selenium": SELENIUM}


EXAMPLES = [
    pytest.param("playwright", marks=needs(PLAYWRIGHT_HERE)),
    pytest.param("selenium", marks=needs(CHROMEDRIVER)),
]
"""With the harness' own actions, so in its environment."""


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_its_example_fills_in_a_form(name, tmp_path):
    program = PROJECT / "examples" / f"{name}_agent.py"
    assert answered(played(tmp_path, sys.executable, str(program)))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_its_example_enters_what_a_model_says(name, tmp_path):
    assert follows_a_model(tmp_path, sys.executable, str(PROJECT / "examples" / f"{name}_agent.py"))


@pytest.mark.parametrize("name", NAMES)
def test_it_works_on_a_page_that_was_opened_for_it_and_its_own_farewell_leaves_the_page(name, tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    make_form(tmp_path / "tasks")
    with open_page("Form", 0, ["--tasks-dir", str(tmp_path / "tasks")]) as page:
        told = {"url": page.url, "http": page.devtools.http, "host": page.devtools.host, "target": page.devtools.target}
        command = [str(python_of(name)), "-c", PROGRAMS[name]]
        subprocess.run(command, input=json.dumps(told), text=True, check=True, timeout=120)
    assert (page.result.outcome, page.result.fields[0].sent, page.result.fields[0].score) == ("scored", ("w",), 1.0)


@needs(PLAYWRIGHT_HERE)
@pytest.mark.slow
def test_playwright_needs_no_browser_of_its_own(tmp_path):
    environment = {"PLAYWRIGHT_BROWSERS_PATH": str(tmp_path / "none")}
    program = PROJECT / "examples" / "playwright_agent.py"
    made = played(tmp_path / "tasks", sys.executable, str(program), environment=environment)
    assert answered(made)
    assert not Path(environment["PLAYWRIGHT_BROWSERS_PATH"]).exists()
