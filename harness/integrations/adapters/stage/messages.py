"""What a stage and whoever drives it say to each other, each a line of JSON. No label is in any of it."""

from __future__ import annotations

import queue
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import IO, Literal

from harness.browser.form.fields import Field
from harness.kit.files import codec
from harness.kit.files.codec import JsonObject
from harness.records.config import RunConfig
from harness.records.episode import Outcome
from harness.solvers.outside.opened_page import DevtoolsAddress

OF_EPISODE = ("call", "write", "submit", "look")
"""What can be asked while a page is open, and goes on with it."""


@dataclass(frozen=True)
class StageSettings:
    """What a stage is started with.

    Attributes:
        config: How pages are shown and scored, within which limits, and which instances there are.
        tell_worth: Whether each answer tells what the form as it stands would score.
    """

    config: RunConfig
    tell_worth: bool = False


@dataclass(frozen=True)
class Request:
    """One request.

    Attributes:
        do: ``list`` the instances; ``open`` one, which gives up an episode that is under way; ``call`` a tool;
            ``write`` an action as text; ``look`` at the fields; ``submit`` the form, or end the work on a website;
            ``leave``.
        task: Of ``open``: the task's name.
        row: Of ``open``: the instance's place in its table, from 0.
        over_devtools: Of ``open``: whether a program drives the browser; tools cannot be called then.
        name: Of ``call``: the tool.
        arguments: Of ``call``: its arguments by name.
        text: Of ``write``: the action.
        answer: Of ``submit``: what a website's goal asks for; None for no answer.
    """

    do: Literal["list", "open", "call", "write", "look", "submit", "leave"]
    task: str = ""
    row: int = 0
    over_devtools: bool = False
    name: str = ""
    arguments: JsonObject = field(default_factory=dict)
    text: str = ""
    answer: str | None = None


@dataclass(frozen=True)
class Opened:
    """A page that is open: what every agent is told of it (docs/reference/program.md).

    Attributes:
        url: Its address.
        names: The names of the form's answer fields, in page order.
        fields: Those that were in the form when it had loaded.
        seconds: How long it may be worked on.
        seed: A number for whatever is drawn.
        goal: What is to be done on a website; empty for a form.
        origins: Where a website's task may go; none for a form.
        instructions: What a model has to know before it begins; empty over DevTools.
        tools: What can be called: name, description and JSON Schema of the parameters; none over DevTools.
        devtools: The way into the browser; None if tools are called.
    """

    url: str
    names: tuple[str, ...]
    fields: tuple[Field, ...]
    seconds: float
    seed: int
    goal: str = ""
    origins: tuple[str, ...] = ()
    instructions: str = ""
    tools: tuple[JsonObject, ...] = ()
    devtools: DevtoolsAddress | None = None


@dataclass(frozen=True)
class Ended:
    """What came of an episode. Scores lie between 0 and 1; None if they are not known.

    Attributes:
        outcome: How it ended (docs/reference/run-directory.md).
        detail: More about that, if there is more.
        limit: The limit that ended it; empty for none.
        score: Of the instance, by the profile of the stage.
        ceiling: The best that its labels allow.
        do_nothing: What the untouched form, or the untouched website, would have got.
        constant: What the most frequent answers of the task's other instances would have got.
        fields: The scored fields' own scores, by name; none on a website.
    """

    outcome: Outcome
    detail: str
    limit: str
    score: float | None
    ceiling: float | None
    do_nothing: float | None
    constant: float | None
    fields: Mapping[str, float]


@dataclass(frozen=True)
class Acted:
    """What a request of an episode gave.

    Attributes:
        text: Result or error, for a model to read.
        ok: Whether what was asked for was done.
        images: Pictures that belong to it, PNG in base64.
        fields: The form's fields as they are now, with what they hold as ``initial``; none on a website or at the end.
        worth: What the form would score as it stands, from what its fields hold; None if that is not told or known.
        ended: What came of the episode, if that was its end.
    """

    text: str
    ok: bool = True
    images: tuple[str, ...] = ()
    fields: tuple[Field, ...] = ()
    worth: float | None = None
    ended: Ended | None = None


Instances = Mapping[str, tuple[int, ...]]
"""Task -> the places of its instances in its table."""


@dataclass(frozen=True)
class Refused:
    """The answer to a request that could not be met.

    Attributes:
        error: Why, in words.
    """

    error: str


LEAVE = Request("leave")


class Requests:
    """The requests of whoever drives a stage, in order; ``leave`` from the end of the stream on."""

    def __init__(self, stream: IO[bytes]) -> None:
        """Read a stream, a request a line."""
        self._queue: queue.SimpleQueue[Request] = queue.SimpleQueue()
        self._put_back: Request | None = None
        threading.Thread(target=self._read, args=[stream], daemon=True).start()

    def _read(self, stream: IO[bytes]) -> None:
        for line in stream:
            self._queue.put(codec.decode(line, Request))
        self._queue.put(LEAVE)

    def next(self, seconds: float | None = None) -> Request | None:
        """The next request; None if none comes within so many seconds."""
        if self._put_back:
            request, self._put_back = self._put_back, None
            return request
        try:
            return self._queue.get(timeout=seconds)
        except queue.Empty:
            return None

    def put_back(self, request: Request) -> None:
        """Give a request to whoever asks next."""
        self._put_back = request
