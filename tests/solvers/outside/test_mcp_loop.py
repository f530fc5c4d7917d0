"""A model in a loop of ours, with the tools of an MCP server: ours, or another's."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from harness.browser.box.box import NO_BOX, Box
from harness.browser.box.isolation import Isolation
from harness.browser.box.program_options import Mode
from harness.episode.library import ACTIONS
from harness.episode.registry import find_solver
from harness.episode.solver import WrongOptions
from harness.models import presets as presets_module
from harness.models.client import Exchange
from harness.models.messages import LENGTH, Image, Reply, Request, ToolCall, ToolResult
from harness.models.presets import presets
from harness.records.config import Limits
from harness.solvers.models.asking import NoUsableReply
from harness.solvers.outside.foreign_server import ForeignServerSolver
from harness.solvers.outside.mcp_loop import LoopSolver, McpSolver
from harness.solvers.outside.tool_loop import LEFT_OUT, ModelSettings, ServerFailed
from harness.solvers.solver_options import McpOptions
from tests.needs import BOX, require
from tests.runs import Stage, sent

SERVER = [sys.executable, str(Path(__file__).parent / "mcp_server.py"), "{page}"]
PRESET = replace(presets()["gpt-4o"], max_input_tokens=100_000)


class Scripted:
    """Gives prepared replies, and keeps the requests."""

    def __init__(self, *replies: Reply) -> None:
        self.requests: list[Request] = []
        self._replies = list(replies)

    def complete(self, request: Request, act: object) -> Exchange:  # noqa: ARG002 - as services have it
        self.requests.append(request)
        reply = self._replies.pop(0)
        return Exchange(reply=reply, usage=reply.usage, cost=0.25, ms=1.0)


class Count:
    """A character is a token."""

    def text(self, text: str) -> int:
        return len(text)

    def message(self, message: Any) -> int:
        return len(json.dumps(message.to_json()))

    def request(self, request: Request) -> int:
        return sum(map(self.message, request.messages))


def calling(*calls: tuple[str, dict[str, Any]]) -> Reply:
    return Reply("", tuple(ToolCall(str(number), name, given) for number, (name, given) in enumerate(calls)))


Loop = tuple[LoopSolver | ForeignServerSolver, Scripted]


def loop(*replies: Reply, server: Sequence[str] | None = None, room: int = 100_000, box: Box = NO_BOX) -> Loop:
    service = Scripted(*replies)
    talk = ModelSettings(replace(PRESET, max_input_tokens=room, context=None), service, Count())
    if server:
        return ForeignServerSolver(talk, list(server), {}, tell_fields=True, box=box), service
    return LoopSolver(talk, tell_fields=True), service


def last_result(service: Scripted) -> ToolResult:
    (result,) = service.requests[-1].messages[-1].parts
    assert isinstance(result, ToolResult)
    return result


def test_a_model_works_with_the_tools_until_it_finishes(at: Stage):
    solver, service = loop(calling(("modify_text", {"name": "a", "value": "yes"})), calling(("finish", {})))
    made = at.play("Plain", solver)
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",))
    assert [turn.calls for turn in made.turns] == [("modify_text('a', 'yes')",), ("finish()",)]
    assert [turn.steps for turn in made.turns] == [(0, 1), (1, 1)]
    assert [turn.cost for turn in made.turns] == [0.25, 0.25]
    assert last_result(service).text == "'a' holds 'yes'"
    assert len({turn.page for turn in made.turns} - {""}) == 2
    assert {tool["name"] for tool in service.requests[0].tools} == {"observe", *ACTIONS, "finish"}


def test_a_model_that_calls_nothing_has_finished(at: Stage):
    assert at.play("Plain", loop(Reply("All done."))[0]).outcome == "scored"


def test_a_model_is_shown_pictures(at: Stage):
    solver, service = loop(calling(("observe", {"picture": "viewport"})), Reply("done"))
    at.play("Plain", solver)
    (image,) = last_result(service).images
    assert image.png.startswith(b"\x89PNG")


def test_unknown_tools_and_wrong_arguments_are_told_to_the_model(at: Stage):
    solver, service = loop(
        Reply("", (ToolCall("1", "sing", {}), ToolCall("2", "modify_text", {}, malformed="{"))),
        calling(("modify_text", {"value": 3})),
        Reply("done"),
    )
    made = at.play("Plain", solver)
    assistant_message, results, rest = service.requests[1].messages[-3:]
    assert [part.name for part in assistant_message.parts] == ["modify_text"]
    assert results.parts[0].text == "error: the arguments are no JSON object"
    assert "there is no tool 'sing'; there are observe, " in rest.text
    assert "missing: 'name'" in last_result(service).text
    assert [call.startswith("error: ") for call in made.turns[0].calls] == [True, True]


def test_a_reply_that_is_cut_off_is_tried_again_and_then_given_up(at: Stage):
    cut = Reply("I will now", finish=LENGTH)
    solver, service = loop(cut, Reply("done"))
    assert at.play("Plain", solver).outcome == "scored"
    assert service.requests[1].messages[-1].role == "user"
    made = at.play("Plain", loop(cut, cut, cut)[0])
    assert (made.outcome, made.detail.partition(":")[0]) == ("agent_error", NoUsableReply.__name__)


def test_a_limit_ends_the_loop(at: Stage):
    again = calling(("modify_text", {"name": "a", "value": "yes"}))
    made = at.play("Plain", loop(again, again)[0], limits=Limits(max_steps=1))
    assert (made.outcome, made.detail, len(made.turns)) == ("limit", "steps", 1)


def test_old_results_are_left_out_where_the_conversation_gets_too_long(at: Stage):
    look = calling(("observe", {"encoding": "full"}))
    whole = loop(look, look, Reply("done"))
    at.play("Plain", whole[0])
    room = Count().request(whole[1].requests[-1]) - 1
    solver, service = loop(look, look, Reply("done"), room=room)
    at.play("Plain", solver)
    results = [
        part.text for message in service.requests[-1].messages for part in message.parts if isinstance(part, ToolResult)
    ]
    assert results[0] == LEFT_OUT
    assert "Words of x" in results[1]


# ---- another's MCP server ------------------------------------------------------------------------------------------

FILL = "document.getElementsByName('a')[0].value = 'yes'"


@pytest.mark.parametrize("mode", ["none", "box"])
def test_a_model_works_with_another_server_on_the_page(at: Stage, mode: Mode):
    require(*(() if mode == "none" else BOX))
    replies = (calling(("run", {"script": FILL})), calling(("look", {})), Reply("done"))
    solver, service = loop(*replies, server=[*SERVER, "serve"], box=Box(Isolation(mode)))
    made = at.play("Plain", solver)
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",))
    assert [tool["name"] for tool in service.requests[0].tools] == ["run", "go", "look"]
    assert at.url("Plain") in service.requests[0].messages[0].text
    assert isinstance(last_result(service).images[0], Image)
    assert made.turns[0].calls == (f"run(script={FILL!r})",)


def test_what_a_box_refused_to_another_server_is_kept_as_it_is_of_a_program(at: Stage):
    require(*BOX)
    replies = (calling(("go", {"url": "192.0.2.1:443"})), calling(("go", {"url": "192.0.2.1:443"})), Reply("done"))
    made = at.play("Plain", loop(*replies, server=[*SERVER, "wander"], box=Box(Isolation("box")))[0])
    assert made.outcome == "scored", made.detail
    assert made.turns[-1].note == "the box refused: 192.0.2.1:443 (2 times)"


@pytest.mark.parametrize(("what", "said"), [("die", "the MCP server ended"), ("refuse", "it needs a licence")])
def test_a_server_that_ends_is_an_agent_error_and_the_page_is_scored(at: Stage, what, said):
    made = at.play("Plain", loop(calling(("run", {"script": FILL})), server=[*SERVER, what])[0])
    assert (made.outcome, made.detail.partition(":")[0]) == ("agent_error", ServerFailed.__name__)
    assert said in made.detail


def test_a_server_that_leaves_the_page_is_told_so(at: Stage):
    elsewhere = f"{at.url('Plain')}?elsewhere"
    replies = calling(("run", {"script": FILL})), calling(("go", {"url": elsewhere})), Reply("done")
    made = at.play("Plain", loop(*replies, server=[*SERVER, "serve"])[0])
    assert (made.outcome, sent(made)["a"]) == ("agent_error", ("",))
    assert f"it left the episode's page for {elsewhere}" in made.detail


def test_a_page_that_was_left_is_not_read_however_the_conversation_ended(at: Stage):
    elsewhere = f"{at.url('Plain')}?elsewhere"
    replies = calling(("go", {"url": elsewhere})), calling(("run", {"script": FILL}))  # and no more: the model fails
    made = at.play("Plain", loop(*replies, server=[*SERVER, "serve"])[0])
    assert (made.outcome, sent(made)["a"]) == ("agent_error", ("",))


BLOCKED = "https://example.org/somewhere"


def test_a_blocked_address_costs_nothing_that_was_answered_before_and_is_named_in_the_turn_that_asked(at: Stage):
    replies = calling(("run", {"script": FILL})), calling(("go", {"url": BLOCKED})), Reply("done")
    made = at.play("Plain", loop(*replies, server=[*SERVER, "serve"])[0])
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",)), made.detail
    asked = f"the program asked for {BLOCKED}, which is blocked"
    assert made.turns[1].note == f"{asked}; the episode's page was brought back with its form as it was"
    assert [turn.note for turn in made.turns[::2]] == ["", ""]


def test_after_a_blocked_address_the_next_call_of_the_same_reply_finds_the_page(at: Stage):
    replies = calling(("go", {"url": BLOCKED}), ("run", {"script": FILL})), Reply("done")
    made = at.play("Plain", loop(*replies, server=[*SERVER, "serve"])[0])
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",)), made.detail


def test_a_server_that_asks_for_blocked_addresses_again_has_left_the_page(at: Stage):
    go = calling(("go", {"url": BLOCKED}))
    made = at.play("Plain", loop(go, go, Reply("done"), server=[*SERVER, "serve"])[0])
    assert made.outcome == "agent_error"
    assert f"it left the episode's page for {BLOCKED}, though it had been brought back once" in made.detail
    assert "was brought back" in made.turns[0].note


# ---- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "needs --command, the program of an assistant, or --preset"),
        ({"preset": "no-such-preset"}, "--preset: there is no preset 'no-such-preset'"),
        ({"model": "gpt-4o"}, "name of a model; name the preset: --preset gpt-4o"),
        ({"preset": "local"}, "calls no tools"),
        ({"preset": "gpt-4o", "demos": 3}, "--demos: the solver 'mcp' takes no such options"),
        ({"command": "sh", "preset": "gpt-4o"}, "--preset: the solver 'mcp with --command' takes no such options"),
        ({"preset": "gpt-4o", "mcp_server": "no-such-program-here"}, "there is no program 'no-such-program-here'"),
    ],
)
def test_options_that_cannot_be_meant_so_are_refused(options, said):
    with pytest.raises(WrongOptions, match=said):
        find_solver("mcp").check(options)


def test_another_model_of_a_preset_s_provider_can_be_named():
    assert (
        McpSolver.find_preset(
            McpOptions(preset="gpt-4o", model="some-model:8b", base_url="http://127.0.0.1:1/v1")
        ).model
        == "some-model:8b"
    )


def test_a_loop_is_made_of_its_options(tmp_path):
    checked = find_solver("mcp").check({"preset": "gpt-4o", "max_tokens": 5})
    setup = find_solver("mcp").setup(checked, folder=tmp_path, tasks_dir=tmp_path)
    assert isinstance(find_solver("mcp").make(setup), LoopSolver)
    assert McpSolver.prepare(setup)["provider"] == "openai"


def test_a_run_keeps_the_model_that_its_preset_asked(monkeypatch):
    begun = find_solver("mcp").check({"preset": "gpt-4.1"})
    assert begun["model"] == "gpt-4.1"
    monkeypatch.setattr(presets_module, "today", lambda: date(2027, 1, 14))
    assert find_solver("mcp").check(begun) == begun
    assert find_solver("mcp").asks(begun).model == "gpt-4.1"
    assert find_solver("mcp").check({"preset": "gpt-4.1"})["model"] == "gpt-6-luna"


@pytest.mark.parametrize("named", ["gpt-4o", "gpt-4o:gpt-4o-mini"])
def test_a_run_of_before_presets_had_an_option_of_their_own_goes_on_with_its_model(named):
    begun = {"model": named, "model_id": "gpt-4o-mini", "field_names": True}
    checked = find_solver("mcp").check(begun)
    assert {**checked, **begun} == checked
    assert find_solver("mcp").asks(checked).model == "gpt-4o-mini"
