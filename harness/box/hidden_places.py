"""What must not be seen in a box: everything that shows labels, other runs or keys, by its real path."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from harness.files.places import BUNDLED_TASKS, IMPORT_ROOT
from harness.files.writing import cache_folder

SHARED_ROOTS = ("/tmp", "/var/tmp", "/run", "/dev/shm")  # noqa: S108 - nothing is written there
"""Where programs of all users leave files and sockets for each other: a box has its own."""
RUN_FILE = "run.json"
RUNS = "runs"
ENV_FILE = ".env"
_OF_LABELS = (Path("harness/catalog/overlays"), Path("benchmarks/golden"))
"""Folders of the project that tell of tasks' answers, beside the tasks."""
_LISTENS = 0x10000
"""The flag of a socket that listens, in ``/proc/net/unix``."""


def shared_roots() -> list[Path]:
    """The folders that a box has of its own, by their real paths, with ours for temporary files."""
    return _topmost([Path(root) for root in (*SHARED_ROOTS, tempfile.gettempdir())])


def hidden_places(tasks_dir: Path, folder: Path, *others: Path | None) -> list[Path]:
    """What a program must not see while it is evaluated.

    Args:
        tasks_dir: The task set.
        folder: The run directory.
        others: Further files and folders of the run, such as its overlay and its cache.

    Returns:
        Real paths of what exists: task sets and the git repositories that hold them; run directories; the caches;
        ``.env`` of the working folder, of the project, and of the folders above; sockets at which somebody listens.
    """
    places = [
        *task_places(tasks_dir),
        *task_places(BUNDLED_TASKS),
        *(IMPORT_ROOT / place for place in _OF_LABELS),
        *run_places(folder),
        Path.cwd() / RUNS,
        cache_folder(),
        *(place for place in others if place),
        *_env_files(Path.cwd()),
        *_env_files(IMPORT_ROOT),
        *_sockets(),
    ]
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    return _topmost([*places, *([Path(runtime)] if runtime else [])])


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


def run_places(folder: Path) -> Iterator[Path]:
    """A run directory and those beside it; the folder above, if it holds nothing else."""
    yield folder
    beside = [each for each in _entries(folder.resolve().parent) if not each.name.startswith(".")]
    runs = [each for each in beside if (each / RUN_FILE).exists() or each == folder.resolve()]
    if len(runs) == len(beside) or folder.resolve().parent.name == RUNS:
        yield folder.resolve().parent
    yield from runs


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


def _topmost(places: Iterable[Path]) -> list[Path]:
    """The real paths of what exists, without what lies in another of them."""
    kept: list[Path] = []
    for place in sorted({Path(os.path.realpath(each)) for each in places if each.exists()}):
        if not any(place.is_relative_to(each) for each in kept):
            kept.append(place)
    return kept
