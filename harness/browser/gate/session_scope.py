"""What one session of a program was told of: that it may name, and nothing else."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import msgspec

from harness.browser.channel import Params
from harness.browser.gate.policy import Refused
from harness.browser.gate.protocol_types import BackendNodeId, ContextId, DeepValue, FrameId, UniqueContextId, shapes

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
