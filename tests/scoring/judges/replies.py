"""Recorded replies of judges."""

from __future__ import annotations

import json

RECORD = {
    "benchmark": "made",
    "agent": "made",
    "task": "made.1",
    "reply": "Thoughts: fine\nStatus: success",
    "key_points": "1. one",
    "images": [{"reply": "### Score: 3", "score": 3}],
    "usage": {"prompt_tokens": 3},
}


def written(folder, *records):
    file = folder / "replies.jsonl"
    file.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return file
