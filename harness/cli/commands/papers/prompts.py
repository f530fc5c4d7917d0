"""Take the wording of a paper's prompts from its repository: ``turkbench papers prompts PAPER [--from DIR]``.

docs/reference/prompts.md has the details.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, naming_the_file, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.errors import UserError
from harness.kit.files.writing import cache_folder
from harness.papers.paper import PAPERS


def parser() -> CommandLine:
    """The command line."""
    parse = CommandLine(
        prog=program("papers prompts"),
        description="Copy the wording of a paper's prompts from its repository, at a pinned commit, "
        "into your cache. Files are checked by their hashes and read as text; nothing in "
        "them is executed.",
        epilog="exit codes: 0 done; 2 wrong use, or the words cannot be had",
    )
    parse.add_argument("paper", metavar="PAPER", help=", ".join(PAPERS))
    parse.add_argument(
        "--from",
        dest="source",
        type=Path,
        metavar="DIR",
        help="a clone of the repository, or a folder with its files (default: download from GitHub)",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.papers.wording.taking import take, taken  # noqa: PLC0415
    from harness.papers.wording.wording import wording_in  # noqa: PLC0415

    wording = wording_in(PAPERS.find(arguments.paper).package)
    if wording is None:
        raise UserError(f"nothing is known of where the words of {arguments.paper} stand")
    with naming_the_file(otherwise=cache_folder()):
        print_out(taken(arguments.paper, wording, take(arguments.paper, wording, arguments.source)))
    return COMPLETE
