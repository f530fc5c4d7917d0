"""A program with Playwright that walks through a website as a trace says: ``site_agent.py TRACE.json``."""

import asyncio
import json
import sys
from pathlib import Path

from playwright.async_api import Page, async_playwright


async def do(page: Page, step: dict) -> None:
    """Do one step of the trace."""
    element = page.locator(step["element"]["css"])
    match step["do"]:
        case "click":
            await element.click()
        case "fill":
            await element.fill(step["value"])
        case "fill_search":
            await element.fill(step["value"])
            await element.press("Enter")
        case "select_option":
            await element.select_option(label=step["value"])
    await page.wait_for_load_state()


async def main(told: dict, steps: list) -> None:
    """Join the browser, and do the steps."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.connect_over_cdp(told["devtools"]["http"])
        (page,) = [page for context in browser.contexts for page in context.pages if page.url == told["url"]]
        for step in steps:
            await do(page, step)
        await browser.close()


asyncio.run(main(json.load(sys.stdin), json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))["steps"]))
