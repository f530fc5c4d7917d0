"""A copy of the project whose functions mutmut can change."""

from __future__ import annotations

import ast
import shutil
from collections.abc import Sequence
from pathlib import Path

ROOMS = ("metrics", "answers", "scoring")
"""Folders of ``harness/`` that are pure and whose tests need no browser."""
_COPIED = ("harness", "turkle_app", "tests", "tasks", "docs")
# Its results would hide from a test what a mutant gives, and from mutmut which tests call the function.
_FORGOTTEN = "lru_cache"


def make_copy(project: Path, copy: Path) -> None:
    """Copy the project, anew, with the functions of the rooms free of decorators.

    Args:
        project: The root of the project.
        copy: The folder to make; what stood there is deleted.
    """
    shutil.rmtree(copy, ignore_errors=True)
    copy.mkdir(parents=True)
    shutil.copy(project / "pyproject.toml", copy)
    for folder in _COPIED:
        shutil.copytree(project / folder, copy / folder, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))
    for room in ROOMS:
        for file in (copy / "harness" / room).rglob("*.py"):
            file.write_text(undecorated(file.read_text(encoding="utf-8")), encoding="utf-8")


def undecorated(source: str) -> str:
    """A module that does the same with no decorator on its functions and methods, which mutmut would leave alone.

    ``@cached_property`` above ``def name`` becomes ``name = cached_property(name)`` below it; ``@lru_cache`` goes.
    """
    lines = source.splitlines()
    for function in reversed(_decorated(ast.parse(source))):
        wrappers = [ast.unparse(each) for each in function.decorator_list]
        below = [
            f"{' ' * function.col_offset}{function.name} = {wrapper}({function.name})"
            for wrapper in reversed(wrappers)
            if not wrapper.startswith(_FORGOTTEN)
        ]
        lines[function.end_lineno : function.end_lineno] = below
        del lines[function.decorator_list[0].lineno - 1 : function.lineno - 1]
    return "\n".join(lines) + "\n"


def _decorated(module: ast.Module) -> Sequence[ast.FunctionDef]:
    scopes = [module.body, *(each.body for each in module.body if isinstance(each, ast.ClassDef))]
    functions = [each for scope in scopes for each in scope if isinstance(each, ast.FunctionDef)]
    return sorted((each for each in functions if each.decorator_list), key=lambda each: each.lineno)
