"""Why a run ended before its end, as ``run.json`` keeps it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

StopKind = Literal["interrupt", "provider", "refused", "program", "no_reply", "disk", "error"]
"""``interrupt``: somebody had it end. ``provider``: the model's provider answers nobody, or gives no access.
``refused``: the provider refuses the requests for what they are. ``program``: the agent's program, or class, fails
before it does anything. ``no_reply``: it came to its end, and the solver never gave a reply of use. ``disk``: the run
directory cannot be written. ``error``: anything else."""


@dataclass(frozen=True, kw_only=True)
class Stop:
    """Why a run ended before its end, or came to nothing.

    Attributes:
        kind: The cause, by its kind.
        words: What happened, with the words of whoever failed.
        advice: What to try, as one or more sentences; empty if nothing is known.
        at: When: ISO 8601, UTC.
    """

    kind: StopKind
    words: str
    advice: str = ""
    at: str
