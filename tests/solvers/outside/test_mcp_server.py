"""The action library over MCP, for assistants that come in from outside."""

from __future__ import annotations

import base64
import importlib
import json
import math
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from harness.browser.browser import Browser
from harness.browser.wire import BrowserGone
from harness.cli.boundary import WRONG_USE
from harness.cli.commands.page import mcp
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS
from harness.episode.registry import find_solver
from harness.kit.files.codec import plain
from harness.kit.files.installation import own_version
from harness.models.client import MissingExtra
from harness.models.messages import Usage
from harness.observe import ENCODINGS
from harness.observe.screenshots import MODES
from harness.records.agent_report import AgentReport
from harness.records.config import Limits
from harness.records.directory import RunDirectory
from harness.solvers.outside import mcp_socket
from harness.solvers.outside.assistant import AssistantSolver
from harness.solvers.outside.mcp_server import Connections, make_server, serve_at
from harness.solvers.outside.mcp_socket import NobodyCame, SocketSolver
from harness.solvers.outside.page_tools import OVER, PageTools, RecordedTools
from tests.conftest import Show
from tests.run_solvers import KillsTheBrowserOnce
from tests.runs import Stage, sent
from tests.site_tasks import ACCOUNT, FACTS, START, TO_THE_ACCOUNT, make_site_task
from tests.solvers.outside.assistant import Server
from tests.task_folders import csv_text, make_task

HERE = Path(__file__).parent
ASSISTANT = f"{sys.executable} {HERE / 'assistant.py'} {{config}}"


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
    assert (told.name, told.version) == ("page", own_version())


def test_every_tool_says_what_it_may_do_to_the_page(show: Show):
    async def hints(client: Client) -> dict[str, Any]:
        return {tool.name: tool.annotations for tool in (await client.list_tools()).tools}

    told = visit(tools_on(show("<input name=a>")), hints)
    assert {name for name, hint in told.items() if hint.read_only_hint} == {
        "observe",
        "get_html",
        "capture_screen",
        "wait_till_loaded",
        "wait_until_enabled",
    }
    writing = told["modify_text"]
    assert (writing.destructive_hint, writing.idempotent_hint) == (True, True)
    assert (told["click"].destructive_hint, told["click"].idempotent_hint) == (True, False)
    assert (told["scroll"].destructive_hint, told["finish"].destructive_hint) == (False, True)
    assert not any(hint.open_world_hint for hint in told.values())


def test_what_an_argument_can_be_is_told_as_an_enumeration(show: Show):
    async def schema(client: Client) -> dict[str, Any]:
        schemas = {tool.name: tool.input_schema for tool in (await client.list_tools()).tools}
        return schemas["observe"]["properties"] | schemas["capture_screen"]["properties"]

    properties = visit(tools_on(show("<input name=a>")), schema)
    not_offered = {"relevant-5-10", "autowebglm", "autowebglm-forms"}
    assert properties["encoding"]["enum"] == ["none", *(name for name in ENCODINGS if name not in not_offered)]
    assert properties["picture"]["enum"] == list(MODES)
    assert properties["mode"]["enum"] == ["viewport", "full", "element"]
    for described in (properties["encoding"], properties["picture"], properties["mode"]):
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


@pytest.mark.slow
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
    checked = find_solver("mcp").check({"command": f"{ASSISTANT} {what}", "isolate": "none"})
    made = find_solver("mcp").make(find_solver("mcp").setup(checked, folder=Path(), tasks_dir=Path()))
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


def test_what_an_assistant_reports_with_a_call_is_recorded_as_its_word_and_the_last_report_counts(at: Stage):
    made = at.play("Plain", assistant("report"))
    assert made.agent_report == AgentReport(input_tokens=70, output_tokens=8, cost=0.25, model="m-1")
    assert (made.usage, made.cost, sent(made)["a"]) == (Usage(70, 8), 0.25, ("yes",))
    assert "agent_report" not in str([turn.calls for turn in made.turns])


def test_an_assistant_that_reports_nothing_has_an_unknown_cost(at: Stage):
    made = at.play("Plain", assistant("fill"))
    assert (made.agent_report, made.usage, made.cost) == (AgentReport(), None, None)


def test_an_assistant_s_report_that_cannot_be_true_does_not_count_and_the_turn_says_so(at: Stage):
    made = at.play("Plain", assistant("report-nonsense"))
    assert made.agent_report == AgentReport()
    assert [turn.note.partition(":")[0] for turn in made.turns[:-1]] == ["", "the agent's report does not count", ""]


def test_a_line_on_standard_output_counts_more_than_a_report_with_a_call(at: Stage):
    assert at.play("Plain", assistant("report-twice")).agent_report == AgentReport(steps=2)


def test_an_assistant_that_reaches_a_limit_is_told_so(at: Stage):
    made = at.play("Plain", assistant("steps"), limits=Limits(max_steps=2))
    assert (made.outcome, made.detail, sent(made)["a"]) == ("limit", "steps", ("two",))
    assert "limit of steps is reached" in made.turns[-1].reply


def test_an_assistant_that_fails_is_an_agent_error(at: Stage):
    made = at.play("Plain", assistant("fail"))
    assert made.outcome == "agent_error"
    assert "exited with status 4" in made.detail


@pytest.mark.slow
def test_an_assistant_whose_time_is_up_is_ended(at: Stage):
    made = at.play("Plain", assistant("hang"), limits=Limits(max_seconds=4.0))
    assert (made.outcome, made.detail, made.turns[-1].finish) == ("limit", "time", "time")


@pytest.mark.slow
def test_one_page_is_served_over_standard_input_and_the_episode_is_written_even_if_the_server_is_killed(tmp_path):
    table = csv_text(["text", "Answer.a"], ["x", "no"], ["y", "yes"])
    make_task(tmp_path / "tasks", "Plain", template="<p>${text}</p><input name=a>", table=table)
    command = [
        sys.executable,
        "-m",
        "harness",
        "page",
        "mcp",
        "--tasks-dir",
        str(tmp_path / "tasks"),
        "--task",
        "Plain",
    ]
    command += ["--row", "1", "--out", str(tmp_path / "run")]
    environment = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    server = Server(command, environment, cwd=HERE.parents[2], stderr=subprocess.PIPE)
    told = server.report_and_call({"agent_report": {"cost": 0.5}}, "modify_text", name="a", value="yes")
    assert told == "'a' holds 'yes'"
    server.process.kill()
    _, said = server.process.communicate()  # until the process that plays the episode has ended, too
    assert str(tmp_path / "run") in said
    assert "score" not in said
    run = RunDirectory.open(tmp_path / "run")
    assert run.read().status == "complete"
    (made,) = run.episodes()
    assert (made.index, made.outcome, sent(made)["a"]) == (1, "scored", ("yes",))
    assert made.agent_report == AgentReport(cost=0.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--task", "*"], "one page is opened, and 2 tasks are meant: 'Other', 'Plain'; give the name of one"),
        (["--task", "Plain", "--row", "7"], "there is no instance 7: 'Plain' has the instances 0 to 1"),
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
        assert f"{option}: there is no such argument" in capsys.readouterr().err


def test_a_server_to_which_nobody_comes_says_so(at: Stage, monkeypatch, tmp_path):
    monkeypatch.setattr(mcp_socket, "CONNECT_SECONDS", 0.0)
    made = at.play("Plain", SocketSolver(tmp_path / "s", tell_fields=True))
    assert (made.outcome, made.detail.partition(":")[0]) == ("agent_error", NobodyCame.__name__)


def test_without_the_library_it_is_said_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "mcp", None)
    extra = f"{mcp_socket.__package__}.mcp_server"
    monkeypatch.delitem(sys.modules, extra)
    with pytest.raises(MissingExtra, match=r"pip install .*\[mcp\]"):
        importlib.import_module(extra)


@pytest.mark.slow
def test_a_website_is_walked_over_standard_input_with_its_tabs_and_an_answer(tmp_path):
    asked = {"key_nodes": [TO_THE_ACCOUNT], "answer": {"match": "exact", "reference": "17.50"}}
    make_site_task(tmp_path / "tasks", "Walk", evaluators=asked)
    command = [sys.executable, "-m", "harness", "page", "mcp", "--tasks-dir", str(tmp_path / "tasks"), "--task", "Walk"]
    server = Server(
        [*command, "--out", str(tmp_path / "run")],
        {"XDG_CACHE_HOME": str(tmp_path / "cache")},
        cwd=HERE.parents[2],
        stderr=subprocess.PIPE,
    )
    told = [FACTS["goal"] in server.told["instructions"], START in server.told["instructions"]]
    assert told == [True, True]
    assert "17.50" not in str(server.told)
    tools = {tool["name"] for tool in server.tools()}
    assert {"observe", "goto", "click_element", "fill", "new_tab", "switch_tab", "close_tab", "finish"} <= tools
    assert "modify_text" not in tools
    assert START in server.call("observe", encoding="text")
    assert server.call("new_tab", url="/account/") == f"tab 1 shows {ACCOUNT}"
    seen = server.call("observe", encoding="none")
    assert [line.partition(":")[0] for line in seen.splitlines() if START in line] == ["0", "1"]
    assert seen.endswith(f"{ACCOUNT} (shown)")
    assert server.call("switch_tab", number=0) == f"tab 0 shows {START}"
    assert "not on a site of this task" in server.call("goto", url="http://example.com/")
    server.call("finish", answer="17.50")
    server.leave()
    (made,) = RunDirectory.open(tmp_path / "run").episodes()
    assert made.site is not None
    assert (made.outcome, made.site.answer) == ("scored", "17.50")
    assert {each.evaluator: each.score for each in made.site.evaluations} == {"key_nodes": 1.0, "answer": 1.0}
    assert len(made.turns) == 6
