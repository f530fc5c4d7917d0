"""Whether two input back ends send the same forms: ``python -m benchmarks.inputs OUT``.

The oracle, and a solver that draws with the same seed, fill in the same pages over each; what the forms sent is
compared field by field. A run that is there already is gone on with, so that it can be done in parts. The way
``library`` does their actions with ``harness.ActionLibrary`` and a driver of Selenium's, as one does outside a run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import get_args

from harness.catalog.labels import number
from harness.forms.form_replaying import Difference, compare
from harness.kit.files.installation import BUNDLED_TASKS
from harness.records.config import InputName
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.scoring.answers.columns import SCORED

SOLVERS = ("oracle", "random")
LIBRARY = "library"
WAYS = (*get_args(InputName), LIBRARY)
MEASURED = ", measured by the page"


@dataclass
class Comparison:
    """What two runs of one solver sent.

    Attributes:
        pages: How many both have.
        equal: In how many of these every field was sent alike.
        differences: The fields of the others, with what the first run sent and what the second.
        lacking: Pages that only one of them has.
        outcomes: Pages whose episodes ended otherwise.
    """

    pages: int = 0
    equal: int = 0
    differences: list[Difference] = field(default_factory=list)
    lacking: list[str] = field(default_factory=list)
    outcomes: list[str] = field(default_factory=list)

    @property
    def measured(self) -> int:
        """How many of the differences are in what pages measure."""
        return sum(map(is_measured, self.differences))

    @property
    def is_explained(self) -> bool:
        """Whether the runs have the same pages, which differ in what pages measure at most."""
        return not self.lacking and not self.outcomes and self.measured == len(self.differences)

    def lines(self) -> Iterator[str]:
        """It in words, the figures first."""
        yield (
            f"{self.equal} of {self.pages} pages equal; fields that differ: {len(self.differences)}, "
            f"of which pages measure {self.measured} themselves"
        )
        yield from (f"  only in one run: {place}" for place in self.lacking)
        yield from (f"  {words}" for words in self.outcomes)
        for each in self.differences:
            place = f"{each.episode.task}, instance {each.episode.index}, field {each.field!r}"
            yield f"  {place}: {list(each.before)} and {list(each.now)}{MEASURED if is_measured(each) else ''}"


def is_measured(difference: Difference) -> bool:
    """Whether a field holds what the page measures, as the time a worker took.

    That is a number each time, in a field that no score counts and no solver is told of: nobody can have entered it.
    """
    record = next((each for each in difference.episode.fields if each.name == difference.field), None)
    if record is not None and (record.told or record.status == SCORED):
        return False
    return all(len(sent) == 1 and number(sent[0]) is not None for sent in (difference.before, difference.now))


def compared(first: RunDirectory, second: RunDirectory) -> Comparison:
    """Hold two runs of the same pages against each other."""
    ours, theirs = ({(each.task, each.index): each for each in run.episodes()} for run in (first, second))
    found = Comparison(lacking=[f"{task}, instance {index}" for task, index in sorted(ours.keys() ^ theirs.keys())])
    for place in sorted(ours.keys() & theirs.keys()):
        found.pages += 1
        one, other = ours[place], theirs[place]
        differences = compare(one, other.submission.values if other.submission else {})
        found.differences += differences
        if (one.outcome, one.detail) != (other.outcome, other.detail):
            found.outcomes.append(f"{_ended(one)}; {other.outcome} {other.detail}")
        elif not differences:
            found.equal += 1
    return found


def _ended(episode: Episode) -> str:
    return f"{episode.task}, instance {episode.index}: {episode.outcome} {episode.detail}".rstrip()


def play(folder: Path, solver: str, back_end: str, options: Sequence[str]) -> None:
    """Make a run, or go on with it; ``back_end`` is one of ``WAYS``.

    Raises:
        subprocess.CalledProcessError: it cannot be made.
    """
    if (folder / "run.json").exists():
        command = ["--resume", str(folder)]
    else:
        if back_end == LIBRARY:
            # Each command of the driver is a step.
            options = [*options, "--max-steps", "1000000"]
            solver, back_end = f"benchmarks.library_solvers:Library{solver.title()}", "webdriver"
        command = ["--solver", solver, "--input", back_end, "--out", str(folder), *options]
    done = subprocess.run([sys.executable, "-m", "harness.evaluate", *command], check=False)
    if done.returncode not in (0, 1):
        raise subprocess.CalledProcessError(done.returncode, command)


def main() -> int:
    """Run the command line; 0 if all forms are equal but for what pages measure, 1 if not."""
    parse = argparse.ArgumentParser(prog="python -m benchmarks.inputs", description=(__doc__ or "").partition("\n")[0])
    parse.add_argument("out", type=Path, metavar="OUT", help="folder of the runs")
    parse.add_argument("--tasks-dir", type=Path, default=BUNDLED_TASKS, metavar="DIR")
    parse.add_argument("--overlay", metavar="FILE")
    parse.add_argument("--max-instances", type=int, default=3, metavar="N", help="of a task (default: %(default)s)")
    parse.add_argument("--workers", type=int, default=2, metavar="N")
    parse.add_argument("--inputs", nargs=2, choices=WAYS, default=["devtools", "webdriver"])
    parse.add_argument("--solvers", nargs="+", default=SOLVERS, metavar="NAME", help="(default: oracle random)")
    arguments = parse.parse_args()
    options = ["--tasks-dir", str(arguments.tasks_dir), "--max-instances", str(arguments.max_instances)]
    options += ["--workers", str(arguments.workers), *(["--overlay", arguments.overlay] if arguments.overlay else [])]
    is_equal = True
    for solver in arguments.solvers:
        folders = [arguments.out / f"{solver}-{back_end}" for back_end in arguments.inputs]
        for folder, back_end in zip(folders, arguments.inputs, strict=True):
            play(folder, solver, back_end, options)
        first, second = map(RunDirectory, folders)
        found = compared(first, second)
        print(f"{solver}:", "\n".join(found.lines()), flush=True)
        is_equal = is_equal and found.is_explained
    return 0 if is_equal else 1


if __name__ == "__main__":
    sys.exit(main())
