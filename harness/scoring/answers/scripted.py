"""Fields that a page's script builds later: what the template's own script text tells of their names and kinds.

A page may add fields once a worker has answered something, pressed a button or submitted. The reference pass does not
see them, but the markup that the script puts together stands in the template: ``'<input name="child_' + n + '_age">'``
names every field of the pattern ``child_<something>_age``, and says that it takes text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from harness.catalog.kinds import NO_FIELDS, Kind, kind_of_control
from harness.catalog.template.markup import scan

_GAP = "\0"
"""Stands for what script computes."""
_WHOLE_LINE_COMMENT = re.compile(r"^[ \t]*//.*$", re.MULTILINE)
_BLOCK_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_EXPRESSION = r"""(?:[^'"`;<>()]|\([^()<>;]*\)|"[^"'<>]*"|'[^"'<>]*')*?"""
# What stands between two pieces of one text: ' + n + ' or, on the next line, ' +\n '; and between two statements that
# add to the same text: ';\n html += '
_JOINED = re.compile(rf"""(?P<quote>['"`])\s*\+\s*(?P<gap>{_EXPRESSION}\+\s*)??(?P=quote)""")
_CONTINUED = re.compile(r"""(?P<quote>['"`])\s*;?\s*[\w.]+\s*\+=\s*(?P=quote)""")
_INTERPOLATED = re.compile(r"\$\{[^{}]*\}")
_TAG = re.compile(r"""<(?P<name>input|textarea|select|option|/select)\b(?P<rest>(?:"[^"]*"|'[^']*'|[^'"<>])*)>""", re.I)
_ATTRIBUTE = re.compile(r"""(?P<name>[\w-]+)\s*=\s*(?:"(?P<double>[^"]*)"|'(?P<single>[^']*)'|(?P<bare>[^\s"'>]+))""")
# A text that something is added to: the beginning of a name, where script computes names as a whole.
_BEGINNING = re.compile(r"""(?P<quote>['"`])(?P<text>[\w.-]{3,})(?P=quote)\s*\+""")
# A name of which less is known could be any column's.
_FEWEST_LETTERS = 3


@dataclass
class LaterField:
    """Fields of one pattern of names that script builds.

    Attributes:
        pattern: Matches the whole of their names.
        kind: Their kind.
        options: Their options' values; empty if they have none, or script computes them.
    """

    pattern: re.Pattern[str]
    kind: Kind
    options: tuple[str, ...] = ()


def later_fields(template: str) -> list[LaterField]:
    """Find the fields that the scripts of a template can add.

    Args:
        template: The text of template.html.

    Returns:
        One for each pattern of names, in the order in which the scripts mention them. Where a script computes the whole
        of a name, every text of it that something is added to may be how the name begins.
    """
    names: dict[str, tuple[Kind, list[str]]] = {}
    for piece in scan(template):
        if piece.kind == "raw" and piece.name == "script":
            script = template[piece.start : piece.end]
            _read(_joined(script), names)
            if computed := names.pop(_GAP, None):
                for beginning in _BEGINNING.finditer(script):
                    names.setdefault(beginning["text"] + _GAP, (computed[0], []))
    return [
        LaterField(_pattern(name), kind, () if any(_GAP in value for value in values) else tuple(values))
        for name, (kind, values) in names.items()
    ]


def _joined(script: str) -> str:
    """The script with the pieces of each text put together, and gaps where it computes something."""
    text = _WHOLE_LINE_COMMENT.sub("", _BLOCK_COMMENT.sub("", script))
    text = text.replace("\\'", "'").replace('\\"', '"')
    text = _JOINED.sub(lambda found: _GAP if found["gap"] else "", text)
    return _INTERPOLATED.sub(_GAP, _CONTINUED.sub("", text))


def _read(script: str, names: dict[str, tuple[Kind, list[str]]]) -> None:
    select = ""
    for tag in _TAG.finditer(script):
        element = tag["name"].lower()
        attributes = {
            found["name"].lower(): unescape(found["double"] or found["single"] or found["bare"] or "")
            for found in _ATTRIBUTE.finditer(tag["rest"])
        }
        if element == "option":
            if select:
                names[select][1].append(attributes.get("value", _GAP))
            continue
        select = ""
        name, type_ = attributes.get("name", ""), attributes.get("type", "").lower()
        too_short = sum(map(str.isalpha, name)) < _FEWEST_LETTERS and name != _GAP
        if too_short or (element == "input" and type_ in NO_FIELDS):
            continue
        kind = kind_of_control(element, type_)
        _, values = names.setdefault(name, (kind, []))
        if element == "select" and not values:
            select = name
        if kind in {"radio", "checkbox"} and (value := attributes.get("value", "on")) not in values:
            values.append(value)


def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(r"[\w.-]+?".join(map(re.escape, name.split(_GAP))))
