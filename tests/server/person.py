"""A browser as a person has one, and what keeps people from using a page in it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from selenium import webdriver

from tests.needs import Need, needs, require
from tests.person import SECONDS, waiting

AXE = Path(__file__).parent / "axe" / "node_modules" / "axe-core" / "axe.min.js"
AXE_CORE = Need("axe-core", ".ci/real-clients", AXE.is_file)
needs_axe = needs(AXE_CORE)
TELEPHONE = {"width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": False}


def until(live: webdriver.Chrome, script: str) -> Any:
    """What a script gives, once it gives something."""
    return waiting(live).until(lambda browser: browser.execute_script(f"return {script}"))


def hurry(live: webdriver.Chrome) -> None:
    """Have pages that are opened from here on look ten times as often whether something has changed."""
    soon = "const later = setTimeout; window.setTimeout = (then, pause) => later(then, pause / 10);"
    live.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": soon})


def hindrances(live: webdriver.Chrome) -> list[str]:
    """What keeps people out of the page that is shown: on a telephone, in light colours and in dark ones.

    Where axe-core is missing the test is left out from here on, unless the page is too wide.
    """
    live.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", TELEPHONE)
    width = live.execute_script("return document.documentElement.scrollWidth")
    live.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    if width > TELEPHONE["width"]:
        return [f"it is {width} pixels wide"]
    require(AXE_CORE)
    found = []
    for scheme, rules in (("light", ()), ("dark", ("color-contrast",))):
        features = [{"name": "prefers-color-scheme", "value": scheme}]
        live.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})
        found += [f"{scheme}: {barrier}" for barrier in barriers(live, *rules)]
    live.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    return found


def barriers(live: webdriver.Chrome, *rules: str) -> list[str]:
    """What axe-core finds serious or critical on the page, in words; nothing of what is in frames.

    Args:
        live: The browser.
        rules: Those that are looked at; none for all.
    """
    if not live.execute_script("return Boolean(window.axe)"):
        live.execute_cdp_cmd("Runtime.evaluate", {"expression": AXE.read_text(encoding="utf-8")})
    live.set_script_timeout(SECONDS)
    found = live.execute_async_script(
        "const [rules, done] = arguments;"
        "const how = { iframes: false, ...(rules.length && { runOnly: { type: 'rule', values: rules } }) };"
        "axe.run(document, how).then((all) => done(all.violations), (error) => done(String(error)));",
        rules,
    )
    assert isinstance(found, list), found
    return [
        f"{each['id']}: {node['html'][:200]} {node.get('failureSummary', '')[:200]}"
        for each in found
        if each["impact"] in {"serious", "critical"}
        for node in each["nodes"]
    ]


def shows(live: webdriver.Chrome, selector: str, words: str) -> None:
    """Wait until a part of the page says something."""
    until(live, f"document.querySelector({selector!r})?.textContent.replace(/\\s+/g, ' ').includes({words!r})")
