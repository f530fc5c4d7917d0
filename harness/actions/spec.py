"""Specifications of actions, made from the methods themselves: prompt, tool schema and documentation in one.

A method's signature gives the parameters, its docstring (Google style) their meaning and the examples: what a
model is told, what the parser takes and what the documentation says cannot drift apart.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, TypeVar

from harness.actions.call import ActionCall, ActionError, Literal, literal
from harness.actions.parser import parse
from harness.actions.signature import ActionSpec, Parameter

__all__ = [
    "ActionSpec",
    "Parameter",
    "action",
    "check_examples",
    "from_class",
    "from_method",
    "to_json_schema",
    "to_markdown",
    "to_prompt",
]

F = TypeVar("F", bound=Callable[..., Any])

_MARK = "_is_action"
_SECTION = re.compile(r"^(Args|Returns|Raises|Examples?):[ \t]*$", re.MULTILINE)
_ENTRY = re.compile(r"^(\w+)(?: \([^)]*\))?:[ \t]*(.*)$")
_JSON_TYPES = {"str": "string", "bool": "boolean", "int": "integer", "float": "number", "None": "null"}

_HOW_TO_CALL = (
    "Act by writing calls of these actions, each on a line of its own. Arguments are texts in quotes,"
    " numbers, True, False, None or lists of these; nothing else is read, and nothing is computed."
)


def action(method: F) -> F:
    """Marks a method as an action; the method itself stays as it is."""
    setattr(method, _MARK, True)
    return method


def from_method(
    method: Callable[..., object], choices: Mapping[str, Sequence[str]] = MappingProxyType({})
) -> ActionSpec:
    """The specification of a method.

    Args:
        method: A method or function with annotated parameters and a docstring. ``Args:`` describes every
            parameter, and lines ``>>> modify_text('q1', 'hello')`` under ``Examples:`` show calls.
        choices: The only texts that some parameters take, by the parameter's name.

    Returns:
        The specification; a first parameter ``self`` is left out.

    Raises:
        ValueError: If the method lacks a docstring, or signature and docstring do not agree, or a parameter
            is of a kind or type that action text has no words for.
    """
    name = method.__name__
    text = inspect.getdoc(method) or ""
    sections = _sections(text)
    if not sections[""]:
        raise ValueError(f"action {name}: it has no docstring")
    docs = _entries(sections.get("Args", ""))
    parameters = [
        _parameter(name, parameter, docs.pop(parameter.name, ""), tuple(choices.get(parameter.name, ())))
        for parameter in inspect.signature(method).parameters.values()
        if parameter.name != "self"
    ]
    if docs:
        raise ValueError(f"action {name}: Args describes {', '.join(docs)}, which the signature lacks")
    examples = sections.get("Examples", sections.get("Example", ""))
    return ActionSpec(
        name=name,
        parameters=tuple(parameters),
        doc=sections[""],
        returns=" ".join(sections.get("Returns", "").split()),
        examples=tuple(line.strip()[4:] for line in examples.splitlines() if line.strip().startswith(">>> ")),
    )


def from_class(
    cls: type, choices: Mapping[str, Mapping[str, Sequence[str]]] = MappingProxyType({})
) -> dict[str, ActionSpec]:
    """The specifications of all public methods of a class that are marked with ``@action``.

    Args:
        cls: The class; what its base classes mark counts too.
        choices: As for ``from_method``, by the method's name.

    Returns:
        Name to specification, in order of definition.

    Raises:
        ValueError: As for ``from_method``.
    """
    return {
        name: from_method(member, choices.get(name, MappingProxyType({})))
        for base in reversed(cls.__mro__)
        for name, member in vars(base).items()
        if not name.startswith("_") and getattr(member, _MARK, False)
    }


def check_examples(specs: Mapping[str, ActionSpec]) -> list[str]:
    """Checks that each example is exactly one call of its action, and that each action has an example.

    Args:
        specs: Specifications by name.

    Returns:
        What is wrong, one sentence each; empty if all is well.
    """
    problems = []
    for spec in specs.values():
        if not spec.examples:
            problems.append(f"{spec.name} has no example")
        for example in spec.examples:
            match parse(example, specs):
                case [ActionCall(name=name)] if name == spec.name:
                    continue
                case [ActionError(reason=reason)]:
                    problems.append(f"{spec.name}: the example {example} is broken: {reason}")
                case _:
                    problems.append(f"{spec.name}: the example {example} is not one call of {spec.name}")
    return problems


def to_json_schema(spec: ActionSpec) -> dict[str, object]:
    """The action as a tool for a model's interface.

    Args:
        spec: The action.

    Returns:
        ``{"name", "description", "parameters"}``; ``parameters`` is the JSON Schema of the arguments.
        Providers wrap these three differently.
    """
    return {
        "name": spec.name,
        "description": f"{spec.doc}\n\nReturns: {spec.returns}" if spec.returns else spec.doc,
        "parameters": {
            "type": "object",
            "properties": {parameter.name: _property(parameter) for parameter in spec.parameters},
            "required": [parameter.name for parameter in spec.parameters if parameter.required],
            "additionalProperties": False,
        },
    }


def to_prompt(specs: Mapping[str, ActionSpec]) -> str:
    """The actions as text for a prompt: how to call them, then each with its arguments and examples.

    Args:
        specs: Specifications by name, in the order to tell them.
    """
    return "\n\n".join([_HOW_TO_CALL, *(_prompt(spec) for spec in specs.values())])


def to_markdown(specs: Mapping[str, ActionSpec]) -> str:
    """The actions as a Markdown reference: a section each, below a title that the caller writes.

    Args:
        specs: Specifications by name, in the order to document them.
    """
    return "\n".join(_markdown(spec) for spec in specs.values())


def _sections(text: str) -> dict[str, str]:
    """A docstring's sections by title; what comes before the first is under the empty title."""
    parts = _SECTION.split(text)
    return {"": parts[0].strip()} | {
        title: inspect.cleandoc(body) for title, body in zip(parts[1::2], parts[2::2], strict=True)
    }


def _entries(section: str) -> dict[str, str]:
    entries: dict[str, str] = {}
    name = ""
    for line in section.splitlines():
        if entry := _ENTRY.match(line):
            name = entry[1]
            entries[name] = entry[2]
        elif name:
            entries[name] += f" {line.strip()}"
    return {name: " ".join(doc.split()) for name, doc in entries.items()}


def _parameter(action_name: str, parameter: inspect.Parameter, doc: str, choices: tuple[str, ...]) -> Parameter:
    if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
        raise ValueError(f"action {action_name}: {parameter} must be an ordinary parameter")
    if not doc:
        raise ValueError(f"action {action_name}: Args does not describe {parameter.name}")
    required = parameter.default is inspect.Parameter.empty
    try:
        default: Literal = None if required else literal(parameter.default)
        kind = _type_text(parameter.annotation)
        return Parameter(parameter.name, kind, doc, required=required, default=default, choices=choices)
    except ValueError as error:
        raise ValueError(f"action {action_name}: {error}") from None


def _type_text(annotation: object) -> str:
    """An annotation as it is written, whether or not the module postpones evaluation."""
    text = annotation.__name__ if isinstance(annotation, type) else str(annotation)
    return " | ".join(part.strip() for part in text.split("|"))


def _property(parameter: Parameter) -> dict[str, object]:
    types = [_json_type(kind) for kind in parameter.kinds]
    described: dict[str, object] = types[0] if len(types) == 1 else {"anyOf": types}
    if parameter.choices:
        described["enum"] = list(parameter.choices)
    described["description"] = parameter.doc
    if not parameter.required:
        described["default"] = parameter.default
    return described


def _json_type(kind: str) -> dict[str, object]:
    if kind.startswith("list["):
        return {"type": "array", "items": _json_type(kind[5:-1])}
    return {"type": _JSON_TYPES[kind]}


def _prompt(spec: ActionSpec) -> str:
    lines = [spec.signature, *_indented(spec.doc.splitlines())]
    lines += _indented(f"{parameter.name}: {parameter.doc}" for parameter in spec.parameters)
    if spec.returns:
        lines += _indented([f"Returns: {spec.returns}"])
    return "\n".join([*lines, *_indented(f"Example: {example}" for example in spec.examples)])


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"    {line}" if line else "" for line in lines]


def _markdown(spec: ActionSpec) -> str:
    blocks = [f"## `{spec.name}`", f"```python\n{spec.signature}\n```", spec.doc]
    if spec.parameters:
        rows = "\n".join(_row(parameter) for parameter in spec.parameters)
        blocks.append(f"| argument | type | default | meaning |\n| --- | --- | --- | --- |\n{rows}")
    if spec.returns:
        blocks.append(f"Returns: {spec.returns}")
    if spec.examples:
        examples = "\n".join(spec.examples)
        blocks.append(f"```python\n{examples}\n```")
    return "\n\n".join(blocks) + "\n"


def _row(parameter: Parameter) -> str:
    default = "required" if parameter.required else f"`{parameter.default!r}`"
    cells = (f"`{parameter.name}`", f"`{parameter.type}`", default, parameter.doc)
    return f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
