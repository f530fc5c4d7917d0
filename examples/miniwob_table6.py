"""MiniWoB++ as AutoWebGLM's Table 6 has it: up to 100 episodes of each of the 56 pages, and a table page by page.

Run it from the folder of the project, once the pages are there:

    python -m harness tasks fetch miniwob
    python -m examples.miniwob_table6 --out runs/miniwob --solver examples.miniwob_solver:MiniwobSolver
    python -m examples.miniwob_table6 --out runs/few --episodes 3 --task click-test --task click-link --solver oracle

It writes the pages' task folders with as many seeds into OUT/tasks, has `python -m harness.evaluate` play them into
OUT/run (arguments that it does not know are that command's), and prints the table. Beside it stands what the oracle
reaches on the same seeds (OUT/oracle), where a way is known that is the same on all of them, and the paper's own rate.
A run that was interrupted goes on with --out OUT --resume. Every episode that was planned is in the denominator: an
error of the agent, a limit, and an error of the harness are no successes.
"""

from __future__ import annotations

import argparse
import shutil
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.overlay import overlay_file
from harness.catalog.task import TABLE
from harness.catalog.trace import TRACE
from harness.cli.boundary import error_boundary
from harness.cli.commands import evaluate
from harness.datasets.miniwob import NAME
from harness.datasets.tasksets import DatasetError, tasks_folder
from harness.papers.paper import tables_in
from harness.records.directory import RunDirectory
from harness.records.episode import Episode

PAPER = "paper"
"""The split of the 56 pages (Lai et al., 2024, appendix C, Table 6)."""
MOST_EPISODES = 100
"""Episodes of each page in the paper, section 4.1."""


@dataclass(frozen=True)
class PageRow:
    """What came of one page.

    Attributes:
        page: Its name.
        seeds: That it was planned with, in order.
        episodes: Those that were written, by seed.
    """

    page: str
    seeds: Sequence[int]
    episodes: dict[int, Episode]

    @property
    def successes(self) -> int:
        """Episodes with the whole reward of the page."""
        mains = [each.site.main for each in self.episodes.values() if each.site and each.outcome != "harness_error"]
        return sum(main is not None and main.success is True for main in mains)

    @property
    def outcomes(self) -> Counter[str]:
        """How episodes ended; ``missing`` for those that were not played."""
        there = Counter(each.outcome for each in self.episodes.values())
        return there + Counter(missing=len(self.seeds) - len(self.episodes))

    @property
    def rate(self) -> float:
        """Successes by what was planned."""
        return self.successes / len(self.seeds)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    about, _, rest = (__doc__ or "").partition("\n")
    parse = argparse.ArgumentParser(
        prog="python -m examples.miniwob_table6",
        description=about,
        epilog=rest,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parse.add_argument("--out", type=Path, required=True, metavar="OUT", help="the folder of the tasks and the run")
    what = parse.add_mutually_exclusive_group(required=True)
    what.add_argument("--solver", metavar="NAME", help="as for harness.evaluate")
    what.add_argument("--resume", action="store_true", help="go on with the run in OUT")
    parse.add_argument(
        "--episodes",
        type=int,
        choices=range(1, MOST_EPISODES + 1),
        default=MOST_EPISODES,
        metavar="N",
        help=f"of each page (default: {MOST_EPISODES}, as in the paper)",
    )
    parse.add_argument("--first-seed", type=int, default=0, metavar="N", help="episodes are on this seed and the next")
    parse.add_argument("--task", action="append", default=[], metavar="PAGE", help="only this page; may be repeated")
    return parse


def write_tasks(folder: Path, pages: Sequence[str], seeds: Sequence[int]) -> None:
    """Copy the task folders of pages, each with a table of these seeds.

    Raises:
        DatasetError: there are tasks already.
    """
    if folder.exists():
        raise DatasetError(f"{folder} is there already; give a new folder, or --resume to go on with its run")
    source = tasks_folder(NAME)
    for page in pages:
        shutil.copytree(source / page, folder / page)
        (folder / page / TABLE).write_text("".join(f"{line}\n" for line in ("seed", *seeds)), encoding="utf-8")


def rows_of(run: RunDirectory, tasks: Path) -> list[PageRow]:
    """What came of each page, by what was planned and what the run directory has."""
    catalog = Catalog(tasks, overlay_file(NAME))
    written = {(each.task, each.index): each for each in run.episodes()}
    rows = []
    for page in catalog.names():
        planned = {instance.index: int(instance.inputs["seed"]) for instance in catalog.task(page).pages}
        there = {seed: written[page, index] for index, seed in planned.items() if (page, index) in written}
        rows.append(PageRow(page, tuple(planned.values()), there))
    return rows


def paper_rates() -> Mapping[str, float]:
    """The paper's rate of its own model, by page."""
    rows = next(each.rows for each in tables_in("harness.papers.autowebglm") if each.name == "table6")
    return {row.name: float(row.printed["AutoWebGLM"]) for row in rows}


def table(rows: Sequence[PageRow], oracle: Mapping[str, float] | None = None) -> str:
    """The table, page by page, and the mean over pages.

    Args:
        rows: What came of the pages.
        oracle: The oracle's rate by page; one that is missing is unknown.
    """
    beside = (oracle or {}, paper_rates())
    width = max(len(row.page) for row in rows)
    heads = ("episodes", "successes", "rate", "oracle", "paper", "limit", "agent_error", "harness_error", "missing")
    heads += ("seeds",)
    lines = ["  ".join([f"{'page':<{width}}", *heads])]
    for row in rows:
        ends = row.outcomes
        errors = [ends["limit"], ends["agent_error"], ends["harness_error"], ends["missing"]]
        rates = [f"{rates[row.page]:.3f}" if row.page in rates else "–" for rates in beside]
        cells = [len(row.seeds), row.successes, f"{row.rate:.3f}", *rates, *errors, f"{row.seeds[0]}-{row.seeds[-1]}"]
        shown = [f"{cell!s:>{len(head)}}" for cell, head in zip(cells, heads, strict=True)]
        lines.append("  ".join([f"{row.page:<{width}}", *shown]))
    mean = sum(row.rate for row in rows) / len(rows)
    return "\n".join([*lines, f"mean over {len(rows)} pages: {mean:.3f}"])


def oracle_rates(tasks: Path, run: Path, rest: Sequence[str]) -> Mapping[str, float]:
    """Play, or go on playing, the oracle on the pages that it knows a way through; returns its rate by page."""
    known = sorted(file.parent.name for file in tasks.glob(f"*/{TRACE}"))
    if not known:
        return {}
    shared = argparse.ArgumentParser(allow_abbrev=False)
    for option in ("--workers", "--progress"):
        shared.add_argument(option)
    given = [
        word for name, value in vars(shared.parse_known_args(rest)[0]).items() if value for word in (f"--{name}", value)
    ]
    chosen = [word for page in known for word in ("--task", page)]
    of_run = ["--tasks-dir", str(tasks), "--overlay", NAME, "--solver", "oracle", *chosen, "--out", str(run)]
    evaluate.main([*(["--resume", str(run)] if RunDirectory(run).exists() else of_run), *given])
    return {row.page: row.rate for row in rows_of(RunDirectory.open(run), tasks) if row.page in known}


@error_boundary(interrupted="interrupted; the same command with --resume goes on")
def main(argv: Sequence[str] | None = None) -> int:
    """Play the pages and print the table; returns the exit code of ``harness.evaluate``."""
    arguments, rest = parser().parse_known_args(argv)
    tasks, run = arguments.out / "tasks", arguments.out / "run"
    if arguments.resume:
        of_run = ["--resume", str(run), *rest]
    else:
        seeds = range(arguments.first_seed, arguments.first_seed + arguments.episodes)
        write_tasks(tasks, Catalog(tasks_folder(NAME), overlay_file(NAME)).select(PAPER, arguments.task), seeds)
        of_run = ["--tasks-dir", str(tasks), "--overlay", NAME, "--solver", arguments.solver, "--out", str(run), *rest]
    code = evaluate.main(of_run)
    if RunDirectory(run).exists():
        played = RunDirectory.open(run)
        rows = rows_of(played, tasks)
        by_oracle = played.read().config.solver == "oracle"
        print(table(rows, oracle_rates(tasks, run.with_name("oracle"), rest) if not by_oracle else {}))
    return code


if __name__ == "__main__":
    sys.exit(main())
