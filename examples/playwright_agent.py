"""An agent from outside, in Python with Playwright: it drives the browser of the episode and needs no harness.

    pip install playwright                 # the library alone; no browser has to be downloaded
    python -m harness.evaluate --solver command --command "python examples/playwright_agent.py" --max-instances 2

What to enter is decided in ``answering.py``: by a model, if one is named. What it is told, and how it may end, is in
docs/agents-from-outside.md.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from answering import answers
from playwright.sync_api import Error, Page, sync_playwright

PATIENCE_MS = 3_000
"""How long Playwright tries to do one thing."""


def main() -> None:
    """Read what there is to do, do it, and leave page and browser open."""
    told = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(told["devtools"]["http"])
        # The browser may list pages of its own beside this one.
        page = next(page for context in browser.contexts for page in context.pages if page.url == told["url"])
        page.set_default_timeout(PATIENCE_MS)
        fields = [field for field in told["fields"] if field["visible"]]
        values = answers(fields, page.inner_text("body"))
        for field in fields:
            if field["name"] in values:
                try:
                    fill_in(page, field, values[field["name"]])
                except Error as error:
                    # What is printed is kept with the episode.
                    print(f"{field['name']}: {error.message.splitlines()[0]}", file=sys.stderr)


def fill_in(page: Page, field: dict[str, Any], value: str) -> None:
    """Enter it as a person would: with the mouse and the keyboard."""
    controls = page.locator(f"[name={json.dumps(field['name'])}]")
    match field["kind"]:
        case "checkbox" if len(field["options"]) == 1:
            controls.first.check()
        case "radio" | "checkbox":
            controls.and_(page.locator(f"[value={json.dumps(value)}]")).first.check()
        case "select":
            controls.first.select_option(value)
        case _:
            controls.first.fill(value)
    print(f"{field['name']}: {value}")


if __name__ == "__main__":
    main()
