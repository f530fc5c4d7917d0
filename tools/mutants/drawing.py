"""Changes of the code, drawn by chance: mutmut knows what to change in a line, here it is chosen where."""

from __future__ import annotations

import difflib
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import cast

import libcst
from libcst.metadata import MetadataWrapper
from mutmut.mutation.mutators import mutation_operators

from tools.mutants.reckoning import Change, is_wording, read_listed

ROOTS = ("harness", "oracle", "turkle_app")
_LEFT_ALONE = (libcst.Annotation, libcst.Decorator, libcst.Import, libcst.ImportFrom)
# Asked for where they cannot be wrong, or in what only types are: a change of them tells nothing of the tests.
_CALLS_LEFT_ALONE = {"cast", "isinstance", "TypeVar"}


@dataclass(frozen=True)
class Drawn:
    """A change that was drawn.

    Attributes:
        change: What it is.
        file: The file that it changes, from the root of the project.
        source: The file with the change.
    """

    change: Change
    file: str
    source: str


def draw(project: Path, count: int, seed: int, rooms: Sequence[str] = ()) -> Iterator[Drawn]:
    """Draw changes, each line of code being as likely as any other.

    Words of messages are left alone, and what is listed as no different.

    Args:
        project: The root of the project.
        count: How many.
        seed: Of chance.
        rooms: In folders of these names only; none for all code.
    """
    chance = random.Random(seed)  # noqa: S311 - no secret
    files = [file for root in ROOTS for file in sorted((project / root).rglob("*.py"))]
    files = [file for file in files if not rooms or set(rooms).intersection(file.relative_to(project).parts)]
    lines = [len(file.read_text(encoding="utf-8").splitlines()) for file in files]
    known = set(read_listed())
    seen: set[Change] = set()
    for _ in range(100 * count):
        if len(seen) == count:
            return
        file = chance.choices(files, lines)[0]
        places = _places(file)
        if not places:
            continue
        function, node, changed = chance.choice(places)
        source = cast(libcst.Module, _module(file).deep_replace(node, changed)).code
        module = ".".join(file.relative_to(project).with_suffix("").parts)
        change = Change(f"{module}.{function}", _difference(file.read_text(encoding="utf-8"), source))
        if change.lines and not is_wording(change) and change not in known | seen:
            seen.add(change)
            yield Drawn(change, str(file.relative_to(project)), source)


@cache
def _module(file: Path) -> libcst.Module:
    return MetadataWrapper(libcst.parse_module(file.read_text(encoding="utf-8"))).module


@cache
def _places(file: Path) -> list[tuple[str, libcst.CSTNode, libcst.CSTNode]]:
    """The function, the piece of it and what that becomes, of all changes of a file."""
    places = _Places()
    _module(file).visit(places)
    return places.found


class _Places(libcst.CSTVisitor):
    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, libcst.CSTNode, libcst.CSTNode]] = []
        self._scopes: list[str] = []
        self._functions = 0

    def on_visit(self, node: libcst.CSTNode) -> bool:
        """Take down what can be changed inside functions."""
        if isinstance(node, _LEFT_ALONE) or _is_documentation(node) or _is_left_alone(node):
            return False
        if isinstance(node, libcst.ClassDef | libcst.FunctionDef):
            self._scopes.append(node.name.value)
            self._functions += isinstance(node, libcst.FunctionDef)
        elif self._functions:
            name = ".".join(self._scopes)
            self.found += [
                (name, node, changed)
                for kind, operator in mutation_operators
                if isinstance(node, kind)
                for changed in operator(node)
            ]
        return True

    def on_leave(self, original_node: libcst.CSTNode) -> None:
        """Leave a function or a class."""
        if isinstance(original_node, libcst.ClassDef | libcst.FunctionDef):
            self._scopes.pop()
            self._functions -= isinstance(original_node, libcst.FunctionDef)


def _is_documentation(node: libcst.CSTNode) -> bool:
    return isinstance(node, libcst.Expr) and isinstance(node.value, libcst.SimpleString | libcst.ConcatenatedString)


def _is_left_alone(node: libcst.CSTNode) -> bool:
    return isinstance(node, libcst.Call) and getattr(node.func, "value", None) in _CALLS_LEFT_ALONE


def _difference(before: str, after: str) -> str:
    lines = list(difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0))[2:]
    return "\n".join(f"{line[0]} {line[1:].strip()}" for line in lines if line[0] in "+-")
