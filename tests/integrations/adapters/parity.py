"""The same answers through an adapter and in a run of ours: ``python -m tests.integrations.adapters.parity NAME``.

It prints the table of docs/notes/adapters.md: theirs and ours on ten instances. The adapter's package has to
be installed.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path

from harness.actions.call import ActionCall
from harness.browser.form.fields import Field
from harness.cli.commands import evaluate
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.records.directory import RunDirectory
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode

TASKS = (
    "Catalogue check*",
    "Dialogue quality",
    "Emergency messages",
    "Named entities",
    "Paraphrase rating",
    "Questions about a picture",
    "Reading a table",
    "Sentiment of reviews",
    "Textual entailment",
    "Translation check",
)

Theirs = Callable[[str, int], float]
"""Gives the scripted answers to an instance through an adapter; the task, the row -> the score."""


def scripted(fields: Sequence[Field]) -> list[ActionCall]:
    """Answers without judgement to all that can be seen: the last option, the middle, the same words, the first box."""
    calls = []
    for field in fields:
        match field.kind:
            case _ if not field.visible or field.disabled:
                continue
            case "radio" | "select":
                calls.append(ActionCall(f"modify_{field.kind}", {"name": field.name, "value": field.values[-1]}))
            case "checkbox":
                calls.append(ActionCall("modify_checkbox", {"name": field.name, "value": [field.values[0]]}))
            case "range" if field.scale:
                calls.append(ActionCall("modify_range", {"name": field.name, "value": field.scale[1]}))
            case "text" | "textarea" if field.type in ("text", "textarea"):
                calls.append(ActionCall("modify_text", {"name": field.name, "value": "the first of two"}))
            case "text" if field.type == "number":
                calls.append(ActionCall("modify_text", {"name": field.name, "value": "2"}))
    return calls


class Scripted:
    """Our solver with these answers."""

    def solve(self, page: Page, act: Actions) -> None:
        for call in scripted(page.fields):
            act.call(call)


def ours(folder: Path) -> dict[tuple[str, int], float]:
    """Ten instances with the scores of a run of ours, whose directory is made."""
    tasks = [argument for task in TASKS for argument in ("--task", task)]
    solver = [
        "--solver",
        f"{__name__}:Scripted" if __name__ != "__main__" else "tests.integrations.adapters.parity:Scripted",
    ]
    status = evaluate.main([*solver, *tasks, "--max-instances", "1", "--out", str(folder), "--progress", "quiet"])
    assert status == evaluate.COMPLETE
    made = [score_episode(episode, PROFILES["standard"]) for episode in RunDirectory(folder).episodes()]
    return {(each.episode.task, each.episode.index): each.score or 0.0 for each in made if each.score is not None}


def main(name: str) -> int:
    """Print the table; returns the exit code."""
    theirs: Theirs = import_module(f"tests.integrations.adapters.{name}_way").theirs
    with tempfile.TemporaryDirectory() as folder:
        scores = ours(Path(folder) / "run")
    print("| task | row | theirs | ours |\n| --- | --- | --- | --- |")
    unequal = 0
    for (task, row), score in scores.items():
        other = theirs(task, row)
        unequal += other != score
        print(f"| {task} | {row} | {other:.4f} | {score:.4f} |", flush=True)
    return 1 if unequal else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
