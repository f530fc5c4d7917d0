"""Complete runs over task folders, written without a browser: every hash in them is what a real run would write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from harness.browser.form.inventory import PageFacts, fingerprint
from harness.catalog import Catalog
from harness.catalog.task import Instance
from harness.episode.assignment import TaskAssignments
from harness.episode.play import make_episode
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.provenance import Provenance, WorkingCopy, fingerprint_of
from harness.records.run_record import comparability_id
from harness.records.turn import Turn
from harness.scoring.metrics import PROFILES
from tests.samples import field, run_record, submission
from tests.task_folders import csv_text, make_task

FIELDS = (field("a"), field("r", "radio", "1", "2"), field("s", "range"))
ROWS = [["one", "cat", "1", "10"], ["one", "dog", "2", "30"], ["two", "cat", "1", "70"], ["three", "a bird", "2", "50"]]

Answers = Callable[[Instance], Mapping[str, str]]


def make_tasks(folder: Path, *names: str) -> Path:
    """Tasks with three instances, the first with two workers, and fields of three kinds."""
    table = csv_text(["text", "Answer.a", "Answer.r", "Answer.s"], *ROWS)
    for name in names:
        make_task(folder, name, template=f"<p>{name}: ${{text}}</p>", table=table)
    return folder


def always(**values: str) -> Answers:
    return lambda _: values


def play(
    folder: Path,
    tasks_dir: Path,
    answers: Answers,
    *,
    profile: str = "standard",
    turns: tuple[Turn, ...] = (),
    unseen: bool = False,
    **values: Any,
) -> RunDirectory:
    """A run, each episode with these turns; ``values`` go into its ``run.json``, those of ``config`` into that.

    ``unseen``: as of a program that worked past the action library, so that nothing of it can be done again.
    """
    catalog = Catalog(tasks_dir)
    made: list[Episode] = []
    config = replace(RunConfig("random", tasks_dir, metrics=profile), **values.pop("config", {}))
    by_workers = config.solver == "crowd"
    page = PageFacts(FIELDS, submission(a="", s="0"), ())
    for name in catalog.names():
        assignments = TaskAssignments(catalog.task(name), PROFILES[profile])
        for instance in assignments.task.instances:
            sent = None if by_workers else submission(**{k: (v,) for k, v in answers(instance).items()})
            played = make_episode(assignments.make(instance, "", page), sent, turns=turns)
            made.append(replace(played, unseen=unseen))
    given: dict[str, Any] = {
        "ended": "2026-01-31T12:30:00+00:00",
        "config": config,
        "provenance": Provenance(WorkingCopy("ab" * 20, ("x",)), "3.11.7", "Linux", "Chrome/1", {}),
        "task_set": catalog.set_fingerprint(catalog.names()),
        "inventory": fingerprint((each.task, each.id, each.page) for each in made),
        "protocol": "field-names",
        "sample": fingerprint_of(sorted((each.task, each.id) for each in made)),
        "planned_episodes": len(made),
        **values,
    }
    record = run_record(**given)
    record = replace(record, comparability_id=comparability_id(record.compared, profile))
    run = RunDirectory(folder)
    run.write(record)
    for each in made:
        run.add(each, {})
    return run
