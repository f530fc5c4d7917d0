r"""An agent from outside: Alumnium, with a model of yours, in the browser of the episode.

    python3 -m venv alumnium-env && alumnium-env/bin/pip install alumnium    # no browser has to be downloaded
    AGENT_MODEL=gpt-6-luna python -m harness.evaluate --solver command \
        --command "alumnium-env/bin/python examples/alumnium_agent.py" \
        --pass-env OPENAI_API_KEY --pass-env AGENT_MODEL --allow-host api.openai.com --max-instances 2

It plans the steps to a goal and does each, on a page of Playwright. OPENAI_BASE_URL names another server that speaks
the protocol of OpenAI; it is passed on in the same way, and its host allowed. What the agent took is reported. What an
agent is told, and how it may end, is in docs/reference/program.md.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from alumnium import Alumni, Model, Provider
from alumnium.tools.drag_slider_tool import DragSliderTool
from playwright.sync_api import sync_playwright


def main() -> None:
    """Read what there is to do, let the agent do it, and leave page and browser open."""
    told = json.load(sys.stdin)
    model = os.environ.get("AGENT_MODEL", "gpt-6-luna")
    # For the program of its own that asks the model, in place of a folder where the run was started.
    os.environ["ALUMNIUM_STORE_DIR"] = os.environ["TMPDIR"]
    if "OPENAI_BASE_URL" in os.environ:
        os.environ["OPENAI_CUSTOM_URL"] = os.environ["OPENAI_BASE_URL"]
    with sync_playwright() as playwright:
        browser = playwright.chromium.connect_over_cdp(told["devtools"]["http"])
        page = next(page for context in browser.contexts for page in context.pages if page.url == told["url"])
        agent = Alumni(page, Model(Provider.OPENAI, model), extra_tools=[DragSliderTool])
        try:
            print(agent.do(goal(told)).explanation)  # what is printed is kept with the episode
            spent = agent.client.stats["total"]
        finally:
            agent.client.quit()  # Alumni.quit would close the page, too
    tokens = {name: spent[name] for name in ("input_tokens", "output_tokens")}
    print(json.dumps({"agent_report": {**tokens, "model": model}}))


def goal(told: dict[str, Any]) -> str:
    """What the agent is asked to do."""
    names = "" if told["names"] is None else f" Its fields are called {json.dumps(told['names'])}."
    return (
        f"Fill in the form of this page as the page asks.{names} Do not submit it: it is sent as it stands when you "
        "are done."
    )


if __name__ == "__main__":
    main()
