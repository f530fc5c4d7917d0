"""A run to be logged, made without a browser, and what no tracker may be told of it."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

from harness.actions.result import Step
from harness.kit.files.installation import PACKAGE
from harness.models.ledger import Totals
from harness.models.messages import Usage
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.provenance import Provenance, WorkingCopy
from harness.records.turn import Turn
from tests.checkout import PROJECT
from tests.samples import record, run_record, submission

PAGE_TEXT, LABEL, KEY = "periwinkle on the page", "celadon", "sk-a-key-of-a-provider"
SECRETS = (PAGE_TEXT, LABEL, KEY)
TASK = 'Colours [A+B] "new"'
TASK_ID = "Colours_.5bA.2bB.5d_.22new.22"
PLACES = ((TASK, 0), (TASK, 1), (TASK, 2), ("Other", 0))
TURN = Turn(
    reply=PAGE_TEXT, usage=Usage(1000, 100), cost=0.013, finish="stop", model="gpt-4-0613", ms=50.0, steps=(0, 1)
)
PRIVATE = {
    "command": f"agent --key {KEY}",
    "pass_env": [KEY],
    "base_url": f"http://me:{KEY}@10.0.0.1/v1",
    "cache": f"/home/{KEY}",
}


def make_run(folder: Path) -> Path:
    """A complete run of a model: one right answer of four; returns its directory."""
    run = RunDirectory(folder / "run")
    config = RunConfig("gpt4-text", Path("/home") / KEY, options={"max_cost": 5.0, **PRIVATE}, max_instances=3, seed=7)
    made = run_record(
        config=config,
        ended="2026-01-31T12:05:00+00:00",
        provenance=Provenance(WorkingCopy("abc", ("a", "b")), "3.11.7", "", "Chrome/150", {PACKAGE: "0.1.0"}),
        solver={"provider": "openai", "recipe": {"model": "gpt-4", "encoding": "full", "site": None}},
        planned_episodes=None,
        comparability_id="0123456789",
        spent=Totals(4, 0, Usage(4000, 400), Decimal("0.052")),
    )
    run.write(made)
    for number, (task, index) in enumerate(PLACES):
        run.add(replace(episode(right=task == "Other"), task=task, index=index, id=f"{number:012x}"), {})
    return run.folder


def episode(*, right: bool) -> Episode:
    """One with a turn, an action, and a field that is right or not."""
    sent = LABEL if right else PAGE_TEXT
    return Episode(
        task="",
        index=0,
        id="",
        split="test",
        outcome="scored",
        fields=(record("a", labels=(LABEL,), sent=(sent,)),),
        submission=submission(a=[sent]),
        steps=(Step(f"modify_text('a', {sent!r})", ok=True, message=PAGE_TEXT, ms=20.0),),
        turns=(TURN,),
        timing={"open": 100.0, "think": 60.0, "act": 20.0, "submit": 10.0},
        attempts=1,
        longest_input=PAGE_TEXT,
        ended="2026-01-31T12:01:00.500+00:00",
    )


def follow(name: str, run: Path, **environment: str) -> str:
    """What is said while a run is told of as if it went on, in a process of its own and in the run's parent folder."""
    program = "from tests.integrations.tracking.logged import *; follow_here(*sys.argv[1:])"
    done = subprocess.run(
        [sys.executable, "-c", program, name, str(run)],
        cwd=run.parent,
        env={**os.environ, "PYTHONPATH": str(PROJECT), "OPENAI_API_KEY": KEY, **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout + done.stderr


def follow_here(name: str, run: str) -> None:
    """As ``follow``, in this process."""
    from harness.integrations.tracking.follower import Follower

    with Follower(name, Path(run), print) as follower:
        follower.planned([])
        for place in PLACES:
            follower.ended(*place)


def secrets_in(folder: Path) -> set[str]:
    """Which of what no tracker may be told stands in the files of a folder."""
    files = [file.read_bytes() for file in folder.rglob("*") if file.is_file()]
    assert files
    return {secret for secret in SECRETS if any(secret.encode() in data for data in files)}
