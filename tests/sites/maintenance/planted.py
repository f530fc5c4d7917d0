"""What the variants of the bundled sites have planted, held against what maintenance finds in a trace.

``python -m tests.sites.maintenance.planted`` measures the table of ``docs/notes/maintenance.md``: all reference
traces.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from lxml import etree

from harness.catalog import Catalog
from harness.catalog.task import Task
from harness.episode.site_assignment import SiteSetting
from harness.kit.files.installation import BUNDLED_TASKS
from harness.sites.maintenance.records import TraceFinding
from harness.sites.maintenance.selectors import compounds
from harness.sites.maintenance.trace_check import TraceJob, WalkedTwice, look
from harness.sites.maintenance.trace_findings import findings_of
from harness.sites.maintenance.trace_walk import StepSight
from tests.sites.maintenance.stage import staged
from turkle_app.sites.registry import find_site
from turkle_app.sites.site import PlantedChange

CATALOG = Catalog(BUNDLED_TASKS / "_sites")

MET = {
    "Shop - A larger coat": 6,
    "Shop - Put a kettle into the cart": 3,
    "Shop - Puzzles with a coupon": 5,
    "Shop - Save a tent for later": 1,
    "Shop - Stop the newsletter": 1,
    "Travel - Cancel the hotel in Vienna": 3,
    "Travel - Fewer messages": 2,
    "Travel - Home airport in Costa Rica": 3,
    "Travel - Only the necessary cookies": 2,
    "Travel - Search with a price alert": 4,
    "Travel - The card is declined": 8,
    "Travel - The cost of another date": 3,
    "Board - A dark theme": 2,
    "Board - A list for the shelf": 2,
    "Board - A reply with a quote": 3,
    "Board - A vote for an answer": 2,
    "Board - Answer Old Compass": 2,
    "Board - Become a moderator": 1,
    "Board - Fewer mails": 2,
    "Board - Follow a thread": 1,
    "Board - Report an advertisement": 1,
    "Board - The best advice on blight": 3,
    "Board - The moderators' queue": 1,
}
"""How many planted changes the trace of a task runs into: tasks for each kind of change on each kind of page. All tasks
are measured by ``python -m tests.sites.maintenance.planted``; traces of the others are tried in ``tests.sites``."""

_PLACED = {"moved", "reordered"}
_TOLD_AS: dict[str, set[str]] = {
    "renamed": {"renamed"},
    "relabelled": {"relabelled"},
    "moved": _PLACED,
    "reordered": _PLACED,
    "readdressed": {"readdressed"},
}


@dataclass(frozen=True)
class TouchedChange:
    """A planted change that a step of a trace runs into.

    Attributes:
        task: The task.
        step: The step, from 1.
        change: What was planted.
        found: Whether maintenance says that something of the kind has changed there.
        right: Whether what it proposes is the element in the variant; None where the element stays as the trace names
            it, so that nothing needs to be proposed.
    """

    task: str
    step: int
    change: PlantedChange
    found: bool
    right: bool | None


def jobs_of(task: Task, variant: str) -> list[TraceJob]:
    """The replays of a task's trace on a variant, one for each row of its table."""
    assert task.site is not None
    return [TraceJob(task, instance, SiteSetting(task.site.site, variant, 0)) for instance in task.pages]


def changes_met(seen: WalkedTwice, variant: str) -> list[TouchedChange]:
    """The planted changes of a variant that a trace has run into."""
    site = find_site(seen.task.facts.site)
    assert site is not None
    return list(_touched(seen, findings_of(seen.task, seen.now), site.variants[variant]))


def _touched(
    seen: WalkedTwice, findings: tuple[TraceFinding, ...], planted: tuple[PlantedChange, ...]
) -> Iterator[TouchedChange]:
    assert seen.task.before is not None
    for before, now in zip(seen.task.before.sights, seen.now.sights, strict=True):
        if before.page is None or before.element is None:
            continue
        mine = [each for each in findings if each.step == before.number and each.node is None]
        for change in planted:
            if not _is_touched(change, before):
                continue
            wanted = _in_variant(change, before, now)
            right = None if now.state == "done" else wanted is not None and now.element is wanted
            if change.page_after:
                # A page's other address is told once, at the first step on it.
                mine = [*mine, *(each for each in findings if urlsplit(each.value_after).path == change.page_after)]
            told = {kind for each in mine for kind in each.kinds}
            yield TouchedChange(seen.task.name, before.number, change, bool(told & _TOLD_AS[change.kind]), right)


def _is_touched(change: PlantedChange, sight: StepSight) -> bool:
    """Whether a step acts on what was changed, or its selector leads through that."""
    assert sight.page is not None
    assert sight.element is not None
    if urlsplit(change.page).path.split("/")[1:2] != urlsplit(sight.url).path.split("/")[1:2] and change.page != "/":
        return False  # another part of the site, which may have an element of the same name
    changed = sight.page.find(change.before, "css")
    if changed is None:
        return False
    if changed is sight.element:
        return True
    if change.kind == "renamed":
        name = compounds(change.before)[-1].lstrip("abcdefghijklmnopqrstuvwxyz")
        return changed in sight.element.iterancestors() and name in sight.css
    return change.kind in {"moved", "reordered"} and changed in sight.element.iterancestors()


def _in_variant(change: PlantedChange, before: StepSight, now: StepSight) -> etree._Element | None:
    """The element of a step in the variant's page: what the change names, or the same part of that."""
    assert before.page is not None
    assert before.element is not None
    if now.page is None:
        return None
    changed, container = before.page.find(change.before, "css"), now.page.find(change.after, "css")
    if changed is before.element or container is None:
        return container
    return _same_part(before.element, container)


def _same_part(element: etree._Element, container: etree._Element) -> etree._Element | None:
    """The element of a container that has the attributes by which nobody has renamed it."""
    names = ("name", "value", "href", "for", "data-order")
    return next(
        (
            each
            for each in container.iter(str(element.tag))
            if all(each.get(name) == element.get(name) for name in names)
            and "".join(each.itertext()).split() == "".join(element.itertext()).split()
        ),
        None,
    )


def _measure() -> None:
    """Print the table."""
    for name in ("shop", "travel", "board"):
        tasks = [CATALOG.task(each) for each in CATALOG.select(None, [f"{name.capitalize()} - *"])]
        with staged(CATALOG.tasks_dir, name) as stage:
            walked = [look(stage.session, stage.control, job) for task in tasks for job in jobs_of(task, "moved")]
            met = [each for seen in walked for each in changes_met(seen, "moved")]
        right = [each.right for each in met if each.right is not None]
        changes, told = {each.change.before for each in met}, [each for each in met if each.found]
        print(f"| {name} | {len(tasks)} | {len(changes)} | {len(met)} | {len(told)} | {len(right)} | {sum(right)} |")


if __name__ == "__main__":
    _measure()
