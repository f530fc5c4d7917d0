"""The task set that this process serves."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error
from django.http import Http404
from django.urls import reverse

from harness.catalog import Catalog, CatalogError, Instance, Task
from harness.catalog.mirror import Mirror
from harness.catalog.mirror.rewriting import Rewriter
from harness.catalog.task import MEDIA, media_files
from harness.catalog.template import render

_OWN_MEDIA = re.compile(rf"""(?<=["'(]){MEDIA}/([\w.-]+)(?=["')])""")


class UnknownTask(Http404):
    """An address with a task name that no folder has."""

    def __init__(self, name: str) -> None:
        self.name = name
        super().__init__(f"There is no task named “{name}”.")


class TaskWithoutPage(Http404):
    """An address of a form's page, of a task that is on a website."""

    def __init__(self, task: Task) -> None:
        self.task = task
        super().__init__(f"The task “{task.name}” is on a website: it has no page of its own.")


class UnknownInstance(Http404):
    """An address with an index that the task does not reach."""

    def __init__(self, task: Task, wanted: object) -> None:
        self.task = task
        super().__init__(f"The task “{task.name}” has no instance {wanted}.")


@lru_cache(maxsize=1)
def _catalog(tasks_dir: Path, overlay: Path | None) -> Catalog:
    return Catalog(tasks_dir, overlay)


def catalog() -> Catalog:
    """Return the catalog of the configured folder, made at the first call; it notices edits of tasks itself.

    Raises:
        CatalogError: If the folder or the overlay cannot be read.
    """
    return _catalog(settings.TURKLE_TASKS_DIR, settings.TURKLE_OVERLAY)


def check_tasks_dir(app_configs: Sequence[Any] | None, **_options: object) -> list[CheckMessage]:
    """Report a task folder or overlay that cannot be read before the server starts (Django system check)."""
    del app_configs
    try:
        catalog()
    except CatalogError as error:
        return [Error(str(error), hint="Set TURKLE_TASKS_DIR and TURKLE_OVERLAY.", id="turkle_app.E001")]
    return []


def find_task(name: str) -> Task:
    """Return a task.

    Raises:
        UnknownTask: If there is no such task.
        MalformedTask: If its files cannot be used.
    """
    try:
        return catalog().task(name)
    except KeyError:
        raise UnknownTask(name) from None


def find_instance(task: Task, index: int) -> Instance:
    """Return an instance of a task; a task without a table has one, with empty inputs.

    Raises:
        UnknownInstance: If the task has no such instance.
    """
    if not 0 <= index < len(task.pages):
        raise UnknownInstance(task, index)
    return task.pages[index]


def page_html(name: str, index: int) -> str:
    """Return the page of an instance as workers got it, its outside addresses led to this server in mode "mirror".

    Raises:
        UnknownTask: If there is no such task.
        UnknownInstance: If the task has no such instance.
        TaskWithoutPage: If the task is on a website.
        MalformedTask: If the task's files cannot be used.
    """
    task = find_task(name)
    if task.site:
        raise TaskWithoutPage(task)
    return instance_html(task, find_instance(task, index))


def instance_html(task: Task, instance: Instance, media_of: str = "") -> str:
    """Return the page of an instance of any task, as `page_html` does.

    Args:
        task: The task.
        instance: The instance.
        media_of: The served task whose pictures, sounds and films are its own; left empty, the task itself.
    """
    rewriter = Rewriter(Mirror.load(), settings.TURKLE_MEDIA) if settings.TURKLE_NETWORK == "mirror" else None
    folder = catalog().tasks_dir / media_of if media_of else task.folder
    folder = catalog().tasks_dir / media_of if media_of else task.folder
    return _led_to_media(render(task.template, instance.inputs, rewriter), folder)


def _led_to_media(html: str, folder: Path) -> str:
    """Lead a page to a task's own pictures and sounds, from whichever address it is shown at."""
    names = {file.name for file in media_files(folder)}
    if not names:
        return html

    def address(found: re.Match[str]) -> str:
        return reverse("task-media", args=[folder.name, found[1]]) if found[1] in names else found[0]

    return _OWN_MEDIA.sub(address, html)
