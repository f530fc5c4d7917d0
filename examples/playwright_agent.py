r"""An agent from outside, in Python with Playwright, which joins the browser of the episode.

    pip install -r requirements.txt playwright    # no browser has to be downloaded
    python -m harness.evaluate --solver command --command "python examples/playwright_agent.py" \
        --isolate-read harness --isolate-read turkbench.py --max-instances 2

The harness' own actions do the work (docs/how-to/actions-on-any-page.md). What to enter is decided in
``answering.py``: by a model, if one is named. What it is told, and how it may end, is in docs/reference/program.md.
"""

from __future__ import annotations

import json
import sys

from answering import answers
from playwright.sync_api import sync_playwright

from turkbench import ActionLibrary


def main() -> None:
    """Read what there is to do, do it, and leave page and browser open."""
    told = json.load(sys.stdin)
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(told["devtools"]["http"])
        # The browser may list pages of its own beside this one.
        page = next(page for context in browser.contexts for page in context.pages if page.url == told["url"])
        act = ActionLibrary(page)
        fields = [field for field in told["fields"] if field["visible"]]
        values = answers(fields, page.inner_text("body"))
        for field in fields:
            if field["name"] in values:
                kind = "text" if field["kind"] == "textarea" else field["kind"]
                result = act.use(f"modify_{kind}", {"name": field["name"], "value": values[field["name"]]})
                # What is printed is kept with the episode.
                print(result.message, file=sys.stdout if result.ok else sys.stderr)


if __name__ == "__main__":
    main()
