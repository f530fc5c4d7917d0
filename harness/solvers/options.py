"""The options of solvers, by the names of their arguments."""

from __future__ import annotations

PROTOCOLS = ("field", "form")
OUTPUTS = ("text", "tools")
PROMPTS = ("harness", "turkingbench")
HOW_ASKED = (
    "model",
    "encoding",
    "screenshot",
    "protocol",
    "output",
    "prompts",
    "demos",
    "temperature",
    "max_input_tokens",
    "max_output_tokens",
)
"""Options that a preset decides too, by which runs of one model differ."""
NAMES = (
    "model",
    "base_url",
    "retired_anyway",
    "protocol",
    "field_names",
    "output",
    "prompts",
    "encoding",
    "vision",
    "screenshot",
    "demos",
    "retries",
    "temperature",
    "max_input_tokens",
    "max_output_tokens",
    "max_cost",
    "max_tokens",
    "concurrency",
    "tokens_per_minute",
    "call_timeout",
    "cache",
    "predictions",
    "answers",
    "annotator",
    "command",
    "mcp_server",
    "pass_env",
    "isolate",
    "isolate_image",
    "isolate_read",
    "isolate_write",
    "allow_host",
)
