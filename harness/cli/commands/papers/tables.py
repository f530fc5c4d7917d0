"""Every table of the papers as data: ``turkbench papers tables [PAPER [TABLE]]``.

docs/how-to/papers-tables.md has the details.
"""

from __future__ import annotations

import json
from collections.abc import Sequence

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.files.codec import plain
from harness.papers.paper import PAPERS

# What is slow to import is imported for work, not for help.


def parser() -> CommandLine:
    """The command line."""
    parse = CommandLine(
        prog=program("papers tables"),
        description="Print the tables of the papers: the printed numbers, our commands, what was "
        "measured here, and what differs",
        epilog="exit codes: 0 done; 2 wrong use",
    )
    parse.add_argument("paper", nargs="?", metavar="PAPER", help=f"{', '.join(PAPERS)} (default: a line a table)")
    parse.add_argument("table", nargs="?", metavar="TABLE", help="one table or figure, such as table4 (default: all)")
    parse.add_argument(
        "--json", action="store_true", help="print JSON: a list of tables with all that is known about them"
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    from harness.papers.paper_page import overview, told  # noqa: PLC0415

    papers = {name: PAPERS.find(name) for name in ([arguments.paper] if arguments.paper else PAPERS)}
    of_paper = {
        name: [paper.table(arguments.table)] if arguments.table else paper.tables() for name, paper in papers.items()
    }
    if arguments.json:
        records = [{"paper": name, **plain(table)} for name, tables in of_paper.items() for table in tables]
        print_out(json.dumps(records, ensure_ascii=False, indent=1))
    elif arguments.paper:
        print_out("\n\n\n".join(told(papers[name], table) for name, tables in of_paper.items() for table in tables))
    else:
        print_out(overview(papers))
    return COMPLETE
