"""The driver of input over WebDriver: who reaches it, what it reaches, and what a solver can do with one."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.by import By

from harness.browser.box import bubblewrap
from harness.browser.input_back_end import BrowserSession
from harness.browser.launch import BrowserSettings
from harness.browser.webdriver.driver_process import PORT
from harness.browser.webdriver_session import webdriver_session
from harness.cli.boundary import COMPLETE, INCOMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from harness.records.directory import RunDirectory
from tests.needs import WEBDRIVER, needs
from tests.site import Site, done, whole_page
from tests.task_folders import make_task

pytestmark = needs(*WEBDRIVER)
END_SECONDS = 10.0
LISTENS = "0A"


@pytest.fixture
def others() -> frozenset[int]:
    """What is in boxes of sessions that other tests of this process keep open; asked for before ``session`` is."""
    return frozenset(in_boxes())


@pytest.fixture
def session(site: Site) -> Iterator[BrowserSession]:
    made = webdriver_session(BrowserSettings(site.origin))
    made.browser.open(site.put(whole_page("<input name=a>")))
    yield made
    made.input.close()
    made.browser.close()


def in_boxes() -> dict[int, str]:
    """The processes of this machine that are in the box of a driver of this process, with their command lines."""
    parents, words = {}, {}
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            try:
                parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
                words[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue  # it has ended
    begun = {pid for pid, parent in parents.items() if parent == os.getpid() and "bwrap" in words[pid]}
    found = set(begun)
    while more := {pid for pid, parent in parents.items() if parent in found} - found:
        found |= more
    return {pid: words[pid] for pid in found}


@pytest.mark.slow
@pytest.mark.claim("driver-port")
def test_a_driver_listens_at_no_port_of_this_machine_and_sees_no_file_of_a_user(
    others: frozenset[int], session: BrowserSession, tmp_path: Path
) -> None:
    (tmp_path / "secret").write_text("it")
    done(Actions(session.browser, session.input, Trajectory()).modify_text("a", "works"))
    (driver,) = [
        pid
        for pid, words in in_boxes().items()
        if pid not in others and words.startswith("/") and f"--port={PORT} " in words
    ]
    assert Path(f"/proc/{driver}/ns/net").readlink() != Path("/proc/self/ns/net").readlink()
    rows = [line.split() for line in Path(f"/proc/{driver}/net/tcp").read_text().splitlines()[1:]]
    assert f"0100007F:{PORT:04X}" in [row[1] for row in rows if row[3] == LISTENS]
    here = [line.split() for line in Path("/proc/self/net/tcp").read_text().splitlines()[1:]]
    assert f"0100007F:{PORT:04X}" not in [row[1] for row in here if row[3] == LISTENS]
    assert Path(f"/proc/{driver}/root/usr").is_dir()
    assert not Path(f"/proc/{driver}/root{tmp_path}/secret").exists()


@pytest.mark.claim("driver-end")
def test_a_driver_and_what_is_in_its_box_end_with_the_session(others: frozenset[int], session: BrowserSession) -> None:
    before = {pid: words for pid, words in in_boxes().items() if pid not in others}
    assert any("chromedriver" in words for words in before.values())
    session.input.close()
    deadline = time.monotonic() + END_SECONDS
    while any(Path(f"/proc/{pid}/exe").exists() for pid in before):
        assert time.monotonic() < deadline


@pytest.mark.slow
@pytest.mark.claim("driver-box")
@pytest.mark.usefixtures("own_cache")
def test_without_a_box_there_is_no_driver_and_one_line_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    make_task(tmp_path / "tasks", "T", template="<input name=a>${text}")
    monkeypatch.setattr(bubblewrap, "why_not", lambda: "name spaces are not allowed")
    arguments = ["--tasks-dir", str(tmp_path / "tasks"), "--out", str(tmp_path / "run"), "--workers", "1"]
    assert evaluate(["--solver", "do-nothing", "--input", "webdriver", *arguments]) == WRONG_USE
    said = capsys.readouterr().err
    assert "--input webdriver is not possible here" in said
    assert "name spaces are not allowed" in said
    assert "Traceback" not in said


@pytest.mark.slow
@pytest.mark.claim("driver-files")
def test_a_text_that_names_a_file_is_typed_and_no_file_is_read(session: BrowserSession, tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("it")
    act = Actions(session.browser, session.input, Trajectory())
    done(act.modify_text("a", str(secret)))
    element = act.driver.find_element(By.NAME, "a")
    element.clear()
    element.send_keys(str(secret))
    assert element.get_property("value") == str(secret)


class UsesItsDriver:
    """Types with Selenium, and asks for what it is not allowed."""

    def solve(self, page: Page, act: Actions) -> None:
        act.driver.find_element(By.NAME, page.names[0]).send_keys("by hand")
        with pytest.raises(WebDriverException):
            act.driver.find_element(By.NAME, "not there")
        with pytest.raises(WebDriverException):
            act.driver.switch_to.new_window("tab")
        act.driver.quit()
        act.driver.find_element(By.NAME, page.names[0]).send_keys(" and after")


def played(tmp_path: Path, back_end: str, monkeypatch: pytest.MonkeyPatch, code: int = COMPLETE):
    make_task(tmp_path / "tasks", "T", template="<input name=a>${text}")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    arguments = ["--solver", f"{__name__}:UsesItsDriver", "--tasks-dir", str(tmp_path / "tasks"), "--input", back_end]
    arguments += ["--out", str(tmp_path / "run"), "--workers", "1", "--max-instances", "1"]
    assert evaluate(arguments) == code
    (episode,) = RunDirectory.open(tmp_path / "run").episodes()
    return episode


@pytest.mark.slow
@pytest.mark.claim("driver-record")
def test_what_a_solver_does_with_its_driver_is_recorded_command_by_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = played(tmp_path, "webdriver", monkeypatch)
    assert episode.submission is not None
    assert episode.submission.values["a"] == ("by hand and after",)
    assert episode.unseen
    commands = [step.action for step in episode.steps]
    assert commands[:3] == ["driver('findElement')", "driver('sendKeysToElement')", "driver('findElement')"]
    assert [step.code for step in episode.steps][:3] == [None, None, "no_such_element"]
    assert "devtools('Target.createTarget')" in commands
    assert RunDirectory.open(tmp_path / "run").read().config.input == "webdriver"


@pytest.mark.slow
def test_over_devtools_there_is_no_driver_for_a_solver_and_one_line_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    episode = played(tmp_path, "devtools", monkeypatch, INCOMPLETE)
    assert (episode.outcome, episode.unseen) == ("agent_error", False)
    assert "act.driver is there with --input webdriver only" in episode.detail


def test_a_solver_that_drives_the_browser_itself_is_refused_over_webdriver(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = ["--solver", "command", "--command", "true", "--input", "webdriver", "--out", str(tmp_path / "run")]
    assert evaluate(arguments) == WRONG_USE
    assert "--solver command drives the browser itself" in capsys.readouterr().err
