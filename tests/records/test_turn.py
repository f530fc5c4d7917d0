from __future__ import annotations

import json

import pytest

from harness.actions.call import ActionCall, ActionError
from harness.actions.result import ActionResult, Step
from harness.episode.trajectory import LimitReached, Trajectory
from harness.kit.files.codec import decode, plain
from harness.models.client import Exchange
from harness.models.messages import Image, Message, Reply, Request, Text, ToolCall, ToolResult, Usage
from harness.records.agent_report import AgentReport
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.records.texts import unpacked
from harness.records.turn import MOST_OF_A_REPLY, Turn, turn_of
from tests.integrations.exports.requests import PNG, reply, request
from tests.samples import episode

CALL = ActionCall("modify_text", {"name": "a", "value": "yes"})


@pytest.fixture
def act():
    return Trajectory(Limits(5, 1000.0))


def step(act: Trajectory) -> None:
    act.steps.append(Step.of(CALL, ActionResult(ok=True, message="done")))


def full_turn() -> Turn:
    return Turn(
        sent="a" * 64,
        images=("b" * 64,),
        reply="text",
        whole="c" * 64,
        tool_calls=(ToolCall("1", "modify_text", {"name": "a", "value": ["x"]}),),
        calls=("modify_text('a', 'x')", "error: no"),
        steps=(1, 2),
        page="d" * 64,
        usage=Usage(1, 2, 3),
        cost=0.25,
        finish="stop",
        model="m-2026",
        ms=1.5,
        cached=True,
        attempts=3,
        note="the page was shortened",
        thought="let me see",
        counted_by="o200k_base",
    )


def got(answer: Reply, **took) -> Exchange:
    return Exchange(reply=answer, usage=answer.usage, **took)


def test_a_turn_comes_back_from_json_as_it_was():
    assert decode(json.dumps(plain(full_turn())).encode(), Turn) == full_turn()


def test_a_turn_holds_what_was_sent_what_came_back_and_the_steps_it_led_to(act, tmp_path):
    step(act)
    asked = request("what is it?", PNG)
    exchange = got(reply(note="as asked", thought="Hm."), cost=0.5, ms=3.0, attempts=2)
    with turn_of(act, asked, exchange, page="p" * 64, note="first") as turn:
        turn.read(CALL, ActionError("nonsense(", "a bracket is not closed"))
        step(act)
        step(act)
    (made,) = act.turns
    assert made.reply == "modify_text('a', 'yes')"
    assert made.calls == ("modify_text('a', 'yes')", "error: nonsense(: a bracket is not closed")
    assert (made.steps, made.page, made.cost, made.attempts) == ((1, 3), "p" * 64, 0.5, 2)
    assert (made.usage, made.note, made.whole) == (Usage(10, 5, 2), "first; as asked", "")
    assert made.thought == "Hm."
    run = RunDirectory(tmp_path)
    run.add(episode(turns=tuple(act.turns)), act.images, act.texts)
    assert unpacked(run.texts, made.sent) == asked.to_json()
    assert run.image_file(made.images[0]).read_bytes() == PNG
    assert next(run.episodes()).turns == (made,)


def test_a_limit_in_the_midst_of_a_turn_loses_nothing_of_it(act):
    def works() -> None:
        with turn_of(act, request("x"), got(reply())) as turn:
            turn.read(CALL)
            step(act)
            act.stop_at("cost")

    with pytest.raises(LimitReached):
        works()
    assert [(made.steps, made.calls) for made in act.turns] == [((0, 1), (str(CALL),))]


def test_pictures_that_a_tool_gave_are_kept_too(act):
    call = ToolCall("1", "capture_screen", {})
    messages = (
        Message("user", (Text("look"),)),
        Message("assistant", (call,)),
        Message("tool", (ToolResult("1", "a picture", (Image(PNG),)),)),
    )
    with turn_of(act, Request("m", messages), got(reply())):
        pass
    assert act.turns[0].images == (Image(PNG).sha256,)
    assert act.images == {Image(PNG).sha256: PNG}


@pytest.mark.parametrize(
    "answer",
    [
        reply("x" * 10_000_000),
        reply("", thought="x" * 10_000_000),
        reply("", tool_calls=(ToolCall("1", "modify_text", {"name": "a", "value": ["x" * 5_000_000]}),)),
        reply("", tool_calls=(ToolCall("1", "modify_text", {}, malformed="{" * 5_000_000),)),
    ],
)
def test_a_reply_beyond_all_bounds_stands_in_the_episode_by_its_beginning(act, tmp_path, answer):
    with turn_of(act, request("x"), got(answer)):
        pass
    (made,) = act.turns
    assert len(json.dumps(plain(made))) < MOST_OF_A_REPLY + 5_000
    RunDirectory(tmp_path).add(episode(turns=(made,)), act.images, act.texts)
    kept = unpacked(tmp_path / "texts", made.whole)
    told = {"thought": answer.thought} if answer.thought else {}
    assert kept == {"text": answer.text, "tool_calls": list(plain(answer.tool_calls)), **told}


def test_a_text_under_a_name_that_is_not_its_own_is_refused(act):
    with pytest.raises(ValueError, match="is not its SHA-256"):
        act.record_turn(Turn(), {"f" * 64: "{}"})
    assert act.turns == []


def test_an_episode_sums_up_its_turns():
    turns = (Turn(usage=Usage(1, 2, 0), cost=0.1), Turn(usage=Usage(10, 20, 5), cost=0.2))
    made = episode(turns=turns)
    assert made.usage == Usage(11, 22, 5)
    assert made.cost == pytest.approx(0.3)
    assert (episode().usage, episode().cost) == (Usage(), 0.0)


@pytest.mark.parametrize("unknown", [Turn(cost=0.1), Turn(usage=Usage(1, 1))])
def test_what_one_turn_does_not_tell_an_episode_does_not_know(unknown):
    made = episode(turns=(Turn(usage=Usage(1, 2), cost=0.1), unknown))
    assert (made.usage is None) == (unknown.usage is None)
    assert (made.cost is None) == (unknown.cost is None)


def test_what_a_program_reports_counts_for_its_episode():
    report = AgentReport(input_tokens=5, output_tokens=6, cost=0.25, steps=7, model="m-1")
    made = episode(turns=(Turn(reply="done", model=""),), agent_report=report, unseen=True)
    assert (made.usage, made.cost, made.effort_in_steps) == (Usage(5, 6), 0.25, 7)
    assert made.served == {"m-1"}


def test_what_a_program_does_not_report_is_not_known():
    made = episode(turns=(Turn(reply="done"),), agent_report=AgentReport(input_tokens=5), unseen=True)
    assert (made.usage, made.cost, made.effort_in_steps) == (None, None, None)


def test_steps_that_the_harness_saw_count_whatever_a_program_says():
    step = Step.of(CALL, ActionResult(ok=True, message="done"))
    assert episode(steps=(step,), agent_report=AgentReport(steps=40)).effort_in_steps == 1


def test_two_runs_are_compared_without_what_was_paid_and_how_often_was_tried(tmp_path):
    with_picture = Turn(sent="e" * 64, images=("f" * 64,))
    turns = {
        "paid": (Turn(sent="a" * 64, reply="x", cost=0.5, ms=9.0, attempts=2, usage=Usage(5, 1, 4)), with_picture),
        "cached": (Turn(sent="a" * 64, reply="x", cached=True), Turn(sent="0" * 64, images=("1" * 64,))),
        "other": (Turn(sent="a" * 64, reply="y", cached=True), with_picture),
    }
    found = {}
    for name, made in turns.items():
        run = RunDirectory(tmp_path / name)
        run.write({"config": {}})
        run.add(episode(turns=made), {})
        found[name] = run.canonical()
    assert found["paid"] == found["cached"]
    assert found["paid"] != found["other"]
