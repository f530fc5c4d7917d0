"""How long a run took, and what of it was waiting for a model."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class RunTime:
    """How long a run took.

    Attributes:
        wall_seconds: Seconds that it was at work, as a clock on the wall tells them, however many workers it had: from
            the start of each sitting to the end of its last page, browsers started and pages looked at beforehand
            included. While it goes on, those of earlier sittings. None if that is not known of one of them.
        pages: Its episodes without a harness error.
        pages_per_second: ``pages / wall_seconds``; None if that is not known.
        model_seconds: Seconds between requests to models and their replies, tries in vain included, added up over the
            ``model_told`` episodes of which that is known. Workers wait side by side, so that it can be more than
            ``wall_seconds``. None if it is known of no episode.
        model_told: How many these are.
    """

    wall_seconds: float | None
    pages: int
    pages_per_second: float | None
    model_seconds: float | None
    model_told: int
