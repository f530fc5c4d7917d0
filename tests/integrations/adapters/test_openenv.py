"""Pages as an environment server of OpenEnv. ``.ci/extras openenv`` runs this where OpenEnv is installed."""

from __future__ import annotations

import json
import shutil
import socket
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrations.adapters.plain import leaving_nothing, make_plain
from tests.needs import extra

pytest.importorskip("openenv", reason=extra("openenv"))

from openenv.core import GenericEnvClient
from websockets.exceptions import InvalidStatus
from websockets.sync.client import ClientConnection, connect

from harness.cli.commands.page.openenv import main
from harness.kit.files.installation import BUNDLED_TASKS
from tests.integrations.adapters.openenv_way import play, serving
from tests.integrations.adapters.parity import Scripted
from tests.run.processes import marked, needs_proc, until
from tests.runs import stage

pytestmark = needs_proc
BUNDLED = "Emergency messages"
STAGE = "harness.cli.commands.stage_process"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """Of a task of two instances; in the end no process and no temporary file is left of what played them."""
    folder = tmp_path_factory.mktemp("openenv")
    with leaving_nothing(folder):
        make_plain(folder / "tasks")
        shutil.copytree(BUNDLED_TASKS / BUNDLED, folder / "tasks" / BUNDLED)
        yield folder


@pytest.fixture(scope="module")
def address(folder) -> Iterator[str]:
    with serving("--tasks-dir", str(folder / "tasks"), "--sessions", "2", "--max-steps", "12") as (address, _):
        yield address


def stages(folder: Path) -> int:
    """How many stages there are."""
    return sum(STAGE in line for line in marked(folder))


def test_their_client_plays_an_episode(address):
    with GenericEnvClient(base_url=address).sync() as client:
        seen = client.reset(task="Plain", row=0, episode_id="first")
        assert (seen.done, seen.reward) == (False, 0.0)
        assert [field["name"] for field in seen.observation["fields"]] == ["a", "b"]
        assert {"modify_text", "finish"} <= {tool["name"] for tool in seen.observation["tools"]}
        assert "x" in seen.observation["page"]
        assert "violet" not in str(seen.observation)
        seen = client.step({"text": "modify_text('a', 'violet')"})
        assert (seen.observation["ok"], seen.reward) == (True, 0.0)
        assert seen.observation["fields"][0]["initial"] == ["violet"]
        assert client.state() == {"episode_id": "first", "step_count": 1, "task": "Plain", "row": 0, "is_open": True}
        seen = client.step({"tool": "finish"})
        assert (seen.done, seen.reward) == (True, 0.5)
        assert seen.observation["outcome"]["score"] == 0.5
        assert client.state()["is_open"] is False


def test_a_page_of_any_browser_is_turned_away(address):
    there = address.replace("http:", "ws:") + "/ws"
    with pytest.raises(InvalidStatus, match="403"), connect(there, origin="https://example.org"):
        pass
    with connect(there):
        pass


def test_what_cannot_be_done_is_an_answer_and_what_cannot_be_asked_an_error(address):
    with GenericEnvClient(base_url=address).sync() as client:
        with pytest.raises(RuntimeError, match="reset opens one"):
            client.step({"text": "finish()"})
        with pytest.raises(RuntimeError, match="not taks"):
            client.reset(taks="Plain")
        with pytest.raises(RuntimeError, match="no task 'Fancy'"):
            client.reset(task="Fancy", row=0)
        client.reset(task="Plain", row=1)
        for action in ({}, {"text": "finish()", "tool": "finish"}):
            assert client.step(action).observation["message"] == "An action has either a text or a tool."
        assert not client.step({"text": "I would rather not."}).observation["ok"]
        assert "no tool 'run'" in client.step({"tool": "run"}).observation["message"]


def test_an_instance_is_drawn_by_the_seed_and_a_limit_ends_its_episode(address):
    with GenericEnvClient(base_url=address).sync() as client:
        drawn = []
        for seed in (3, 3, 1):
            client.reset(seed=seed)
            drawn.append((client.state()["task"], client.state()["row"]))
        assert drawn[0] == drawn[1] != drawn[2]
        client.reset(task="Plain", row=0)
        for _ in range(11):
            assert not client.step({"text": "modify_radio('b', '1')"}).done
        seen = client.step({"text": "modify_radio('b', '1')"})
        assert (seen.done, seen.reward, seen.observation["outcome"]["limit"]) == (True, 0.5, "steps")


def test_sessions_are_apart_bounded_and_closed_when_they_end_or_die(address, folder):
    until(lambda: stages(folder) == 0)
    place = f"{address.replace('http', 'ws')}/ws"
    with GenericEnvClient(base_url=address).sync() as first, connect(place, proxy=None) as second:
        first.reset(task="Plain", row=0)
        asked(second, "reset", task="Plain", row=1)
        first.step({"text": "modify_text('a', 'violet')"})
        seen = asked(second, "step", text="modify_radio('b', '2')")
        assert [field["initial"] for field in seen["observation"]["fields"]] == [[""], ["2"]]
        assert stages(folder) == 2
        with connect(place, proxy=None) as third:
            assert json.loads(third.recv())["data"]["code"] == "CAPACITY_REACHED"
        second.socket.shutdown(socket.SHUT_RDWR)  # as when its process is killed
        until(lambda: stages(folder) == 1)
        assert first.step({"tool": "finish"}).reward == 0.5
    until(lambda: stages(folder) == 0)


def asked(connection: ClientConnection, what: str, **data: object) -> dict:
    """What the server answers to a message of OpenEnv."""
    connection.send(json.dumps({"type": what, "data": data}))
    return json.loads(connection.recv())["data"]


def test_nothing_is_opened_beyond_the_sessions(address):
    with pytest.raises(urllib.error.HTTPError) as refused:
        urllib.request.urlopen(f"{address}/reset", b"{}")  # noqa: S310 - loopback
    assert refused.value.code == 404
    refused.value.close()


def test_a_server_that_is_ended_closes_its_sessions(folder):
    with serving("--tasks-dir", str(folder / "tasks")) as (address, process):
        client = GenericEnvClient(base_url=address).sync()
        client.connect()
        client.reset(task="Plain", row=0)
        of_the_stage = stages(folder)
        process.terminate()
        process.wait(60)
        until(lambda: stages(folder) < of_the_stage)
        client.close()


def test_what_cannot_be_served_is_said_in_a_line(folder, capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, words in ((["--task", "Fancy"], "Fancy"), (["--port", port], f"port {port}")):
            assert main(["--tasks-dir", str(folder / "tasks"), *arguments]) == 2
            said = capsys.readouterr().err
            assert words in said
            assert said.count("\n") == 1


def test_the_same_answers_have_the_same_score_as_in_a_run_of_ours(address, folder):
    with stage(folder / "tasks") as ours:
        assert play(address, BUNDLED, 1) == ours.score(BUNDLED, Scripted(), 1).score
