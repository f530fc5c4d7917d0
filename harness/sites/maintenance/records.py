"""What a replay of reference traces has found, as it is written to ``report.json``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from harness.catalog.trace import ElementMark
from harness.kit.files.codec import Count

ChangeKind = Literal[
    "gone", "renamed", "relabelled", "moved", "reordered", "readdressed", "refused", "node_missed", "state_missed"
]
"""Of an element: it is not there, is called otherwise (id, class, name, tag), says something else, stands in something
else, stands elsewhere among its neighbours, leads elsewhere. Of a page: it has another address (``readdressed``). Of a
step: its value is not taken any more. Of a task: a key node is not met, or the site does not stand as it has to."""
TraceState = Literal["holds", "changed", "broken", "failed"]
"""All is as it was recorded; something is not, but all is still reached; it is not; the trace could not be replayed."""
SCHEMA = 1
"""Of ``report.json``; raised when older readers would read it wrongly."""


@dataclass(frozen=True, kw_only=True)
class FileEdit:
    """A change of one of a task's files.

    Attributes:
        file: ``trace.json`` or ``task.json``.
        at: The keys and places (from 0) that lead to what is changed.
        value: The new JSON value.
        insert: Whether it is put before what is there, and not in its place.
    """

    file: Literal["trace.json", "task.json"]
    at: tuple[str | int, ...]
    value: Any
    insert: bool = False


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """What is taken for the recorded element, or for what a key node refers to.

    Attributes:
        likeness: From 0 to 1; null where there is nothing to compare, as of an address.
        next_likeness: That of the next nearest element; null if there is none.
        certain: Whether it is nearer than the next by enough.
        reasons: What speaks for and against it.
        edits: What accepting it changes.
    """

    likeness: float | None = None
    next_likeness: float | None = None
    certain: bool = True
    reasons: tuple[str, ...] = ()
    edits: tuple[FileEdit, ...] = ()


@dataclass(frozen=True, kw_only=True)
class TraceFinding:
    """Something that is not as it was recorded.

    Attributes:
        id: By which a repair is accepted; the same for the same change found again.
        kinds: What has changed; ``gone`` and what is of no element stand alone.
        breaks: Whether the trace does not go through as it stands.
        step: Of the trace, from 1; null for what is of none.
        node: The key node, from 1; null for what is of none.
        words: In a sentence.
        url: The page on which it was found.
        before: The element as it was recorded; null for what is no element.
        after: The nearest element as it is now; null if there is none.
        value_before: The address, reference or value that was recorded.
        value_after: The one that is proposed; empty if none is.
        proposal: A repair; null if there is none.
        picture_before: File name of a picture of the page as it was, in the report's folder; empty if there is none.
        picture_after: The same of the page as it is.
    """

    id: str
    kinds: tuple[ChangeKind, ...]
    breaks: bool
    words: str
    url: str = ""
    step: Count | None = None
    node: Count | None = None
    before: ElementMark | None = None
    after: ElementMark | None = None
    value_before: str = ""
    value_after: str = ""
    proposal: Proposal | None = None
    picture_before: str = ""
    picture_after: str = ""


@dataclass(frozen=True, kw_only=True)
class ReplayedTrace:
    """What became of one replay.

    Attributes:
        task: The task.
        instance: Its row, from 0.
        site: The bundled site; empty for any other.
        variant: The layout on which it was replayed.
        seed: Of the site's data.
        state: What became of it.
        steps: Steps of the trace.
        guessed: Steps that were done to the nearest element in place of the recorded one.
        skipped: Steps that could not be done.
        nodes_met: Key nodes that were met.
        nodes: Key nodes of the task.
        why: Why it could not be replayed; empty if it was.
        findings: In the order of the steps.
    """

    task: str
    instance: Count = 0
    site: str = ""
    variant: str = ""
    seed: int = 0
    state: TraceState = "holds"
    steps: Count = 0
    guessed: Count = 0
    skipped: Count = 0
    nodes_met: Count = 0
    nodes: Count = 0
    why: str = ""
    findings: tuple[TraceFinding, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MaintenanceReport:
    """What a replay of the reference traces of a folder has found.

    Attributes:
        schema: The version of this record.
        tasks_dir: The folder of the tasks.
        made: When, in UTC (ISO 8601).
        complete: Whether all traces were replayed that were asked for.
        without_trace: Tasks that have no trace to replay, and why, by name.
        repaired: Findings that were repaired before this replay, by task.
        traces: The replays.
    """

    schema: int = SCHEMA
    tasks_dir: str = ""
    made: str = ""
    complete: bool = True
    without_trace: Mapping[str, str] = field(default_factory=dict)
    repaired: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    traces: tuple[ReplayedTrace, ...] = ()

    @property
    def holds(self) -> bool:
        """Whether every trace was replayed and nothing has changed."""
        return self.complete and all(trace.state == "holds" for trace in self.traces)
