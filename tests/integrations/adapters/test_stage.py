"""A stage: episodes in a process of their own, driven step by step, of which no label comes out."""

from __future__ import annotations

import base64
import io
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from websocket import create_connection

from harness.browser.launch import SCREEN
from harness.integrations.adapters.stage.stage import NotStaged, Stage, StageGone
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.records.config import Limits
from tests.integrations.adapters.plain import FORM, leaving_nothing
from tests.run.processes import needs_proc
from tests.site_tasks import ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task

pytestmark = needs_proc
LABEL = "violet – été"


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("stage")


@pytest.fixture(scope="module", autouse=True)
def _nothing_is_left(folder) -> Iterator[None]:
    """However an episode was left, no process and no temporary file of a stage stays behind."""
    with leaving_nothing(folder):
        yield


@pytest.fixture(scope="module")
def stage(folder) -> Iterator[Stage]:
    table = csv_text(["text", "Answer.a", "Answer.b"], ["x", LABEL, "1"], ["y", "green", "2"], ["z", "", ""])
    make_task(folder / "tasks", "Plain", template=FORM, table=table)
    with Stage(stage_config("test", "form", tasks_dir=folder / "tasks"), tell_worth=True) as made:
        yield made


def test_it_tells_its_instances_that_somebody_has_labelled(stage):
    assert stage.instances() == {"Plain": (0, 1)}


@pytest.mark.slow
def test_an_episode_is_driven_step_by_step_and_scored(stage):
    page = stage.open("Plain", 0)
    assert page.names == ("a", "b")
    assert {"observe", "modify_text", "click", "finish"} <= {tool["name"] for tool in page.tools}
    assert "'a'\n'b'" in page.instructions
    assert "x" in stage.call("observe", {"encoding": "text"}).text
    written = stage.call("modify_text", {"name": "a", "value": LABEL})
    assert (written.ok, written.worth) == (True, 0.5)
    chosen = stage.write("modify_radio('b', '2')")
    assert (chosen.ok, chosen.worth, chosen.ended) == (True, 0.5, None)
    assert [field.initial for field in chosen.fields if field.name in page.names] == [(LABEL,), ("2",)]
    ended = stage.call("finish", {}).ended
    assert ended
    assert (ended.outcome, ended.limit, ended.score, ended.ceiling) == ("scored", "", 0.5, 1.0)
    assert ended.fields == {"a": 1.0, "b": 0.0}


def test_what_cannot_be_done_is_an_answer(stage):
    stage.open("Plain", 1)
    assert "no field of this name" in stage.call("modify_text", {"name": "c", "value": "x"}).text
    assert "no tool 'run'" in stage.call("run", {}).text
    assert "no action" in stage.write("I would rather not.").text
    assert not stage.write("import os").ok
    assert stage.submit().ended


def test_a_picture_is_of_the_screen(stage):
    stage.open("Plain", 0)
    (shown,) = stage.call("observe", {"encoding": "none", "picture": "viewport"}).images
    with Image.open(io.BytesIO(base64.b64decode(shown))) as image:
        assert image.size == SCREEN


def test_opening_another_page_gives_up_the_one_before(stage):
    stage.open("Plain", 0)
    stage.call("modify_text", {"name": "a", "value": "x"})
    assert stage.open("Plain", 1).fields[0].initial == ("",)
    ended = stage.submit().ended
    assert ended
    assert ended.score == 0


def test_a_request_that_cannot_be_met_says_why_and_the_stage_goes_on(stage):
    stage.submit() if stage.open("Plain", 0) else None
    with pytest.raises(NotStaged, match="no task 'Fancy'"):
        stage.open("Fancy", 0)
    with pytest.raises(NotStaged, match="the instances 0 to 2"):
        stage.open("Plain", 3)
    assert stage.open("Plain", 0)


def test_a_program_may_drive_the_browser(stage):
    page = stage.open("Plain", 0, over_devtools=True)
    assert page.devtools
    assert page.tools == ()
    with pytest.raises(NotStaged, match="over DevTools"):
        stage.call("observe", {})
    connection = create_connection(page.devtools.page, suppress_origin=True, timeout=30)
    script = "document.getElementsByName('b')[0].click()"
    connection.send(f'{{"id": 1, "method": "Runtime.evaluate", "params": {{"expression": "{script}"}}}}')
    connection.recv()
    assert [field.initial for field in stage.look().fields if field.name == "b"] == [("1",)]
    connection.close()
    ended = stage.submit().ended
    assert ended
    assert ended.fields == {"a": 0.0, "b": 1.0}


def test_a_program_that_presses_the_page_s_own_submit_has_ended_its_episode(stage):
    page = stage.open("Plain", 0, over_devtools=True)
    connection = create_connection(page.devtools.page, suppress_origin=True, timeout=30)
    script = "document.getElementsByName('b')[0].click(); document.forms[0].requestSubmit()"
    connection.send(f'{{"id": 1, "method": "Runtime.evaluate", "params": {{"expression": "{script}"}}}}')
    connection.recv()
    ended = stage.look().ended
    connection.close()
    assert ended
    assert (ended.outcome, ended.score) == ("scored", 0.5)


@pytest.mark.slow
def test_limits_end_an_episode_and_what_it_holds_is_scored(stage):
    short = replace(stage.config, limits=Limits(max_steps=1, max_seconds=60.0))
    with Stage(short) as hurried:
        hurried.open("Plain", 0)
        assert hurried.call("modify_radio", {"name": "b", "value": "1"}).worth is None
        ended = hurried.call("modify_text", {"name": "a", "value": LABEL}).ended
        assert ended
        assert (ended.limit, ended.score) == ("steps", 0.5)


@pytest.mark.slow
def test_who_says_nothing_until_the_time_is_up_is_told_at_the_next_request(stage):
    with Stage(replace(stage.config, limits=Limits(max_seconds=0.0))) as late:
        late.open("Plain", 0)
        for acted in (late.look(), late.submit()):
            assert acted.ended
            assert (acted.ended.limit, acted.ended.score) == ("time", 0.0)


@pytest.mark.slow
def test_no_label_leaves_the_process(stage, monkeypatch):
    told: list[bytes] = []

    class Heard(subprocess.Popen):
        def __init__(self, *arguments, **options) -> None:
            super().__init__(*arguments, **options)
            self.stdout = _Recorded(self.stdout, told)

    monkeypatch.setattr(subprocess, "Popen", Heard)
    with Stage(stage.config, tell_worth=True) as heard:
        heard.instances()
        heard.open("Plain", 0)
        heard.call("get_html", {})
        heard.submit()
    said = b"".join(told).decode()
    assert "Plain" in said
    assert "violet" not in said
    assert "Answer.a" not in said


class _Recorded:
    """A stream whose lines are recorded."""

    def __init__(self, stream, told: list[bytes]) -> None:
        self._stream, self._told = stream, told

    def readline(self) -> bytes:
        self._told.append(self._stream.readline())
        return self._told[-1]

    def close(self) -> None:
        self._stream.close()


@pytest.mark.slow
def test_a_website_has_a_goal_and_an_end(folder):
    make_site_task(folder / "sites", "Account")
    with Stage(stage_config("test", "site", tasks_dir=folder / "sites")) as stage:
        assert stage.instances() == {"Account": (0,)}
        page = stage.open("Account", 0)
        assert (page.goal, page.names) == ("Open your account.", ())
        assert stage.call("goto", {"url": ACCOUNT}).ok
        ended = stage.submit().ended
        assert ended
        assert (ended.outcome, ended.score, ended.do_nothing) == ("scored", 1.0, 0.0)


@pytest.mark.slow
def test_a_configuration_that_cannot_be_is_said_in_a_line(folder):
    with Stage(stage_config("test", "form", tasks_dir=folder / "nowhere")) as stage, pytest.raises(StageGone) as gone:
        stage.instances()
    assert "nowhere" in str(gone.value)
    assert "Traceback" not in str(gone.value)
