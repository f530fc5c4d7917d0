"""The command that records a task: what it refuses, and a person who records with it through the panel."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from harness.browser.launch import SCREEN
from harness.catalog import Catalog
from harness.cli.commands.tasks.record import main
from tests.person import person_browser
from tests.server.person import barriers, needs_axe, until

SHOWN = "document.querySelector('#tabs .shown') && document.getElementById('view').naturalWidth"
"""Whether the panel shows the recorded browser."""
_NO_SCREEN = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}


@pytest.fixture
def no_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)


@pytest.mark.usefixtures("no_screen")
@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["http://shop.test/"], "--served"),
        (["https://www.example.org/", "--served"], "--network live"),
        (["ftp://shop.test/", "--served"], "no address"),
        (["http://shop.test/", "--served", "--allow", "example.org"], "leave out"),
    ],
)
def test_what_cannot_be_recorded_is_one_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == 2
    said = capsys.readouterr().err.strip()
    assert words in said
    assert "\n" not in said


@pytest.fixture
def recording(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """The command, with the shop shown in its panel."""
    command = [sys.executable, "-m", "harness", "tasks", "record", "http://shop.test/", "--served", "--no-browser"]
    command += ["--out", str(tmp_path / "recorded")]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, env=_NO_SCREEN, text=True) as process:
        yield process
        process.kill()


def press(live: webdriver.Chrome, x: float, y: float) -> None:
    """Press a point of the recorded page in its picture."""
    view = live.find_element(By.ID, "view")
    look = "const box = arguments[0].getBoundingClientRect(); return [box.width, box.height]"
    width, height = live.execute_script(look, view)
    right, down = (place * width / SCREEN[0] for place in (x, y))
    ActionChains(live).move_to_element_with_offset(view, right - width / 2, down - height / 2).click().perform()


@pytest.mark.slow
def test_person_records_a_task_in_the_panel_and_the_command_ends_with_what_the_replay_says(
    recording: subprocess.Popen[str], tmp_path: Path
) -> None:
    assert recording.stdout
    panel = recording.stdout.readline().strip()
    with person_browser("1500,1100") as live:
        live.get(panel)
        until(live, SHOWN)
        press(live, 400, 35)  # the search field
        until(live, "document.querySelectorAll('#steps li[data-step]').length")
        ActionChains(live).send_keys("<b>kettle</b>" + Keys.ENTER).perform()
        until(live, "document.getElementById('address').value.includes('/search/')")
        assert "<b>kettle</b>" in live.find_element(By.CSS_SELECTOR, "#steps .said").text
        live.find_element(By.XPATH, "//button[starts-with(text(), 'Key node')]").click()
        until(live, "document.querySelectorAll('#proposals label').length")
        live.find_element(By.XPATH, "//button[.='Put it on the step']").click()
        until(live, "document.querySelectorAll('.nodes li').length")
        live.find_element(By.ID, "title").send_keys("Find a kettle")
        live.find_element(By.ID, "goal").send_keys("Search for a kettle.")
        live.find_element(By.ID, "save").click()
        until(live, "document.querySelectorAll('#proof li').length")
        assert "the replay holds" in live.find_element(By.ID, "proof").text
        live.find_element(By.ID, "end").click()
        said, notes = recording.communicate(timeout=120)
    assert recording.returncode == 0, notes
    assert "FAILS" not in said
    assert said.count("holds") == 2
    task = Catalog(tmp_path / "recorded").task("Find a kettle")
    trace = task.trace_of(task.pages[0])
    assert trace is not None
    assert [(step.do, step.value, step.nodes) for step in trace.steps] == [("fill_search", "<b>kettle</b>", (0,))]


@pytest.mark.slow
def test_recording_that_saves_nothing_is_incomplete(recording: subprocess.Popen[str]) -> None:
    assert recording.stdout
    panel = recording.stdout.readline().strip()
    with person_browser() as live:
        live.get(panel)
        until(live, "document.getElementById('phase').textContent === 'recording'")
        live.execute_script("window.confirm = () => true; document.getElementById('end').click()")
        _, notes = recording.communicate(timeout=120)
    assert recording.returncode == 1
    assert "Nothing was saved." in notes


@needs_axe
def test_pages_of_recording_keep_nobody_out(recording: subprocess.Popen[str]) -> None:
    assert recording.stdout
    panel = recording.stdout.readline().strip()
    with person_browser("1500,1100") as live:
        live.get(panel.removesuffix("1/"))
        assert barriers(live) == []
        live.get(panel)
        until(live, SHOWN)
        press(live, 400, 35)
        until(live, "document.querySelectorAll('#steps li[data-step]').length")
        assert barriers(live) == []
        live.find_element(By.XPATH, "//button[starts-with(text(), 'Key node')]").click()
        until(live, "document.querySelectorAll('#proposals label').length")
        assert barriers(live) == []
