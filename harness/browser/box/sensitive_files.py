"""What tells by itself that a file or folder shows labels, another run or a key, wherever it lies."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from harness.browser.box.hidden_places import BESIDE_A_DATABASE, HiddenPlaces

_RUN, _EPISODES, _LOCK = "run.json", "episodes", ".lock"
_TABLE, _FACTS, _KEY = "batch.csv", "task.json", "secret-key"
_OF_A_WEBSITE = b'"evaluators"'
"""What stands in the facts of a task that is judged by them, and not by a table."""
_DATABASES = (".sqlite3", ".sqlite", ".db")
_OF_ANSWERS = b"annotation_assignment"
"""The name of the table that holds people's answers."""
_INSTALLED = tuple(f"{where}lib*/python3*/*-packages/harness" for where in ("", "versions/*/", "installs/*/*/"))
"""Where copies of the project are, in an environment or in the folder of a manager of versions."""
_WITH_LABELS = (Path("tasks"), Path("catalog/overlays"))
"""What an installed copy of the project has of labels, in its folder ``harness``."""
_MOST = 1_000_000
"""Bytes of a file that are looked at."""


def found_in(places: Iterable[Path]) -> HiddenPlaces:
    """What files and folders hold, or belong to, of task sets, runs, databases of answers and keys of their servers.

    Args:
        places: Real paths. Folders are looked through as deep as they go, links aside.

    Returns:
        Of task sets and runs their folders, and each folder in which a run lies as one in which more may come.
    """
    hidden: list[Path] = []
    growing: list[Path] = []
    for top in places:
        # Above, a file of that name alone is not enough: it may lie in a home.
        hidden += [above for above in top.parents if all(os.path.lexists(above / each) for each in (_RUN, _EPISODES))]
        if top.is_file() and _is_task(top.parent, {each for each in (_TABLE, _FACTS) if (top.parent / each).exists()}):
            hidden.append(top.parent)
        for where, inner, names in os.walk(top):
            place = Path(where)
            if _RUN in names:
                growing.append(place.parent)
            if _RUN in names or _is_task(place, names) or place.parts[-3:] == ("harness", *_WITH_LABELS[1].parts):
                hidden.append(place)
                inner.clear()
                continue
            for name in names:
                if name == _KEY:
                    hidden.append(place / name)
                elif name.endswith(_DATABASES) and _holds_answers(place / name):
                    hidden += [Path(f"{place / name}{end}") for end in ("", *BESIDE_A_DATABASE)]
                    growing.append(place)
    return HiddenPlaces().with_more(hidden, growing)


def installed_labels(prefixes: Iterable[Path]) -> Iterator[Path]:
    """The labels in copies of the project that are installed under prefixes, such as ``/usr`` or an environment.

    An environment has too many files to look through them all.
    """
    for prefix in prefixes:
        for package in (found for pattern in _INSTALLED for found in prefix.glob(pattern)):
            yield from (package / each for each in _WITH_LABELS)


def is_to_come(place: Path) -> bool:
    """Whether a file or folder may be what a run is just being made of: an empty folder, or one that is locked."""
    with suppress(OSError):
        return place.is_dir() and {each.name for each in place.iterdir()} <= {_LOCK}
    return False


def _is_task(place: Path, names: Collection[str]) -> bool:
    return _TABLE in names or (_FACTS in names and _OF_A_WEBSITE in _beginning(place / _FACTS))


def _holds_answers(file: Path) -> bool:
    """Whether a database is one of answers; what was written last may stand beside it alone."""
    return any(_OF_ANSWERS in _beginning(Path(f"{file}{end}")) for end in ("", *BESIDE_A_DATABASE))


def _beginning(file: Path) -> bytes:
    with suppress(OSError):
        if file.is_file():  # of a pipe the reading never ends
            with file.open("rb") as stream:
                return stream.read(_MOST)
    return b""
