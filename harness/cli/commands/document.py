"""Write a generated page of the documentation: ``turkbench document actions > docs/reference/action-library.md``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module

from harness.cli.boundary import COMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.papers.paper import PAPERS

PAGES = {
    "actions": "harness.episode.library_page",
    "api": "harness.api.api_page",
    "options": "harness.cli.commands.options_page",
}
"""What is slow to import is imported for work, not for help."""
PAPER = "papers/"
"""In front of the name of a paper, whose page is told from its data."""
SCHEMA = "schema/"
"""In front of the name of a file of runs, of which the page is the JSON Schema."""
SCHEMAS = ("run", "episode", "verdicts", "film", "maintenance", "judge", "judgement")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("document"), description=__doc__)
    parse.add_argument(
        "page",
        choices=[*PAGES, *(f"{PAPER}{name}" for name in PAPERS), *(f"{SCHEMA}{name}" for name in SCHEMAS)],
        help="the action library, what `import turkbench` offers, evaluate's options, a paper's items, or the JSON "
        "Schema of a file of runs or of maintenance",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    page = parser().parse_args(argv).page
    if page in PAGES:
        sys.stdout.write(import_module(PAGES[page]).document())
    elif page.startswith(PAPER):
        sys.stdout.write(import_module("harness.papers.paper_page").document(page.removeprefix(PAPER)))
    else:
        from harness.cli.commands.schemas import schema_text  # noqa: PLC0415 - as above

        sys.stdout.write(schema_text(page.removeprefix(SCHEMA)))
    return COMPLETE
