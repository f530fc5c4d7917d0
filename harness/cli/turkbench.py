"""The console script ``turkbench``, and its twin ``python -m harness``: every command by its name.

``harness.cli.command_table`` says what a command is called and where it is. Nothing of a command is imported before it
is called.
"""

from __future__ import annotations

import shlex
import sys
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path

from harness.cli.boundary import COMPLETE, WRONG_USE, print_out
from harness.cli.command_table import COMMANDS, GROUPS, MOVED, MOVED_ARGUMENTS, Command
from harness.kit.errors import UserError
from harness.kit.files.installation import CALLERS, SCRIPT, check_system, own_version
from harness.kit.text import did_you_mean


def main(argv: Sequence[str] | None = None, caller: str = CALLERS[0]) -> int:
    """Run a command.

    Args:
        argv: Its name, those of its parts, and its arguments; by default those of this process.
        caller: The name under which this was called, one of ``CALLERS``.

    Returns:
        The exit code: the command's, or 2 if there is none of that name.

    Raises:
        SystemExit: By a command that ends with its help, or whose arguments are wrong.
    """
    words = list(sys.argv[1:] if argv is None else argv)
    # As under python -m, a user's own solver can be named by a module in the working folder.
    sys.path.append(str(Path.cwd()))
    try:
        return _called(caller, words)
    except UserError as error:
        print(f"error: {error}", file=sys.stderr)
        return WRONG_USE


def _called(caller: str, words: Sequence[str]) -> int:
    """Run what words name.

    Raises:
        UserError: they name nothing, or what another package adds is broken.
    """
    called = [caller]
    command = Command("Crowdsourcing tasks as a benchmark of web agents.", parts=COMMANDS)
    while not command.module:
        name, *rest = words or ["--help"]
        if name in {"-V", "--version"} and len(called) == 1:
            print_out(f"{SCRIPT} {own_version()}")
            return COMPLETE
        if name in {"-h", "--help"}:
            print_out(usage(" ".join(called), command))
            return COMPLETE
        if name not in command.parts:
            raise UserError(_unknown(called, words, command.parts))
        command, words = command.parts[name], rest
        if command.named:
            words = [name, *words]
        else:
            called.append(name)
    check_system()
    sys.argv = [" ".join(called), *words]
    code: int = import_module(command.module).main(list(words))
    return code


def _unknown(called: Sequence[str], words: Sequence[str], parts: Mapping[str, Command]) -> str:
    """What to say of a first word that names nothing; it may be of a command line of before commands were joined."""
    caller, *before = called
    old, *arguments = [*before, *words]
    if len(before) < 2 and old in MOVED:
        renamed = MOVED_ARGUMENTS.get(old, {})
        split = (each.partition("=") for each in arguments)
        now = shlex.join([*MOVED[old].split(), *("".join([renamed.get(name, name), *rest]) for name, *rest in split)])
        if before:
            return f"{old} has parts now ({', '.join(parts)}); what was `{caller} {old}` is `{caller} {now}`"
        return f"`{caller} {old}` is called `{caller} {now}` now"
    hint = did_you_mean(words[0], parts) or f" {' '.join(called)} --help lists what there is."
    return f"{f'{before[-1]} has no part' if before else 'there is no command'} {words[0]!r}.{hint}"


def usage(called: str, command: Command) -> str:
    """The help of a command that has parts: one line for each, by group.

    Args:
        called: What is typed for it.
        command: The command, or what holds all of them.
    """
    what = "COMMAND" if called in CALLERS else "PART"
    width = max(map(len, command.parts))
    lines = [f"usage: {called} {what} [OPTION ...]", "", command.summary]
    for title, members in _grouped(command.parts):
        lines += ["", f"{title}:", *(f"  {name:{width}}  {each.summary}" for name, each in members.items())]
    lines += ["", f"{called} {what} --help tells more of it, and its exit codes."]
    return "\n".join([*lines, *([f"{called} --version tells which version this is."] if called in CALLERS else [])])


def _grouped(parts: Mapping[str, Command]) -> Iterator[tuple[str, Mapping[str, Command]]]:
    groups: dict[str, dict[str, Command]] = {group: {} for group in GROUPS}
    for name, each in parts.items():
        groups.setdefault(each.group, {})[name] = each
    return ((group or "parts", members) for group, members in groups.items() if members)
