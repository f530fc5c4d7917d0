"""A lesson: what a model is asked, the answer that it is to learn, and where that comes from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal, get_args

from harness.catalog.splits import DEFAULT as TRAIN
from harness.kit.rows import Kind
from harness.models.messages import Message, Text

Stage = Literal["recognition", "simple", "complex"]
STAGES: tuple[Stage, ...] = get_args(Stage)
"""From the easiest on: what is this element and where does it lead; one step; a whole task."""


@dataclass(frozen=True)
class LessonSource:
    """Where lessons come from.

    Attributes:
        source: The name of the run, or ``reference trace``.
        kind: ``site`` or ``form``.
        site: The short name of the website; empty of a form.
        task: The task.
        index: Of the instance.
        id: Of the instance.
        split: The task's own.
        licence: Of the task's content; empty if nobody said.
        identical: Tasks whose files are equal to this one's.
    """

    source: str
    kind: str
    site: str
    task: str
    index: int
    id: str
    split: str
    licence: str = ""
    identical: tuple[str, ...] = ()

    @property
    def group(self) -> str:
        """What a data card counts it under."""
        return f"website {self.site}" if self.kind == "site" else "forms"


@dataclass(frozen=True)
class Lesson:
    """One example.

    Attributes:
        stage: How hard it is.
        prompt: The messages that a model is sent, as role and content.
        answer: What it is to write.
        action: The action in the answer, as text; empty where none is asked for.
        page: A digest of the page's state.
        where: Where it comes from.
    """

    stage: Stage
    prompt: tuple[tuple[str, str], ...]
    answer: str
    action: str
    page: str
    where: LessonSource

    @property
    def key(self) -> str:
        """Equal for lessons that ask and answer the same, whatever they come from."""
        return hashlib.sha256(json.dumps([self.prompt, self.answer]).encode()).hexdigest()

    @property
    def messages(self) -> list[dict[str, str]]:
        """As chat interfaces and training libraries have them; the last is the answer."""
        asked = [{"role": role, "content": content} for role, content in self.prompt]
        return [*asked, {"role": "assistant", "content": self.answer}]

    def row(self) -> dict[str, Any]:
        """A row with ``COLUMNS``."""
        where = asdict(self.where)
        del where["identical"]
        own = {"stage": self.stage, "action": self.action, "page": self.page}
        return {"messages": self.messages, **own, **where, "held_out": self.where.split != TRAIN}

    def to_json(self) -> dict[str, Any]:
        """For ``from_json``."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Lesson:
        """From what ``to_json`` gave."""
        where = LessonSource(**{**record["where"], "identical": tuple(record["where"]["identical"])})
        return cls(**{**record, "prompt": tuple(map(tuple, record["prompt"])), "where": where})


COLUMNS: Mapping[str, Kind] = {
    "messages": "chat",
    "stage": "text",
    "action": "text",
    "page": "text",
    "source": "text",
    "kind": "text",
    "site": "text",
    "task": "text",
    "index": "whole",
    "id": "text",
    "split": "text",
    "licence": "text",
    "held_out": "truth",
}
"""Of the rows of lessons."""


def prompt_of(messages: Sequence[Message]) -> tuple[tuple[str, str], ...] | None:
    """Messages as a lesson has them; None if there is anything but text in them."""
    if not all(isinstance(part, Text) for message in messages for part in message.parts):
        return None
    return tuple(
        (message.role, "\n\n".join(part.text for part in message.parts if isinstance(part, Text)))
        for message in messages
    )
