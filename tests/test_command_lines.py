"""Every command line of the documentation can be pasted: it is a command, and its program takes its words."""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import pairwise
from pathlib import Path
from types import SimpleNamespace

import pytest

from harness.cli.command_table import COMMANDS, Command
from harness.kit.files.installation import declared
from tests.checkout import PROJECT
from tests.command_lines import CommandLine, blocks, command_lines, is_command
from turkle_app.management.commands.serve import Command as Serve

README = PROJECT / "README.md"
PAGES = [README, *sorted((PROJECT / "docs").rglob("*.md"))]
ID: Callable[[Path], str] = lambda page: page.name  # noqa: E731
OPTIONS_OF = ("harness", "oracle", "turkle_app")
"""Packages whose commands are asked for their options; of others it is enough that they are there."""

NO_SHELL_WORD = re.compile(r"\.\.\.|…|(?<!<)<\w|\[|\]|(?<=\S)  +(?!#)")
"""What is for people, and means something else to a shell: gaps, choices, <places>, prose further to the right."""


@pytest.mark.parametrize("page", PAGES, ids=ID)
def test_a_block_of_commands_holds_nothing_else(page):
    lines = [line for block in blocks(page) for line in block if not line.text.startswith("#")]
    assert [str(line) for line in lines if line.text and not is_command(line.text)] == []


@pytest.mark.parametrize("page", PAGES, ids=ID)
def test_nothing_in_a_command_line_is_for_people_alone(page):
    for line in command_lines(page):
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", "Q", line.text)
        assert not NO_SHELL_WORD.search(re.sub(r"\s+#.*", "", bare)), line


def test_the_readme_s_command_lines_have_no_comment_which_not_every_shell_leaves_out():
    assert [str(line) for line in command_lines(README) if "#" in line.text] == []


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=ID)
def test_every_program_is_there_and_takes_the_words_it_is_given(page):
    assert [f"{line}\n{why}" for line in command_lines(page) if (why := refused(line))] == []


def refused(line: CommandLine) -> str:
    """Why a command line cannot work here; empty if it can."""
    match line.words:
        case ["make", *words]:
            targets = re.findall(r"^([\w-]+):", (PROJECT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
            return "".join(f"no target {word}" for word in words if "=" not in word and word not in targets)
        case ["pip", "install", target, *_] if target == "." or target.startswith(".["):
            return "a copy takes the place of the checkout in the environment of make"
        case [("pip" | "python" | "python3" | "turkbench") as program, *words]:
            return PROGRAMS[program](words)
        case [program, *words] if program.endswith("/bin/pip"):
            return of_pip(words)
        case [program, *words] if program.endswith("/bin/turkbench"):
            return of_turkbench(words)
        case [program, *_] if "/" in program and not program.startswith((".venv/", ".clients/")):
            return "" if (PROJECT / program).is_file() else f"no file {program}"
    return ""


def of_python(words: list[str]) -> str:
    match words:
        case ["-m", "pip", *rest]:
            return of_pip(rest)
        case ["-m", module, *rest]:
            return of_module(module, rest)
        case ["manage.py", name, *rest]:
            return of_django(name, rest)
        case [file, *_] if file.startswith("examples/"):
            return "" if (PROJECT / file).is_file() else f"no file {file}"
    return ""


def of_pip(words: list[str]) -> str:
    files = [word for before, word in pairwise(words) if before in ("-r", "-c")]
    extras = [each for word in words if word.startswith(".[") for each in word[2:-1].split(",")]
    wrong = [f"no file {name}" for name in files if not (PROJECT / name).is_file()]
    return "; ".join([*wrong, *(f"no extra {each}" for each in extras if each not in declared())])


def of_turkbench(words: list[str]) -> str:
    if words[:1] == ["manage"] and len(words) > 1:
        return of_django(words[1], words[2:])
    parts: Mapping[str, Command] = COMMANDS
    for at, name in enumerate(words):
        if name not in parts:
            return "" if name.startswith("-") else f"no command {' '.join(words[: at + 1])}"
        if (command := parts[name]).module:
            return of_module(command.module, words[at if command.named else at + 1 :])
        parts = command.parts
    return ""


def of_module(module: str, words: list[str]) -> str:
    if module == "venv":
        return ""
    if module == "harness":
        return of_turkbench(words)
    if not find_spec(module):
        return f"no module {module}"
    if module.partition(".")[0] not in OPTIONS_OF:
        return ""
    if module.removesuffix(".__main__") == "turkle_app":
        return of_django("serve", words)
    if module == "harness.evaluate":
        module = "harness.cli.commands.evaluate"
    found = import_module(module if module.endswith(".__main__") or not is_package(module) else f"{module}.__main__")
    return complaint(found.parser(), words)


def is_package(module: str) -> bool:
    spec = find_spec(module)
    return bool(spec and spec.submodule_search_locations)


def of_django(name: str, words: list[str]) -> str:
    if name == "serve":
        return complaint(Serve().create_parser("manage.py", name), words)
    options = [word for word in words if word.startswith("--")]
    told = help_of(name, *words[:1]) if options else ""
    return "".join(f"no option {option}" for option in options if option not in told)


@cache
def help_of(*words: str) -> str:
    """What a command of Django that keeps people's answers says of itself: it is there in a process of its own only."""
    command = [sys.executable, "manage.py", *words, "--help"]
    return subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=True).stdout


PROGRAMS = {"pip": of_pip, "python": of_python, "python3": of_python, "turkbench": of_turkbench}


def complaint(parser: argparse.ArgumentParser, words: list[str]) -> str:
    """What a parser has against words; empty if nothing. Values are not looked at: they are of the reader's machine."""
    said: list[str] = []
    take_any_value(parser, said.append)
    try:
        parser.parse_args(words)
    except Refused:
        return said[0]
    return ""


class Refused(Exception):
    pass


def take_any_value(parser: argparse.ArgumentParser, say: Callable[[str], None]) -> None:
    def refuse(message: str) -> None:
        say(message)
        raise Refused

    parser.error = refuse  # type: ignore[method-assign,assignment]
    for action in parser._actions:
        action.type = None
        if isinstance(action, argparse._SubParsersAction):
            for each in action.choices.values():
                take_any_value(each, say)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("python -m harness.evaluate --solver oracle", ""),
        ("python -m harness.evaluate --sover oracle", "unrecognized arguments: --sover oracle"),
        ("python -m harness.evaluate --list-solvers presets: model", "unrecognized arguments: presets: model"),
        ("python -m harness.evaluat", "no module harness.evaluat"),
        ("turkbench evaluat", "no command evaluat"),
        ("python -m harness tasks fech", "no command tasks fech"),
        ("python -m harness tasks list --jsn", "unrecognized arguments: --jsn"),
        ("pip install -r requirements-none.txt", "no file requirements-none.txt"),
        ("pip install -c constraints.txt -e .[openai,none]", "no extra none"),
        ("pip install .[openai]", "a copy takes the place of the checkout in the environment of make"),
        ("make evaluat", "no target evaluat"),
        ("python manage.py serve --port 8000 --runs runs", ""),
        ("turkbench manage results Project --oot results.csv", "no option --oot"),
        (".ci/none", "no file .ci/none"),
    ],
)
def test_a_mistake_in_a_command_line_is_found(text, why):
    assert refused(SimpleNamespace(words=text.split())) == why
