"""Golden references in a model's words, as WebCanvas has them (section 6.3): written once, kept with the task."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from harness.catalog.golden_reference import WrittenReference, golden_reference, keep_reference, kept_references, key_of
from harness.catalog.task import Task
from harness.kit.words import Words
from harness.models.messages import Message, Reply, Request, Text

_WORDS = Words("harness.papers.webcanvas", "golden_prompts")
MOST_TOKENS = 1_000
"""Of a reference."""


@dataclass(frozen=True)
class UnwrittenReference:
    """A reference that no model has written yet.

    Attributes:
        task: The task.
        rule: The reference by rule, which the model is shown.
    """

    task: Task
    rule: str


def unwritten(task: Task) -> Iterator[UnwrittenReference]:
    """The references of a task that are not there yet, one for each of its instances that differ.

    Args:
        task: A task on a website.
    """
    kept = kept_references(task.folder)
    rules = dict.fromkeys(golden_reference(task.site_of(each), task.trace_of(each)) for each in task.instances)
    return (UnwrittenReference(task, rule) for rule in rules if key_of(rule) not in kept)


def write(wanted: UnwrittenReference, ask: Callable[[Request], Reply], model: str, temperature: float | None) -> str:
    """Have a reference written, and keep it in the folder of its task.

    Args:
        wanted: Which.
        ask: Sends a request to the model.
        model: The provider's name of the model.
        temperature: Of the sampling; None leaves it to the provider.

    Returns:
        What is wrong, in words; empty if it is kept.
    """
    messages = (
        Message("system", (Text(_WORDS.say("role")),)),
        Message("user", (Text(_WORDS.say("request", reference=wanted.rule)),)),
    )
    reply = ask(Request(model=model, messages=messages, temperature=temperature, max_tokens=MOST_TOKENS))
    text = reply.text.strip()
    if not text or reply.finish == "length":
        return "the reply is empty" if not text else f"the reply is cut off at {MOST_TOKENS} tokens"
    keep_reference(wanted.task.folder, wanted.rule, WrittenReference(text, model))
    return ""
