"""One exchange with a model, as an episode keeps it."""

from __future__ import annotations

from dataclasses import dataclass

from harness.models.messages import ToolCall, Usage

MOST_OF_A_REPLY = 20_000
"""Characters of a reply that stand in the episode; of a longer one, its beginning."""


@dataclass(frozen=True)
class Turn:
    """What was sent, what came back, and what was made of it.

    Attributes:
        sent: Name of the request in the run directory: ``texts/<sent>.json``. Empty if it was not kept.
        images: Names of the pictures that were sent, in order: ``images/<name>.png``.
        reply: What the model wrote; its first ``MOST_OF_A_REPLY`` characters if there is more.
        whole: Name of the whole reply in the run directory (``texts/<whole>.json``), if ``reply``, ``tool_calls`` or
            ``thought`` were shortened; else empty.
        tool_calls: The tools that it called, long texts in them shortened.
        calls: What the reply was read as, in order: action text, or ``error:`` and the parser's message.
        steps: Which steps of the episode it led to: the first, and the one after the last.
        page: Digest of the state that the page was in when it was observed; empty if none was taken.
        usage: Tokens; None if nobody counted them.
        counted_by: How the harness counted them where the provider does not; else empty.
        cost: What it cost, in US dollars: 0 for a reply that had been paid for before, None if that is not known.
        finish: Why the reply ended, see ``harness.models.messages.Reply``.
        model: The model that answered, as the provider names it.
        ms: Milliseconds from sending to the reply, waiting and trying again included.
        cached: Whether the reply came from the cache on disk.
        attempts: How often it was sent.
        note: What else is to be known, such as what was left out of the request to keep within a budget.
        thought: What the model thought before its reply, where that is told; shortened as ``reply`` is. No action is
            read from it.
    """

    sent: str = ""
    images: tuple[str, ...] = ()
    reply: str = ""
    whole: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    calls: tuple[str, ...] = ()
    steps: tuple[int, int] = (0, 0)
    page: str = ""
    usage: Usage | None = None
    cost: float | None = None
    finish: str = ""
    model: str = ""
    ms: float = 0.0
    cached: bool = False
    attempts: int = 1
    note: str = ""
    thought: str = ""
    counted_by: str = ""
