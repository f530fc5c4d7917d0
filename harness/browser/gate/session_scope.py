"""What one session of a program was told of: that it may name, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

import msgspec

from harness.browser.channel import Params
from harness.browser.gate.policy import Refused

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


NO_WORLD = "Cannot find context with specified id"
"""As the browser says it."""
EVENTS_OF_OURS = "harness-"
"""How the events are called by which the harness's scripts in the page's own world speak to those in its own."""
_WORDS: Mapping[type, str] = {ContextId: "context", UniqueContextId: "context", FrameId: "frame"}


class Malformed(Exception):
    """A method's parameters are of other types than it takes."""


class Gone(Exception):
    """A world that the program was told of is there no more."""


@dataclass(frozen=True)
class World:
    """A world of the page that a program was told of.

    Attributes:
        unique: The name that no other has, in whatever process of the browser.
        name: What the program, or nobody, has called it.
    """

    unique: str
    name: str


@dataclass
class SessionScope:
    """What a session may name.

    An id counts as told where it stood, letter by letter, in an answer or an event that was passed on; so ids are never
    read, and no other spelling of one is known. Worlds are told if they are the pages' own, or have a name that the
    program has given: the harness's is neither, whatever it is called.

    Attributes:
        frames: Of the page, as all sessions of a connection are told of them.
        is_worker: Whether the other side is a worker, in which there is no world but its own.
    """

    frames: set[str]
    is_worker: bool = False
    worlds: dict[int, World | None] = field(default_factory=dict)
    names: set[str] = field(default_factory=lambda: {""})
    _told: dict[type, set[Any]] = field(default_factory=dict)

    def parameters(self, method: str, params: Mapping[str, Any]) -> Params:
        """The parameters of a method, as it has them.

        Raises:
            Refused: one names what the session was not told of.
            Gone: one names a world that is there no more.
            Malformed: one is of another type than the method takes.
        """
        try:
            return shapes().parameters(method, params, self._check)
        except msgspec.ValidationError as error:
            raise Malformed(f"Invalid parameters: {error}") from error

    def _check(self, kind: type, value: Any) -> None:
        if kind is ContextId:
            if value in self.worlds:
                if self.worlds[value] is None:
                    raise Gone(NO_WORLD)
                return
        elif kind is FrameId:
            if value in self.frames:
                return
        elif value in self._told.get(kind, ()):
            return
        raise Refused(f"there is no {_WORDS.get(kind, kind.__name__)} {value!r} that it was told of")

    def answer(self, method: str, result: Mapping[str, Any]) -> Params:
        """What a session is told in answer, and may name from then on."""
        if method == "DOMDebugger.getEventListeners":
            others = [each for each in result["listeners"] if not each["type"].startswith(EVENTS_OF_OURS)]
            result = {"listeners": others}
        return shapes().answer(method, result, self._tell)

    def event(self, method: str, params: Mapping[str, Any]) -> Params | None:
        """As ``answer``, of an event; None if it is not to be told: if it is of a world that the session knows not."""
        if not self._concerns(method, params):
            return None
        return shapes().event(method, params, self._tell)

    def _tell(self, kind: type, value: Any) -> None:
        if kind is FrameId:
            self.frames.add(value)
        elif kind is DeepValue:
            self._tell_nodes(value)
        elif kind is not ContextId:
            self._told.setdefault(kind, set()).add(value)

    def _tell_nodes(self, value: Mapping[str, Any]) -> None:
        """Take in the nodes of a value: the browser numbers them, and no name that a page gives stands as a key."""
        waiting: list[Any] = [value]
        while waiting:
            each = waiting.pop()
            if isinstance(each, list):
                waiting += each
            elif isinstance(each, dict):
                number = each.get("backendNodeId")
                if type(number) is int:
                    self._tell(BackendNodeId, number)
                waiting += each.values()

    def _concerns(self, method: str, params: Mapping[str, Any]) -> bool:
        match method:
            case "Runtime.executionContextCreated":
                return self._meet(params["context"])
            case "Runtime.executionContextDestroyed":
                return self._lose(params["executionContextId"])
            case "Runtime.executionContextsCleared":
                self.worlds = dict.fromkeys(self.worlds)
            case "Runtime.bindingCalled" | "Runtime.consoleAPICalled":
                return self._knows(params.get("executionContextId"))
            case "Runtime.exceptionThrown":
                return self._knows(params["exceptionDetails"].get("executionContextId"))
        return True

    def _knows(self, number: Any) -> bool:
        return self.worlds.get(number) is not None

    def _meet(self, context: Mapping[str, Any]) -> bool:
        is_own = context.get("auxData", {}).get("isDefault") is True
        if not (is_own or self.is_worker or context["name"] in self.names):
            return False
        self.worlds[context["id"]] = World(context["uniqueId"], context["name"])
        self._told.setdefault(UniqueContextId, set()).add(context["uniqueId"])
        return True

    def _lose(self, number: int) -> bool:
        is_known = self._knows(number)
        if is_known:
            self.worlds[number] = None
        return is_known

    def world(self, number: int) -> World:
        """The world of a number that ``parameters`` has let through."""
        found = self.worlds[number]
        assert found  # noqa: S101 - it was let through
        return found
