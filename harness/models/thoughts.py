"""What a model thought before it answered, parted from its answer: thoughts are kept, counted and never acted on."""

from __future__ import annotations

import re
from dataclasses import replace

from harness.models.messages import Reply

_TAG = re.compile(
    r"<(/?)(?:\w+:)?(?:think|thinking|thought|thoughts|reasoning)\s*>|\[(/?)THINK\]",
    re.IGNORECASE,
)
"""Tags that models of reasoning write around their thoughts: ``<think>`` of DeepSeek-R1 and Qwen, ``[THINK]`` of
Magistral, ``<seed:think>`` of Seed-OSS, and ``<thought>`` and the like, which prompts ask for."""
_BLANK = " "
_CALL = re.compile(r"^[ \t]*[A-Za-z_]\w*[ \t]*\(.*", re.MULTILINE)
_QUOTED = re.compile(r"""'(?:[^'\\]|\\.)*(?:'|$)|"(?:[^"\\]|\\.)*(?:"|$)""")


def without_thoughts(reply: Reply) -> Reply:
    """A reply whose text holds the answer alone.

    Servers hand thoughts on in two ways: apart from the answer, which their clients read into ``Reply.thought``, or in
    the answer between tags. The latter are moved here; a reply that has been through this stays as it is.

    Args:
        reply: As a client read it.
    """
    thought, answer = parted(reply.text)
    if not thought and answer == reply.text:
        return reply
    return replace(reply, text=answer, thought="\n\n".join(filter(None, (reply.thought, thought))))


def parted(text: str) -> tuple[str, str]:
    """A model's text as thought and answer.

    A thought that was not closed goes to the end of the text, as when the answer was cut off in its midst. One that was
    only closed began with the text: some chat templates write its first tag themselves. A tag in the arguments of a
    call is part of an answer.

    Args:
        text: What the model wrote.

    Returns:
        The thoughts, without their tags and parted by empty lines; and the rest.
    """
    thoughts: list[str] = []
    answer: list[str] = []
    place, is_thought = 0, False
    quoted = _CALL.sub(lambda call: _QUOTED.sub(_blanked, call[0]), text)
    for tag in _TAG.finditer(text):
        is_end = bool(tag[1] or tag[2])
        if not is_thought and (quoted[tag.start()] == _BLANK or (is_end and place)):
            continue
        if is_thought and not is_end:  # a thought about thoughts
            continue
        (thoughts if is_thought or is_end else answer).append(text[place : tag.start()])
        place, is_thought = tag.end(), not is_end
    if not place:
        return "", text
    (thoughts if is_thought else answer).append(text[place:])
    return "\n\n".join(filter(None, map(str.strip, thoughts))), "".join(answer).strip()


def _blanked(quotation: re.Match[str]) -> str:
    return _BLANK * len(quotation[0])
