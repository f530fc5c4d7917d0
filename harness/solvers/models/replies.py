"""What a model's reply asks for: actions, the end of the work, or nothing that can be read. It is never executed."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from msgspec import structs

from harness.actions.call import ActionCall, ActionError
from harness.actions.parser import MAX_RESULTS, parse, stretches
from harness.actions.signature import ActionSpec, did_you_mean
from harness.kit.text import counted, shorten
from harness.models.messages import LENGTH, MALFORMED, REFUSED, Message, Reply, Text, ToolCall
from harness.solvers.models.prompting import FINISH, READ_CHARACTERS, reminded, say

LONGEST = 100_000
"""Characters of a reply that is read as JSON."""


def json_object(text: str, keys: Collection[str]) -> dict[str, Any]:
    """The JSON object that a text is, or that its only fenced block is.

    Args:
        text: What a model wrote.
        keys: Its keys: these, and no others.

    Raises:
        ValueError: it is no such object; the message says why.
    """
    if len(text) > LONGEST:
        raise ValueError(f"it has more than {LONGEST:,} characters")
    blocks = [part.text for part in stretches(text) if part.fenced]
    if len(blocks) > 1:
        raise ValueError("it holds more than one fenced block")
    try:
        found = json.loads(blocks[0] if blocks else text, object_pairs_hook=_without_doubles)
    except RecursionError:
        raise ValueError("it is nested too deep") from None
    except json.JSONDecodeError as error:
        raise ValueError(f"it is no JSON object: {error.msg} at character {error.pos}") from None
    if not isinstance(found, dict):
        raise ValueError("it is no JSON object")  # noqa: TRY004 - the shape of a text, to its writer
    if missing := [key for key in keys if key not in found]:
        raise ValueError(f"it lacks {', '.join(map(repr, missing))}")
    if foreign := [key for key in found if key not in keys]:
        raise ValueError(f"it has {', '.join(map(repr, foreign[:5]))} beside {', '.join(map(repr, keys))}")
    return found


def _without_doubles(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands in it twice")
    return found


LONGEST_READ = 1_000_000
"""Characters of a reply that are looked at; no form needs more, and the time to read them is bounded."""

_CALL_LINE = re.compile(r"(?:self\.|actions\.|act\.)*[A-Za-z_]\w*[ \t]*\(")


@dataclass(frozen=True)
class ReplyItem:
    """One thing that a reply asks for.

    Attributes:
        what: An action, or why a piece of the reply is none.
        id: Of the tool call that it comes from; empty for text.
    """

    what: ActionCall | ActionError
    id: str = ""

    @property
    def is_end(self) -> bool:
        """Whether it ends the work."""
        return isinstance(self.what, ActionCall) and self.what.name == FINISH.name


def read_reply(reply: Reply, specs: Mapping[str, ActionSpec], output: str) -> tuple[ReplyItem, ...]:
    """Read a reply.

    Args:
        reply: What the model wrote; anything at all.
        specs: The actions that were offered. Others are errors.
        output: ``text``: actions are read from the text. ``tools``: they are the calls of tools. Where no tool was
            called, as behind a server that reads none, a text counts that holds nothing but calls, or whose only call
            is ``finish()``.

    Returns:
        Actions and errors in order, at most ``MAX_RESULTS``; empty if the reply attempts nothing.
    """
    if reply.finish == MALFORMED:
        return ()
    if output == "tools":
        if reply.tool_calls:
            return tuple(_item(call, specs) for call in reply.tool_calls[:MAX_RESULTS])
        items = tuple(_items(reply.text, specs))
        return items if all(item.is_end for item in items) or _is_calls_alone(reply.text) else ()
    return tuple(_items(reply.text, specs))


def note_of_text(reply: Reply, items: Sequence[ReplyItem], output: str) -> str:
    """What to record where a model that was to call tools wrote its calls into its text; empty if it did not."""
    is_written = output == "tools" and not reply.tool_calls and bool(items)
    return "no tool was called: the calls in its text were done" if is_written else ""


def _is_calls_alone(text: str) -> bool:
    """Whether every line of a text begins a call, but for fences and empty lines."""
    lines = [line.strip() for line in text[:LONGEST_READ].splitlines()]
    told = [line for line in lines if line and not line.startswith("```")]
    return bool(told) and all(map(_CALL_LINE.match, told))


def complaints(reply: Reply, items: Sequence[ReplyItem], output: str, max_tokens: int) -> str:
    """What to tell a model whose reply holds no action, as lines of text."""
    lines = [str(item.what) for item in items if isinstance(item.what, ActionError)]
    if reply.finish == LENGTH:
        lines.append(say("cut_off", tokens=max_tokens))
    if reply.finish == MALFORMED:
        lines.append(shorten(reply.text, READ_CHARACTERS))
    if reply.unread:
        lines.append(f"What {reply.unread} frames was not done: write the calls alone.")
    if not lines:
        lines.append("No tool was called." if output == "tools" else "No call of an action was found in it.")
    if reply.finish == REFUSED:
        lines.append("It was declined.")
    return "\n".join(lines[:20])


def shown_again(reply: Reply, specs: Mapping[str, ActionSpec]) -> tuple[Message, frozenset[str]]:
    """A reply as it stands in the next request, and the ids of the tool calls that are left in it.

    Calls of tools that do not exist are left out, since providers refuse them; what is long is shortened.
    """
    kept = tuple(_shortened(call) for call in reply.tool_calls[:MAX_RESULTS] if call.name in specs)
    written = reply.text if reply.text.strip() or kept else _in_words(reply)
    text = (Text(reminded(written)),) if written.strip() or not kept else ()
    return Message("assistant", (*(reply.thinking() if kept else ()), *text, *kept)), frozenset(
        call.id for call in kept
    )


def _in_words(reply: Reply) -> str:
    """A reply without a text and without calls that can be repeated as such."""
    calls = "\n".join(f"{call.name}({_written(call)})" for call in reply.tool_calls[:MAX_RESULTS])
    return calls or ("(thoughts alone)" if reply.thought else "")


def _items(text: str, specs: Mapping[str, ActionSpec]) -> Iterable[ReplyItem]:
    for what in parse(text[:LONGEST_READ], specs):
        yield ReplyItem(what)
    if len(text) > LONGEST_READ:
        reason = (
            f"The reply has {counted(len(text), 'character')}; those after the first {LONGEST_READ:,} were not read."
        )
        yield ReplyItem(ActionError(text[LONGEST_READ : LONGEST_READ + 100], reason))


def _item(call: ToolCall, specs: Mapping[str, ActionSpec]) -> ReplyItem:
    spec = specs.get(call.name)
    shown = shorten(f"{call.name}({_written(call)})", 200)
    if spec is None:
        guess = did_you_mean(call.name, specs)
        names = ", ".join(specs)
        return ReplyItem(
            ActionError(shown, f"{shorten(call.name, 60)} is not an action{guess}. They are: {names}."), call.id
        )
    if call.malformed:
        return ReplyItem(
            ActionError(shown, f"the arguments are no JSON object. The action is {spec.signature}."), call.id
        )
    try:
        return ReplyItem(spec.bind((), call.arguments), call.id)
    except ValueError as error:
        return ReplyItem(ActionError(shown, f"{error}. The action is {spec.signature}."), call.id)


def _written(call: ToolCall) -> str:
    return call.malformed or json.dumps(dict(call.arguments), ensure_ascii=False)


def _shortened(call: ToolCall) -> ToolCall:
    if len(_written(call)) <= READ_CHARACTERS:
        return structs.replace(call, malformed="")
    return structs.replace(call, arguments={"left_out": "too long to be repeated"}, malformed="")
