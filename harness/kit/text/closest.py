"""The known names that are closest to one that is not known, for messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

_MOST_SUGGESTIONS = 3


def closest_name(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """The known name that is most like ``name``; None if none is alike.

    Args:
        name: What was written.
        known: What could be meant.
        cutoff: The least similarity, from 0 to 1, as ``difflib`` measures it.
    """
    return next(iter(difflib.get_close_matches(name, list(known), n=1, cutoff=cutoff)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """A question after the closest known name, with a space before it; "" if none is alike."""
    close = closest_name(name, known)
    return f" Did you mean {close!r}?" if close else ""


def close_names(name: str, names: Sequence[str]) -> str:
    """The names that someone who wrote ``name``, in whatever case, may have meant: "'a' or 'b'", or ""."""
    spoken = {known.casefold(): known for known in reversed(names)}
    wanted = name.casefold()
    near = difflib.get_close_matches(wanted, spoken, n=_MOST_SUGGESTIONS)
    near += [known for known in sorted(spoken) if wanted and wanted in known and known not in near]
    return " or ".join(repr(spoken[known]) for known in near[:_MOST_SUGGESTIONS])
