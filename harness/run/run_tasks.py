"""The tasks of a run, as a process may know them from which workers are forked.

What a process has once read can be found in its memory and in that of all that are forked from it; and the
``task.json`` of a task on a website says what it is judged by. So whatever is read here is read in a process that ends.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.kinds import FORM, KindName
from harness.catalog.problems import CatalogError, MalformedTask, Problem
from harness.catalog.task import FACTS
from harness.catalog.tasks_folder import set_hash
from harness.episode.registry import find_solver
from harness.kit.options import view
from harness.models.call_options import Budget
from harness.records.config import RunConfig
from harness.run.foreign_tasks import foreign_tasks
from harness.run.forked import in_child
from harness.run.site_control import SiteControl
from harness.run.task_kind import task_kind

_WITHOUT_SITE = "Mend it, or leave the task out: the run is played without it"


@dataclass(frozen=True)
class RunTasks:
    """What was asked for.

    Attributes:
        kind: Of all of them.
        names: The tasks, sorted.
        decisive: Task -> what the overlay says of it that scores depend on.
        hashed: Task -> its split and a hash of its files.
        identical: Groups of tasks of the folder whose files are equal byte for byte.
        problems: What was found wrong so far.
        sites: Bundled website and layout -> those of the tasks that are on it.
    """

    kind: KindName
    names: tuple[str, ...]
    decisive: Mapping[str, Mapping[str, object]]
    hashed: Mapping[str, tuple[str, str]]
    identical: tuple[tuple[str, ...], ...]
    problems: tuple[Problem, ...]
    sites: Mapping[tuple[str, str], tuple[str, ...]]

    @classmethod
    def of(cls, config: RunConfig) -> RunTasks:
        """Choose the tasks of a run.

        Args:
            config: Of the run.

        Raises:
            harness.catalog.problems.CatalogError: folder, overlay, split or names are wrong; or there are tasks of both
                kinds, and it was not said which are meant.
        """
        return in_child(lambda: _read(config))

    def absent(self, tasks_dir: Path, control: SiteControl) -> dict[str, Problem]:
        """The tasks whose bundled website is not there, with what is to be told of each.

        Args:
            tasks_dir: Where they are.
            control: Of the task server that has the websites.

        Raises:
            harness.run.site_control.SiteControlRefused: it cannot be asked.
        """
        if not self.sites:
            return {}
        return {
            name: Problem(name, tasks_dir / name / FACTS, None, "site", why, _WITHOUT_SITE)
            for name, why in control.absent(self.sites).items()
        }

    def task_set(self, names: Iterable[str]) -> str:
        """A hash of tasks with their names and splits, as ``Catalog.set_fingerprint`` gives it."""
        return set_hash({name: self.hashed[name] for name in names})


def folder_hash(config: RunConfig) -> str:
    """A hash of all tasks of a run's folder, as ``Catalog.set_fingerprint`` gives it."""
    return in_child(lambda: _hash_of(Catalog(config.tasks_dir, config.overlay)))


def _hash_of(catalog: Catalog) -> str:
    return catalog.set_fingerprint(catalog.names())


def _read(config: RunConfig) -> RunTasks:
    if config.cube and not _are_equal(made := foreign_tasks(config.cube).folder(), config.tasks_dir):
        raise CatalogError(
            f"the tasks of {config.cube.name} are in {made} now, and those of the run in {config.tasks_dir}: since it "
            "began, the benchmark has changed, or the cache is elsewhere."
        )
    catalog = Catalog(config.tasks_dir, config.overlay)
    chosen = catalog.select(config.split, config.tasks)
    kind = kind_among(catalog, chosen, config.kind)
    names = tuple(name for name in chosen if catalog.kind_of(name) == kind)
    sites: dict[tuple[str, str], tuple[str, ...]] = {}
    of_kind = task_kind(kind)
    for name in names if of_kind.sets_sites else ():
        with contextlib.suppress(MalformedTask):  # which the catalog's problems tell
            task = catalog.task(name)
            of_kind.check_task(config, task)
            if site := of_kind.site_of(task):
                sites[site] = (*sites.get(site, ()), name)
    hashed = {name: (catalog.split_of(name), catalog.fingerprint(name)) for name in names}
    return RunTasks(
        kind=kind,
        names=names,
        decisive={name: catalog.overlay.decisive(name) for name in names},
        hashed=hashed,
        identical=tuple(tuple(group) for group in catalog.duplicates()),
        problems=tuple(catalog.problems),
        sites=sites,
    )


def _are_equal(one: Path, other: Path) -> bool:
    """Whether two folders have the same tasks; a folder of an older version may be at another place of the cache."""
    try:
        return one == other or len({_hash_of(Catalog(each)) for each in (one, other)}) == 1
    except CatalogError:
        return False


def fitted(config: RunConfig) -> RunConfig:
    """As ``fit_for``, by the kind of a run's tasks; raises as ``RunTasks.of``, too."""
    return fit_for(config, _kind_of(config))


def _kind_of(config: RunConfig) -> KindName:

    def read() -> KindName:
        catalog = Catalog(config.tasks_dir, config.overlay)
        return kind_among(catalog, catalog.select(config.split, config.tasks), config.kind)

    return in_child(read)


def fit_for(config: RunConfig, kind: KindName) -> RunConfig:
    """A run's configuration with the kind of its tasks, and with what goes by that filled in.

    Args:
        config: As it was asked for.
        kind: Of its tasks.

    Raises:
        CatalogError: what was asked for does not go with tasks of that kind.
        harness.episode.registry.UnknownSolver: there is no such solver.
        harness.episode.solver.WrongOptions: it does not take its options.
        harness.models.presets.UnknownPreset: there is no such judge.
        harness.run.task_kind.WrongActions: its actions are those of the other kind.
    """
    solver, of_kind = find_solver(config.solver), task_kind(kind)
    of_kind.actions(config.actions)
    if kind not in solver.kinds:
        only = " and ".join(task_kind(each).plural for each in solver.kinds)
        raise CatalogError(f"--solver {config.solver} works on {only} only, and these tasks are {of_kind.plural}.")
    options, actions = solver.fit(config.options, kind, config.actions)
    config = replace(config, kind=kind, options=options, actions=actions)
    of_kind.check(config)
    if config.judge:
        from harness.models.presets import resolve  # noqa: PLC0415 - runs that nobody judges do without

        if resolve(config.judge, {}).price is None and view(Budget, config.options).max_cost is not None:
            raise CatalogError(
                f"--max-cost is of solver and judge, and the price of {config.judge} is not known: use --max-tokens."
            )
    return config


def kind_among(catalog: Catalog, names: Iterable[str], wanted: KindName | None) -> KindName:
    """The one kind of tasks that is meant.

    Args:
        catalog: Has the tasks.
        names: Those that were asked for.
        wanted: The kind that was asked for; None if none was.

    Raises:
        CatalogError: there are several, and it was not said which, or there is none of the kind.
    """
    kinds = {catalog.kind_of(name) for name in names}
    if wanted:
        if wanted not in kinds:
            there = f"those of {catalog.tasks_dir} that were asked for are of the kind {' and '.join(sorted(kinds))}"
            raise CatalogError(f"there is no task of the kind {wanted!r}: {there}. Leave --kind out.")
        return wanted
    if len(kinds) > 1:
        several, ways = " and ".join(sorted(kinds)), " or ".join(f"--kind {kind}" for kind in sorted(kinds))
        raise CatalogError(f"{catalog.tasks_dir} holds tasks of the kinds {several}, and a run is of one: give {ways}.")
    return next(iter(kinds), FORM)
