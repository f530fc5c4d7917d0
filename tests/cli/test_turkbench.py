"""The console script: every command by its name, grouped, and what is said of names of before."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from importlib import import_module

import pytest

from harness.cli.boundary import program
from harness.cli.command_table import COMMANDS, GROUPS, MOVED, Command
from harness.cli.turkbench import main
from harness.kit.files.installation import CALLERS
from tests.checkout import PROJECT


def leaves(parts: Mapping[str, Command], *before: str) -> Iterator[tuple[str, Command]]:
    """What can be run: its whole name, and its entry in the table."""
    for name, each in parts.items():
        if each.module:
            yield " ".join([*before, name]), each
        yield from leaves(each.parts, *before, name)


LEAVES = dict(leaves(COMMANDS))


@pytest.fixture(autouse=True)
def _own_process(monkeypatch):
    """What a command does to its process ends with the test."""
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", list(sys.path))


@pytest.mark.parametrize("arguments", [[], ["-h"], ["--help"]])
def test_the_help_has_a_line_for_each_command_in_the_group_of_what_a_user_wants(arguments, capsys):
    assert main(arguments) == 0
    shown: dict[str, list[list[str]]] = {}
    for line in capsys.readouterr().out.splitlines():
        if line.endswith(":"):
            shown[line[:-1]] = []
        elif line.startswith("  "):
            shown[list(shown)[-1]].append(line.split(maxsplit=1))
    assert tuple(shown) == GROUPS
    for group, lines in shown.items():
        assert lines == [[name, each.summary] for name, each in COMMANDS.items() if each.group == group]


@pytest.mark.parametrize("argument", ["-V", "--version"])
def test_the_version_is_the_one_that_pyproject_toml_declares(argument, capsys):
    assert main([argument]) == 0
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert capsys.readouterr().out == f"turkbench {project['version']}\n"


@pytest.mark.parametrize("name", ["plan", "people", "judge", "tasks", "page", "export", "papers", "setup"])
def test_the_help_of_a_joined_command_has_a_line_for_each_part(name, capsys):
    assert main([name, "--help"]) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"usage: turkbench {name} PART [OPTION ...]\n")
    lines = [line.split(maxsplit=1) for line in said.splitlines()]
    assert all([part, each.summary] in lines for part, each in COMMANDS[name].parts.items())


def test_every_module_with_a_main_is_a_command_or_started_by_a_program():
    folder = PROJECT / "harness" / "cli" / "commands"
    files = [file for file in folder.rglob("*.py") if "\ndef main(" in file.read_text(encoding="utf-8")]
    modules = {".".join(file.relative_to(PROJECT).with_suffix("").parts) for file in files}
    assert modules - {each.module for each in LEAVES.values()} == {"harness.cli.commands.stage_process"}


OF_DJANGO = {"manage", "serve"}
"""Commands that take hold of the standard output of the process that they run in."""


@pytest.mark.parametrize("name", sorted(LEAVES.keys() - OF_DJANGO))
@pytest.mark.parametrize("caller", CALLERS)
def test_a_command_s_own_help_has_the_name_it_was_called_by_and_ends_well(name, caller, capsys):
    with pytest.raises(SystemExit) as ended:
        main([*name.split(), "--help"], caller)
    said = " ".join(capsys.readouterr().out.split())
    first = "--solver NAME" if name == "evaluate" else "[-h]"
    # A module of several parts lists them as choices where they are no parsers of their own.
    assert said.startswith((f"usage: {caller} {name} {first}", f"usage: {caller} {name.rpartition(' ')[0]} [-h]"))
    assert ended.value.code == 0


@pytest.mark.parametrize("name", [name for name, each in LEAVES.items() if not each.named and name not in OF_DJANGO])
def test_a_command_s_own_help_says_what_the_list_says_of_it(name, capsys):
    with pytest.raises(SystemExit):
        main([*name.split(), "--help"])
    said = " ".join(capsys.readouterr().out.split())
    about = import_module(LEAVES[name].module).__doc__ or ""
    assert LEAVES[name].summary in said or about.startswith(LEAVES[name].summary)


@pytest.mark.parametrize("caller", CALLERS)
def test_the_servers_own_help_has_the_name_it_was_called_by_and_its_summary(caller):
    code = f"from harness.cli.turkbench import main; main(['serve', '--help'], {caller!r})"
    ended = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    said = " ".join(ended.stdout.split())
    assert said.startswith(f"usage: {caller} serve [-h] ")
    assert COMMANDS["serve"].summary in said


def test_the_servers_commands_have_the_name_they_were_called_by():
    code = "from harness.cli.turkbench import main; main(['manage', 'results', '--help'])"
    ended = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert ended.stdout.startswith("usage: turkbench manage results [-h] ")


def test_a_command_run_by_a_module_of_its_own_is_called_by_that(monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/a folder/harness/evaluate.py"])
    assert program("evaluate") == "python -m harness.evaluate"
    assert program("tasks check") == "python -m oracle.check"
    assert program("score") == "python -m harness score"


@pytest.mark.parametrize(
    ("wrong", "told"), [("evalate", "Did you mean 'evaluate'?"), ("xyz", "turkbench --help lists what there is.")]
)
def test_an_unknown_command_is_wrong_use_and_the_closest_is_named(wrong, told, capsys):
    assert main([wrong]) == 2
    assert capsys.readouterr().err == f"error: there is no command {wrong!r}. {told}\n"


def test_an_unknown_part_is_wrong_use_and_the_closest_is_named(capsys):
    assert main(["tasks", "fech"]) == 2
    assert capsys.readouterr().err == "error: tasks has no part 'fech'. Did you mean 'fetch'?\n"


@pytest.mark.parametrize("caller", CALLERS)
def test_a_name_of_before_is_wrong_use_and_told_by_one_line_that_can_be_pasted(caller, capsys):
    assert main(["power", "runs/a b", "--json"], caller) == 2
    now = f"{caller} plan comparison 'runs/a b' --json"
    assert capsys.readouterr().err == f"error: `{caller} power` is called `{now}` now\n"


def test_what_had_no_parts_before_is_told_by_which_part_it_is_now(capsys):
    assert main(["export", "runs/a", "--format", "sft"]) == 2
    assert capsys.readouterr().err == (
        "error: export has parts now (runs, pairs, log); what was `turkbench export` is "
        "`turkbench export runs runs/a --format sft`\n"
    )


@pytest.mark.parametrize("old", [["--judge", "rule"], ["--judge=rule"]], ids=" ".join)
def test_an_argument_that_was_called_otherwise_before_is_told_as_it_is_called_now(old, capsys):
    assert main(["judge", *old, "runs/a"]) == 2
    now = shlex.join(["turkbench", "judge", "run", *(word.replace("--judge", "--method") for word in old), "runs/a"])
    assert capsys.readouterr().err.endswith(f"what was `turkbench judge` is `{now}`\n")


@pytest.mark.parametrize("old", sorted(MOVED))
def test_every_name_of_before_is_that_of_a_command_now(old):
    first, *parts = MOVED[old].split()
    command = COMMANDS[first]
    for part in parts:
        command = command.parts[part]
    assert command.module or command.parts


def test_a_command_of_an_installed_package_stands_in_the_help_and_is_run(tmp_path):
    about = tmp_path / "counting-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[turkbench.commands]\ncount = counting:COUNT\n")
    (tmp_path / "counting.py").write_text(
        "from harness.cli.command_table import Command\n"
        "COUNT = Command('Count words', 'counting', 'papers')\n"
        "def main(arguments):\n    print(len(arguments))\n    return 7\n"
    )

    def called(*words: str) -> subprocess.CompletedProcess[str]:
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{PROJECT}"}
        command = [sys.executable, "-m", "harness", *words]
        return subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, check=False)

    lines = [line.split(maxsplit=1) for line in called("--help").stdout.splitlines()]
    assert lines.index(["count", "Count words"]) == lines.index(["papers", COMMANDS["papers"].summary]) + 1
    counted = called("count", "a", "b")
    assert (counted.stdout, counted.returncode) == ("2\n", 7)


def test_the_exit_code_is_that_of_the_command(tmp_path, capsys):
    assert main(["score", str(tmp_path)]) == 2
    assert "is no run directory" in capsys.readouterr().err


def test_the_help_imports_no_command_and_no_library_that_takes_long():
    code = "import sys; from harness.cli.turkbench import main; main(['--help']); print('imported:', *sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True).stdout
    modules = set(said.rpartition("imported:")[2].split())
    assert "harness.cli.turkbench" in modules
    assert not modules & {"selenium", "django", "numpy", "pandas", *(each.module for each in LEAVES.values())}


@pytest.mark.parametrize("words", [["harness", "report", "RUN"], ["harness.evaluate"]])
def test_on_windows_one_line_says_where_it_runs(words: list[str], tmp_path) -> None:
    # What Windows has not cannot be imported: the line comes before that.
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.platform = 'win32'\nsys.modules['fcntl'] = None\n")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(tmp_path), str(PROJECT)])}
    command = [sys.executable, "-m", *words]
    done = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines() == [done.stderr.strip()]
    assert "WSL 2" in done.stderr
