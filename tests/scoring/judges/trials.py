"""Runs with films, and a model that is asked about them, for tests of judging."""

from __future__ import annotations

import io
import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from PIL import Image

from harness.actions.result import Step
from harness.catalog.site_facts import Evaluators, SiteFacts
from harness.models.messages import Usage
from harness.records.directory import RunDirectory
from harness.records.film import Film, Frame, picture_name
from harness.records.site_record import ActedElement, Evaluation, Moment, SiteRecord
from harness.records.texts import name_of
from harness.records.turn import Turn
from harness.records.verdict import TaskFailureKind
from harness.scoring.judges.failure_kinds import NamedFailure
from harness.scoring.judges.saved_judgements import JudgementFolder
from tests.models.servers import Answer, Asked, openai_reply
from tests.samples import episode, run_record


def picture(shade: int) -> bytes:
    """A small picture of one colour."""
    buffer = io.BytesIO()
    Image.new("RGB", (8, 6), (shade, 0, 0)).save(buffer, "PNG")
    return buffer.getvalue()


GOAL = "Send Quiet Lathe the text Band saw."
PAGE = ["html", {}, [["body", {}, ["To Quiet Lathe", ["input", {"value": ""}, []], ["script", {}, ["Hidden"]]]]]]
STEPS = (
    Step("click_element(3)", True, 'pressed [3] <a> "Members"', 1.0),
    Step("fill(4, 'Band saw')", True, '[4] <input> "Text"', 1.0),
    Step("finish('Done')", True, "", 1.0),
)


def filmed_run(
    folder: Path,
    tasks: Sequence[str] = ("t",),
    *,
    film: bool = True,
    thoughts: bool = True,
    answer: str | None = "Done",
    success: bool = True,
    page: object = PAGE,
) -> RunDirectory:
    """A run on websites, each task with the same two actions and three pictures, the last two of them the same."""
    run = RunDirectory(folder)
    run.write(run_record(planned_episodes=None))
    facts = SiteFacts(
        goal=GOAL, start="http://a.test/", origins=("http://a.test",), evaluators=Evaluators(page_reward=True)
    )
    text = json.dumps(page)
    acted = ActedElement(place=(0,), tag="input", css="input", value="Band saw")
    moments = (Moment(kind="acted", url="http://a.test/x", event="input", element=acted, dom=name_of(text)),)
    turn = Turn(thought="I look for members.", steps=(0, 2), usage=Usage())
    for task in tasks:
        found = Evaluation(evaluator="page_reward", score=float(success), success=success)
        site = SiteRecord(task=facts, moments=moments, answer=answer, evaluations=(found,))
        made = episode(task=task, submission=None, steps=STEPS, turns=(turn,) if thoughts else (), site=site)
        pictures = [picture(ord(task[0]) % 116), picture(ord(task[0]) % 116 + 1)]
        names = [picture_name(each, "png") for each in pictures]
        shown = [(None, names[0]), (0, names[1]), (1, names[1])]
        frames = tuple(Frame(step=step, picture=name, size=(800, 600)) for step, name in shown)
        if film:
            run.films.write(task, 0, Film(frames=frames), dict(zip(names, pictures, strict=True)))
        run.add(made, {}, {name_of(text): text})
    return run


def named_failure(folder: JudgementFolder, task: str, kind: TaskFailureKind) -> None:
    """Turn what a judge said of a task's first instance into a failure of some kind."""
    said = folder.judgement(task, 0)
    assert said
    folder.add(replace(said, outcome="failure", failure=NamedFailure(kind=kind, why="", reply="", prompts="")))
    folder.write_verdicts()


def said_by_a_judge(asked: Asked) -> Answer:
    """What a scripted model answers to each question of the four judges."""
    role = json.dumps(asked.json["messages"][0]["content"])
    if "You read a task" in role:
        return openai_reply("**Key Points**:\n1. Send it to Quiet Lathe\n2. The text is Band saw")
    if "You look at one picture" in role:
        return openai_reply("**Reasoning**: the form is filled in\n**Score**: 4")
    if "what kind of failure" in role:
        return openai_reply("Thoughts: it was never sent\nKind: incomplete_steps")
    if "in capitals" in role:
        return openai_reply("The page does not show it.\nNOT SUCCESS")
    return openai_reply("Thoughts: all of it was done\nStatus: success")
