"""What can be known beforehand is told before anything is begun: no browser is started, no folder is left behind."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from harness.cli.boundary import WRONG_USE
from harness.cli.commands.evaluate import main
from harness.kit.errors import UserError
from harness.models import presets as presets_module
from harness.models import readiness
from harness.models.client import ModelRetired
from harness.models.providers import provider_table
from harness.models.providers.provider_table import PROVIDERS
from harness.models.readiness import NotReady, check_ready
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.run import preflight, runner
from harness.run.preflight import told_beforehand
from harness.run.runner import Run
from harness.run.selection import setup_of
from tests.needs import LOCAL_MODEL, extra, require
from tests.samples import run_record
from tests.solvers.runs import make_pages

END = date(2027, 1, 14)
"""The last day of gpt-4o."""


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a server that is not there; nobody else can take its port meanwhile."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{taken.getsockname()[1]}"


@pytest.fixture
def listening() -> Iterator[str]:
    """The address of a server that takes connections, and says nothing."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def place(tmp_path, monkeypatch) -> Path:
    """A folder with tasks; there are neither keys nor proxies, and the browser leaves a mark when it is started."""
    make_pages(tmp_path / "tasks", 1)
    browser = tmp_path / "browser"
    browser.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\nexit 1\n", encoding="utf-8")
    browser.chmod(0o755)
    monkeypatch.setenv("TURKBENCH_CHROMIUM", str(browser))
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GEMINI_API_KEY", "OPENROUTER_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    for name in ("http_proxy", "https_proxy", "all_proxy", "no_proxy"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.upper(), raising=False)
    return tmp_path


def refused(place: Path, capsys, *arguments: str) -> str:
    """What a run is refused with; nothing was started, nothing is left."""
    assert main(["--tasks-dir", str(place / "tasks"), "--progress", "quiet", *arguments]) == WRONG_USE
    (line,) = capsys.readouterr().err.splitlines()
    assert not (place / "started").exists()
    assert not list(place.glob("runs/*"))
    return line


# ---- what is missing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "key"),
    [
        (["--solver", "gpt4v"], "OPENAI_API_KEY"),
        (["--solver", "claude"], "ANTHROPIC_API_KEY"),
        (["--solver", "gemini"], "GEMINI_API_KEY"),
        (["--solver", "gpt-6-luna", "--base-url", "https://openrouter.ai/api/v1"], "OPENROUTER_API_KEY"),
    ],
)
def test_a_missing_key_is_told_before_a_browser_starts(place, capsys, arguments, key):
    assert f"error: {key} is not set: export it, or write {key}=... into" in refused(place, capsys, *arguments)


def test_the_key_of_a_model_with_tools_is_asked_for_too(place, capsys):
    pytest.importorskip("mcp", reason=extra("mcp"))
    assert "OPENAI_API_KEY is not set" in refused(place, capsys, "--solver", "mcp", "--preset", "gpt-6-luna")


@pytest.mark.parametrize(
    ("preset", "module"), [("gpt-6-luna", "openai"), ("gemini", "google.genai"), ("local", "xllamacpp")]
)
def test_a_missing_package_is_told_with_the_line_that_installs_it(place, capsys, monkeypatch, preset, module):
    found = provider_table.find_spec
    monkeypatch.setattr(provider_table, "find_spec", lambda name: None if name == module else found(name))
    line = refused(place, capsys, "--solver", preset)
    assert "is not installed; install it with: " in line
    assert f"[{PROVIDERS[presets_module.presets()[preset].provider].extra}]" in line


def test_a_missing_model_file_is_told(place, capsys):
    require(*LOCAL_MODEL)
    line = refused(place, capsys, "--solver", "local", "--model", "none.gguf")
    assert "the model file none.gguf cannot be read" in line


def test_an_address_that_nobody_listens_at_is_told(place, capsys, silent):
    line = refused(place, capsys, "--solver", "llama", "--base-url", f"{silent}/v1")
    assert f"nobody listens at {silent}/v1 (Connection refused): start the model's server there" in line


def test_a_preset_with_an_address_of_its_own_is_looked_at_there(place, capsys, silent, monkeypatch):
    own = replace(presets_module.presets()["llama"], base_url=f"{silent}/v1")
    monkeypatch.setattr(presets_module, "presets", lambda: {"llama": own})
    assert f"nobody listens at {silent}/v1" in refused(place, capsys, "--solver", "llama")


def test_through_a_proxy_the_proxy_alone_is_looked_at(place, capsys, silent, listening, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    monkeypatch.setenv("https_proxy", silent)
    assert f"nobody listens at {silent}, the proxy" in refused(place, capsys, "--solver", "gpt-6-luna")
    monkeypatch.setenv("https_proxy", listening)
    for address in (None, "https://nobody.invalid/v1"):
        check_ready(presets_module.resolve("gpt-6-luna", {"base_url": address}))


def test_a_connection_that_does_not_come_about_is_not_waited_for(monkeypatch):
    held = threading.Event()
    monkeypatch.setattr(readiness, "PATIENCE", 0.01)
    monkeypatch.setattr(socket, "create_connection", lambda *_: held.wait() and socket.socket())
    try:
        with pytest.raises(NotReady, match=r"no connection within 0\.01 s"):
            check_ready(presets_module.resolve("llama", {}))
    finally:
        held.set()


def test_a_model_without_pictures_is_sent_none(place, capsys):
    line = refused(place, capsys, "--solver", "llama", "--vision")
    assert "takes no pictures; use --no-vision or another --model" in line


def test_a_limit_in_money_on_a_server_of_ones_own_is_refused_since_nobody_knows_what_it_costs(place, capsys, listening):
    server = ["--solver", "claude", "--base-url", f"{listening}/v1", "--max-cost", "1"]
    line = refused(place, capsys, *server)
    assert "--max-cost cannot be kept: what this model costs where it is asked is not known" in line


@pytest.mark.parametrize(
    "arguments",
    [
        ["--solver", "command", "--command", "no-such-program-here"],
        ["--solver", "do-nothing", "--out", "/proc/nowhere"],
        ["--solver", "gpt-6-luna", "--demos-from", "tasks"],
    ],
)
def test_what_else_is_known_beforehand_is_told_too(place, capsys, arguments):
    assert refused(place, capsys, *arguments).startswith("error: ")


def config_of(**options) -> RunConfig:
    return RunConfig("llama", Path("tasks"), options={"model": "m", **options})


def test_the_judge_is_looked_at_like_the_solver(place):
    config = RunConfig("do-nothing", place / "tasks", judge="gpt-6-luna")
    with pytest.raises(NotReady, match="OPENAI_API_KEY is not set"):
        told_beforehand(config, again=False, waits=False)


@pytest.mark.usefixtures("place")
def test_a_server_that_is_to_be_waited_for_need_not_be_there_yet(silent):
    config = config_of(base_url=f"{silent}/v1")
    with pytest.raises(NotReady):
        told_beforehand(config, again=False, waits=False)
    assert told_beforehand(config, again=False, waits=True) == []


def test_replies_that_are_at_hand_may_answer_without_a_server(place, silent):
    (place / "replies").mkdir()
    config = config_of(base_url=f"{silent}/v1", cache=str(place / "replies"))
    with pytest.raises(NotReady):
        told_beforehand(config, again=False, waits=False)
    (place / "replies" / "one").touch()
    assert told_beforehand(config, again=False, waits=False) == []


@pytest.mark.usefixtures("place")
def test_on_a_cluster_only_what_is_known_here_is_looked_at(silent):
    config = replace(config_of(base_url=f"{silent}/v1"), engine="ray")
    assert told_beforehand(config, again=False, waits=False) == []
    gone = replace(config, solver="gpt-6-luna", options={"model": "gpt-4-turbo"})
    with pytest.raises(ModelRetired):
        told_beforehand(gone, again=False, waits=False)


# ---- a run that is gone on with -------------------------------------------------------------------------------------


@pytest.fixture
def begun(place, monkeypatch) -> Path:
    """A run that gpt-4o began before its last day, which is today."""
    config = RunConfig("gpt-4o", place / "tasks", kind="form")
    options = dict(preflight.find_solver("gpt-4o").check({}))
    RunDirectory(place / "begun").write(run_record(config=replace(config, options=options), status="interrupted"))
    monkeypatch.setattr(runner, "refuse_others", lambda *_: None)
    for module in (presets_module, preflight):
        monkeypatch.setattr(module, "today", lambda: END)
    return place / "begun"


def test_going_on_looks_too(place, begun, capsys):
    assert "OPENAI_API_KEY is not set" in refused_again(place, begun, capsys)[-1]


@pytest.mark.parametrize("more", [[], ["--retired-anyway"]])
def test_a_run_goes_on_with_the_model_it_began_with_and_says_if_that_is_gone(place, begun, capsys, monkeypatch, more):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test")
    played = []

    def execute(run: Run, *_: object) -> None:
        setup = setup_of(run.config, run.directory.folder)
        played.append(preflight.find_solver(setup.name).asks(setup.options).model)
        raise UserError("not played")

    monkeypatch.setattr(Run, "execute", execute)
    said = refused_again(place, begun, capsys, *more)
    assert said == ["gpt-4o was shut down by its provider on 2027-01-14", "error: not played"]
    assert played == ["gpt-4o"]


def refused_again(place: Path, run: Path, capsys, *more: str) -> list[str]:
    assert main(["--resume", str(run), "--progress", "quiet", *more]) == WRONG_USE
    assert not (place / "started").exists()
    return capsys.readouterr().err.splitlines()
