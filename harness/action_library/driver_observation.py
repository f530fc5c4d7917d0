"""Looks at a page over WebDriver alone."""

from __future__ import annotations

import json

from harness.episode.observation import Observation
from harness.kit.errors.user import UserError
from harness.observe import ENCODINGS
from harness.observe.snapshot import Snapshot


class NeedsDevtools(UserError):
    """A look was asked for that WebDriver has no means for."""


class DriverObservation(Observation):
    """See ``Observation``. What takes presses only since the page listens there has no number: nobody tells of it."""

    def snapshot(self, encoding: str | None = None) -> Snapshot:
        """See ``Observation.snapshot``.

        Raises:
            NeedsDevtools: the encoding needs the accessibility tree.
        """
        if encoding is not None and ENCODINGS[encoding].needs_outline:
            raise NeedsDevtools(
                f"the encoding {encoding} needs DevTools: hand in a page of Playwright, or take another"
            )
        return super().snapshot(encoding)

    def _take(self) -> Snapshot:
        self._trajectory.leave_trace("looked")
        self._is_numbered = True
        return Snapshot.from_json(json.loads(self._browser.run("snapshot.take")))
