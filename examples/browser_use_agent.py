r"""An agent from outside: browser-use, with a model of yours, in the browser of the episode.

    python3 -m venv agent-env && agent-env/bin/pip install browser-use    # no browser has to be downloaded
    AGENT_MODEL=gpt-6-luna python -m harness.evaluate --solver command \
        --command "agent-env/bin/python examples/browser_use_agent.py" \
        --pass-env OPENAI_API_KEY --pass-env AGENT_MODEL --allow-host api.openai.com --max-instances 2

The library wants exact versions of much: beside this project's own it comes as an old one, or breaks some of them.
``Browser(cdp_url=...)`` is the one line that joins it to the episode. OPENAI_BASE_URL names another server that speaks
the protocol of OpenAI; it is passed on in the same way, and its host allowed. What the agent took is reported. What an
agent is told, and how it may end, is in docs/reference/program.md.
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
    spent = history.usage
    if spent:
        tokens = {"input_tokens": spent.total_prompt_tokens, "output_tokens": spent.total_completion_tokens}
        print(json.dumps({"agent_report": {**tokens, "model": agent.llm.model}}))


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
