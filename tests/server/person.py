"""A browser as a person has one, and what keeps people from using a page in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.support.wait import WebDriverWait

from tests.needs import Need, needs

AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
needs_axe = needs(Need("axe-core", ".ci/real-clients", AXE.is_file))
SECONDS = 240
"""For what a server does meanwhile, on the slowest machine."""


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
