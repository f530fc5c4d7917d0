"""In what a form came out otherwise when a run's actions were done again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from harness.records.episode import Episode

Values = Mapping[str, tuple[str, ...]]
"""What a form sends: field -> values."""


@dataclass(frozen=True)
class Difference:
    """A field that a replay left otherwise than the run did.

    Attributes:
        episode: Of the run.
        field: The field's name.
        before: What the run's form sent.
        now: What the replayed form sent.
    """

    episode: Episode
    field: str
    before: Sequence[str] = ()
    now: Sequence[str] = ()

    def __str__(self) -> str:
        place = f"{self.episode.task}, instance {self.episode.index}"
        return f"{place}, field {self.field!r}: the run sent {list(self.before)}, the replay {list(self.now)}"


def compare(episode: Episode, now: Values) -> list[Difference]:
    """The fields, scored or not, in which a replay differs from the run."""
    before: Values = episode.submission.values if episode.submission else {}
    names = sorted(set(before) | set(now))
    return [
        Difference(episode, name, before.get(name, ()), now.get(name, ()))
        for name in names
        if before.get(name, ()) != now.get(name, ())
    ]
