"""The browser's own sandbox is on; where it cannot be, that is said, recorded, and refused if asked."""

from __future__ import annotations

import json
import os
import pwd
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings, NoBrowser
from harness.browser.sandbox import NO_SANDBOX, Sandbox, of_all
from harness.cli.boundary import COMPLETE, WRONG_USE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.replay import main as replay
from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.records.directory import RunDirectory
from harness.reports.html.sections.about import SANDBOX_WORDS
from harness.reports.leaderboard.checked_run import check_run
from harness.reports.leaderboard.entry import make_entry
from harness.run.page_source import PageSource
from harness.solvers.outside.opened_page import NoResult, open_page
from oracle.check.__main__ import main as check
from tests.checkout import PROJECT
from tests.needs import PROC, ROOT, SANDBOX, needs, require
from tests.task_folders import csv_text, make_task
from tests.trust.programs import open_folder, refusing_without, script

SETTINGS = BrowserSettings("http://127.0.0.1:1")
SEEN = "SANDBOX_SEEN"
needs_proc = needs(PROC)
as_root = needs(ROOT)


class LooksAtTheBrowser:
    """Writes down what the kernel says of each process of the browser that it works in."""

    def solve(self, page: Page, act: Actions) -> None:  # noqa: ARG002 - the arguments of a solver
        group, found = act._browser.process_group, []
        for each in Path("/proc").iterdir():
            if each.name.isdecimal() and _group(each) == group:
                status = dict(line.split(":", 1) for line in (each / "status").read_text().splitlines())
                words = (each / "cmdline").read_bytes().replace(b"\0", b" ").decode()
                found.append({"words": words, **{key: status[key].split() for key in ("Uid", "NSpid", "Seccomp")}})
        Path(os.environ[SEEN]).write_text(json.dumps(found))


def _group(process: Path) -> int:
    try:
        return os.getpgid(int(process.name))
    except ProcessLookupError:
        return -1


@pytest.fixture(scope="module")
def tasks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("sandbox")
    make_task(folder / "tasks", "T", table=csv_text(["text", "Answer.a"], ["one", "yes"], ["two", "no"]))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        yield folder / "tasks"


@pytest.fixture
def without(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine on which browsers can have no sandbox."""
    with open_folder() as folder:
        monkeypatch.setenv("TURKBENCH_CHROMIUM", str(refusing_without(folder)))
        yield


def run(tasks: Path, out: Path, *more: str, solver: str = "do-nothing") -> int:
    return evaluate(["--tasks-dir", str(tasks), "--out", str(out), "--solver", solver, *more])


# ---- it is on -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.claim("sandbox-on", "sandbox-user")
@needs_proc
def test_the_pages_of_a_run_are_held_by_the_kernel_and_run_json_says_so(
    tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(SANDBOX)
    monkeypatch.setenv(SEEN, str(tmp_path / "seen"))
    assert run(tasks, tmp_path / "run", "--workers", "1", solver=f"{__name__}:LooksAtTheBrowser") == COMPLETE
    processes = json.loads((tmp_path / "seen").read_text())
    pages = [each for each in processes if "--type=renderer" in each["words"]]
    assert pages
    for each in pages:
        assert each["Seccomp"] == ["2"]  # system calls go through a filter
        assert len(each["NSpid"]) > 1  # in a name space of processes
    assert not any("--no-sandbox" in each["words"] for each in processes)
    assert json.loads((tmp_path / "run" / "run.json").read_text())["sandbox"] == "on"
    if os.geteuid() == 0:
        assert not any("0" in each["Uid"] for each in processes)


@pytest.mark.slow
@pytest.mark.claim("sandbox-user")
@as_root
def test_a_browser_of_a_harness_run_by_root_has_rights_over_no_file_of_roots(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("label")
    with Browser(SETTINGS) as browser:
        assert browser.account in ("harness-browser", "nobody")
        assert Path(f"/proc/{browser.process_group}").stat().st_uid == pwd.getpwnam(browser.account).pw_uid
        in_its_place = pwd.getpwnam(browser.account)
    reader = subprocess.run(
        ["cat", str(secret)], user=in_its_place.pw_uid, group=in_its_place.pw_gid, extra_groups=[], check=False,
        capture_output=True, text=True,
    )  # fmt: skip
    assert (reader.stdout, "denied" in reader.stderr) == ("", True)


# ---- it cannot be on ----------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.claim("sandbox-told")
@pytest.mark.usefixtures("without")
def test_a_run_without_it_says_so_once_and_loudly_and_records_it(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tasks, tmp_path / "run", "--workers", "2") == COMPLETE
    assert capsys.readouterr().err.count(NO_SANDBOX) == 1
    directory = RunDirectory(tmp_path / "run")
    assert directory.read().sandbox == "off"
    assert make_entry(check_run(tmp_path / "run", PageSource(tasks)), draws=10)["sandbox"] == "off"


@pytest.mark.claim("sandbox-required")
@pytest.mark.usefixtures("without")
def test_a_run_that_requires_it_is_refused_in_one_line(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(tasks, tmp_path / "run", "--require-sandbox", "--progress", "quiet") == WRONG_USE
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "--require-sandbox" in said
    assert "No usable sandbox!" in said
    assert not (tmp_path / "run").exists()


@pytest.mark.slow
@pytest.mark.claim("sandbox-told")
@pytest.mark.usefixtures("without")
def test_what_was_off_once_stays_off_in_a_run_that_is_gone_on_with(
    tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tasks, tmp_path / "run") == COMPLETE
    monkeypatch.delenv("TURKBENCH_CHROMIUM")
    require(SANDBOX)
    (tmp_path / "run" / "episodes" / "T" / "1.json").unlink()
    assert evaluate(["--resume", str(tmp_path / "run"), "--require-sandbox"]) == COMPLETE
    record = RunDirectory(tmp_path / "run").read()
    assert (record.sandbox, record.config.require_sandbox) == ("off", True)


@pytest.mark.slow
@pytest.mark.claim("sandbox-told")
def test_replay_check_and_open_say_it_or_refuse_too(
    tasks: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert run(tasks, tmp_path / "run", solver="constant") == COMPLETE
    with open_folder() as folder:
        monkeypatch.setenv("TURKBENCH_CHROMIUM", str(refusing_without(folder)))
        capsys.readouterr()
        again = [str(tmp_path / "run"), "--tasks-dir", str(tasks)]
        assert replay(again) == COMPLETE
        assert capsys.readouterr().err.count(NO_SANDBOX) == 1
        assert replay([*again, "--require-sandbox"]) == WRONG_USE
        assert "--require-sandbox asks for it" in capsys.readouterr().err
        check(["--tasks-dir", str(tasks), "--out", str(tmp_path / "check"), "--workers", "1"])
        assert capsys.readouterr().err.count(NO_SANDBOX) == 1
        assert check(["--tasks-dir", str(tasks), "--out", str(tmp_path / "none"), "--require-sandbox"]) == WRONG_USE
        assert "--require-sandbox asks for it" in capsys.readouterr().err
        assert _open(tasks).stderr.count(NO_SANDBOX) == 1
        refused = _open(tasks, "--require-sandbox")
        assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (WRONG_USE, "", 1)


@pytest.mark.slow
@pytest.mark.usefixtures("without")
def test_a_page_whose_process_is_killed_does_not_give_the_warning_as_the_reason(tasks: Path) -> None:
    no_result = pytest.raises(NoResult, match=r"^the process .* ended with status -9")
    with no_result, open_page("T", 0, ["--tasks-dir", str(tasks)]) as page:
        page._process.kill()


def _open(tasks: Path, *more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", "page", "open", "T", "0", "--tasks-dir", str(tasks), *more]
    return subprocess.run(command, cwd=PROJECT, input="\n", capture_output=True, text=True, check=False)


@pytest.mark.slow
@pytest.mark.claim("sandbox-required")
@needs_proc
def test_a_browser_that_leaves_its_sandbox_off_by_itself_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    with open_folder() as folder:
        monkeypatch.setenv("TURKBENCH_CHROMIUM", str(script(folder, 'exec "$CHROMIUM" "$@" --no-sandbox')))
        with Browser(SETTINGS) as browser:
            assert browser.sandbox == "off"
        with pytest.raises(NoBrowser, match="--require-sandbox asks for a sandbox, and this browser's is off"):
            Browser(BrowserSettings(SETTINGS.origin, require_sandbox=True))


@pytest.mark.claim("sandbox-only-reason")
@pytest.mark.parametrize(
    "words", ["Missing X server or $DISPLAY", "error while loading shared libraries: libnss3.so", ""]
)
def test_whatever_else_keeps_a_browser_from_starting_it_is_not_tried_without(
    words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_folder() as folder:
        log = folder / "log"
        program = script(folder, f'echo "$*" >> {log}\necho "{words}" >&2\nexit 1'.replace("$DISPLAY", r"\$DISPLAY"))
        monkeypatch.setenv("TURKBENCH_CHROMIUM", str(program))
        with pytest.raises(NoBrowser, match="does not start"):
            Browser(SETTINGS)
        started = log.read_text().splitlines()
        assert len(started) == 1
        assert "--no-sandbox" not in started[0]


# ---- whom it runs as ----------------------------------------------------------------------------------------------


@as_root
@pytest.mark.parametrize(
    "why", ["TURKBENCH_BROWSER_USER=no-such-user: there is no such user", "TURKBENCH_BROWSER_USER=root is root"]
)
def test_a_user_that_cannot_be_taken_is_told_in_one_line(
    why: str, tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TURKBENCH_BROWSER_USER", re.split("[=: ]", why)[1])
    assert run(tasks, tmp_path / "run", "--progress", "quiet") == WRONG_USE
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert why in said


@as_root
def test_temporary_files_that_the_browsers_user_cannot_reach_are_told_in_one_line(
    tasks: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    monkeypatch.setattr(tempfile, "tempdir", str(closed))
    assert run(tasks, tmp_path / "run", "--progress", "quiet") == WRONG_USE
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert str(closed) in said
    assert "TMPDIR" in said


# ---- several browsers ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seen", "together"),
    [((), "unknown"), (("on", "on"), "on"), (("on", "unknown"), "unknown"), (("on", "off", "unknown"), "off")],
)
def test_of_several_browsers_the_worst_counts(seen: tuple[Sandbox, ...], together: Sandbox) -> None:
    assert of_all(seen) == together
    assert together in SANDBOX_WORDS
