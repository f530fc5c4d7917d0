"""A run directory of any size without a browser: real labels, answers of other instances, the records of real runs.

Its films are of noise: as many pictures as a short episode has, each of another content and about as large as real
ones.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from itertools import count, islice
from pathlib import Path

from PIL import Image

from harness.browser.form.inventory import PageFacts
from harness.browser.form.submission import Submission
from harness.catalog import Catalog, Instance, Task
from harness.catalog.labels import is_blank
from harness.datasets.controls import declared_fields
from harness.episode.assignment import TaskAssignments
from harness.episode.play import make_episode
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import Episode
from harness.records.film import Film, Frame, Target, picture_name
from harness.records.provenance import provenance, working_copy
from harness.records.run_record import MissedOutside, RunFingerprint, RunRecord
from harness.scoring.answers.columns import Answer, is_answered
from harness.scoring.metrics import PROFILES

SIZE = (1280, 800)
"""Of a picture of a film, in pixels."""
FRAMES = 4
"""Of each film: the page as it opened, and three steps."""
TARGET = Target(css="#field", xpath="//*[@id='field']", box=(100.0, 100.0, 300.0, 40.0), text="A field")


def write_run(catalog: Catalog, folder: Path, episodes: int) -> int:
    """Write a run of so many episodes, over and over the instances of the tasks; gives the number of their fields."""
    folder.mkdir(parents=True)
    run = RunDirectory(folder)
    run.write(_record(catalog, episodes))
    fields = 0
    for episode in islice(_endless(catalog), episodes):
        run.add(episode, {})
        fields += len(episode.fields)
    return fields


def film_run(run: RunDirectory) -> int:
    """Give each episode of a run a film of its own; gives the bytes of all pictures."""
    written = 0
    drawn = noise()
    for number, episode in enumerate(run.episodes()):
        # A reader of pictures stops where the file says that it ends: what follows makes each of them another one.
        contents = [drawn + f"{number} {place}".encode() for place in range(FRAMES)]
        pictures = {picture_name(content, "webp"): content for content in contents}
        frames = [
            Frame(step=place - 1 if place else None, picture=name, size=SIZE, target=TARGET if place else None)
            for place, name in enumerate(pictures)
        ]
        run.write_film(episode.task, episode.index, Film(frames=tuple(frames)), pictures)
        written += sum(map(len, contents))
    return written


def noise() -> bytes:
    """A picture that costs as much as one of a page: noise, in WebP."""
    picture = io.BytesIO()
    Image.effect_noise(SIZE, 20).save(picture, "WEBP", quality=1)
    return picture.getvalue()


def _record(catalog: Catalog, episodes: int) -> RunRecord:
    """A ``run.json`` whose hashes are of nothing."""
    return RunRecord(
        status="complete",
        started="",
        config=RunConfig("synthetic", catalog.tasks_dir),
        provenance=provenance("", working_copy()),
        foundations=RunFingerprint(overlay="", task_set="", page_code="", mirror=""),
        task_set="",
        inventory="",
        protocol="",
        sample="",
        planned_episodes=episodes,
        left_out={},
        identical_tasks=(),
        outside=MissedOutside(
            network="mirror",
            instances_without_their_media=0,
            tasks_without_their_media={},
            missing_assets={},
            media_of_templates={},
        ),
    )


def _endless(catalog: Catalog) -> Iterator[Episode]:
    """An episode for each labelled instance, task by task; from the second round on under new names."""
    for turn in count():
        for name in catalog.names():
            task = catalog.task(name)
            for episode in _of_task(task) if task.evaluable else ():
                yield replace(episode, task=f"{name} {turn}") if turn else episode


def _of_task(task: Task) -> Iterator[Episode]:
    assignments = TaskAssignments(task, PROFILES["standard"])
    fields = tuple(declared_fields(task.template))
    nothing = Submission({}, True, "press", "", ())
    page = PageFacts(fields, nothing, ())
    others = [instance for instance in task.instances if is_answered(instance)]
    for instance, other in zip(others, others[1:] + others[:1], strict=True):
        assignment = assignments.make(instance, "", page)
        sent = {answer.name: _answer_of(other, answer) for answer in assignment.answers if answer.told}
        yield make_episode(assignment, replace(nothing, values=sent))


def _answer_of(other: Instance, answer: Answer) -> tuple[str, ...]:
    return next(((cell,) for cell in answer.source.cells(other) if not is_blank(cell)), ())
