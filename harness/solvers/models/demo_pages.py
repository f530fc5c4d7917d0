"""Chooses the pages that demonstrations are made of, and makes them fit a model's budget.

They are pages of the train split, drawn by the seed: of the task set of the run, or of the one that its user names. A
set of prompts can ask for those that the overlay of the task set names (``harness.catalog.overlay.ShownField``); as
many as these are not enough for are drawn like any others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from harness.browser.form.inventory import code_hash
from harness.catalog import Catalog
from harness.catalog.overlay import ShownField
from harness.catalog.problems import MalformedTask
from harness.catalog.task import TEMPLATE, Instance
from harness.episode.solver import Setup
from harness.kit.files.writing import cache_folder, path_name
from harness.kit.options import view
from harness.models.asking_options import Asking
from harness.observe import ENCODINGS
from harness.records.provenance import fingerprint_of
from harness.scoring.answers.columns import is_answered
from harness.solvers.models.demo_making import DemoJob, PageBeforeAnswer, show_pages
from harness.solvers.models.demos import (
    ASKED_KINDS,
    TRAIN,
    Demonstration,
    Demonstrations,
    drawn,
    listed_for_fields,
    listed_for_forms,
)
from harness.solvers.models.prompt_sets import PROMPT_SETS
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer

BATCH = 8
"""Pages that are made before it is looked whether more are needed."""
MOST_PAGES = 32
"""Pages that are made at most; rare kinds of fields may then have fewer demonstrations of their own kind."""
_VERSION = 1


def make_demonstrations(setup: Setup, recipe: Recipe, observer: Observer) -> Demonstrations:
    """The demonstrations of a run, from the cache as far as they are there; fewer than wanted if there are no more.

    Args:
        setup: The run; its folder is left alone.
        recipe: How the model is asked.
        observer: Shows pages by that recipe.

    Raises:
        harness.catalog.problems.CatalogError: the set that its user names is no folder of tasks.
        harness.run.server.ServerRefused: the task server does not start.
        harness.browser.launch.NoBrowser: no browser can be started.
    """
    if not recipe.demos:
        return Demonstrations()
    other = view(Asking, setup.options).demos_from
    source = replace(setup, tasks_dir=Path(other), overlay=None) if other else setup
    catalog = Catalog(source.tasks_dir, source.overlay)
    copies = _other_copies(setup, catalog) if other else _copies(catalog)
    needed = recipe.demos + 1 + max(map(len, copies.values()), default=0)
    fixed = _fixed(source, recipe, catalog, observer) if PROMPT_SETS[recipe.prompts].has_fixed else []
    listed = [*fixed]
    if len(fixed) < needed:
        known = {each.task for each in fixed}
        listed += (each for each in _chosen(source, recipe, catalog, observer, needed) if each.task not in known)
    return Demonstrations(
        recipe.demos,
        tuple(listed),
        copies,
        len(fixed),
        source=source.tasks_dir.resolve().name,
        source_hash=catalog.set_fingerprint(catalog.names()) if other else "",
        candidates=tuple(_train(catalog)),
    )


def _copies(catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """Task -> the others of its set whose files are equal to its own."""
    return {task: tuple(name for name in group if name != task) for group in catalog.duplicates() for task in group}


def _other_copies(setup: Setup, catalog: Catalog) -> dict[str, tuple[str, ...]]:
    """Task of the run -> the tasks of another set that have its template: the same task, whatever rows it has there."""
    by_template: dict[bytes, list[str]] = {}
    for name in _train(catalog):
        by_template.setdefault(_template(catalog.tasks_dir / name), []).append(name)
    tasks = setup.tasks or Catalog(setup.tasks_dir, setup.overlay).names()
    found = {task: by_template.get(_template(setup.tasks_dir / task), ()) for task in tasks}
    return {task: tuple(names) for task, names in found.items() if names}


def _template(folder: Path) -> bytes:
    try:
        return (folder / TEMPLATE).read_bytes()
    except OSError:
        return b""


def _train(catalog: Catalog) -> list[str]:
    """The tasks that demonstrations may come from, sorted."""
    return [name for name in catalog.splits().get(TRAIN, []) if not catalog.facts(name).content_warning]


# ---- those that are fixed -----------------------------------------------------------------------------------------


def _fixed(setup: Setup, recipe: Recipe, catalog: Catalog, observer: Observer) -> list[Demonstration]:
    """Those that the overlay names, as far as they can be made here.

    They are shown whole if that leaves room for the page, as they were shown where they come from; else each shrinks to
    its share.
    """
    named = catalog.overlay.demonstrations
    jobs = [job for each in named if (job := _fixed_job(catalog, each, recipe)) is not None]
    if missing := [job for job in jobs if job.kept() is None]:
        show_pages(setup, recipe, missing)
    shown = [(job, each) for job in jobs for each in job.kept() or ()]
    used = min(recipe.demos, len(shown))
    room = recipe.max_input_tokens * 3 // 4 * used // recipe.demos
    whole = [observer.show(each.sight, each.field, recipe.max_input_tokens).tokens for _, each in shown[:used]]
    share = recipe.max_input_tokens if sum(whole) <= room else room // used
    return [_demonstration(job, each, observer, share) for job, each in shown]


def _fixed_job(catalog: Catalog, named: ShownField, recipe: Recipe) -> DemoJob | None:
    """The page of a field that the overlay names; None if it is not in the train split here."""
    if named.task not in catalog.splits().get(TRAIN, []):
        return None
    try:
        instances = catalog.task(named.task).instances
    except MalformedTask:
        return None
    for instance in instances:
        if any(named.words in value for value in instance.inputs.values()):
            return DemoJob(named.task, instance.index, _file(catalog, instance, recipe, named.field), named.field)
    return None


# ---- those that are chosen ----------------------------------------------------------------------------------------


def _chosen(
    setup: Setup, recipe: Recipe, catalog: Catalog, observer: Observer, needed: int
) -> tuple[Demonstration, ...]:
    """Those that the seed draws; all that are shown take half of the budget together at most."""
    budget = recipe.max_input_tokens // 2 // recipe.demos
    made: list[Demonstration] = []
    for shown in _pages(setup, recipe, catalog):
        made += (_demonstration(job, each, observer, budget) for job, each in shown)
        if _enough(made, recipe, needed):
            break
    return (listed_for_fields if recipe.protocol == "field" else listed_for_forms)(made, needed)


def _enough(made: Sequence[Demonstration], recipe: Recipe, needed: int) -> bool:
    if recipe.protocol == "form":
        return len(made) >= 2 * needed
    tasks = Counter(kind for kind, _ in {(kind, each.task) for each in made for kind in each.kinds})
    return all(tasks[kind] >= needed for kind in ASKED_KINDS)


def _pages(setup: Setup, recipe: Recipe, catalog: Catalog) -> Iterator[list[tuple[DemoJob, PageBeforeAnswer]]]:
    """What pages show, a batch at a time, in the order of the seed."""
    jobs = _jobs(setup, recipe, catalog)
    while batch := [job for job, _ in zip(jobs, range(BATCH), strict=False)]:
        if missing := [job for job in batch if job.kept() is None]:
            show_pages(setup, recipe, missing)
        yield [(job, each) for job in batch for each in job.kept() or ()]


def _jobs(setup: Setup, recipe: Recipe, catalog: Catalog) -> Iterator[DemoJob]:
    for count, name in enumerate(drawn(_train(catalog), setup.seed)):
        if count == MOST_PAGES:
            return
        try:
            instances = catalog.task(name).instances
        except MalformedTask:
            continue
        answered = {each.id: each for each in instances if is_answered(each)}
        if answered:
            instance = answered[drawn(answered, setup.seed)[0]]
            yield DemoJob(name, instance.index, _file(catalog, instance, recipe))


# ---- both ---------------------------------------------------------------------------------------------------------


def _demonstration(job: DemoJob, shown: PageBeforeAnswer, observer: Observer, budget: int) -> Demonstration:
    page = observer.show(shown.sight, shown.field or None, budget).page
    return Demonstration(job.task, job.index, shown.field, shown.kinds, page, shown.calls)


def _file(catalog: Catalog, instance: Instance, recipe: Recipe, field: str = "") -> Path:
    """Where a page is kept: a place that differs with all that it depends on."""
    key = fingerprint_of(
        [
            _VERSION,
            code_hash(),
            catalog.set_fingerprint([instance.task]),
            instance.id,
            recipe.protocol,
            recipe.screenshot,
            recipe.encoding != "none" and ENCODINGS[recipe.encoding].needs_outline,
            *([field] if field else []),
        ]
    )[:16]
    return cache_folder() / "demonstrations" / f"{path_name(instance.task)[:120]}-{instance.index}-{key}.json"
