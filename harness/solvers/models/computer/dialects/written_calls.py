"""Calls as Python would write them, in the text of a model: parsed, and never run."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Any

from harness.solvers.models.computer.arguments import WrongArgument
from harness.solvers.models.computer.dialects.text_computer import NotRead, Said

_NUMBERS = re.compile(r"-?\d+(?:\.\d+)?")
_LOOSE = re.compile(r"(?P<name>\w+)\((?P<key>content|text)=(?P<quote>['\"])(?P<value>.*)(?P=quote)\)", re.DOTALL)


def calls(code: str) -> list[Said]:
    """The calls of some lines, in order; a name with a dot is kept whole.

    Raises:
        NotRead: they are no calls with literal arguments.
    """
    try:
        tree = ast.parse(code.strip())
        return [said for statement in tree.body for said in _calls(statement)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        loose = _LOOSE.fullmatch(code.strip())
        if loose is None:
            raise NotRead("The action could not be read: write it as a call, with its texts in quotes.") from None
        # A text in which the quote itself stands: models seldom write the backslash before it.
        value = loose["value"].replace("\\n", "\n").replace("\\'", "'").replace('\\"', '"')
        return [Said(loose["name"], {loose["key"]: value})]


def point(value: Any, name: str) -> tuple[float, float]:
    """A point in one of the forms ``<point>x y</point>``, ``(x,y)``, ``[x,y]`` or a list; of a box its middle.

    Raises:
        WrongArgument: it is none.
    """
    numbers = [float(each) for each in _NUMBERS.findall(str(value))] if value is not None else []
    if len(numbers) == 2:
        return numbers[0], numbers[1]
    if len(numbers) == 4:
        return (numbers[0] + numbers[2]) / 2, (numbers[1] + numbers[3]) / 2
    raise WrongArgument(f"{name}: {value!r} is no point")


def _calls(statement: ast.stmt) -> Iterator[Said]:
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return
    value = statement.value if isinstance(statement, ast.Expr) else None
    for call in value.elts if isinstance(value, ast.Tuple) else [value]:
        if not isinstance(call, ast.Call):
            raise SyntaxError("it is no call")  # noqa: TRY004 - of a text, to whoever wrote it
        placed = {str(place): ast.literal_eval(each) for place, each in enumerate(call.args)}
        named = {each.arg: ast.literal_eval(each.value) for each in call.keywords if each.arg}
        yield Said(ast.unparse(call.func), {**placed, **named})
