"""What a run of a benchmark of CUBE is about, as far as nothing of CUBE is needed for it."""

from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path

import pytest

from harness.browser.flags import confinement
from harness.cli.boundary import WRONG_USE
from harness.cli.commands import evaluate
from harness.cli.solver_arguments import cube_of
from harness.kit.errors import UserError
from harness.kit.files.installation import installing
from harness.records.config import CubeChoice, RunConfig
from harness.reports.html.sections.about import command
from harness.run import foreign_tasks, run_tasks
from harness.run.consent import Consent, NotAllowed, refuse_what_acts
from harness.run.plan import PlannedTask
from harness.run.run_tasks import RunTasks
from harness.sites.kind import SITES
from tests.task_folders import csv_text, make_task

ORIGIN = "http://localhost:8001"
CUBE = CubeChoice("theirs", (ORIGIN,), {"port": 8001, "title": "a b"})
CONFIG = RunConfig("do-nothing", Path("tasks"), kind="site", cube=CUBE)
OPTIONS = ["--cube", "theirs", "--cube-origin", ORIGIN, "--cube-set", "port=8001", "--cube-set", "title=a b"]


def asked_for(*options: str) -> CubeChoice | None:
    return cube_of(evaluate.parser().parse_args(["--solver", "do-nothing", *options]))


def test_its_options_choose_it_and_without_them_there_is_none():
    assert asked_for(*OPTIONS) == CUBE
    assert asked_for() is None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--cube", "theirs"], "say with --cube-origin where its pages are"),
        (["--cube-set", "port=8001"], "--cube-set goes with --cube"),
        ([*OPTIONS, "--tasks-dir", "mine"], "leave --tasks-dir and --dataset out"),
    ],
)
def test_what_is_missing_or_does_not_go_with_it_is_said(options, said):
    with pytest.raises(UserError, match=said):
        asked_for(*options)


def test_where_cube_is_not_installed_a_line_says_what_to_install(monkeypatch, capsys):
    monkeypatch.setattr(foreign_tasks, "_ADAPTER", "harness.integrations.adapters.absent")
    assert evaluate.main(["--solver", "do-nothing", *OPTIONS]) == WRONG_USE
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert f"install CUBE with: {installing('cube')}" in line


def test_no_prompt_is_built_of_pages_that_are_not_there(capsys):
    assert evaluate.main(["--solver", "gpt-6-luna", "--dry-run", *OPTIONS]) == WRONG_USE
    assert "--dry-run: the pages of a benchmark of CUBE" in capsys.readouterr().err


@pytest.mark.claim("runs-foreign-code")
def test_its_browser_goes_to_the_named_origins_each_at_its_own_port_and_nowhere_else():
    origins = ("http://localhost:8001", "http://localhost:8002", "http://shop.example:7770")
    policy = PlannedTask("T", 0, (), "", (), origins, named=True).policy("http://127.0.0.1:5000")
    _, bypass, rules = confinement("http://127.0.0.1:5000", policy, live=False)
    assert bypass == "--proxy-bypass-list=<-loopback>;localhost:8001;localhost:8002;shop.example:7770"
    assert rules.endswith("MAP localhost localhost, MAP shop.example shop.example")


def test_the_user_is_told_of_origins_that_are_not_on_this_machine():
    task = PlannedTask("T", 0, (), "", (), (ORIGIN,), named=True)
    assert task.reach == ""
    assert "browsers REACH THE WEB, at shop.example" in replace(task, origins=(ORIGIN, "http://shop.example")).reach


def test_seeds_are_the_benchmarks_own():
    with pytest.raises(UserError, match="--seeds: the seeds of --cube are its own"):
        SITES.check(replace(CONFIG, seeds=2))


def test_a_run_whose_tasks_are_at_another_place_of_the_cache_is_of_the_same_tasks(tmp_path, monkeypatch):
    class Theirs:
        def folder(self) -> Path:
            return tmp_path / "now"

    monkeypatch.setattr(run_tasks, "foreign_tasks", lambda _: Theirs())
    for place in ("now", "then"):
        make_task(tmp_path / place, "Task", table=csv_text(["Answer.a"], ["x"]))
    config = RunConfig("do-nothing", tmp_path / "then", cube=CUBE)
    assert RunTasks.of(config).names == ("Task",)
    make_task(tmp_path / "now", "Another", table=csv_text(["Answer.a"], ["x"]))
    with pytest.raises(UserError, match="the benchmark has changed"):
        RunTasks.of(config)


@pytest.mark.claim("runs-foreign-code")
def test_a_run_of_it_is_gone_on_with_by_agreement_alone():
    with pytest.raises(NotAllowed) as refused:
        refuse_what_acts(CONFIG)
    for words in (
        "run the code of the benchmark 'theirs'",
        f"let browsers reach '{ORIGIN}'",
        "the setting 'port=8001'",
    ):
        assert words in str(refused.value)
    again = {"cube": "theirs", "cube_origin": [ORIGIN], "cube_set": [("port", 8001), ("title", "a b")]}
    Consent(again).check(CONFIG)
    with pytest.raises(NotAllowed, match="--cube: a run that is resumed goes on as it began"):
        Consent({**again, "cube": "another"}).check(CONFIG)
    with pytest.raises(NotAllowed, match="let browsers reach"):
        Consent({"cube": "theirs"}).check(CONFIG)
    with pytest.raises(NotAllowed, match="goes on as it began"):
        Consent(again).check(replace(CONFIG, cube=None))


def test_the_command_of_a_report_names_it_in_place_of_a_folder():
    words = shlex.split(command(CONFIG))
    assert "--tasks-dir" not in words
    start = words.index("--cube")
    assert asked_for(*words[start : start + len(OPTIONS)]) == CUBE
