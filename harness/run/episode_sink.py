"""Where a worker puts what an episode is going to name, on whichever machine it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from harness.records.film import Film


class EpisodeFiles(Protocol):
    """Where goes what an episode is going to name; see ``harness.records.directory.RunDirectory``."""

    def keep(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        """Write what an episode is going to name."""

    def write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        """Write the film of an instance; None for none."""
