"""Do again what a run did, from its action text, and compare the forms: ``python -m harness.replay RUN``."""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.actions.call import ActionCall
from harness.actions.library import ACTIONS, Actions
from harness.actions.parser import parse
from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.seat import Seat
from harness.catalog import Catalog
from harness.catalog.problems import CatalogError, MalformedTask
from harness.catalog.task import Instance
from harness.episode import Episode
from harness.evaluate import COMPLETE, INCOMPLETE, Bar, positive, wrong_use
from harness.run.pool import Pool
from harness.run.runlog import NotARun, RunDirectory
from harness.server import ServerRefused, own_server, page_url
from harness.submission import submit

Values = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Difference:
    """A field that a replay left otherwise than the run did.

    Attributes:
        episode: Of the run.
        field: The field's name; empty if the episode could not be replayed at all.
        before: What the run's form sent.
        now: What the replayed form sent.
        reason: Why the episode could not be replayed; empty if it was.
    """

    episode: Episode
    field: str = ""
    before: Sequence[str] = ()
    now: Sequence[str] = ()
    reason: str = ""

    def __str__(self) -> str:
        place = f"{self.episode.task}, instance {self.episode.index}"
        if not self.field:
            return f"{place}: {self.reason}"
        return f"{place}, field {self.field!r}: the run sent {list(self.before)}, the replay {list(self.now)}"


def calls_of(episode: Episode) -> list[ActionCall]:
    """The actions of an episode, parsed from its action text.

    Raises:
        ValueError: the text of a step is not one action.
    """
    calls = []
    for step in episode.steps:
        parsed = parse(step.action, ACTIONS)
        if len(parsed) != 1 or not isinstance(parsed[0], ActionCall):
            raise ValueError(f"the step {step.action!r} is not one action")
        calls.append(parsed[0])
    return calls


def replay_episode(seat: Seat, url: str, calls: Sequence[ActionCall]) -> Values:
    """Perform actions on a fresh page and submit it; gives what the form sends."""
    seat.browser.open(url)
    # What an action did within a limit it may do again, however long it takes now.
    act = Actions(seat.browser, seat.display, max_steps=len(calls), max_seconds=math.inf)
    for call in calls:
        act.call(call)
    return submit(seat.browser).values


def compare(episode: Episode, now: Values) -> list[Difference]:
    """The fields, scored or not, in which a replay differs from the run."""
    before: Values = episode.submission.values if episode.submission else {}
    names = sorted(set(before) | set(now))
    return [
        Difference(episode, name, before.get(name, ()), now.get(name, ()))
        for name in names
        if before.get(name, ()) != now.get(name, ())
    ]


def replay(run: RunDirectory, tasks_dir: Path | None = None, workers: int = 1) -> tuple[int, list[Difference]]:
    """Replay every episode of a run that reached its end.

    Args:
        run: The run directory; it is not changed.
        tasks_dir: The task folders, if they have moved since.
        workers: Browsers at a time.

    Returns:
        How many episodes were replayed, and every difference.

    Raises:
        NotARun, CatalogError, ServerRefused, NoBrowser: as their messages say.
    """
    config: dict[str, Any] = run.read()["config"]
    catalog = Catalog(tasks_dir or Path(config["tasks_dir"]), Path(config["overlay"]) if config["overlay"] else None)
    differences: list[Difference] = []
    jobs: list[tuple[Episode, Instance, list[ActionCall]]] = []
    for episode in run.episodes():
        if episode.submission is None:
            continue
        instance = _instance(catalog, episode)
        if instance is None:
            differences.append(Difference(episode, reason="the task set has no such instance any more"))
            continue
        try:
            jobs.append((episode, instance, calls_of(episode)))
        except ValueError as error:
            differences.append(Difference(episode, reason=str(error)))
    bar = Bar()
    with own_server(catalog.tasks_dir, Path(config["overlay"]) if config["overlay"] else None) as origin:

        def done(job: tuple[Episode, Instance, list[ActionCall]], values: Values) -> None:
            differences.extend(compare(job[0], values))
            bar.advance(None)

        def failed(job: tuple[Episode, Instance, list[ActionCall]], reason: str) -> None:
            differences.append(Difference(job[0], reason=reason))
            bar.advance(None)

        bar.start("replay", len(jobs))
        try:
            Pool(
                lambda seat, _, job: replay_episode(seat, page_url(origin, job[1]), job[2]),
                done,
                failed,
                settings=BrowserSettings(origin=origin, live_clock=config["live_clock"]),
                workers=workers,
                on_interrupt=bar.interrupted,
            ).run(jobs)
        finally:
            bar.finish()
    return len(jobs), differences


def _instance(catalog: Catalog, episode: Episode) -> Instance | None:
    try:
        instances = catalog.task(episode.task).instances
    except (KeyError, MalformedTask):
        return None
    return next((instance for instance in instances if instance.id == episode.id), None)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    parse = argparse.ArgumentParser(
        prog="python -m harness.replay",
        description=__doc__,
        epilog="exit codes: 0 every form is the same; 1 some differ; 2 wrong use",
    )
    parse.add_argument("run", type=Path, metavar="RUN", help="run directory")
    parse.add_argument("--tasks-dir", type=Path, metavar="DIR", help="the task folders, if they have moved")
    parse.add_argument(
        "--workers", type=positive, default=1, metavar="N", help="browsers at a time (default: %(default)s)"
    )
    return parse


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code."""
    arguments = parser().parse_args(argv)
    try:
        count, differences = replay(RunDirectory.open(arguments.run), arguments.tasks_dir, arguments.workers)
    except (NotARun, CatalogError, ServerRefused, NoBrowser) as error:
        return wrong_use(str(error))
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return INCOMPLETE
    for difference in differences:
        print(difference)
    print(f"{count} episodes replayed, {len(differences)} differences")
    return INCOMPLETE if differences else COMPLETE


if __name__ == "__main__":
    sys.exit(main())
