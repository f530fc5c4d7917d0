"""Makes what the server's list shows of each task: ``python -m harness.datasets.gallery.card_maker DIR``.

The server starts it when somebody looks at the list and something is missing, and its end is that of the server at the
latest: when standard input closes.
"""

from __future__ import annotations

import _thread
import argparse
import contextlib
import io
import os
import sys
import threading
from dataclasses import replace
from pathlib import Path

from PIL import Image

from harness.browser.launch import NoBrowser
from harness.catalog import Catalog, MalformedTask
from harness.catalog.card_store import KnownCard, card_key, find_card, keep_card
from harness.datasets.controls import declared_fields
from harness.datasets.visits.visitor import CannotBeShown, PageVisitor, visitor_of

SIZE = (480, 300)
"""Pixels of a picture: the top of the page, 1280 pixels wide."""
_QUALITY = 72


def make_cards(catalog: Catalog, overlay: Path | None, media: Path | None) -> None:
    """Count all tasks that were not counted yet, then look at those that were not looked at yet.

    Args:
        catalog: The tasks.
        overlay: Further facts about them, as the catalog was given them.
        media: A folder with local copies of remote media; None for none.

    Raises:
        harness.browser.launch.NoBrowser: no browser can be started; what was counted is kept.
        OSError: the cache cannot be written.
    """
    names = catalog.names()
    for name in names:
        key = card_key(catalog.tasks_dir / name)
        if find_card(key) is None:
            keep_card(key, _counted(catalog, name))
    waiting = [name for name in names if not _is_done(card_key(catalog.tasks_dir / name))]
    if waiting:
        with visitor_of(catalog, overlay, media=media) as visitor:
            for name in waiting:
                _look(catalog, name, visitor)


def _is_done(key: str) -> bool:
    card = find_card(key)
    return card is not None and card.looked


def _counted(catalog: Catalog, name: str) -> KnownCard:
    """What the files say. A task that cannot be read has nothing to look at."""
    try:
        task = catalog.task(name)
    except MalformedTask:
        return KnownCard(0, looked=True, why="its files cannot be used")
    kinds: dict[str, int] = {}
    for field in () if task.site else declared_fields(task.template):
        kinds[field.kind] = kinds.get(field.kind, 0) + 1
    return KnownCard(len(task.instances), kinds)


def _look(catalog: Catalog, name: str, visitor: PageVisitor) -> None:
    key = card_key(catalog.tasks_dir / name)
    known = find_card(key) or _counted(catalog, name)
    try:
        task = catalog.task(name)
        visit = visitor.visit(task, picture=True)
    except (CannotBeShown, MalformedTask) as error:
        keep_card(key, replace(known, looked=True, why=" ".join(str(error).split())[:200]))
        return
    kinds = known.kinds if task.site else dict(visit.shown.fields)
    keep_card(key, replace(known, kinds=kinds, looked=True), _small(visit.png) if visit.png else None)


def _small(png: bytes) -> bytes:
    with Image.open(io.BytesIO(png)) as opened:
        page = opened.convert("RGB")
    sheet = Image.new("RGB", (page.width, page.width * SIZE[1] // SIZE[0]), "white")
    sheet.paste(page, (0, 0))
    buffer = io.BytesIO()
    sheet.resize(SIZE, Image.Resampling.LANCZOS).save(buffer, "WEBP", quality=_QUALITY, method=4)
    return buffer.getvalue()


def _end_with_stdin() -> None:
    while os.read(sys.stdin.fileno(), 4096):  # not by the stream, whose lock nobody could take at the end
        pass
    _thread.interrupt_main()


def main() -> int:
    """Make them; returns 0, or 1 if no browser or no cache can be had."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tasks_dir", type=Path)
    parser.add_argument("--overlay", type=Path)
    parser.add_argument("--media", type=Path)
    arguments = parser.parse_args()
    threading.Thread(target=_end_with_stdin, name="end-with-stdin", daemon=True).start()
    with contextlib.suppress(KeyboardInterrupt):
        try:
            make_cards(Catalog(arguments.tasks_dir, arguments.overlay), arguments.overlay, arguments.media)
        except (NoBrowser, OSError) as error:
            print(f"There are no pictures of tasks in the list: {error}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
