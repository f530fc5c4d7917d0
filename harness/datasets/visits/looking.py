"""Has a browser look at the first page of every task of a set, with a task server of its own."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.mirror.outside import Outside
from harness.datasets.visits.shown import Shown
from harness.datasets.visits.visitor import CannotBeShown, PageVisitor
from harness.run.progress import Progress
from harness.run.server import own_server
from harness.run.site_control import new_key

Look = Callable[[str], tuple[Shown | None, str]]
"""Task -> what a browser found on its first page; or None, and why nothing was found."""


@contextlib.contextmanager
def visitor_of(
    catalog: Catalog, overlay: Path | None, *, media: Path | None = None, require_sandbox: bool = False
) -> Iterator[PageVisitor]:
    """Someone who can visit the tasks of a catalog, for as long as the context lasts.

    Args:
        catalog: The tasks.
        overlay: Further facts about them, as the catalog was given them.
        media: A folder with local copies of remote media; None for none.
        require_sandbox: Start no browser without its sandbox.

    Raises:
        harness.run.server.ServerRefused: the tasks cannot be served.
        harness.catalog.mirror.store.MirrorError: the mirror cannot be read.
    """
    outside, key = Outside("mirror", media), new_key()
    with (
        own_server(catalog.tasks_dir, overlay, media=media, control_key=key) as origin,
        PageVisitor(origin, outside, control_key=key, require_sandbox=require_sandbox) as visitor,
    ):
        yield visitor


@contextlib.contextmanager
def looks(catalog: Catalog, visitor: PageVisitor, progress: Progress) -> Iterator[Look]:
    """A look at each task, for as long as the context lasts; a page that cannot be shown is told and passed over.

    Args:
        catalog: The tasks.
        visitor: Shows their pages.
        progress: Is told how far it is.
    """

    def look(name: str) -> tuple[Shown | None, str]:
        try:
            found, why = visitor.visit(catalog.task(name)).shown, ""
        except CannotBeShown as error:
            found, why = None, str(error)
            progress.note(f"{name!r} cannot be shown: {error}")
        progress.advance(None, None)
        return found, why

    progress.start("pages", len(catalog.names()))
    try:
        yield look
    finally:
        progress.finish()


def not_looking(_: str) -> tuple[None, str]:
    """The look of nobody."""
    return None, ""
