"""The page of the documentation that lists what ``import turkbench`` offers, made from the docstrings."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import harness as face

INTRODUCTION = """\
# From Python

```python
import turkbench

run = turkbench.evaluate("do-nothing", split="test", max_instances=1, out="runs/from-python")
print(run.score)
print(run.scores.groupby("task", observed=True).score.mean())
```

`evaluate` plays a run as `turkbench evaluate` does, and takes the same options by the same names. What stands
on this page is public: it keeps its meaning until the next major version. All other modules may change with any
version. The page is generated from the docstrings; write it anew with `make docs`.
"""
_GROUPS = {
    "Runs": ("evaluate", "load_run", "Run", "Episode", "Step"),
    "Tasks": ("load_tasks", "Task", "Instance", "open_page"),
    "Solvers": ("Solver", "Page", "Field", "Option", "Actions", "SiteActions", "ActionCall", "ActionResult"),
    "Actions on any page": ("ActionLibrary",),
    "Solvers that ask a model": ("Model", "ModelReply", "encode", "describe_actions", "parse_actions"),
    "Encodings and metrics of one's own": ("Encoding", "Snapshot", "PROFILES"),
    "Options and errors": (
        "option",
        "ModelChoice",
        "Setup",
        "UserError",
        "WrongOptions",
        "ActionError",
        "LimitReached",
    ),
}
_SECTION = re.compile(r"^(Args|Attributes|Returns|Yields|Raises):$")
_ENTRY = re.compile(r"^(\*{0,2}[\w.]+): (.*)$")
_CODE = re.compile(r"``([^`]+)``")


def document() -> str:
    """The page, in Markdown."""
    parts = [INTRODUCTION]
    for heading, names in _GROUPS.items():
        parts.append(f"## {heading}\n")
        parts += [_entry(name) for name in names]
    return "\n".join(parts)


def _entry(name: str) -> str:
    thing = getattr(face, name)
    lines = [f"### {name}", "", *_signature(name, thing), *_body(thing)]
    if inspect.isclass(thing):
        for member, value in _members(thing):
            lines += ["", f"**`.{member}`** {_first(value)}"]
    return "\n".join(lines) + "\n"


def _signature(name: str, thing: Any) -> Iterator[str]:
    """How it is called; of a class only if that is for its users, whose docstring then says with what."""
    if inspect.isfunction(thing) or "\nArgs:" in (inspect.getdoc(thing) or ""):
        given: list[str] = []
        star = False
        for each in inspect.signature(thing).parameters.values():
            if each.kind is each.KEYWORD_ONLY and not star:
                given, star = [*given, "*"], True
            given.append(_parameter(each))
        yield from ("```python", f"{name}({', '.join(given)})", "```", "")


def _parameter(parameter: inspect.Parameter) -> str:
    if parameter.default is parameter.empty:
        stars = "**" if parameter.kind is parameter.VAR_KEYWORD else ""
        return f"{stars}{parameter.name}: {parameter.annotation}"
    # The folder of the bundled tasks is another on each machine.
    usual = "BUNDLED_TASKS" if isinstance(parameter.default, Path) else repr(parameter.default)
    return f"{parameter.name}: {parameter.annotation} = {usual}"


def _members(kind: type) -> Iterator[tuple[str, object]]:
    """Its public methods and properties that say what they are, in the order of their names."""
    for name, value in sorted(vars(kind).items()):
        if not name.startswith("_") and (inspect.isfunction(value) or isinstance(value, property)) and value.__doc__:
            yield (f"{name}()" if inspect.isfunction(value) else name), value


def _first(value: object) -> str:
    first, _, _ = (inspect.getdoc(value) or "").partition("\n\n")
    return _CODE.sub(r"`\1`", " ".join(first.split()))


def _body(thing: object) -> Iterator[str]:
    """A docstring as Markdown: its sections become lists."""
    for line in (inspect.getdoc(thing) or "").splitlines():
        text = _CODE.sub(r"`\1`", line)
        if section := _SECTION.match(text):
            yield f"*{section[1]}*\n"
        elif entry := _ENTRY.match(text.removeprefix("    ")) if text.startswith("    ") else None:
            yield f"- `{entry[1]}`: {entry[2]}"
        else:
            yield re.sub(r"^ {8}", "  ", text)
