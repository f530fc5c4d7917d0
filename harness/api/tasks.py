"""The tasks of a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from harness.catalog.catalog import Catalog
from harness.catalog.task import Task
from harness.kit.files.installation import BUNDLED_TASKS


def load_tasks(
    tasks_dir: Path | str = BUNDLED_TASKS, *, split: str | None = None, tasks: Sequence[str] = ()
) -> Iterator[Task]:
    """The tasks of a folder, one at a time, each with its instances and the workers' labels.

    Args:
        tasks_dir: The folder of task folders; by default the bundled tasks.
        split: Only tasks of this split; None for all.
        tasks: Only these tasks: exact names, or globs.

    Yields:
        The tasks, sorted by name.

    Raises:
        UserError: there is no such folder, split or task, or a task cannot be read.
    """
    catalog = Catalog(Path(tasks_dir))
    for name in catalog.select(split, tasks):
        yield catalog.task(name)
