"""Makes a gallery: looks at every task, keeps the pictures, and writes the page."""

from __future__ import annotations

import base64
import hashlib
import io
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources import files
from pathlib import Path

from django.template import Context, Engine
from PIL import Image

from harness.browser.form.inventory import code_hash
from harness.catalog import Catalog
from harness.catalog.kinds import KINDS
from harness.catalog.task import Task
from harness.datasets.stats.set_stats import SetStats, TaskFigures, set_stats
from harness.datasets.stats.task_stats import CHARACTERS, rulers
from harness.datasets.visits.shown import MODALITIES, Shown
from harness.datasets.visits.visitor import CannotBeShown, PageVisitor
from harness.kit.files.writing import write_bytes
from harness.kit.text import counted, spread
from harness.run.progress import Progress

WIDTH, HIGHEST = 1280, 8000
"""Pixels of a picture: a page is as wide as the screen; what is further down or to the right is cut."""
SMALL_WIDTH, SMALL_LOWEST, SMALL_HIGHEST = 480, 300, 2400
"""Pixels of a small picture. A page that is lower than its frame stands on white."""
_QUALITY = 72
_NAME = re.compile(r"[0-9a-f]{20}(?:-small)?\.webp")


@dataclass(frozen=True)
class PagePicture:
    """The pictures of one page.

    Attributes:
        file: The name of the picture.
        small: The name of the small one.
        height: Pixels of the picture, which is ``WIDTH`` wide.
        small_height: Pixels of the small one, which is ``SMALL_WIDTH`` wide.
    """

    file: str
    small: str
    height: int
    small_height: int


class PagePictures:
    """The pictures in one folder.

    Attributes:
        folder: Where they are.
    """

    def __init__(self, folder: Path) -> None:
        """Use a folder; it is made when there is something to put into it."""
        self.folder = folder

    def find(self, *depends_on: str) -> PagePicture | None:
        """The pictures of a page that were taken before; None if one of them is not there or is damaged.

        Args:
            *depends_on: All that the picture depends on.
        """
        file, small = _names(depends_on)
        try:
            with Image.open(self.folder / file) as large, Image.open(self.folder / small) as little:
                return PagePicture(file, small, large.height, little.height)
        except OSError:  # Pillow's own errors of files are such, too
            return None

    def add(self, png: bytes, *depends_on: str) -> PagePicture:
        """Keep the picture of a page.

        Args:
            png: Of the whole page.
            *depends_on: As for ``find``.

        Raises:
            OSError: the folder cannot be written.
        """
        file, small = _names(depends_on)
        with Image.open(io.BytesIO(png)) as opened:
            page = _on_white(opened.convert("RGB"), WIDTH, 1, HIGHEST)
        scale = SMALL_WIDTH / WIDTH
        little = page.resize((SMALL_WIDTH, max(1, round(page.height * scale))), Image.Resampling.LANCZOS)
        little = _on_white(little, SMALL_WIDTH, SMALL_LOWEST, SMALL_HIGHEST)
        # The small one last: where it is, both are.
        for name, image in ((file, page), (small, little)):
            buffer = io.BytesIO()
            image.save(buffer, "WEBP", quality=_QUALITY, method=4)
            write_bytes(self.folder / name, buffer.getvalue())
        return PagePicture(file, small, page.height, little.height)

    def keep_only(self, pictures: Collection[PagePicture]) -> None:
        """Remove the pictures of pages that are no more; other files of the folder are left alone."""
        wanted = {name for each in pictures for name in (each.file, each.small)}
        for file in self.folder.glob("*.webp"):
            if _NAME.fullmatch(file.name) and file.name not in wanted:
                file.unlink()


def _names(depends_on: Collection[str]) -> tuple[str, str]:
    text = "\n".join([*depends_on, str((WIDTH, HIGHEST, SMALL_WIDTH, SMALL_LOWEST, SMALL_HIGHEST, _QUALITY))])
    stem = hashlib.sha256(text.encode("utf-8", "backslashreplace")).hexdigest()[:20]
    return f"{stem}.webp", f"{stem}-small.webp"


def _on_white(image: Image.Image, width: int, lowest: int, highest: int) -> Image.Image:
    """The upper left part of a picture, exactly ``width`` wide and of a height within limits."""
    sheet = Image.new("RGB", (width, min(max(image.height, lowest), highest)), "white")
    sheet.paste(image, (0, 0))
    return sheet


_HERE = files(__package__)


@dataclass(frozen=True)
class TaskCard:
    """One task in the gallery.

    Attributes:
        name: Its name.
        title: What workers saw as its title; empty if that is the name.
        split: Its split; empty if it cannot be read.
        picture: Its pictures; None if there are none.
        why: Why there is no picture; empty if there is one.
        facts: Names with values.
        keywords: What it was filed under.
        shows: Which modalities its page has.
        kinds: Kinds of its fields.
        warning: What readers should know before they look; empty if nothing.
    """

    name: str
    title: str
    split: str
    picture: PagePicture | None
    why: str
    facts: Sequence[tuple[str, str]]
    keywords: Sequence[str] = ()
    shows: Sequence[str] = ()
    kinds: Sequence[str] = ()
    warning: str = ""

    @property
    def sought(self) -> str:
        """What a search looks through."""
        return f"{self.name} {self.title} {' '.join(self.keywords)}".casefold()


def cards(stats: SetStats, pictures: Mapping[str, PagePicture]) -> list[TaskCard]:
    """A card for each task, those that cannot be shown or read too.

    Args:
        stats: What the set consists of.
        pictures: Task -> its pictures.
    """
    found = [_card(each, pictures.get(each.files.task)) for each in stats.tasks]
    found += [TaskCard(name, "", "", None, why, ()) for name, why in stats.unreadable.items()]
    return sorted(found, key=lambda card: (card.name.casefold(), card.name))


def gallery_html(heading: str, shown: Sequence[TaskCard]) -> str:
    """The page's text; the same for the same cards.

    Args:
        heading: Which task set it is.
        shown: The cards, in order.
    """
    css, script = ((_HERE / name).read_text(encoding="utf-8") for name in ("gallery.css", "gallery.js"))
    context = {
        "heading": heading,
        "lead": f"{counted(len(shown), 'task')}, each by the page of its first instance.",
        "cards": shown,
        "splits": sorted({card.split for card in shown if card.split}),
        "modalities": [each for each in MODALITIES if any(each in card.shows for card in shown)],
        "kinds": [kind for kind in KINDS if any(kind in card.kinds for card in shown)],
        "without": sum(card.picture is None for card in shown),
        "width": WIDTH,
        "small_width": SMALL_WIDTH,
        # Between its tags the text has to be that whose hash the page's policy names, to the last line end.
        "css": css,
        "css_hash": _hash(css),
        "script": script,
        "script_hash": _hash(script),
    }
    return (
        Engine()
        .from_string((_HERE / "gallery.html").read_text(encoding="utf-8"))
        .render(Context(context, use_l10n=False))
    )


def _hash(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _card(each: TaskFigures, picture: PagePicture | None) -> TaskCard:
    task, counts = each.files, each.answers or each.fields
    title = task.title if task.title != task.task else ""
    return TaskCard(
        name=task.task,
        title=title,
        split=task.split,
        picture=picture,
        why="" if picture else each.unseen or "no picture was taken",
        facts=_facts(each),
        keywords=task.keywords,
        shows=each.page.modalities if each.page else (),
        kinds=[kind for kind in KINDS if counts.get(kind)],
        warning=task.content_warning,
    )


def _facts(each: TaskFigures) -> list[tuple[str, str]]:
    return _facts_of_site(each) if each.files.goal else _facts_of_form(each)


def _facts_of_site(each: TaskFigures) -> list[tuple[str, str]]:
    task = each.files
    shows = [("shows", ", ".join(each.page.modalities) or "nothing")] if each.page else []
    return [("goal", task.goal), ("instances", f"{task.instances:,}"), *shows]


def _facts_of_form(each: TaskFigures) -> list[tuple[str, str]]:
    task, counts = each.files, each.answers or each.fields
    fields = ", ".join(f"{counts[kind]} {kind}" for kind in KINDS if counts.get(kind)) or "none"
    facts = [("answered" if each.answers else "fields", fields)]
    if task.has_table:
        facts.append(("instances", f"{task.instances:,}, {task.rows:,} rows, {spread(task.workers)} an instance"))
    else:
        facts.append(("instances", "none: there is no table"))
    if each.page:
        facts.append(("shows", ", ".join(each.page.modalities) or "nothing"))
    lengths = [(unit, length) for unit, length in task.lengths.items() if length]
    unit, length = lengths[-1]
    facts.append(("length", f"{length.page:,.0f} {unit if unit == CHARACTERS else f'{unit} tokens'}"))
    if task.keywords:
        facts.append(("keywords", ", ".join(task.keywords)))
    return facts


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
