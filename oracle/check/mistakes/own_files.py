"""Pictures, sounds and scripts that a page expects beside itself: a server has none but those of the folder ``media``.

Pure: the pages of a task in, notes out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from harness.catalog.task import MEDIA, Instance, Task, media_files
from harness.catalog.template.instantiation import instantiate
from harness.catalog.template.markup import Piece, scan
from oracle.check.mistakes.mistake import Mistake

_SHOWN = frozenset({"img", "audio", "video", "source", "script", "iframe", "embed", "track"})
_ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#|\$\{", re.IGNORECASE)


def own_file_notes(task: Task, instances: Iterable[Instance]) -> Iterator[Mistake]:
    """The files that pages ask this server for and that it does not have, in one note.

    Args:
        task: The task.
        instances: Those whose pages are looked at.
    """
    there = {f"{MEDIA}/{file.name}" for file in media_files(task.folder)}
    missing: dict[str, tuple[int, ...]] = {}
    for instance in instances:
        pieces = list(scan(instantiate(task.template, instance.inputs)))
        if not any(piece.kind == "start" and piece.name == "base" for piece in pieces):
            urls = [url for piece in pieces if (url := _asked(piece)) and url not in there]
            missing.update((url, missing.get(url, ()) + instance.rows) for url in dict.fromkeys(urls))
    if missing:
        yield Mistake(
            task=task.name,
            kind="outside",
            what="the page shows files that it expects beside it, and they are not served",
            remedy=f"Put them into the task's folder {MEDIA}, and write {MEDIA}/NAME for their address",
            rows=tuple(sorted({row for rows in missing.values() for row in rows})),
            wanted=next(iter(missing)),
            is_note=True,
        )


def _asked(piece: Piece) -> str:
    """The address that a tag shows something from, if it is a relative one; else empty."""
    if piece.kind != "start" or piece.name not in _SHOWN:
        return ""
    url = piece.attributes.get("src", "").strip()
    return "" if _ELSEWHERE.match(url) else url
