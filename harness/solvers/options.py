"""The options of solvers on a command line: what a user leaves open, the solver or its preset decides."""

from __future__ import annotations

import argparse
import decimal
from pathlib import Path
from typing import Any

PROTOCOLS = ("field", "form")
OUTPUTS = ("text", "tools")


def add_solver_arguments(parse: argparse.ArgumentParser) -> None:
    """Arguments about models, recorded outputs and agents from outside; none has a default here."""
    model = parse.add_argument_group("models (a preset's name as --solver; --list-solvers prints them)")
    model.add_argument("--model", metavar="ID", help="another model of the preset's provider; for local: a GGUF file")
    model.add_argument("--base-url", metavar="URL", help="a server that speaks the provider's protocol")
    model.add_argument("--protocol", choices=PROTOCOLS, help="one request for each field, or a loop over the form")
    model.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        help="tell the model which fields there are; --no-field-names is the open-ended variant of form",
    )
    model.add_argument("--output", choices=OUTPUTS, help="actions as text, or as the provider's tool calls")
    model.add_argument("--encoding", metavar="NAME", help="how the page is shown as text; none for pictures alone")
    model.add_argument(
        "--vision", action=argparse.BooleanOptionalAction, help="show the page as a picture, too, or not at all"
    )
    model.add_argument("--screenshot", metavar="MODE", help="which picture: viewport, full, element or marks")
    model.add_argument("--demos", type=_count, metavar="K", help="demonstrations from the train split")
    model.add_argument("--retries", type=_count, metavar="N", help="further tries after a reply that cannot be read")
    model.add_argument("--temperature", type=float, metavar="T")
    model.add_argument("--max-input-tokens", type=_count, metavar="N", help="of a request; the page shrinks to fit")
    model.add_argument("--max-output-tokens", type=_count, metavar="N", help="of a reply")
    cost = parse.add_argument_group("limits and cost of models")
    cost.add_argument("--max-cost", type=_money, metavar="USD", help="of the whole run; then its episodes end as limit")
    cost.add_argument("--max-tokens", type=_count, metavar="N", help="of the whole run, sent and received")
    cost.add_argument("--concurrency", type=_count, metavar="N", help="calls at a time")
    cost.add_argument("--tokens-per-minute", type=_count, metavar="N")
    cost.add_argument("--call-timeout", type=float, metavar="SECONDS", help="for one call")
    cost.add_argument("--cache", type=_folder, metavar="DIR", help="replies, shared by runs (default: the run's own)")
    other = parse.add_argument_group("other solvers")
    other.add_argument("--predictions", type=_file, metavar="FILE", help="recorded outputs, for --solver offline")
    other.add_argument(
        "--command", metavar="TEXT", help="the program of --solver command, or the assistant of --solver mcp"
    )
    other.add_argument(
        "--mcp-server", metavar="TEXT", help="for --solver mcp with --model: another MCP server than the page's own"
    )
    other.add_argument(
        "--pass-env", action="append", metavar="NAME", help="a variable, such as a key, that such a program is given"
    )


NAMES = (
    "model",
    "base_url",
    "protocol",
    "field_names",
    "output",
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
    "command",
    "mcp_server",
    "pass_env",
)


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that were given, as JSON holds them."""
    return {name: getattr(arguments, name) for name in NAMES if getattr(arguments, name) is not None}


def _count(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number from 0")
    return int(text)


def _money(text: str) -> float:
    """Dollars."""
    try:
        amount = decimal.Decimal(text)
    except decimal.InvalidOperation:
        amount = decimal.Decimal("NaN")
    if not amount.is_finite() or amount < 0:
        raise argparse.ArgumentTypeError(f"{text!r} is not an amount of dollars")
    return float(amount)


def _folder(text: str) -> str:
    return str(Path(text).resolve())


def _file(text: str) -> str:
    file = Path(text)
    if not file.is_file():
        raise argparse.ArgumentTypeError(f"there is no file {text}")
    return str(file.resolve())
