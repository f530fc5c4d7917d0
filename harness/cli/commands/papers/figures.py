"""The paper's figures of scores, over runs: ``turkbench papers turkingbench figure6 RUN RUN``.

figure5 RUN ...       score by modality and task
figure6 RUN ...       score by number of demonstrations
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from harness.cli.boundary import COMPLETE, error_boundary, print_out, program
from harness.cli.command_line import CommandLine
from harness.kit.errors import UserError
from harness.kit.files.writing import write_bytes
from harness.papers.turkingbench.paper_rows import source
from harness.scoring.metrics import PROFILES

_NAMES = ("figure5", "figure6")


def parser() -> CommandLine:
    """The command line."""
    parse = CommandLine(
        prog=program("papers turkingbench"),
        description="Figures 5 and 6 of the TurkingBench paper over runs: score by modality and task, and by number of "
        "demonstrations",
        epilog="exit codes: 0 done; 2 wrong use, a run that cannot be read, or no two runs that can be compared",
    )
    parse.add_argument("figure", choices=_NAMES, help="number of the figure in the paper")
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directories, or folders that hold some")
    parse.add_argument("--svg", type=Path, metavar="FILE", help="also write the figure, as SVG")
    parse.add_argument(
        "--metrics",
        choices=list(PROFILES),
        default=source("profile"),
        help="scoring profile (default: %(default)s)",
    )
    return parse


@error_boundary()
def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    # What is slow to import is imported for work, not for help.
    from harness.papers.turkingbench.figures import figure_data, in_words, picture  # noqa: PLC0415
    from harness.reports.html.svg_file import svg_file  # noqa: PLC0415

    data = figure_data(arguments.figure, arguments.runs, arguments.metrics)
    if arguments.svg:
        try:
            write_bytes(arguments.svg, svg_file(picture(data)).encode())
        except OSError as error:
            raise UserError(f"{arguments.svg} cannot be written: {error.strerror}") from error
    print_out(in_words(data, arguments.metrics))
    return COMPLETE
