"""A browser as a person has one, and what keeps people from using a page in it."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.support.wait import WebDriverWait

from harness.browser.launch import find_browser

AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = pytest.mark.skipif(not AXE.is_file(), reason="axe-core is not installed: .ci/real-clients does that")
SECONDS = 240
"""For what a server does meanwhile, on the slowest machine."""


@contextlib.contextmanager
def person(*flags: str) -> Iterator[webdriver.Chrome]:
    """A browser that is not shut in, driven from outside."""
    options = webdriver.ChromeOptions()
    options.binary_location = find_browser() or ""
    for flag in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1280,1000", *flags):
        options.add_argument(flag)
    live = webdriver.Chrome(options=options, service=Service(executable_path=shutil.which("chromedriver")))
    try:
        yield live
    finally:
        live.quit()


def until(live: webdriver.Chrome, script: str) -> Any:
    """What a script gives, once it gives something."""
    return WebDriverWait(live, SECONDS).until(lambda browser: browser.execute_script(f"return {script}"))


def barriers(live: webdriver.Chrome) -> list[str]:
    """What axe-core finds serious or critical on the page, in words; nothing of what is in frames."""
    live.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    live.set_script_timeout(SECONDS)
    found = live.execute_async_script(
        "const done = arguments[0];"
        "axe.run(document, { iframes: false }).then((all) => done(all.violations), (error) => done(String(error)));"
    )
    assert isinstance(found, list), found
    return [
        f"{each['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:200]}"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]
