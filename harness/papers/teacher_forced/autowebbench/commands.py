"""A command read out of a reply, or out of a label. It is parsed by the grammar of literals, never executed."""

from __future__ import annotations

import re
from dataclasses import dataclass

from harness.actions.autowebglm import AUTOWEBGLM, ELEMENT
from harness.actions.call import ActionCall, ActionError, Literal
from harness.actions.parser import parse
from harness.models.thoughts import part

_ANSWER = re.compile(r"^A: ", re.MULTILINE)
"""Begins the answer where a reply repeats its prompt, which ends so in the public template."""
_NAMES = "|".join(AUTOWEBGLM)
_TEXT = r"'[^'\\]*+(?:\\.[^'\\]*+)*+'|\"[^\"\\]*+(?:\\.[^\"\\]*+)*+\""
_ARGUMENT = rf"(?:\w+\s*+=\s*+)?(?:{_TEXT}|[\w.+-]++)"
_CALL = re.compile(rf"(?<![\w.])(?:{_NAMES})\(\s*+(?:{_ARGUMENT}\s*+(?:,\s*+|(?=\))))++\)", re.DOTALL)
_QUOTED = re.compile(_TEXT, re.DOTALL)
_BARE_QUOTES = re.compile(
    rf"(?P<head>(?:{_NAMES})\((?:'[A-Z]+',\s*)?)'(?P<text>.*)'(?P<tail>(?:,\s*(?:True|False))?\))", re.DOTALL
)
_LINE_ENDS = {"\r": "\\r", "\n": "\\n"}


@dataclass(frozen=True)
class Command:
    """What a command says, as far as it is scored.

    Attributes:
        name: The function: the type of the step.
        element: The letters of its element; None where the function has none.
        parameter: Its first other argument, as text; None where it has none. Flags (``press_enter``, ``new_tab``) are
            none, as in the public script.
    """

    name: str
    element: str | None = None
    parameter: str | None = None


def read_command(text: str) -> Command | ActionError:
    """The command that a text gives.

    It is the first call of one of the functions, in a fence or in prose; what comes after it belongs to later steps or
    is a comment. Texts in quotes may hold line ends. Where a text is one command and nothing else, quotes within its
    text need no backslash: recorded texts are not always escaped.

    Args:
        text: What was written; any text at all.

    Returns:
        The command; what is wrong where there is none, or where something that is no command comes first.
    """
    answer = _ANSWER.split(part(text).answer)[-1].strip()
    found = next(iter(parse(_CALL.sub(_on_one_line, answer), AUTOWEBGLM)), None)
    if isinstance(found, ActionCall):
        return command_of(found)
    if whole := _BARE_QUOTES.fullmatch(answer):
        escaped = re.sub(r"\\'|'", r"\\'", whole["text"])
        read = f"{whole['head']}'{_without_line_ends(escaped)}'{whole['tail']}"
        match parse(read, AUTOWEBGLM):
            case [ActionCall() as call]:
                return command_of(call)
    return found or ActionError(answer, "no command")


def command_of(call: ActionCall) -> Command:
    """What of a call is scored."""
    names = [each for each in call.args if each != ELEMENT]
    parameter = call.args[names[0]] if names else None
    return Command(call.name, _as_text(call.args.get(ELEMENT)), _as_text(parameter))


def _as_text(value: Literal) -> str | None:
    return None if value is None else str(value)


def _on_one_line(call: re.Match[str]) -> str:
    return _QUOTED.sub(lambda quoted: _without_line_ends(quoted[0]), call[0])


def _without_line_ends(text: str) -> str:
    return re.sub(r"[\r\n]", lambda end: _LINE_ENDS[end[0]], text)
