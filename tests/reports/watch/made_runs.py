"""Run directories for tests of the pages about runs, made without a browser."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from harness.actions.result import ErrorCode, Step
from harness.models.messages import Message, Request, Text, Usage
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.texts import packed
from harness.records.turn import Turn
from harness.reports.watch.index_making import bring_up
from tests.samples import episode, record, run_record


def write_run(folder: Path, *episodes: Episode, **values: Any) -> RunDirectory:
    """A run with some episodes."""
    folder.mkdir(parents=True, exist_ok=True)
    run = RunDirectory(folder)
    run.write(run_record(**values))
    for each in episodes:
        run.add(each, {})
    return run


def answered(index: int, sent: str = "yes", *, task: str = "T", kind: str = "text", **values: Any) -> Episode:
    """An episode of one field that "yes" is the label of."""
    field = record("answer", kind, options=("yes", "no") if kind == "radio" else (), sent=(sent,))
    given = {"task": task, "index": index, "id": f"{index:012x}", "timing": {"solve": 1000.0 * (index + 1)}}
    return episode(field, **{**given, **values})


def failed_step(code: ErrorCode = ErrorCode.NO_SUCH_FIELD) -> Step:
    return Step("modify_text('nowhere', 'x')", False, "There is no such field.", 1.0, code=code)


def add_turn(run: RunDirectory, made: Episode, shown: str, reply: str) -> None:
    """Write an episode anew, with one exchange with a model."""
    request = Request("model", (Message("system", (Text("The rules."),)), Message("user", (Text(shown),))))
    sent, texts = packed(request.to_json())
    turn = Turn(sent=sent, reply=reply, usage=Usage(10, 2), cost=0.5)
    values = {name: getattr(made, name) for name in made.__dataclass_fields__}
    run.add(Episode(**{**values, "turns": (turn,)}), {}, texts)


def indexed(run: RunDirectory) -> RunDirectory:
    """A run whose index is made, so that its page is complete at once."""
    bring_up(run.folder)
    return run
