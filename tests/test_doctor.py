"""What is there and what is not, and what to do about it: with real programs, or none at all."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.browser import launch
from harness.catalog.mirror.store import BUILD
from harness.cli.boundary import COMPLETE, INCOMPLETE
from harness.cli.commands.evaluate import main as evaluate
from harness.cli.commands.setup.doctor import main
from harness.cli.diagnosis import checks, display_checks, package_checks
from harness.cli.diagnosis.browser_checks import check_browser
from harness.cli.diagnosis.checks import CHECKS, Check, Look
from harness.cli.diagnosis.collected_checks import check_mirror, check_vocabularies
from harness.cli.diagnosis.display_checks import check_display, check_fonts, check_space
from harness.cli.diagnosis.package_checks import amiss, check_extras, check_packages
from harness.cli.diagnosis.program_checks import check_programs
from harness.kit.files.installation import installed_version, installing
from harness.models.tokens.vocabulary import FETCH
from tests.checkout import PROJECT
from tests.trust.programs import open_folder, refusing_without, script


def found(check: Check) -> dict[str, Look]:
    return {each.what: each for each in check()}


@pytest.fixture
def programs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, str], None]:
    """A machine without programs; gives what puts one there: its name, and what it does, in the shell's words."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", str(folder))

    def put(name: str, does: str) -> None:
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)

    return put


# ---- the command --------------------------------------------------------------------------------------------------


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Look]]:
    """What the command finds, to be filled."""
    made: list[Look] = []
    monkeypatch.setattr(checks, "findings", lambda: iter(made))
    return made


def test_each_finding_is_one_line_with_its_remedy(looked_at, capsys):
    looked_at += [Look("a", "ok", "fine"), Look("b", "warning", "not\n  so \033[2Jfine", "mend it")]
    assert main([]) == COMPLETE
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    assert lines == [["ok", "a", "fine"], ["warning", "b", "not so \\u001b[2Jfine. To mend it: mend it."]]


def test_a_problem_ends_it_with_1(looked_at):
    looked_at += [Look("a", "problem", "gone", "bring it"), Look("b", "ok", "")]
    assert main([]) == INCOMPLETE


def test_as_json_it_is_one_object(looked_at, capsys):
    looked_at += [Look("a", "problem", "gone", "bring it")]
    assert main(["--json"]) == INCOMPLETE
    told = json.loads(capsys.readouterr().out)
    assert told == {"findings": [{"what": "a", "state": "problem", "words": "gone", "remedy": "bring it"}]}


@pytest.mark.parametrize("terminal", [True, False])
@pytest.mark.parametrize("no_colour", ["", "1"])
def test_colours_are_for_terminals_alone(terminal, no_colour, looked_at, capsys, monkeypatch):
    looked_at.append(Look("a", "ok", "fine"))
    monkeypatch.setenv("NO_COLOR", no_colour)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    main([])
    assert ("\033[" in capsys.readouterr().out) == (terminal and not no_colour)


@pytest.mark.slow
def test_on_this_machine_everything_is_looked_at_and_every_flaw_has_a_remedy(capsys):
    main(["--json"])
    findings = json.loads(capsys.readouterr().out)["findings"]
    assert {
        "Python", "packages", "browser", "sandbox", "driver", "display", "fonts", "mirror", "vocabularies", "extras",
        "bubblewrap", "containers", "git", "npm", "cache", "TMPDIR", "runs",
    } <= {each["what"] for each in findings}  # fmt: skip
    assert all(bool(each["remedy"]) == (each["state"] != "ok") for each in findings)
    assert all(each["words"] for each in findings)


def test_where_no_package_is_installed_it_says_so_instead_of_failing():
    command = [sys.executable, "-S", "-m", "harness", "setup", "doctor", "--json"]  # without the folders of packages
    ended = subprocess.run(command, cwd=PROJECT, env={"PYTHONPATH": str(PROJECT), "PATH": "/usr/bin:/bin"},
                           capture_output=True, text=True, check=False)  # fmt: skip
    found = {each["what"]: each for each in json.loads(ended.stdout)["findings"]}
    assert (ended.returncode, ended.stderr) == (INCOMPLETE, "")
    assert "not installed: beautifulsoup4, cssselect, Django" in found["packages"]["words"]
    assert found["packages"]["remedy"] == "`make evaluate`, which makes an environment with them"
    assert "is not installed" in found["browser"]["words"]
    assert found["git"]["state"] in ("ok", "warning")


def test_every_check_is_where_its_table_says():
    assert {place.partition(":")[2] for place in CHECKS.values()} == {
        each.__name__ for each in (
            check_packages, check_browser, check_display, check_fonts, check_mirror, check_vocabularies, check_extras,
            check_programs, check_space,
        )
    }  # fmt: skip


# ---- packages -----------------------------------------------------------------------------------------------------


def test_a_package_of_a_version_that_is_not_supported_and_a_missing_one_are_named():
    words = amiss(["pytest>=99,<100", "no-such-package[some]>=1", "numpy", "pandas>=2.3"])
    assert words == ["not installed: no-such-package", f"pytest is {installed_version('pytest')}, not <100,>=99"]


def test_an_extra_of_which_a_part_is_there_is_warned_of(monkeypatch):
    monkeypatch.setattr(package_checks, "declared", lambda: {"": [], "openai": ["pytest", "no-such-package>=1"]})
    finding = found(check_extras)["extra openai"]
    assert (finding.state, finding.remedy) == ("warning", f"`{installing('openai')}`")


# ---- the browser --------------------------------------------------------------------------------------------------


def test_a_browser_that_does_not_start_is_a_problem_that_names_it(monkeypatch):
    with open_folder() as folder:
        monkeypatch.setenv("TURKBENCH_CHROMIUM", str(script(folder, "echo 'libnss3.so: no such file' >&2; exit 1")))
        finding = found(check_browser)["browser"]
    assert finding.state == "problem"
    assert str(folder) in finding.words
    assert "libnss3.so" in finding.words


@pytest.mark.usefixtures("programs")
def test_no_browser_is_a_problem_and_none_is_fetched(monkeypatch):
    monkeypatch.delenv("TURKBENCH_CHROMIUM", raising=False)
    seen = []

    class Offline:
        def binary_paths(self, _arguments):
            seen.append(os.environ["SE_OFFLINE"])
            raise OSError("none")

    monkeypatch.setattr(launch, "SeleniumManager", Offline)
    finding = found(check_browser)["browser"]
    assert (finding.state, seen) == ("problem", ["true"])
    assert "apt-get install chromium" in finding.words


def test_a_browser_without_a_sandbox_is_warned_of(monkeypatch):
    with open_folder() as folder:
        monkeypatch.setenv("TURKBENCH_CHROMIUM", str(refusing_without(folder)))
        findings = found(check_browser)
    assert findings["browser"].state == "ok"
    assert (findings["sandbox"].state, findings["sandbox"].words[:3]) == ("warning", "OFF")
    assert "user name spaces" in findings["sandbox"].remedy


@pytest.mark.parametrize(
    ("does", "state"),
    [("echo ChromeDriver 1.2.3", "warning"), ("exit 1", "warning"), (None, "ok")],
)
def test_a_driver_of_another_version_is_warned_of(does, state, programs, monkeypatch, browser):
    monkeypatch.setenv("TURKBENCH_CHROMIUM", browser.program)
    if does:
        programs("chromedriver", does)
    assert found(check_browser)["driver"].state == state


# ---- display and fonts --------------------------------------------------------------------------------------------


def test_a_display_needs_a_server_that_is_there_and_a_clipboard(programs, monkeypatch, tmp_path):
    monkeypatch.delenv("DISPLAY", raising=False)
    assert "Xvfb and xclip" in found(check_display)["display"].words
    programs("Xvfb", "")
    programs("xclip", "")
    assert found(check_display)["display"].state == "ok"
    monkeypatch.setattr(display_checks, "_SOCKETS", tmp_path)
    monkeypatch.setenv("DISPLAY", ":7.0")
    assert found(check_display)["display"].state == "warning"
    (tmp_path / "X7").touch()
    assert found(check_display)["display"].state == "ok"


def test_scripts_that_no_font_has_are_named(programs):
    assert "fontconfig" in found(check_fonts)["fonts"].remedy
    programs("fc-list", 'case "$1" in :lang=th|:lang=ko) ;; *) echo "Some Sans" ;; esac')
    finding = found(check_fonts)["fonts"]
    assert (finding.state, finding.words.partition(":")[0]) == ("warning", "none for Thai, Korean")


# ---- what was collected -------------------------------------------------------------------------------------------


def test_a_mirror_and_vocabularies_that_were_never_collected_are_warned_of(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.delenv("TIKTOKEN_CACHE_DIR", raising=False)
    assert found(check_mirror)["mirror"].remedy == f"`{BUILD}`"
    assert found(check_vocabularies)["vocabularies"].remedy == f"`{FETCH}`"


def test_an_index_of_the_mirror_that_cannot_be_read_is_a_problem(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    index = tmp_path / "turkbench" / "mirror" / "index.json"
    index.parent.mkdir(parents=True)
    index.write_text("{")
    assert found(check_mirror)["mirror"].state == "problem"


# ---- other programs, and room -------------------------------------------------------------------------------------


@pytest.mark.usefixtures("programs")
def test_programs_that_are_missing_are_warned_of_with_their_packages():
    findings = found(check_programs)
    for name in ("bubblewrap", "git", "npm"):
        assert findings[name].state == "warning"
        assert findings[name].remedy.startswith(f"`sudo apt-get install {name}`")
    assert findings["containers"].state == "ok"


def test_what_a_program_complains_of_is_told(programs):
    programs("bwrap", "echo 'setting up uid map: Permission denied' >&2; exit 1")
    programs("docker", "echo 'Cannot connect to the Docker daemon' >&2; exit 1")
    findings = found(check_programs)
    assert findings["bubblewrap"].state == "warning"
    assert "Permission denied" in findings["bubblewrap"].words
    assert "Cannot connect" in findings["containers"].words


def test_what_works_is_ok(programs):
    for name in ("bwrap", "podman", "git", "npm"):
        programs(name, "echo 1.0")
    findings = found(check_programs)
    assert {each.state for each in findings.values()} == {"ok"}
    assert "podman works" in findings["containers"].words


def test_a_cache_that_cannot_be_written_is_a_problem(monkeypatch, tmp_path):
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert found(check_space)["cache"].state == "problem"


@pytest.mark.parametrize(("free", "state"), [(10_000, "problem"), (1_000_000_000, "warning"), (10**10, "ok")])
def test_a_disk_that_is_nearly_full_is_told(free, state, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=free))
    assert found(check_space)["TMPDIR"].state == state


# ---- errors elsewhere ---------------------------------------------------------------------------------------------


def test_a_run_without_a_browser_points_to_the_doctor(monkeypatch, tmp_path, capsys):
    monkeypatch.setenv("TURKBENCH_CHROMIUM", str(tmp_path / "nowhere"))
    assert evaluate(["--solver", "do-nothing", "--max-instances", "1", "--out", str(tmp_path / "run")]) == 2
    assert "python -m harness setup doctor" in capsys.readouterr().err
