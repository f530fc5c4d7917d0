"""Verdicts and runs that tests of judges are made of."""

from __future__ import annotations

import json

from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.records.directory import RunDirectory
from harness.records.site_record import Evaluation, SiteRecord
from harness.records.verdict import Judge, JudgedRun, PlaceVerdict, Verdicts, write_verdicts
from tests.samples import episode, run_record

RUN = JudgedRun(solver="random", started="2026-01-31T12:00:00+00:00", task_set="", sample="")


def verdicts(judge, answers, *, kind="model", run=RUN, fields=False, failures=None):
    """What one judge says of the first instances of tasks: task -> answer, and task -> kind of the failure."""
    places = [
        PlaceVerdict(
            task=task, index=0, id="0" * 12, field="f" if fields else None, sent=(), answer=answer, labels=None,
            note="", at="2026-02-01T00:00:00+00:00", seconds=None,
            failure=(failures or {}).get(task),
        )
        for task, answer in answers.items()
    ]  # fmt: skip
    return Verdicts(run=run, judge=Judge(name=judge, kind=kind), verdicts=tuple(places))


def written(folder, name, *said, **how):
    """A file of such verdicts."""
    file = folder / name
    write_verdicts(file, verdicts(*said, **how))
    return file


def made_run(folder, tasks, **record):
    """A run on websites: task -> steps of the reference, and whether the task's evaluator saw success."""
    run = RunDirectory(folder)
    run.write(run_record(**record))
    for task, (length, success) in tasks.items():
        score = None if success is None else float(success)
        facts = SiteFacts(
            goal="go", start="http://a.test/", origins=("http://a.test",), evaluators=Evaluators(page_reward=True),
            reference_length=length,
        )  # fmt: skip
        found = Evaluation(evaluator="page_reward", score=score, success=success)
        run.add(episode(task=task, submission=None, site=SiteRecord(task=facts, evaluations=(found,))), {})
    return run


PNG = b"\x89PNG\r\n\x1a\n made for this test"

RESULT = {
    "task_id": "t1",
    "task": "Find the café",
    "final_result_response": "It is open",
    "action_history": ['<a aria-label="Café"> -> CLICK', "<input> -> TYPE: ü"],
    "thoughts": ["look", None],
}


def made(top, name="t1", result=None, pictures=("0_screenshot.png", "1_screenshot.png"), content=PNG):
    folder = top / name
    (folder / "trajectory").mkdir(parents=True)
    text = result if isinstance(result, str) else json.dumps({**RESULT, "task_id": name, **(result or {})})
    (folder / "result.json").write_text(text, encoding="utf-8")
    for picture in pictures:
        (folder / "trajectory" / picture).write_bytes(content)
    return folder
