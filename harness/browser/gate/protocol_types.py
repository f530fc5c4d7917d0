"""The shapes of DevTools' messages: what is not in them is left out, and what names a thing is shown to somebody.

``protocol.json`` has them, for the methods and events of ``policy``, as the browser describes them by itself
(``python -m tests.trust.protocol_table`` writes it anew).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import msgspec

TABLE = Path(__file__).with_name("protocol.json")


class ObjectId(str):
    """A JavaScript object."""


class NodeId(int):
    """A node of the document, as a session numbers it."""


class BackendNodeId(int):
    """A node of the document, as the browser numbers it."""


class FrameId(str):
    """A frame of the page."""


class StreamId(str):
    """A stream of bytes that can be read."""


class ContextId(int):
    """A world of the page, by number."""


class UniqueContextId(str):
    """A world of the page, by a name that no other has."""


class DeepValue(dict[str, Any]):
    """A value with what it holds, in which nodes have their numbers."""


HANDLES: Mapping[str, type] = {
    "Runtime.RemoteObjectId": ObjectId,
    "DOM.NodeId": NodeId,
    "DOM.BackendNodeId": BackendNodeId,
    "Page.FrameId": FrameId,
    "IO.StreamHandle": StreamId,
    "Runtime.ExecutionContextId": ContextId,
    "Runtime.DeepSerializedValue": DeepValue,
}
"""Types of the protocol that name a thing which can lead somewhere. Ids that are not here lead nowhere: no method that
is let through takes that of a script, a loader or a debugger; requests, style sheets, searches and added scripts
are kept by session, and belong to the page."""
_PLAIN: Mapping[str, Any] = {
    "integer": int,
    "number": int | float,
    "string": str,
    "boolean": bool,
    "any": Any,
    "object": dict[str, Any],
}
See = Callable[[type, Any], None]
"""Is shown the kind and the value of each handle."""


class Shapes:
    """The shapes of methods' parameters and answers, and of events."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        """Of a table as ``protocol.json`` holds it."""
        self._table = table
        self._types: dict[str, Any] = {}
        self._known: dict[tuple[str, int], Any] = {}

    def parameters(self, method: str, params: Mapping[str, Any], see: See) -> dict[str, Any]:
        """The parameters of a method that it has.

        Args:
            method: Of the table.
            params: What was given.
            see: Is shown the handles.

        Raises:
            msgspec.ValidationError: one is of another type.
        """
        return self._rebuilt((method, 0), params, see)

    def answer(self, method: str, result: Mapping[str, Any], see: See) -> dict[str, Any]:
        """As ``parameters``, of what the browser answers."""
        return self._rebuilt((method, 1), result, see)

    def event(self, name: str, params: Mapping[str, Any], see: See) -> dict[str, Any] | None:
        """As ``parameters``, of what the browser tells; None if that is none of the events."""
        return self._rebuilt((name, -1), params, see) if name in self._table["events"] else None

    def _rebuilt(self, key: tuple[str, int], given: Mapping[str, Any], see: See) -> dict[str, Any]:
        def hook(kind: type, value: Any) -> Any:
            base = kind.__mro__[1]
            if type(value) is not base:
                raise TypeError(f"expected {base.__name__}, got {type(value).__name__}")
            see(kind, value)
            return kind(value)

        shape = self._known.get(key)
        if shape is None:
            name, place = key
            fields = self._table["events"][name] if place < 0 else self._table["methods"][name][place]
            shape = self._known[key] = self._shape(name, fields)
        rebuilt: dict[str, Any] = msgspec.convert(given, shape, dec_hook=hook)
        return rebuilt

    def _shape(self, name: str, fields: Mapping[str, str]) -> Any:
        # Filled in when it is there, since types hold each other and themselves.
        shape: Any = TypedDict(name, {}, total=False)  # type: ignore[misc]
        self._types.setdefault(name, shape)
        shape.__annotations__.update({field: self._type(field, kind) for field, kind in fields.items()})
        shape.__optional_keys__ = frozenset(fields)
        return shape

    def _type(self, field: str, kind: str) -> Any:
        if kind.startswith("["):
            return list[self._type(field, kind[1:-1])]  # type: ignore[misc]
        if field == "uniqueContextId":
            return UniqueContextId
        if kind in HANDLES:
            return HANDLES[kind]
        return _PLAIN.get(kind) or self._types.get(kind) or self._shape(kind, self._table["types"][kind])


@cache
def shapes() -> Shapes:
    """Those of ``protocol.json``."""
    return Shapes(json.loads(TABLE.read_text(encoding="utf-8")))
