"""A background worker: a process that does what is slow or large, so that the server answers at once and stays small.

Jobs come as lines of JSON on standard input, and each is answered by a line; a long one is told of by lines before it,
which say how much is done. It ends when its input ends, as it does however the server ends.
"""

from __future__ import annotations

import json
import os
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from harness.kit.errors import UserError
from harness.kit.files import codec
from harness.records.directory import RunDirectory
from harness.reports.watch.episode_rows import take_in
from harness.reports.watch.folder_changes import EpisodeFile
from harness.reports.watch.run_index import IndexGone, RunIndex
from harness.reports.watch.saved_numbers import save_numbers

if TYPE_CHECKING:
    from harness.reports.watch.compared_runs import Which

_KINDNESS = 5
"""A run that is being watched goes first."""
_TOLD_EVERY = 100
"""Episodes."""


def work() -> None:
    """Do jobs until standard input ends."""
    os.nice(_KINDNESS)
    for line in sys.stdin.buffer:
        job = codec.decode(line, dict[str, Any])
        try:
            answer = {"result": codec.plain(_JOBS[job.pop("do")](**job)), "error": ""}
        except (UserError, IndexGone, OSError) as error:
            answer = {"result": None, "error": str(error)}
        except Exception as error:  # noqa: BLE001 - a defect: the page says which, standard error where
            traceback.print_exc()
            answer = {"result": None, "error": f"a defect of turkbench, {type(error).__name__}: {error}"}
        _say(answer)


def _say(words: Mapping[str, Any]) -> None:
    try:
        sys.stdout.buffer.write(json.dumps(words).encode() + b"\n")
        sys.stdout.buffer.flush()
    except BrokenPipeError:  # whoever asked has ended meanwhile
        os._exit(0)


def _take_in(run: str, files: list[Any]) -> None:
    index = RunIndex(Path(run), RunDirectory(Path(run)).read())
    take_in(index, codec.typed(files, list[EpisodeFile]))


# What only one job needs, that job imports: scipy alone takes longer than the first rows of a run.


def _numbers(run: str) -> None:
    from harness.reports.watch.run_numbers import numbers_of  # noqa: PLC0415

    numbers = numbers_of(Path(run))
    if numbers is not None:
        with RunIndex(Path(run), RunDirectory(Path(run)).read()).open() as database:
            save_numbers(database, numbers)


def _compare(runs: list[str]) -> object:
    from harness.reports.watch.compared_runs import compared  # noqa: PLC0415

    return compared([Path(run) for run in runs])


def _shared(runs: list[str], which: Which, measure: str, *, first: int, size: int, state: str) -> object:
    from harness.reports.watch.compared_runs import shared_instances  # noqa: PLC0415

    return shared_instances([Path(run) for run in runs], which, measure, first=first, size=size, state=state)


def _draw(run: str, profile: str, fields: int, seed: int) -> int:
    from harness.reports.reviews.review import WrongReview  # noqa: PLC0415
    from harness.reports.reviews.run_reviews import start_review  # noqa: PLC0415

    try:
        return start_review(RunDirectory(Path(run)), profile, fields, seed, _tell)
    except OSError as error:
        raise WrongReview(f"The review cannot be written beside the run: {error.strerror or error}") from error


def _tell(done: int) -> None:
    if done % _TOLD_EVERY == 0:
        _say({"done": done})


_JOBS: Mapping[str, Callable[..., object]] = {
    "start": lambda: None,
    "take in": _take_in,
    "numbers": _numbers,
    "compare": _compare,
    "shared": _shared,
    "draw": _draw,
}
