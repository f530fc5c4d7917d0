"""The arguments of solvers: what a user leaves open, the solver or its preset decides."""

from __future__ import annotations

import argparse
from typing import Any

from harness.box.isolation import MODES
from harness.cli.argument_types import absolute, existing, folder, money, whole
from harness.solvers.options import NAMES, OUTPUTS, PLANNING, PROMPTS, PROTOCOLS, REFERENCES, REWARDS


def add_solver_arguments(parse: argparse.ArgumentParser) -> None:
    """Arguments about models, recorded outputs and agents from outside; none has a default here."""
    _add_model(parse)
    _add_model_on_sites(parse)
    _add_cost(parse)
    _add_others(parse)
    _add_box(parse)


def _add_model(parse: argparse.ArgumentParser) -> None:
    model = parse.add_argument_group("models (a preset's name as --solver; --list-solvers prints them)")
    model.add_argument("--model", metavar="ID", help="another model of the preset's provider; for local: a GGUF file")
    model.add_argument("--base-url", metavar="URL", help="a server that speaks the provider's protocol")
    model.add_argument(
        "--retired-anyway",
        action="store_const",
        const=True,
        help="ask a model that its provider has shut down all the same, e.g. where capacity is reserved for you "
        "(otherwise a preset asks what its provider recommends in its place)",
    )
    model.add_argument(
        "--protocol",
        choices=PROTOCOLS,
        help="one request for each field, a loop over the form, or steps on a website (default there)",
    )
    model.add_argument(
        "--field-names",
        action=argparse.BooleanOptionalAction,
        help="tell the model which fields there are; --no-field-names is the open-ended variant of form",
    )
    model.add_argument("--output", choices=OUTPUTS, help="actions as text, or as the provider's tool calls")
    model.add_argument(
        "--prompts",
        choices=PROMPTS,
        help="in which words and order: ours, or as TurkingBench asked; on websites ours (site), or as WebCanvas asked",
    )
    model.add_argument("--encoding", metavar="NAME", help="how the page is shown as text; none for pictures alone")
    model.add_argument(
        "--vision", action=argparse.BooleanOptionalAction, help="show the page as a picture, too, or not at all"
    )
    model.add_argument("--screenshot", metavar="MODE", help="which picture: viewport, full, element or marks")
    model.add_argument("--demos", type=whole, metavar="K", help="demonstrations, from other tasks of the train split")
    model.add_argument(
        "--demos-from",
        type=folder,
        metavar="DIR",
        help="a folder of task folders, whose train split they come from (default: the tasks' own)",
    )
    model.add_argument("--retries", type=whole, metavar="N", help="further tries after a reply that cannot be read")
    model.add_argument("--temperature", type=float, metavar="T")
    model.add_argument("--max-input-tokens", type=whole, metavar="N", help="of a request; the page shrinks to fit")
    model.add_argument("--max-output-tokens", type=whole, metavar="N", help="of a reply")


def _add_model_on_sites(parse: argparse.ArgumentParser) -> None:
    site = parse.add_argument_group("models on websites")
    site.add_argument("--planning", choices=PLANNING, help="think before each action (default), or act at once")
    site.add_argument("--memory", type=whole, metavar="N", help="steps that the model is told of again (default: all)")
    site.add_argument(
        "--ocr",
        action="store_true",
        default=None,
        help="read what is written in pictures, and show it with the page's text: with --encoding autowebglm or "
        "autowebglm-forms (needs the extra ocr)",
    )
    site.add_argument(
        "--reward",
        choices=REWARDS,
        help="what the model is shown to judge its own progress by after each step, which ends its work when it finds "
        "it finished (default: none)",
    )
    site.add_argument(
        "--reference",
        choices=REFERENCES,
        help="what it is told for that: golden is how a person did the task and what it is judged by, which no "
        "competitor is told (default: none)",
    )


def _add_cost(parse: argparse.ArgumentParser) -> None:
    cost = parse.add_argument_group("limits and cost of models")
    cost.add_argument("--max-cost", type=money, metavar="USD", help="of the whole run; then its episodes end as limit")
    cost.add_argument("--max-tokens", type=whole, metavar="N", help="of the whole run, sent and received")
    cost.add_argument("--concurrency", type=whole, metavar="N", help="calls at a time")
    cost.add_argument("--tokens-per-minute", type=whole, metavar="N")
    cost.add_argument("--call-timeout", type=float, metavar="SECONDS", help="for one call")
    cost.add_argument("--cache", type=absolute, metavar="DIR", help="replies, shared by runs (default: the run's own)")


def _add_others(parse: argparse.ArgumentParser) -> None:
    other = parse.add_argument_group("other solvers")
    other.add_argument("--predictions", type=existing, metavar="FILE", help="recorded outputs, for --solver offline")
    other.add_argument("--answers", type=existing, metavar="FILE", help="people's answers, for --solver human")
    other.add_argument("--annotator", metavar="NAME", help="whose answers, for --solver human")
    other.add_argument("--preset", metavar="NAME", help="the model that --solver mindact asks, a preset")
    other.add_argument(
        "--ranker",
        metavar="NAME",
        help="whose likeliest elements it is asked about, for --solver mindact: lexical (default), or learned:FILE, "
        "cross-encoder:DIR, bi-encoder:DIR (harness.mindact)",
    )
    other.add_argument(
        "--command", metavar="TEXT", help="the program of --solver command, or the assistant of --solver mcp"
    )
    other.add_argument(
        "--mcp-server", metavar="TEXT", help="for --solver mcp with --model: another MCP server than the page's own"
    )
    other.add_argument(
        "--pass-env", action="append", metavar="NAME", help="a variable, such as a key, that such a program is given"
    )
    other.add_argument(
        "--pass-secret",
        action="append",
        metavar="NAME",
        help="the same; its value is kept out of records whatever it is",
    )


def _add_box(parse: argparse.ArgumentParser) -> None:
    box = parse.add_argument_group("the box of such a program (docs/agents-from-outside.md)")
    box.add_argument(
        "--isolate",
        metavar=f"{{{','.join(MODES)}}}",
        help="box: what the program needs and a home of its own (default, where bubblewrap works); container: an image",
    )
    box.add_argument("--isolate-image", metavar="IMAGE", help="of the container, for docker or podman")
    box.add_argument("--isolate-read", action="append", type=absolute, metavar="PATH", help="what it can read besides")
    box.add_argument("--isolate-write", action="append", type=absolute, metavar="DIR", help="what it can write, too")
    box.add_argument(
        "--allow-host", action="append", metavar="HOST[:PORT]", help="what it can reach beside the browser (port 443)"
    )


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that were given, as JSON holds them."""
    return {name: getattr(arguments, name) for name in NAMES if getattr(arguments, name) is not None}
