"""How long a run is at work, over all its sittings."""

from __future__ import annotations

import time
from datetime import datetime

from harness.records.run_record import RunRecord


class WallClock:
    """Runs while it is held as a context, on top of what earlier sittings took."""

    def __init__(self, earlier: float | None = 0.0) -> None:
        """Prepare.

        Args:
            earlier: Seconds of earlier sittings; None if they are not known.
        """
        self._earlier = earlier
        self._begun = 0.0
        self._own = 0.0

    @classmethod
    def after(cls, before: RunRecord, last_page: str) -> WallClock:
        """Prepare for the next sitting of a run.

        Args:
            before: Its ``run.json``. Where that tells of no end, its last sitting was killed, and counts until its last
                page.
            last_page: When the last of its episodes was written; empty if there is none, or that is not known.
        """
        earlier = before.time.wall_seconds if before.time else None
        if earlier is None or before.ended:
            return cls(earlier)
        begun = [before.started, *before.resumed][-1]
        try:
            taken = datetime.fromisoformat(last_page or begun) - datetime.fromisoformat(begun)
        except (ValueError, TypeError):  # somebody has edited it
            return cls(None)
        return cls(earlier + max(0.0, taken.total_seconds()))

    def __enter__(self) -> WallClock:
        """Begin the sitting."""
        self._begun = time.monotonic()
        return self

    def __exit__(self, *_: object) -> None:
        """End the sitting."""
        self._own = time.monotonic() - self._begun

    @property
    def seconds(self) -> float | None:
        """Of all sittings that have ended; None if that is not known."""
        return None if self._earlier is None else round(self._earlier + self._own, 3)
