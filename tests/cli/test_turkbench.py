"""The console script: commands as subcommands."""

from __future__ import annotations

import subprocess
import sys
from importlib import import_module

import pytest

from harness.cli.program import program
from harness.cli.turkbench import SUBCOMMANDS, main
from harness.kit.files.command_hints import CALLERS
from tests.checkout import PROJECT


@pytest.fixture(autouse=True)
def _own_process(monkeypatch):
    """What a command does to its process ends with the test."""
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_the_help_has_a_line_for_each_command(arguments, capsys):
    assert main(arguments) == 0
    lines = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert all([name, each.summary] in lines for name, each in SUBCOMMANDS.items())


def test_every_command_at_the_top_of_the_package_but_that_of_the_documentation_is_a_subcommand():
    files = [file for file in (PROJECT / "harness").glob("*.py") if "\ndef main(" in file.read_text(encoding="utf-8")]
    missing = {f"harness.{file.stem}" for file in files} - {each.module for each in SUBCOMMANDS.values()}
    assert missing <= {"harness.document"}


@pytest.mark.parametrize("name", sorted(SUBCOMMANDS.keys() - {"serve"}))
@pytest.mark.parametrize("caller", CALLERS)
def test_a_commands_own_help_has_the_name_it_was_called_by_and_its_summary(name, caller, capsys):
    with pytest.raises(SystemExit) as ended:
        main([name, "--help"], caller)
    said = " ".join(capsys.readouterr().out.split())
    about = import_module(SUBCOMMANDS[name].module).__doc__ or ""
    assert ended.value.code == 0
    assert said.startswith(f"usage: {caller} {name} {'--solver NAME' if name == 'evaluate' else '[-h]'} ")
    assert SUBCOMMANDS[name].summary in said or about.startswith(SUBCOMMANDS[name].summary)


@pytest.mark.parametrize("caller", CALLERS)
def test_the_servers_own_help_has_the_name_it_was_called_by_and_its_summary(caller):
    # In a process of its own: Django takes hold of the standard output of the process that it runs in.
    code = f"from harness.cli.turkbench import main; main(['serve', '--help'], {caller!r})"
    ended = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    said = " ".join(ended.stdout.split())
    assert said.startswith(f"usage: {caller} serve [-h] ")
    assert SUBCOMMANDS["serve"].summary in said


def test_a_command_run_as_a_module_is_called_by_its_module(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/a folder/harness/score.py", "RUN"])
    assert program("score") == "python -m harness score"


@pytest.mark.parametrize(
    ("wrong", "told"), [("evalate", "Did you mean 'evaluate'?"), ("xyz", "turkbench --help lists the commands.")]
)
def test_an_unknown_command_is_wrong_use_and_the_closest_is_named(wrong, told, capsys):
    assert main([wrong]) == 2
    assert capsys.readouterr().err == f"error: there is no command {wrong!r}. {told}\n"


def test_the_exit_code_is_that_of_the_command(tmp_path, capsys):
    assert main(["score", str(tmp_path)]) == 2
    assert "is no run directory" in capsys.readouterr().err


def test_the_help_imports_no_command_and_no_library_that_takes_long():
    code = "import sys; from harness.cli.turkbench import main; main(['--help']); print('imported:', *sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    modules = set(said.rpartition("imported:")[2].split())
    assert "harness.cli.turkbench" in modules
    assert not modules & {"selenium", "django", "numpy", "pandas", *(each.module for each in SUBCOMMANDS.values())}
