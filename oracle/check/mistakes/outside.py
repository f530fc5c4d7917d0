"""Files from elsewhere that pages ask for in vain: a run reaches the task server and nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.catalog.mirror.outside import MissingAddresses
from harness.catalog.mirror.store import BUILD
from harness.catalog.task import MEDIA, Instance, Task, media_files
from harness.catalog.template.instantiation import instantiate
from harness.catalog.template.markup import Piece, scan
from oracle.check.mistakes.mistake import Mistake

_SELF_CONTAINED = "Write it into the page"


@dataclass(frozen=True)
class OutsideWorld:
    """What is not there for the pages of a task; see ``harness.catalog.mirror.outside.Outside``.

    Attributes:
        missing: What the page of an instance asks for in vain.
        fixed_media: What the template itself shows of pictures and their like, in vain.
        can_be_built: Whether the mirror would have a script, style or font, if it were built.
        assets: The scripts, styles and fonts that the template itself asks for, whether or not they are there.
    """

    missing: Callable[[Task, Instance], MissingAddresses]
    fixed_media: Callable[[Task], tuple[str, ...]]
    can_be_built: Callable[[str], bool]
    assets: Callable[[Task], tuple[str, ...]]


def outside_mistakes(task: Task, instances: Iterable[Instance], world: OutsideWorld) -> Iterator[Mistake]:
    """What pages ask for in vain: one for each file of the template, and one for each column that holds addresses.

    Args:
        task: The task.
        instances: Those whose pages are looked at.
        world: What is there.
    """
    assets: dict[str, None] = {}
    media: dict[str, list[tuple[int, str]]] = {}
    for instance in instances:
        missing = world.missing(task, instance)
        assets.update(dict.fromkeys(missing.assets))
        for url in missing.media:
            media.setdefault(_source(instance, url), []).append((instance.rows[0], url))
    yield from _assets(task, list(assets), world)
    remedy = f"{_SELF_CONTAINED}, as a data: address, or give local copies with --media DIR"
    for url in world.fixed_media(task):
        yield _asked(task, url, "pictures, sounds and frames from elsewhere do not arrive", remedy)
    for column, found in media.items():
        rows = tuple(row for row, _ in found)
        yield Mistake(
            task=task.name,
            kind="outside",
            what=f"{len(found)} pages show a picture, sound or frame from elsewhere, which does not arrive"
            if len(found) > 1
            else "the page shows a picture, sound or frame from elsewhere, which does not arrive",
            remedy=remedy + (f" (column {column})" if column else ""),
            rows=rows,
            wanted=found[0][1],
        )


def _source(instance: Instance, url: str) -> str:
    """The column that an address comes from; empty if it is put together."""
    return next((column for column, value in instance.inputs.items() if url in value), "")


def _assets(task: Task, missing: Sequence[str], world: OutsideWorld) -> Iterator[Mistake]:
    what = "scripts, styles and fonts from elsewhere do not arrive"
    buildable = [url for url in missing if world.can_be_built(url)]
    for url in missing:
        if url not in buildable:
            yield _asked(task, url, what, _SELF_CONTAINED)
    if buildable:
        remedy = f"`{BUILD}` gets {_them(buildable)}; or write {_them(buildable)} into the page"
        yield _asked(task, buildable[0], f"{what} ({len(buildable)})" if len(buildable) > 1 else what, remedy)
    if served := [url for url in world.assets(task) if url not in missing]:
        what = "scripts, styles and fonts from elsewhere arrive where the mirror was built"
        remedy = f"Write {_them(served)} into the page, so that it works everywhere, or leave it"
        yield replace(_asked(task, served[0], f"{what} ({len(served)})", remedy), is_note=True)


def _them(urls: Sequence[str]) -> str:
    return "it" if len(urls) == 1 else "them"


def _asked(task: Task, url: str, what: str, remedy: str) -> Mistake:
    at = task.template.find(url)
    return Mistake(
        task=task.name,
        kind="outside",
        what=what,
        remedy=remedy,
        line=task.template.count("\n", 0, at) + 1 if at >= 0 else None,
        wanted=url,
    )


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
            urls = [url for piece in pieces if (url := _asked_beside(piece)) and url not in there]
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


def _asked_beside(piece: Piece) -> str:
    """The address that a tag shows something from, if it is a relative one; else empty."""
    if piece.kind != "start" or piece.name not in _SHOWN:
        return ""
    url = piece.attributes.get("src", "").strip()
    return "" if _ELSEWHERE.match(url) else url
