"""The options of solvers, by the names of their arguments."""

from __future__ import annotations

FORM_PROTOCOLS = ("field", "form")
PROTOCOLS = (*FORM_PROTOCOLS, "site")
OUTPUTS = ("text", "tools")
PROMPTS = ("harness", "turkingbench", "site", "webcanvas", "autowebglm")
PLANNING = ("thought", "none")
REWARDS = ("none", "text", "picture", "both")
REFERENCES = ("none", "golden")
OF_SITES = ("planning", "memory", "reward", "reference", "ocr")
"""Options that only protocol ``site`` has."""
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
OF_MINDACT = ("preset", "ranker")
"""Options that only the solver ``mindact`` has."""
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
    "demos_from",
    "retries",
    *OF_SITES,
    *OF_MINDACT,
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
    "pass_secret",
    "isolate",
    "isolate_image",
    "isolate_read",
    "isolate_write",
    "allow_host",
)
