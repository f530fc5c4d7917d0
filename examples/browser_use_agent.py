r"""An agent from outside: browser-use, with a model of yours, in the browser of the episode.

    pip install browser-use                # the library alone; no browser has to be downloaded
    python -m harness.evaluate --solver command --command "python examples/browser_use_agent.py" \
        --pass-env OPENAI_API_KEY --pass-env AGENT_MODEL --max-instances 2

``Browser(cdp_url=...)`` is the one line that joins it to the episode. OPENAI_BASE_URL names another server that speaks
the protocol of OpenAI; it is passed on in the same way. What an agent is told, and how it may end, is in
docs/agents-from-outside.md.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from typing import Any

os.environ.setdefault("ANONYMIZED_TELEMETRY", "false")  # it is read when the library is imported

from browser_use import Agent, Browser, ChatOpenAI

MOST_STEPS = 40


async def main() -> None:
    """Read what there is to do, let the agent do it, and leave page and browser open."""
    told = json.load(sys.stdin)
    agent = Agent(
        task=task(told),
        llm=model(),
        browser=Browser(cdp_url=told["devtools"]["http"]),
        use_judge=False,
    )
    history = await agent.run(max_steps=MOST_STEPS)
    print(history.final_result())  # what is printed is kept with the episode


def model() -> ChatOpenAI:
    """The model; models that reason take neither a temperature nor a penalty."""
    name, address = os.environ.get("AGENT_MODEL", "gpt-6-luna"), os.environ.get("OPENAI_BASE_URL")
    return ChatOpenAI(model=name, base_url=address, temperature=None, frequency_penalty=None)


def task(told: dict[str, Any]) -> str:
    """What the agent is asked to do."""
    names = "" if told["names"] is None else f" Its fields are called {json.dumps(told['names'])}."
    return (
        f"The page {told['url']} is open. Fill in its form as the page asks.{names} Stay on this page, open no other, "
        "and do not submit the form: it is sent as it stands when you are done."
    )


if __name__ == "__main__":
    asyncio.run(main())
