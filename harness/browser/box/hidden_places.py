"""What must not be seen in a box: everything that shows labels, other runs or keys, by its real path."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from harness.kit.files.installation import BUNDLED_TASKS, IMPORT_ROOT, PACKAGES
from harness.kit.files.writing import cache_folder, data_folder, folders_before

SHARED_ROOTS = ("/tmp", "/var/tmp", "/run", "/dev/shm")  # noqa: S108 - nothing is written there
"""Where programs of all users leave files and sockets for each other: a box has its own."""
RUNS = "runs"
ENV_FILE = ".env"
BESIDE_A_DATABASE = ("-wal", "-shm", "-journal")
"""How the names of files end that SQLite writes beside its own."""
_OF_LABELS = (Path("harness/catalog/overlays"), Path("benchmarks/golden"))
"""Folders of the project that tell of tasks' answers, beside the tasks."""
_LISTENS = 0x10000
"""The flag of a socket that listens, in ``/proc/net/unix``."""


@dataclass(frozen=True)
class HiddenPlaces:
    """What a program must not see, by real paths.

    Attributes:
        hidden: Files and folders that are there now. Nothing in them is shown, whoever names it.
        growing: Folders in which more of that kind may be made while the program is at work, such as a further run.
            They are shown by what is in them when it starts.
    """

    hidden: tuple[Path, ...] = ()
    growing: tuple[Path, ...] = ()

    def with_more(self, hidden: Iterable[Path], growing: Iterable[Path]) -> HiddenPlaces:
        """These and others."""
        return HiddenPlaces(tuple(_topmost((*self.hidden, *hidden))), (*self.growing, *map(_real, growing)))

    def around(self, place: Path) -> Path | None:
        """The hidden place in which a path lies; None if it lies in none."""
        return next((each for each in self.hidden if _real(place).is_relative_to(each)), None)


def shared_roots() -> list[Path]:
    """The folders that a box has of its own, by their real paths, with ours for temporary files."""
    return _topmost([Path(root) for root in (*SHARED_ROOTS, tempfile.gettempdir())])


def hidden_places(tasks_dir: Path, folder: Path, *others: Path | None) -> HiddenPlaces:
    """What a program must not see while it is evaluated, as far as it is known where it lies.

    Args:
        tasks_dir: The task set.
        folder: The run directory.
        others: Further files and folders of the run, such as its overlay and its cache.

    Returns:
        Task sets and the git repositories that hold them; the run directory; the caches; the data folder, with the
        database of people's answers and the key of their sessions, and the file of ``DATABASE_URL``; ``.env`` of the
        working folder, of the project, and of the folders above; sockets at which somebody listens. Further runs may
        come beside the run directory, and what is not there yet where it will be made.
    """
    database = _database()
    to_come = [folder, Path.cwd() / RUNS, cache_folder(), data_folder(), *database[:1], *filter(None, others)]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    hidden = [
        *to_come,
        *folders_before(),
        *database,
        *task_places(tasks_dir),
        *task_places(BUNDLED_TASKS),
        *(PACKAGES / place for place in _OF_LABELS),
        *_env_files(Path.cwd()),
        *_env_files(IMPORT_ROOT),
        *_sockets(),
        *([Path(runtime)] if runtime else []),
    ]
    beside = [folder.absolute().parent, *(file.absolute().parent for file in database[:1])]
    growing = {_real(_nearest(each)) for each in (*beside, *(each for each in to_come if not os.path.lexists(each)))}
    return HiddenPlaces(tuple(_topmost(hidden)), tuple(growing))


def task_places(tasks_dir: Path) -> Iterator[Path]:
    """A task set, what its links lead to, and its copies in the git repository to which it belongs."""
    yield tasks_dir
    yield from _links(tasks_dir)
    root = next((each for each in tasks_dir.resolve().parents if (each / ".git").exists()), None)
    if root is None:
        return
    within = tasks_dir.resolve().relative_to(root)
    repository = _repository(root)
    yield from (root / ".git", repository)
    # Other checkouts of the same repository hold the same tasks.
    yield repository.parent / within
    for pointer in repository.glob("worktrees/*/gitdir"):
        yield Path(pointer.read_text(encoding="utf-8").strip()).parent / within


def _links(tasks_dir: Path) -> Iterator[Path]:
    for task in _entries(tasks_dir):
        if task.is_symlink():
            yield task
        yield from (each for each in _entries(task) if each.is_symlink())


def _repository(root: Path) -> Path:
    """The folder of the repository of a checkout, which may be a further checkout of another's."""
    git = root / ".git"
    if git.is_dir():
        return git
    with suppress(OSError, ValueError, IndexError):
        own = root / git.read_text(encoding="utf-8").split("gitdir:", 1)[1].strip()
        common = own / "commondir"
        return (own / common.read_text(encoding="utf-8").strip()).resolve() if common.exists() else own
    return git


def _database() -> list[Path]:
    """The file of the database that the environment names, if it is one, and those that SQLite writes beside it."""
    url = os.environ.get("DATABASE_URL", "").strip()
    if not url.startswith("sqlite:///"):
        return []
    file = unquote(url.removeprefix("sqlite:///"))
    return [Path(file + end) for end in ("", *BESIDE_A_DATABASE)]


def _env_files(folder: Path) -> Iterator[Path]:
    return (each / ENV_FILE for each in (folder, *folder.parents))


def _sockets() -> Iterator[Path]:
    """Where somebody listens now. A network of its own keeps nobody from a socket that stands in a folder."""
    with suppress(OSError):
        lines = Path("/proc/net/unix").read_text(encoding="utf-8", errors="replace").splitlines()[1:]
        for line in lines:
            words = line.split(maxsplit=7)
            if len(words) == 8 and words[7].startswith("/") and int(words[3], 16) & _LISTENS:
                yield Path(words[7])


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def _nearest(place: Path) -> Path:
    """A folder, or the closest one above it that exists."""
    return next(each for each in (place.absolute(), *place.absolute().parents) if os.path.isdir(each))  # noqa: PTH112


def _real(place: Path) -> Path:
    return Path(os.path.realpath(place))


def _topmost(places: Iterable[Path]) -> list[Path]:
    """The real paths of what exists and can be reached, without what lies in another of them."""
    kept: list[Path] = []
    # Of `Path.exists` a folder of somebody else's, such as that of another user's browser, is an error.
    for place in sorted({_real(each) for each in places if os.path.exists(each)}):  # noqa: PTH110
        if not any(place.is_relative_to(each) for each in kept):
            kept.append(place)
    return kept


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
