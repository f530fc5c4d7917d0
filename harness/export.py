"""Runs as training examples, preference pairs, plain tables or features of fields: ``python -m harness.export RUN``."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from harness.browser.launch import NoBrowser
from harness.catalog.problems import CatalogError
from harness.cli.program import program
from harness.evaluate import COMPLETE, INCOMPLETE, positive, wrong_use
from harness.observe import ENCODINGS
from harness.observe.screenshots import MODES as SCREENSHOTS
from harness.run.progress import MODES
from harness.run.server import ServerRefused
from harness.runlog.directory import NotARun
from harness.solvers.models.recipe import Recipe
from harness.solvers.options import PROTOCOLS
from harness.trajectory.examples import examples
from harness.trajectory.features import dump
from harness.trajectory.preferences import pairs
from harness.trajectory.shown import Style, shown
from harness.trajectory.sinks import CannotExport, lines_to, tables_to
from harness.trajectory.source import ORACLE, Choice, Exported, Source, episodes_of, open_all
from harness.trajectory.tables import TABLES

FORMATS = ("sft", "preference", "jsonl", "parquet")
GOOD = 1.0
"""The score from which an episode is an example to learn from, unless ``--min-score`` says another."""


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog=program("harness.export"),
        description=__doc__,
        epilog="exit codes: 0 done; 1 there was nothing to export, or it was interrupted; 2 wrong use",
    )
    parse.add_argument("runs", type=Path, nargs="+", metavar="RUN", help="run directory")
    parse.add_argument(
        "--format",
        choices=FORMATS,
        help="sft: chat examples; preference: pairs of a better and a worse reply; jsonl, parquet: tables of episodes, "
        "fields, steps and turns",
    )
    parse.add_argument(
        "--out",
        type=Path,
        metavar="PATH",
        help="sft, preference: the file (default: standard output); jsonl, parquet: the folder of the tables",
    )
    parse.add_argument("--features", type=Path, metavar="DIR", help="dump picture, HTML and actions of every field")
    parse.add_argument(
        "--min-score",
        type=float,
        metavar="X",
        help=f"only episodes with at least this score, 0 to 1 (default for sft: {GOOD:g}, but all of the oracle's; "
        "else all)",
    )
    parse.add_argument("--solver", action="append", metavar="NAME", help="only runs of this solver (repeatable)")
    parse.add_argument("--split", action="append", metavar="NAME", help="only tasks of this split (repeatable)")
    replayed = parse.add_argument_group(
        "episodes without a model, and --features", "They are done again in a browser, to see each page."
    )
    replayed.add_argument("--protocol", choices=PROTOCOLS, default="field", help="(default: %(default)s)")
    replayed.add_argument("--encoding", choices=[*ENCODINGS, "none"], default="relevant", help="(default: %(default)s)")
    replayed.add_argument(
        "--screenshot", choices=SCREENSHOTS, default="none", help="needs --out (default: %(default)s)"
    )
    replayed.add_argument(
        "--max-input-tokens",
        type=positive,
        default=Recipe.max_input_tokens,
        metavar="N",
        help="of an example's prompt; the page shrinks to fit (default: %(default)s)",
    )
    replayed.add_argument("--tasks-dir", type=Path, metavar="DIR", help="the task folders, if they have moved")
    replayed.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="browsers at a time (default: %(default)s)"
    )
    replayed.add_argument("--progress", choices=MODES, help="bar (default on a terminal), plain, json or quiet")
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    if reason := _mistake(arguments):
        return wrong_use(reason)
    told = Told()
    try:
        sources = open_all(arguments.runs)
        if arguments.features:
            chosen = list(episodes_of(sources, _choice(arguments)))
            left_out: Counter[str] = Counter()
            count = dump(chosen, arguments.features, left_out, **_browsers(arguments))
            told.rows("fields with features", count, [each.episode.split for each in chosen if each.held_out], left_out)
        if arguments.format:
            _WRITERS[arguments.format](arguments, sources, told)
    except (NotARun, CannotExport, CatalogError, ServerRefused, NoBrowser) as error:
        return wrong_use(str(error))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INCOMPLETE
    print(told, file=sys.stderr)
    return COMPLETE if told.count else INCOMPLETE


class Told:
    """What there is to say at the end.

    Attributes:
        count: Rows of all kinds.
    """

    def __init__(self) -> None:
        self.count = 0
        self._lines: list[str] = []
        self._held_out: Counter[str] = Counter()

    def rows(self, what: str, count: int, held_out: Iterable[str], left_out: Mapping[str, int]) -> None:
        """Add rows.

        Args:
            what: What they are.
            count: How many.
            held_out: The splits of those that are not to be learnt from.
            left_out: Reason -> how often something is left out for it.
        """
        self.count += count
        self._lines.append(f"{count} {what}")
        self._lines += [f"left out: {times} x {reason}" for reason, times in sorted(left_out.items()) if times]
        self._held_out.update(held_out)

    def __str__(self) -> str:
        lines = [*self._lines]
        if self._held_out:
            splits = ", ".join(sorted(self._held_out))
            lines.append(
                f"marked as held_out: what is of {splits}. A model that learns from it must not be evaluated on it; "
                "--split train leaves it out"
            )
        return "\n".join(lines)


def _mistake(arguments: argparse.Namespace) -> str:
    """Why the arguments cannot be meant so; empty if they can."""
    if not arguments.format and not arguments.features:
        return f"give --format ({', '.join(FORMATS)}) or --features DIR"
    if arguments.format in ("jsonl", "parquet") and not arguments.out:
        return f"--format {arguments.format} writes several tables: name their folder with --out"
    if arguments.screenshot != "none" and not arguments.out:
        return "--screenshot writes pictures beside the examples: name their file with --out"
    if arguments.encoding == "none" and arguments.screenshot == "none":
        return "--encoding none shows a page as a picture alone: give --screenshot, too"
    if arguments.screenshot == "element" and arguments.protocol == "form":
        return "--screenshot element shows one field: --protocol form needs another"
    return ""


def _choice(arguments: argparse.Namespace) -> Choice:
    return Choice(arguments.min_score, tuple(arguments.solver or ()), tuple(arguments.split or ()))


def _browsers(arguments: argparse.Namespace) -> dict[str, Any]:
    return {"tasks_dir": arguments.tasks_dir, "workers": arguments.workers, "mode": arguments.progress}


def _write_examples(arguments: argparse.Namespace, sources: Sequence[Source], told: Told) -> None:
    out: Path | None = arguments.out

    def good(each: Exported) -> bool:
        score = each.score.score
        if arguments.min_score is not None or score is None:
            return score is not None
        return score >= GOOD or each.source.solver == ORACLE

    without: list[Exported] = []

    def with_turns() -> Iterator[Exported]:
        for each in filter(good, episodes_of(sources, _choice(arguments))):
            if each.episode.turns:
                yield each
            elif each.episode.steps:
                without.append(each)

    recipe = Recipe(
        model="",
        protocol=arguments.protocol,
        encoding=arguments.encoding,
        screenshot=arguments.screenshot,
        max_input_tokens=arguments.max_input_tokens,
    )
    style = Style(recipe, (out.parent if out else Path()) / "images")
    left_out: Counter[str] = Counter()
    with _counted("examples", out, told, left_out) as write:
        for row in examples(with_turns(), out, left_out):
            write(row)
        if without:
            for row in shown(without, style, left_out, **_browsers(arguments)):
                write(row)


def _write_pairs(arguments: argparse.Namespace, sources: Sequence[Source], told: Told) -> None:
    with _counted("pairs", arguments.out, told, {}) as write:
        for row in pairs(episodes_of(sources, _choice(arguments)), arguments.out):
            write(row)


def _write_tables(arguments: argparse.Namespace, sources: Sequence[Source], told: Told) -> None:
    counts: Counter[str] = Counter()
    held_out: set[str] = set()
    with tables_to(arguments.out, arguments.format, TABLES) as sinks:
        for each in episodes_of(sources, _choice(arguments)):
            if each.held_out:
                held_out.add(each.episode.split)
            for table in TABLES:
                for row in table.rows(each):
                    sinks[table.name].write(row)
                    counts[table.name] += 1
    for table in TABLES:
        told.rows(table.name, counts[table.name], held_out, {})


_WRITERS: Mapping[str, Callable[[argparse.Namespace, Sequence[Source], Told], None]] = {
    "sft": _write_examples,
    "preference": _write_pairs,
    "jsonl": _write_tables,
    "parquet": _write_tables,
}


@contextmanager
def _counted(
    what: str, out: Path | None, told: Told, left_out: Mapping[str, int]
) -> Iterator[Callable[[Mapping[str, Any]], None]]:
    """A context for writing lines, which are counted."""
    count = 0
    held_out: set[str] = set()
    with lines_to(out) as sink:

        def write(row: Mapping[str, Any]) -> None:
            nonlocal count
            count += 1
            if row["held_out"]:
                held_out.add(row["split"])
            sink.write(row)

        yield write
    told.rows(what, count, held_out, left_out)


if __name__ == "__main__":
    sys.exit(main())
