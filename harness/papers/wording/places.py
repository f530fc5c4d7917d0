"""A text out of a file of somebody else's: a string of a Python program, of a JSON document, or the whole file.

A program is read as its syntax tree, and never run. A place in it is names with dots between them, from the outside in:
classes, functions, and at the end a variable, or a function for what it returns. ``prompt#2`` is the second time that
something is assigned to it, or added to it; ``prompt[system][0]`` is what stands in there under a key or a number. In a
JSON document a place is keys and numbers alone.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator

_STEP = re.compile(r"\[([^\]]*)\]")
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class NoSuchPlace(ValueError):
    """A file has no text at a place; says which part of the place is not there."""


def text_at(data: bytes, file: str, place: str) -> str:
    """The text at a place, with the values of an f-string as ``{expression}``.

    Args:
        data: The file.
        file: Its name, by whose suffix it is read.
        place: Where; empty for the whole file.

    Raises:
        NoSuchPlace: there is no text, or the file cannot be read as what it is called.
    """
    try:
        text = data.decode("utf-8")
        if not place:
            return text
        if file.endswith(".json"):
            return _of_json(json.loads(text), place)
        return _text(_found(ast.parse(text), place), place)
    except (SyntaxError, ValueError, RecursionError) as error:
        if isinstance(error, NoSuchPlace):
            raise
        raise NoSuchPlace(f"it cannot be read: {error}") from error


def _of_json(value: object, place: str) -> str:
    for step in _STEP.findall(place):
        match value:
            case dict() if step in value:
                value = value[step]
            case list() if step.isdecimal() and int(step) < len(value):
                value = value[int(step)]
            case _:
                raise NoSuchPlace(f"there is no [{step}] of {place}")
    if not isinstance(value, str):
        raise NoSuchPlace(f"{place} is no text")
    return value


def _found(tree: ast.Module, place: str) -> ast.expr:
    """The expression that a place means."""
    path = _STEP.sub("", place)
    scope: ast.AST = tree
    names = path.split(".")
    for name in names[:-1]:
        scope = _definition(scope, name) or _missing(name, place)
    last, _, number = names[-1].partition("#")
    values = list(_assigned(scope, last))
    if values:
        if int(number or 1) > len(values):
            raise NoSuchPlace(f"{last} of {place} is set only {len(values)} times")
        found = values[int(number or 1) - 1]
    else:
        found = _returned(_definition(scope, last) or _missing(last, place), place)
    for step in _STEP.findall(place):
        found = _inside(found, step, place)
    return found


def _missing(name: str, place: str) -> ast.AST:
    raise NoSuchPlace(f"there is no {name} of {place}")


def _definition(scope: ast.AST, name: str) -> ast.AST | None:
    definitions = (each for each in ast.walk(scope) if isinstance(each, (ast.ClassDef, *_FUNCTIONS)))
    return next((each for each in definitions if each.name == name and each is not scope), None)


def _assigned(scope: ast.AST, name: str) -> Iterator[ast.expr]:
    """What is assigned or added to a name in a scope itself, in the order of the text."""
    for each in _own(scope):
        match each:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case ast.AugAssign(target=ast.Name(id=target), value=value) if target == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=target), value=ast.expr() as value) if target == name:
                yield value


def _own(scope: ast.AST) -> Iterator[ast.AST]:
    """Statements of a scope, not those of classes and functions in there."""
    for each in ast.iter_child_nodes(scope):
        if not isinstance(each, (ast.ClassDef, *_FUNCTIONS)):
            yield each
            yield from _own(each)


def _returned(definition: ast.AST, place: str) -> ast.expr:
    returned = [each.value for each in _own(definition) if isinstance(each, ast.Return) and each.value]
    if len(returned) != 1:
        raise NoSuchPlace(f"{place} is a function that returns in {len(returned)} places")
    return returned[0]


def _inside(value: ast.expr, step: str, place: str) -> ast.expr:
    match value:
        case ast.Dict(keys=keys, values=values):
            for key, each in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value == step:
                    return each
        case ast.List(elts=elements) | ast.Tuple(elts=elements) if step.isdecimal() and int(step) < len(elements):
            return elements[int(step)]
    raise NoSuchPlace(f"there is no [{step}] of {place}")


def _text(value: ast.expr, place: str) -> str:
    """The text that an expression writes down."""
    match value:
        case ast.Constant(value=str() as text):
            return text
        case ast.JoinedStr(values=parts):
            return "".join(_text(part, place) for part in parts)
        case ast.FormattedValue(value=inner):
            return f"{{{ast.unparse(inner)}}}"
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            return _text(left, place) + _text(right, place)
        case ast.Call(func=ast.Name(id=name)):
            return f"{{{name}()}}"
    raise NoSuchPlace(f"{place} is no text")
