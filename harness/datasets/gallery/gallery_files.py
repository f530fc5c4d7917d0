"""Makes a gallery: looks at every task, keeps the pictures, and writes the page."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path

from harness.browser.form.inventory import code_hash
from harness.catalog import Catalog
from harness.catalog.task import Task
from harness.datasets.gallery.gallery_page import cards, gallery_html
from harness.datasets.gallery.page_pictures import PagePicture, PagePictures
from harness.datasets.stats.set_stats import set_stats
from harness.datasets.stats.task_stats import rulers
from harness.datasets.visits.shown import Shown
from harness.datasets.visits.visitor import CannotBeShown, PageVisitor
from harness.kit.files.writing import write_bytes
from harness.run.progress import Progress

PAGE, PICTURES = "index.html", "pictures"


@dataclass(frozen=True)
class MadeGallery:
    """What became of a gallery.

    Attributes:
        page: Its page.
        tasks: Tasks that it shows, with or without a picture.
        taken: Pictures that were taken now.
        without: Tasks without a picture -> why.
    """

    page: Path
    tasks: int
    taken: int
    without: dict[str, str]


def make_gallery(catalog: Catalog, folder: Path, visitor: PageVisitor, progress: Progress) -> MadeGallery:
    """Make or bring up to date the gallery of a task set.

    Args:
        catalog: The tasks.
        folder: Of the gallery; made if needed.
        visitor: Shows the tasks' pages.
        progress: Is told how far it is.

    Raises:
        harness.catalog.problems.CatalogError: there are no tasks.
        OSError: the folder cannot be written.
    """
    camera = _Camera(catalog, visitor, PagePictures(folder / PICTURES), progress)
    progress.start("pages", len(catalog.names()))
    try:
        stats = set_stats(catalog, rulers(), camera.look)
    finally:
        progress.finish()
    shown = cards(stats, camera.found)
    write_bytes(folder / PAGE, gallery_html(f"Task set: {stats.name}", shown).encode("utf-8", "replace"))
    camera.pictures.keep_only(camera.found.values())
    without = {card.name: card.why for card in shown if card.picture is None}
    return MadeGallery(folder / PAGE, len(shown), camera.taken, without)


@dataclass
class _Camera:
    """Looks at tasks, and takes the pictures that are not there yet."""

    catalog: Catalog
    visitor: PageVisitor
    pictures: PagePictures
    progress: Progress
    found: dict[str, PagePicture] = field(default_factory=dict)
    taken: int = 0

    def look(self, name: str) -> tuple[Shown | None, str]:
        """What is on the first page of a task, or why it cannot be shown."""
        task = self.catalog.task(name)
        depends_on = self._depends_on(task)
        picture = self.pictures.find(*depends_on) if depends_on else None
        try:
            visit = self.visitor.visit(task, picture=picture is None)
        except CannotBeShown as error:
            self.progress.note(f"{name!r} cannot be shown: {error}")
            self.progress.advance(None, None)
            return None, str(error)
        if visit.png is not None:
            named_by = depends_on or (hashlib.sha256(visit.png).hexdigest(),)
            picture, self.taken = self.pictures.add(visit.png, *named_by), self.taken + 1
        if picture:
            self.found[name] = picture
        self.progress.advance(None, None)
        return visit.shown, ""

    def _depends_on(self, task: Task) -> tuple[str, ...]:
        """All that the picture of a form depends on; of a website that is the server's program, and nothing is said."""
        if task.site:
            return ()
        page, outside = task.pages[0], self.visitor.outside
        # With other files from outside it would be another picture, and with media that were not there before.
        reach = (outside.template_hash(task), repr(outside.missing(task, page)))
        return (code_hash(), *reach, task.template, repr(page.inputs))
