"""Files from elsewhere that pages ask for in vain: a run reaches the task server and nothing else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from harness.catalog.task import Instance, Task
from harness.mirror.outside import MissingAddresses
from oracle.check.mistakes.mistake import Mistake

_SELF_CONTAINED = "Write it into the page"


@dataclass(frozen=True)
class OutsideWorld:
    """What is not there for the pages of a task; see ``harness.mirror.outside.Outside``.

    Attributes:
        missing: What the page of an instance asks for in vain.
        fixed_media: What the template itself shows of pictures and their like, in vain.
        can_be_built: Whether the mirror would have a script, style or font, if it were built.
    """

    missing: Callable[[Task, Instance], MissingAddresses]
    fixed_media: Callable[[Task], tuple[str, ...]]
    can_be_built: Callable[[str], bool]


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
    for url in assets:
        build = world.can_be_built(url)
        remedy = "python -m harness.mirror build makes a copy that runs are served; or write it into the page"
        yield _asked(task, url, remedy if build else _SELF_CONTAINED, "scripts, styles and fonts", is_note=build)
    remedy = f"{_SELF_CONTAINED}, as a data: address, or give local copies with --media DIR"
    for url in world.fixed_media(task):
        yield _asked(task, url, remedy, "pictures, sounds and frames", is_note=False)
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


def _asked(task: Task, url: str, remedy: str, what: str, *, is_note: bool) -> Mistake:
    at = task.template.find(url)
    return Mistake(
        task=task.name,
        kind="outside",
        what=f"{what} from elsewhere do not arrive",
        remedy=remedy,
        line=task.template.count("\n", 0, at) + 1 if at >= 0 else None,
        wanted=url,
        is_note=is_note,
    )
