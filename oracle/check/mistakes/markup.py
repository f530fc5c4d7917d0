"""Controls of a template that send nothing, or the same whatever is chosen: no name, no value, a quote left open.

Pure: the text of a template in, mistakes out. A page may differ: script can name a control, a cell can bring one.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.catalog.kinds import NO_FIELDS
from harness.catalog.labels import is_blank
from harness.catalog.task import Instance, Task
from harness.catalog.template import render
from harness.catalog.template.markup import Piece, scan
from harness.catalog.template.wrapping import sent_names
from harness.kit.text import few, noun
from oracle.check.mistakes.mistake import MOST_VALUES, Mistake

_FORM_TAG = re.compile(r"</?form\b", re.IGNORECASE)


def closed_forms(task: Task, instances: Iterable[Instance]) -> Iterator[Mistake]:
    """The fields that a cell takes out of the form of its page, each with the rows where it does.

    Args:
        task: The task.
        instances: Those whose pages are looked at.
    """
    plain = frozenset[str]()
    for instance in instances:
        cells = {name: tag[0] for name, tag in _tags(instance)}
        if not cells:
            continue
        plain = plain or sent_names(render(task.template, dict.fromkeys(instance.inputs, "")))
        for column, tag in cells.items():
            others = {**instance.inputs, **dict.fromkeys(cells.keys() - {column}, "")}
            for field in sorted(plain - sent_names(render(task.template, others))):
                yield Mistake(
                    task=task.name,
                    kind="closed form",
                    what=f"the cell of {column} holds {tag}>, a tag of the page there: this field is outside the form "
                    "that is sent",
                    remedy=f"Write &lt; for the < in the cell of {column}, or take the tag out",
                    field=field,
                    rows=instance.rows,
                )


def _tags(instance: Instance) -> Iterator[tuple[str, re.Match[str]]]:
    """The columns in whose cell there is a tag of a form, with the first of them."""
    for name, value in instance.inputs.items():
        if tag := _FORM_TAG.search(value):
            yield name, tag


_CONTROLS = frozenset({"input", "select", "textarea"})
_CONTROL = re.compile(r"<(?:input|select|textarea)\b", re.IGNORECASE)
_TAG = re.compile(r"</?[a-z]", re.IGNORECASE)
_NAMED = re.compile(r"""\bname\s*=\s*["']?([^\s"'<>=]+)""", re.IGNORECASE)
_OPENED = re.compile(r"""([\w-]+)\s*=\s*(["'])([^"'<>]*)""")
# name="a value="1": what should be the next attribute is a part of the first, and its value an attribute.
_RUNS_ON = re.compile(r"""([\w-]+)\s*=\s*(["'])([^"'<>=]*?)\s+[\w-]+\s*=\2[^\s"'<>=/]""")
_HOLDS_MARKUP = ("on", "data-", "srcdoc", "value", "title", "placeholder", "content", "style")
"""How attributes begin in which markup is text."""


@dataclass(frozen=True)
class OpenQuote:
    """A tag that swallows others, since a quote in it is never closed.

    Attributes:
        line: Of the template.
        attribute: The attribute, as far as it was meant.
        closed: The same with its quote closed.
        names: The names of the tag itself and of the controls in it, none of which the page has.
    """

    line: int
    attribute: str
    closed: str
    names: tuple[str, ...]


def open_quotes(template: str) -> list[OpenQuote]:
    """Find the tags in which a quote is never closed, so that the controls behind it become a part of it."""
    found = []
    for piece in scan(template):
        if piece.kind != "start":
            continue
        source = template[piece.start : piece.end]
        line, names = _line(template, piece), tuple(dict.fromkeys(_NAMED.findall(source)))
        if _swallows(template, piece):
            inner = _TAG.search(source, 1)
            own = source[: inner.start() if inner else len(source)]
            opened = list(_OPENED.finditer(own))
            last = opened[-1] if opened else None
            attribute = f"{last[1]}={last[2]}{last[3].strip()}" if last else own.strip()
            found.append(OpenQuote(line, attribute, attribute + (last[2] if last else ">"), names))
        elif piece.name in _CONTROLS and (runs_on := _RUNS_ON.search(source)):
            attribute = f"{runs_on[1]}={runs_on[2]}{runs_on[3].strip()}"
            found.append(OpenQuote(line, attribute, attribute + runs_on[2], names))
    return found


def _swallows(template: str, piece: Piece) -> bool:
    source = template[piece.start : piece.end]
    if not _TAG.search(source, 1):
        return False
    if piece.end == len(template) and not source.endswith(">"):
        return True
    strange = any(re.search("[\"'<]", name) for name in piece.attributes)
    held = [value for name, value in piece.attributes.items() if not name.startswith(_HOLDS_MARKUP)]
    return (strange and any(map(_TAG.search, piece.attributes.values()))) or any(map(_CONTROL.search, held))


def markup_mistakes(
    task: str, template: str, columns: Mapping[str, Collection[str]], homeless: Sequence[str]
) -> Iterator[Mistake]:
    """The mistakes in the markup of a template.

    Args:
        task: The task's name.
        template: The text of template.html.
        columns: Column of labels, without its leading ``Answer.`` -> its different cells.
        homeless: Those of them whose field is on no page.
    """
    for each in open_quotes(template):
        yield Mistake(
            task=task,
            kind="open quote",
            what=f"the quote in {each.attribute} is never closed{_with(each.names[1:])}",
            remedy="Close the quote",
            field=each.names[0] if each.names else "",
            line=each.line,
            wanted=each.closed,
        )
    yield from _without_value(task, template, columns)
    yield from _without_name(task, template, homeless)


def _with(names: Sequence[str]) -> str:
    return f", and swallows the field {' and the field '.join(map(repr, names))}" if names else ""


def _without_value(task: str, template: str, columns: Mapping[str, Collection[str]]) -> Iterator[Mistake]:
    lines: dict[str, list[int]] = {}
    for piece in _controls(template):
        attributes = piece.attributes
        name, type_ = attributes.get("name", ""), attributes.get("type", "").strip().lower()
        if name and type_ == "radio" and "value" not in attributes and (name in columns or _is_for_workers(piece)):
            lines.setdefault(name, []).append(_line(template, piece))
    for name, found in lines.items():
        labels = sorted(label for label in columns.get(name, ()) if not is_blank(label))
        yield Mistake(
            task=task,
            kind="no value",
            what=f"{len(found)} of its radio buttons {noun(len(found), 'has', 'have')} no value",
            remedy='Write value="..." into each of them' + (", as the labels have it" if labels else ""),
            field=name,
            line=found[0],
            wanted=few(labels, MOST_VALUES),
            possible=("on",),
            is_note=not labels,
        )


def _without_name(task: str, template: str, homeless: Sequence[str]) -> Iterator[Mistake]:
    scripted = any(piece.kind == "raw" and piece.name == "script" for piece in scan(template))
    nameless = [each for each in _controls(template) if not each.attributes.get("name") and _is_for_workers(each)]
    for piece in nameless:
        source = " ".join(template[piece.start : piece.end].split())
        named = piece.attributes.get("id", "") if piece.attributes.get("id") in homeless else ""
        name = named or (homeless[0] if len(homeless) == 1 else "...")
        yield Mistake(
            task=task,
            kind="no name",
            what=f"{source} has no name, so that what is entered there is not sent",
            remedy=f'Write name="{name}" into it',
            line=_line(template, piece),
            wanted=named or " or ".join(homeless),
            # A script may read them and write what they hold into a field.
            is_note=scripted and not named and ("id" in piece.attributes or len(nameless) > len(homeless)),
        )


def _controls(template: str) -> Iterator[Piece]:
    for piece in scan(template):
        # One with an open quote is told as such; what seems to be its name is more than that.
        is_control = piece.kind == "start" and piece.name in _CONTROLS and "=" not in piece.attributes.get("name", "")
        if is_control and piece.attributes.get("type", "").strip().lower() not in NO_FIELDS:
            yield piece


def _is_for_workers(piece: Piece) -> bool:
    """Whether a control can be worked; those of examples in instructions cannot."""
    attributes = piece.attributes
    locked = {"disabled", "readonly", "checked"} & set(attributes) or "return false" in attributes.get("onclick", "")
    return not locked and attributes.get("type", "").strip().lower() != "hidden"


def _line(template: str, piece: Piece) -> int:
    return template.count("\n", 0, piece.start) + 1
