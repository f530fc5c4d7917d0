"""Pictures of the pages that a reviewer judges, and where on them a field is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.browser.browser import Browser
from harness.browser.form.fields import Field, find_fields
from harness.browser.input_back_end import DevtoolsInput
from harness.browser.sandbox import NO_SANDBOX
from harness.catalog import Catalog
from harness.catalog.problems import MalformedTask
from harness.catalog.task import Instance
from harness.episode.library import Actions
from harness.episode.trajectory import Trajectory
from harness.observe.snapshot import Snapshot
from harness.records.config import RunConfig
from harness.reports.reviews.review import DrawnField, Review, WrongReview
from harness.run.page_source import PageSource
from harness.run.server import page_url

Box = tuple[int, int, int, int]


@dataclass(frozen=True)
class FieldPicture:
    """A page as it is when it has loaded.

    Attributes:
        png: A picture of all of it, a pixel for each CSS pixel.
        boxes: Field -> left, top, width and height of its controls together; fields that cannot be seen have none.
        options: Field -> what stands beside each of its options: value and text.
    """

    png: bytes
    boxes: Mapping[str, Box]
    options: Mapping[str, Mapping[str, str]]


def pictures_of_pages(
    review: Review, config: RunConfig, pages: PageSource, note: Callable[[str], None]
) -> Mapping[tuple[str, int], FieldPicture]:
    """Open the page of every drawn field once.

    Args:
        review: The draw.
        config: Of the run.
        pages: Where pages come from, and what they reach.
        note: Is told what the user should know.

    Returns:
        Task and index of an instance -> its page.

    Raises:
        PagesNotGiven, CatalogError, ServerRefused, NoBrowser: as their messages say.
        WrongReview: the tasks are others than those of the run.
    """
    catalog = pages.catalog(config)
    instances = {(each.task, each.index): _instance(catalog, each) for each in review.fields}
    if said := pages.differences(config):
        note(said)
    with pages.server(catalog) as origin, Browser(pages.settings(origin, config)) as browser:
        if browser.sandbox == "off":
            note(NO_SANDBOX)
        return {
            key: _look(browser, page_url(origin, instance), note, f"page {number} of {len(instances)}")
            for number, (key, instance) in enumerate(instances.items(), start=1)
        }


def _instance(catalog: Catalog, drawn: DrawnField) -> Instance:
    try:
        instances = catalog.task(drawn.task).instances
    except (KeyError, MalformedTask):
        instances = ()
    if drawn.index >= len(instances) or instances[drawn.index].id != drawn.id:
        raise WrongReview(
            f"instance {drawn.index} of {drawn.task!r} in {catalog.tasks_dir} is not that of the run: say with "
            "--tasks-dir where the run's tasks are"
        )
    return instances[drawn.index]


def _look(browser: Browser, url: str, note: Callable[[str], None], which: str) -> FieldPicture:
    note(which)
    browser.open(url)
    act = Actions(browser, DevtoolsInput(browser), Trajectory())
    shot = act.observation.picture("full")
    return FieldPicture(
        png=shot.png if shot else b"",
        boxes=dict(_boxes(act.observation.snapshot())),
        options={field.name: _texts(field) for field in find_fields(browser) if field.options},
    )


def _texts(field: Field) -> dict[str, str]:
    return {option.value: " ".join(option.text.split()) for option in field.options}


def _boxes(snapshot: Snapshot) -> Iterator[tuple[str, Box]]:
    for name, places in snapshot.controls.items():
        shown = [snapshot.nodes[place].box for place in places if snapshot.nodes[place].shown]
        if found := [box for box in shown if box is not None]:
            yield name, _around(found)


def _around(boxes: Sequence[Box]) -> Box:
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[0] + box[2] for box in boxes), max(box[1] + box[3] for box in boxes)
    return left, top, right - left, bottom - top
