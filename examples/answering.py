"""What the agents from outside that drive a browser themselves enter into a form: what a model says, or no judgement.

AGENT_MODEL names a model of a server that speaks the protocol of OpenAI; OPENAI_BASE_URL is the server's address, and
OPENAI_API_KEY the key to it. Where no model is named, the first option of everything is taken, and words of the page.
"""

from __future__ import annotations

import json
import os
import sys
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# For the agents beside this file: ``import harness`` finds the checkout that they stand in.
sys.path.append(str(Path(__file__).parents[1]))

WORDS = 8
ASKED = (
    "Fill in the form of this page. Answer with one JSON object: for the name of each field the value to enter, as a "
    "string. Of a field with options it is the value of one of them."
)


def answers(fields: Sequence[dict[str, Any]], text: str) -> dict[str, str]:
    """Decide what to enter.

    Args:
        fields: Those of the page that can be seen, as the program was told them.
        text: The page's words.

    Returns:
        For the name of a field one of its options, or a text. A field that a model says nothing about is left out.
    """
    model = os.environ.get("AGENT_MODEL")
    if not model:
        return {field["name"]: first_answer(field, text) for field in fields}
    said = asked(model, f"{ASKED}\n\nFields: {json.dumps(fields)}\n\nPage:\n{text}")
    return {field["name"]: str(said[field["name"]]) for field in fields if field["name"] in said}


def first_answer(field: dict[str, Any], text: str) -> str:
    """An answer without judgement."""
    if field["options"]:
        return next((option["value"] for option in field["options"] if option["value"]), "")
    if field["kind"] == "range":
        return str(field["scale"][0])
    if field["type"] == "number":
        return "1"
    return " ".join(text.split()[:WORDS])


def asked(model: str, prompt: str) -> dict[str, Any]:
    """What a model says, an object; what it took is told the harness, which cannot know it."""
    address = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    content = {
        "model": model,
        "messages": [{"role": "user", "content": prompt}],
        "response_format": {"type": "json_object"},
    }
    headers = {"Content-Type": "application/json", "Authorization": f"Bearer {os.environ['OPENAI_API_KEY']}"}
    body = json.dumps(content).encode()
    request = urllib.request.Request(f"{address}/chat/completions", body, headers)  # noqa: S310 - as below
    with urllib.request.urlopen(request) as reply:  # noqa: S310 - the address is the user's own
        told = json.load(reply)
    spent = {"input_tokens": told["usage"]["prompt_tokens"], "output_tokens": told["usage"]["completion_tokens"]}
    print(json.dumps({"agent_report": {**spent, "model": model}}))
    said: dict[str, Any] = json.loads(told["choices"][0]["message"]["content"])
    return said
