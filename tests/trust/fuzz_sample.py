"""A run directory that has something of everything, to be spoiled."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.actions.result import ErrorCode, Step
from harness.models.messages import Usage
from harness.records.planned import PlannedSample
from harness.records.run_record import comparability_id
from tests.integrations.exports.made import played
from tests.integrations.exports.requests import reply, request
from tests.reports.played import always, make_tasks, play

TEXT = "modify_text('a', 'yes')"


def sample_run(folder: Path) -> tuple[Path, Path]:
    """A complete run of two tasks, with steps, turns, pictures and texts; gives its folder and that of its tasks."""
    tasks = make_tasks(folder / "tasks", "A", "B")
    act, said = played([(request("the page", "the field 'a'"), replace(reply(TEXT), usage=Usage(3, 4)))])
    run = play(folder / "original", tasks, always(a="cat", r="1", s="10"), config={"solver": "gpt-4o"})
    for episode in list(run.episodes()):
        steps = (*said.steps, Step("scroll(0, 1)", ok=False, message="no", ms=1.0, code=ErrorCode.NOT_VISIBLE))
        limit = {"outcome": "limit", "limit": "steps", "allowed": 3.0, "detail": "steps"} if episode.index == 1 else {}
        timing, messages = {"open": 5.0, "think": 1.0, "act": 2.0}, {"messages": 3, "waits": 2}
        made = replace(episode, steps=steps, turns=said.turns, timing=timing, messages=messages, **limit)
        run.add(made, act.images, act.texts)
    run.write_sample(PlannedSample.of((each.task, each.index, each.id) for each in run.episodes()))
    record = run.read()
    run.write(replace(record, comparability_id=comparability_id(record.compared, record.config.metrics)))
    return run.folder, tasks
