"""What other machines are given to serve the pages of a run: templates, inputs and outside files, and no label."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator

from harness.catalog import Catalog
from harness.catalog.csv_table import read_table
from harness.catalog.mirror.store import Store
from harness.catalog.problems import MalformedTask
from harness.catalog.task import MEDIA as OWN_MEDIA
from harness.catalog.task import TABLE, TEMPLATE, Task, media_files
from harness.kit.errors import UserError
from harness.kit.files.inside import read_inside
from harness.records.config import RunConfig
from harness.run.bundle import Bundle, bundled, files_below
from harness.run.forked import in_child

TASKS, CACHE, MEDIA = "tasks", "cache", "media"
"""What bundles hold: task folders; the mirror, in the folder of a cache; local media."""
_MIRROR = "turking-harness/mirror"
_NUMBER = "number of the instance"
"""A column that no template shows: rows of empty cells at the end of a table are none."""


class CannotBundle(UserError):
    """A task cannot be sent to another machine as it is; the message says why."""


def bundle_tasks(config: RunConfig, names: Iterable[str]) -> Bundle:
    """The pages of tasks: their templates and the columns that these show, a row an instance.

    Tables are read in a process that ends: this one is not to have seen labels.

    Args:
        config: Says where the tasks are.
        names: Those that can be played; one that cannot be read is left out.

    Raises:
        CannotBundle: a task would have other instances there.
    """
    return in_child(lambda: bundled(_without_labels(Catalog(config.tasks_dir, config.overlay, tables_kept=1), names)))


def bundles_for(config: RunConfig, names: Iterable[str]) -> dict[str, Bundle]:
    """What other machines are given of a run, as ``TASKS``, ``CACHE`` and ``MEDIA``, as far as there is any.

    Raises:
        CannotBundle: as ``bundle_tasks``.
    """
    bundles = {TASKS: bundle_tasks(config, names)}
    mirror = Store.default().folder
    if config.network == "mirror" and mirror.is_dir():
        bundles[CACHE] = bundled(files_below(mirror, f"{_MIRROR}/"))
    if config.media:
        bundles[MEDIA] = bundled(files_below(config.media))
    return bundles


def _without_labels(catalog: Catalog, names: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    for name in names:
        try:
            task = catalog.task(name)
        except MalformedTask:
            continue  # which the plan tells
        yield f"{name}/{TEMPLATE}", read_inside(task.folder, TEMPLATE)
        for file in media_files(task.folder):
            yield f"{name}/{OWN_MEDIA}/{file.name}", read_inside(file.parent, file.name)
        if task.evaluable:
            yield f"{name}/{TABLE}", _table(task)


def _table(task: Task) -> bytes:
    header = (_NUMBER, *task.variables)
    rows = [
        (str(number), *(each.inputs[name] for name in task.variables)) for number, each in enumerate(task.instances)
    ]
    stream = io.StringIO(newline="")
    csv.writer(stream, quoting=csv.QUOTE_ALL).writerows([header, *rows])
    data = stream.getvalue().encode()
    found = read_table(data)
    if (found.header, list(found.rows)) != (header, rows):
        raise CannotBundle(f"{task.name!r}: its table cannot be written so that it is read again as it is")
    return data
