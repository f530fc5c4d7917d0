"""The action library over MCP: for assistants that come in from outside, and for a model in a loop of ours."""

from __future__ import annotations

import base64
import importlib
import json
import math
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
import websocket
from mcp import Client
from mcp.shared.exceptions import MCPError

from harness import mcp
from harness.box.box import NO_BOX, Box
from harness.box.isolation import Isolation, Mode, why_not
from harness.browser.browser import Browser
from harness.browser.channel import BrowserGone
from harness.cli.exit_codes import WRONG_USE
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS
from harness.episode.registry import find_solver
from harness.episode.solver import Setup, WrongOptions
from harness.files.codec import plain
from harness.files.installation import installed_version
from harness.models.client import MissingExtra
from harness.models.exchange import Exchange
from harness.models.messages import LENGTH, Image, Reply, Request, ToolCall, ToolResult
from harness.models.presets import presets
from harness.observe import ENCODINGS
from harness.observe.screenshots import MODES
from harness.runlog.config import Limits
from harness.runlog.directory import RunDirectory
from harness.solvers.models.asking import NoUsableReply
from harness.solvers.outside.assistant import AssistantSolver
from harness.solvers.outside.mcp_loop import (
    LEFT_OUT,
    ForeignServerSolver,
    LoopSolver,
    McpSolver,
    ModelSettings,
    ServerFailed,
)
from harness.solvers.outside.mcp_server import Connections, make_server, serve_at
from harness.solvers.outside.mcp_socket import NobodyCame, SocketSolver
from harness.solvers.outside.page_tools import OVER, PageTools, RecordedTools
from tests.conftest import Show
from tests.run_solvers import KillsTheBrowserOnce
from tests.runs import Stage, sent, stage
from tests.solvers.outside.assistant import Server
from tests.task_folders import csv_text, make_task

HERE = Path(__file__).parent
ASSISTANT = f"{sys.executable} {HERE / 'assistant.py'} {{config}}"
SERVER = [sys.executable, str(HERE / "mcp_server.py"), "{page}"]
PRESET = replace(presets()["gpt-4o"], max_input_tokens=100_000)


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a"], ["x", "yes"])
    make_task(
        folder, "Plain", template="<p>Words of ${text}</p><input name=a><button type=button>B</button>", table=table
    )
    with stage(folder) as made:
        yield made


# ---- the tools -----------------------------------------------------------------------------------------------------


def tools_on(shown: Any, *, tell_fields: bool = True) -> PageTools:
    fields = tuple(shown.actions.fields())
    page = Page(shown.url, tuple(field.name for field in fields), fields, 0)
    return PageTools(page, shown.actions, tell_fields=tell_fields)


def visit(tools: PageTools, work: Callable[[Client], Any]) -> Any:
    """What a client of the official library makes of the tools."""

    async def main() -> Any:
        async with Client(make_server(tools)) as client:
            return await work(client)

    return anyio.run(main)


def test_every_action_is_a_tool_beside_observe_and_finish(show: Show):
    async def names(client: Client) -> list[str]:
        return [tool.name for tool in (await client.list_tools()).tools]

    assert visit(tools_on(show("<input name=a>")), names) == ["observe", *ACTIONS, "finish"]


def test_the_server_says_its_version(show: Show):
    async def server(client: Client) -> Any:
        return client.server_info

    told = visit(tools_on(show("<input name=a>")), server)
    assert (told.name, told.version) == ("page", installed_version())


def test_every_tool_says_what_it_may_do_to_the_page(show: Show):
    async def hints(client: Client) -> dict[str, Any]:
        return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}

    told = visit(tools_on(show("<input name=a>")), hints)
    assert {name for name, hint in told.items() if hint.read_only_hint} == {
        "observe",
        "get_html",
        "capture_screen",
        "wait_till_loaded",
    }
    writing = told["modify_text"]
    assert (writing.destructive_hint, writing.idempotent_hint) == (True, True)
    assert (told["click"].destructive_hint, told["click"].idempotent_hint) == (True, False)
    assert (told["scroll"].destructive_hint, told["finish"].destructive_hint) == (False, True)
    assert not any(hint.open_world_hint for hint in told.values())


def test_what_an_argument_can_be_is_told_as_an_enumeration(show: Show):
    async def schema(client: Client) -> dict[str, Any]:
        return next(tool.input_schema for tool in (await client.list_tools()).tools if tool.name == "observe")

    properties = visit(tools_on(show("<input name=a>")), schema)["properties"]
    assert properties["encoding"]["enum"] == ["none", *ENCODINGS]
    assert properties["picture"]["enum"] == list(MODES)
    for described in (properties["encoding"], properties["picture"]):
        assert [each for each in described["enum"] if each not in described["description"]] == []


def test_no_list_of_fields_names_what_the_platform_adds(show: Show):
    tools = tools_on(show("<form><input type=hidden name=assignmentId><input name=a></form>"))
    calls = [("observe", {"field": "b"}), ("modify_text", {"name": "b", "value": "x"}), ("get_html", {"name": "b"})]
    told = [tools.call(name, arguments).text for name, arguments in calls]
    assert [("'a'" in text, "assignmentId" in text) for text in told] == [(True, False)] * 3


def test_the_instructions_announce_nothing_that_does_not_follow(show: Show):
    assert "below" not in tools_on(show("<input name=a>")).instructions


def test_a_tool_acts_on_the_page_and_says_what_the_page_holds(show: Show):
    shown = show("<input name=a>")

    async def write(client: Client) -> Any:
        return await client.call_tool("modify_text", {"name": "a", "value": "yes"})

    answer = visit(tools_on(shown), write)
    assert (answer.is_error, answer.content[0].text) == (False, "'a' holds 'yes'")
    assert shown.sent() == {"a": ("yes",)}


def test_an_observation_gives_text_and_a_picture(show: Show):
    async def look(client: Client) -> Any:
        return await client.call_tool("observe", {"encoding": "simplified", "picture": "marks"})

    picture, text = visit(tools_on(show("<p>Some words</p><input name=a>")), look).content
    assert (picture.type, picture.mime_type) == ("image", "image/png")
    assert base64.b64decode(picture.data).startswith(b"\x89PNG")
    assert "Some words" in text.text
    assert "1: 'a'" in text.text


@pytest.mark.parametrize(
    ("name", "arguments", "said"),
    [
        ("modify_txt", {}, "did you mean modify_text?"),
        ("modify_text", {"nam": "a"}, "did you mean name?"),
        ("modify_text", {"name": "b", "value": "x"}, "'b'"),
        ("observe", {"encoding": "pictures"}, "'encoding' must be one of none, full, relevant"),
        ("observe", {"picture": "oil"}, "'picture' must be one of none, viewport, full"),
        ("observe", {"encoding": "none", "picture": "element"}, "needs the name of a field"),
        ("observe", {"field": "b"}, "There is no field 'b' on the page now; there are 'a'"),
    ],
)
def test_what_cannot_be_done_is_an_answer_that_says_why(show: Show, name, arguments, said):
    answer = tools_on(show("<input name=a>")).call(name, arguments)
    assert not answer.ok
    assert said in answer.text


def test_after_finish_nothing_can_be_done(show: Show):
    tools = tools_on(show("<input name=a>"))
    assert tools.call("finish", {}).ok
    assert tools.is_over
    assert tools.call("modify_text", {"name": "a", "value": "late"}).text == OVER
    tools.settle()


def test_a_browser_that_dies_ends_the_work_and_is_told_to_the_harness_only(at: Stage):
    with Browser(at.browser.settings) as browser:

        class Dies(KillsTheBrowserOnce):
            def solve(self, page, act):
                tools = PageTools(page, act, tell_fields=True)
                super().solve(page, act)
                assert "The browser is gone" in tools.call("get_html", {}).text
                tools.settle()

        with pytest.raises(BrowserGone):
            at.play("Plain", Dies(), browser=browser)


def test_the_fields_can_be_read_unless_they_are_not_told(show: Show):
    async def read(client: Client) -> Any:
        with pytest.raises(MCPError, match="there is no resource page://labels"):
            await client.read_resource("page://labels")
        known = [resource.uri for resource in (await client.list_resources()).resources]
        return known, client.instructions, [(await client.read_resource(uri)).contents[0].text for uri in known]

    known, instructions, texts = visit(tools_on(show("<input name=a>")), read)
    assert (known, json.loads(texts[0])["names"]) == (["page://fields"], ["a"])
    assert "'a'" in instructions
    known, instructions, _ = visit(tools_on(show("<input name=a>"), tell_fields=False), read)
    assert known == []
    assert "'a'" not in instructions


def test_a_client_that_speaks_nonsense_or_hangs_up_disturbs_no_other(show: Show, tmp_path):
    shown = show("<input name=a>")
    path = tmp_path / "s"

    async def until(visits: Connections) -> None:
        async with await anyio.connect_unix(path) as stream:
            await stream.send(
                b'nonsense\n{"jsonrpc": "2.0"}\n\xff\xfe\n{"jsonrpc": "2.0", "id": 1, "method": "tools/li'
            )
        await visits.left.wait()
        async with await anyio.connect_unix(path) as stream:
            await stream.send(b'{"jsonrpc":"2.0","id":7,"method":"ping"}\n')
            assert b'"id":7' in await stream.receive()

    with anyio.from_thread.start_blocking_portal() as portal:
        visits = portal.call(serve_at, path, tools_on(shown), until)
    assert visits.came.is_set()


def test_whatever_a_client_sends_is_taken_down_as_short_and_plain_json(show: Show):
    shown = show("<input name=a>")
    tools = RecordedTools(tools_on(shown), shown.actions.trajectory)
    hostile = {"name": "a", "value": "x" * 10_000_000, "nan": math.nan, "\ud800" * 300: ["\x00\x1b[2J"]}
    assert not tools.call("modify_text", hostile).ok
    assert not tools.call("click", {"x": math.inf, "y": "import os"}).ok
    assert not tools.call("__class__", {}).ok
    written = json.dumps(plain(shown.actions.trajectory.turns), allow_nan=False).encode()
    assert len(written) < 20_000
    assert shown.sent() == {"a": ("",)}


# ---- assistants ----------------------------------------------------------------------------------------------------


def assistant(what: str) -> AssistantSolver:
    checked = McpSolver.check("mcp", {"command": f"{ASSISTANT} {what}", "isolate": "none"})
    made = find_solver("mcp").make(Setup("mcp", checked, Path(), Path()))
    assert isinstance(made, AssistantSolver)
    return made


def test_an_assistant_is_the_agent_and_its_calls_are_taken_down(at: Stage):
    made = at.play("Plain", assistant("fill"))
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",))
    assert [turn.calls for turn in made.turns] == [
        ("observe('text', 'none', None)",),
        ("modify_text('a', 'yes')",),
        ("finish()",),
        (),
    ]
    assert [turn.steps for turn in made.turns] == [(0, 0), (0, 1), (1, 1), (1, 1)]
    assert [bool(turn.page) for turn in made.turns] == [False, True, False, False]  # it looked once
    assert "Words of x" in made.turns[-1].reply
    assert "call `finish`" in made.turns[-1].note  # it got the task on its standard input


def test_an_assistant_that_reaches_a_limit_is_told_so(at: Stage):
    made = at.play("Plain", assistant("steps"), limits=Limits(max_steps=2))
    assert (made.outcome, made.detail, sent(made)["a"]) == ("limit", "steps", ("two",))
    assert "limit of steps is reached" in made.turns[-1].reply


def test_an_assistant_that_fails_is_an_agent_error(at: Stage):
    made = at.play("Plain", assistant("fail"))
    assert made.outcome == "agent_error"
    assert "exited with status 4" in made.detail


def test_an_assistant_whose_time_is_up_is_ended(at: Stage):
    made = at.play("Plain", assistant("hang"), limits=Limits(max_seconds=4.0))
    assert (made.outcome, made.detail, made.turns[-1].finish) == ("limit", "time", "time")


def test_one_page_is_served_over_standard_input_and_the_episode_is_written_even_if_the_server_is_killed(tmp_path):
    table = csv_text(["text", "Answer.a"], ["x", "no"], ["y", "yes"])
    make_task(tmp_path / "tasks", "Plain", template="<p>${text}</p><input name=a>", table=table)
    command = [sys.executable, "-m", "harness.mcp", "--tasks-dir", str(tmp_path / "tasks"), "--task", "Plain"]
    command += ["--row", "1", "--out", str(tmp_path / "run")]
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    server = Server(command, environment, cwd=HERE.parents[2], stderr=subprocess.PIPE)
    assert server.call("modify_text", name="a", value="yes") == "'a' holds 'yes'"
    server.process.kill()
    _, said = server.process.communicate()  # until the process that plays the episode has ended, too
    assert str(tmp_path / "run") in said
    assert "score" not in said
    run = RunDirectory.open(tmp_path / "run")
    assert run.read().status == "complete"
    (made,) = run.episodes()
    assert (made.index, made.outcome, sent(made)["a"]) == (1, "scored", ("yes",))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "*"], "one page is opened, and 2 tasks are meant: 'Other', 'Plain'; give the name of one"),
        (["--task", "Plain", "--row", "7"], "there is no row 7: 'Plain' has the rows 0 to 1"),
        (["--task", "Plain", "--row", "0"], "nobody labelled row 0 of 'Plain'; choose another --row"),
    ],
)
def test_what_is_not_one_page_is_refused_before_anything_is_written(tmp_path, capfd, arguments, said):
    for name in ("Plain", "Other"):
        table = csv_text(["text", "Answer.a"], ["x", ""], ["y", "yes"])
        make_task(tmp_path / "tasks", name, template="<p>${text}</p><input name=a>", table=table)
    given = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), *arguments]
    assert mcp.main(given) == WRONG_USE
    assert capfd.readouterr().err == f"error: {said}\n"
    assert not (tmp_path / "run").exists()


def test_options_that_choose_among_pages_are_not_taken(capsys):
    for option in ("--split=test", "--max-instances=1", "--workers=2", "--progress=bar", "--skip-missing-media"):
        with pytest.raises(SystemExit):
            mcp.main(["--task", "Plain", option])
        assert f"unrecognized arguments: {option}" in capsys.readouterr().err


def test_a_server_to_which_nobody_comes_says_so(at: Stage, monkeypatch, tmp_path):
    monkeypatch.setattr("harness.solvers.outside.mcp_socket.CONNECT_SECONDS", 0.0)
    made = at.play("Plain", SocketSolver(tmp_path / "s", tell_fields=True))
    assert (made.outcome, made.detail.partition(":")[0]) == ("agent_error", NobodyCame.__name__)


# ---- a model in a loop ---------------------------------------------------------------------------------------------


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


@pytest.mark.parametrize("mode", ["none", "masked", "strict"])
def test_a_model_works_with_another_server_on_the_page(at: Stage, mode: Mode):
    if reason := why_not(mode):
        pytest.skip(f"no box here: {reason}")
    replies = (calling(("run", {"script": FILL})), calling(("look", {})), Reply("done"))
    libraries = {Path(module.__file__ or "").parent.parent for module in (websocket, pytest)}
    box = Box(Isolation(mode, read=tuple(libraries)))
    solver, service = loop(*replies, server=[*SERVER, "serve"], box=box)
    made = at.play("Plain", solver)
    assert (made.outcome, sent(made)["a"]) == ("scored", ("yes",))
    assert [tool["name"] for tool in service.requests[0].tools] == ["run", "go", "look"]
    assert at.url("Plain") in service.requests[0].messages[0].text
    assert isinstance(last_result(service).images[0], Image)
    assert made.turns[0].calls == (f"run(script={FILL!r})",)


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


# ---- options -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "needs --command, the program of an assistant, or --model"),
        ({"model": "no-such-preset"}, "--model: there is no preset 'no-such-preset'"),
        ({"model": "local"}, "calls no tools"),
        ({"model": "gpt-4o", "demos": 3}, "--demos: the solver 'mcp' takes no such options"),
        ({"command": "sh", "model": "gpt-4o"}, "--model: the solver 'mcp with --command' takes no such options"),
        ({"model": "gpt-4o", "mcp_server": "no-such-program-here"}, "there is no program 'no-such-program-here'"),
    ],
)
def test_options_that_cannot_be_meant_so_are_refused(options, said):
    with pytest.raises(WrongOptions, match=said):
        McpSolver.check("mcp", options)


def test_another_model_of_a_preset_s_provider_can_be_named():
    assert (
        McpSolver.find_preset({"model": "gpt-4o:some-model:8b", "base_url": "http://127.0.0.1:1/v1"}).model
        == "some-model:8b"
    )


def test_without_the_library_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    monkeypatch.delitem(sys.modules, "harness.solvers.outside.mcp_extra")
    with pytest.raises(MissingExtra, match=r"pip install -r requirements-mcp\.txt"):
        importlib.import_module("harness.solvers.outside.mcp_extra")


def test_a_loop_is_made_of_its_options(tmp_path):
    checked = McpSolver.check("mcp", {"model": "gpt-4o", "max_tokens": 5})
    setup = Setup("mcp", checked, tmp_path, tmp_path)
    assert isinstance(find_solver("mcp").make(setup), LoopSolver)
    assert McpSolver.prepare(setup)["provider"] == "openai"
