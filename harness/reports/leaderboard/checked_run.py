"""A run whose files fit together: what a leaderboard takes."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import pandas as pd

from harness.analysis.score_table import ScoreTable
from harness.analysis.scored_run import work_of
from harness.browser.box.program_options import BoxOptions
from harness.browser.form.fields import Field, Option
from harness.browser.form.inventory import fingerprint
from harness.catalog import Catalog, CatalogError, MalformedTask
from harness.catalog.task import Instance
from harness.episode.registry import SOLVERS
from harness.kit.errors import UserError
from harness.kit.options import view
from harness.records.directory import RunDirectory
from harness.records.episode import Episode, FieldRecord
from harness.records.provenance import fingerprint_of
from harness.records.results import Work
from harness.records.run_record import RunRecord
from harness.reports.leaderboard.rules import rules_of
from harness.reports.run_summary import resuming
from harness.run.page_source import PageSource
from harness.scoring.answers.columns import AnswerColumns
from harness.scoring.metrics import PROFILES
from harness.scoring.scored_kind import kind_of
from harness.scoring.scores import score_episode

Digests = Literal["fit", "unknown"]


class DoesNotFit(UserError):
    """A run that no leaderboard takes; the message says why, and what to do."""


@dataclass(frozen=True)
class CheckedRun:
    """A complete run whose episodes give what its ``run.json`` says.

    Attributes:
        record: The content of its ``run.json``.
        tables: As in ``rules_of`` -> the tables of instances and of fields by these rules, scored anew.
        outcomes: Outcome -> episodes.
        work: In how many episodes the solver did anything.
        answers: A hash over what was sent in all fields of all episodes.
        task_files_checked: Whether the files of the task set were compared, too.
        digests: ``fit`` if all episodes' records are those that the run wrote; ``unknown`` where it kept no digests.
    """

    record: RunRecord
    tables: Mapping[str, tuple[pd.DataFrame, pd.DataFrame]]
    outcomes: Mapping[str, int]
    work: Work
    answers: str
    task_files_checked: bool
    digests: Digests


def check_run(folder: Path, pages: PageSource | None) -> CheckedRun:
    """Read a run, score it anew under each name of ``rules_of``, and compare all that its hashes are made of.

    Args:
        folder: The run directory; it is not changed.
        pages: The tasks whose files are compared; None to compare none.

    Raises:
        DoesNotFit: something does not fit, or the run is not complete.
        harness.records.directory.NotARun: it cannot be read.
        harness.run.page_source.PagesNotGiven: the run was made of other tasks than were given.
        harness.catalog.problems.CatalogError: the folder of the tasks cannot be read.
    """
    run = RunDirectory(folder)
    record = run.read()
    if record.status != "complete":
        why = f" ({record.stopped.words})" if record.stopped else ""
        raise DoesNotFit(
            f"{folder} is {record.status}{why}, and a leaderboard takes complete runs: go on with {resuming(folder)}"
        )
    digests = _compare_digests(run, record)
    _refuse_keyed(record)
    _refuse_another_box(record, folder)
    catalog = pages and pages.catalog(record.config)
    evidence = _EpisodeEvidence(folder)
    tables = {name: ScoreTable() for name in rules_of(record.config.kind, record.config.judge)}
    for episode in run.episodes():
        evidence.see(episode)
        for name, table in tables.items():
            table.see(score_episode(episode, PROFILES.get(name, PROFILES[record.config.metrics])))
    evidence.compare(record, folder)
    work = work_of(next(iter(tables.values())).instances())
    if record.is_asked and not work.replied:
        raise DoesNotFit(f"{folder} has no score: the solver never gave a reply of use")
    if catalog:
        _compare_task_set(catalog, record, evidence)
        files = _TaskFiles(catalog)
        for episode in run.episodes():
            files.see(episode)
    return CheckedRun(
        record=record,
        tables={name: (table.instances(), table.fields()) for name, table in tables.items()},
        outcomes=dict(sorted(evidence.outcomes.items())),
        work=work,
        answers=evidence.answers,
        task_files_checked=catalog is not None,
        digests=digests,
    )


def _compare_digests(run: RunDirectory, record: RunRecord) -> Digests:
    """Refuse a run whose episodes are not as it wrote them; raises ``DoesNotFit``."""
    found = run.check_records()
    if changed := found.in_words():
        raise DoesNotFit(f"{run.folder}: {changed}")
    return "fit" if record.episodes_digest and not found.unknown else "unknown"


def _refuse_keyed(record: RunRecord) -> None:
    """Refuse a solver of somebody's own that is handed the labels, or of which nobody knows; raises ``DoesNotFit``."""
    solver = record.config.solver
    if solver in SOLVERS or solver in SOLVERS.places().values() or ":" not in solver:
        return
    if record.keyed:
        raise DoesNotFit(f"the solver {solver!r} is handed the labels (solve_with_key), and no leaderboard takes it")
    if record.keyed is None:
        raise DoesNotFit(
            f"run.json does not say whether the solver {solver!r} is handed the labels: it was written by an older "
            "version; run it again"
        )


def _refuse_another_box(record: RunRecord, folder: Path) -> None:
    """Refuse a run that says in two places how its program was shut in, and not the same; raises ``DoesNotFit``."""
    asked = view(BoxOptions, record.config.options).isolate
    if record.isolation != asked:
        raise DoesNotFit(
            f"{folder}: isolation in run.json is {record.isolation!r}, and the solver's option isolate {asked!r}: "
            "one of them was changed"
        )


class _EpisodeEvidence:
    """What the episodes say of the run, to be compared with what ``run.json`` says."""

    def __init__(self, folder: Path) -> None:
        self.outcomes: Counter[str] = Counter()
        self._folder = folder
        self.tasks: set[str] = set()
        self._served: Counter[str] = Counter()
        self._sample: list[tuple[str, str]] = []
        self._pages: list[tuple[str, str, str]] = []
        self._sent: list[str] = []
        self._media: dict[str, list[int]] = {}
        self._assets: Counter[str] = Counter()
        self._answered_by: set[str] = set()

    @property
    def answers(self) -> str:
        """A hash over what was sent, whatever the order of the episodes."""
        return fingerprint_of(sorted(self._sent))

    def see(self, episode: Episode) -> None:
        """Look at an episode; raises ``DoesNotFit``."""
        where = f"instance {episode.index} of {episode.task!r}"
        if episode.outcome == "harness_error":
            raise DoesNotFit(f"{where} has no score ({episode.detail}): go on with {resuming(self._folder)}")
        sent = episode.submission.values if episode.submission else {}
        for field in episode.fields if episode.submission else ():
            if field.sent != sent.get(field.name, ()):
                raise DoesNotFit(f"{where}: the field {field.name!r} was not sent what its episode says")
        self.outcomes[episode.outcome] += 1
        self.tasks.add(episode.task)
        self._served.update(episode.served)
        self._answered_by.add(episode.answered_by)
        self._sample.append((episode.task, episode.id))
        if episode.page:
            self._pages.append((episode.task, episode.id, episode.page))
        if episode.missing_media:
            self._media.setdefault(episode.task, []).append(episode.index)
        self._assets.update(set(episode.missing_assets))
        fields = [(field.name, field.sent) for field in episode.fields]
        plain: list[Any] = [episode.task, episode.id, episode.outcome, fields]
        plain += kind_of(episode).submitted(episode)
        self._sent.append(hashlib.sha256(json.dumps(plain).encode()).hexdigest())

    def compare(self, record: RunRecord, folder: Path) -> None:
        """Compare it all.

        Raises:
            DoesNotFit: something differs.
        """
        config, outside = record.config, record.outside
        if len(self._sample) != record.planned_episodes:
            raise DoesNotFit(f"{folder} has {len(self._sample)} episodes of {record.planned_episodes} planned ones")
        if fingerprint_of(sorted(self._sample)) != record.sample:
            raise DoesNotFit(_differs(folder, "sample", "its episodes are of other instances than were chosen"))
        if fingerprint(self._pages) != record.inventory:
            raise DoesNotFit(_differs(folder, "inventory", "its episodes were made on pages with other fields"))
        tasks = {task: tuple(indices) for task, indices in self._media.items()}
        media = (sum(map(len, tasks.values())), tasks)
        said = (outside.instances_without_their_media, outside.tasks_without_their_media)
        if media != said or self._assets != outside.missing_assets or outside.network != config.network:
            raise DoesNotFit(_differs(folder, "outside", "its episodes missed other files"))
        if record.served and record.served != self._served:
            raise DoesNotFit(_differs(folder, "served", "other models answered in its episodes"))
        if record.comparability_id != record.comparability_under(config.metrics):
            raise DoesNotFit(_differs(folder, "comparability_id", "its parts make another one"))
        if self._answered_by != {"workers" if config.solver == "crowd" else "solver"}:
            who = " and ".join(sorted(self._answered_by))
            raise DoesNotFit(f"{folder}: the solver is {config.solver!r}, but its answers are those of {who}")


def _differs(folder: Path, key: str, why: str) -> str:
    return f"{folder}: {key} in run.json does not fit the episodes: {why}"


class _TaskFiles:
    """The tables of the task set: whether instances and labels of the episodes are theirs."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._columns: AnswerColumns | None = None

    def see(self, episode: Episode) -> None:
        """Look at an episode; those of a task come one after the other. Raises ``DoesNotFit``."""
        where = f"instance {episode.index} of {episode.task!r}"
        if self._columns is None or self._columns.task.name != episode.task:
            try:
                self._columns = AnswerColumns(self._catalog.task(episode.task))
            except KeyError:
                raise DoesNotFit(f"there is no task {episode.task!r} in {self._catalog.tasks_dir}") from None
            except MalformedTask as error:
                raise DoesNotFit(f"the task {episode.task!r} cannot be read: {error}") from error
        task = self._columns.task
        instance = _instance_at(task.instances, episode)
        if instance is None or task.split != episode.split:
            raise DoesNotFit(f"{where}: the task set has no such instance, or in another split")
        answers = self._columns.answers(instance, [_as_field(record) for record in episode.fields])
        labels = {answer.name: answer.labels for answer in answers}
        for field in episode.fields:
            if field.labels != labels.get(field.name):
                raise DoesNotFit(f"{where}: the labels of {field.name!r} are not those of the task set")


def _instance_at(instances: tuple[Instance, ...], episode: Episode) -> Instance | None:
    found = instances[episode.index] if 0 <= episode.index < len(instances) else None
    return found if found and found.id == episode.id else None


def _as_field(record: FieldRecord) -> Field:
    """A field of the page, as far as its labels depend on it."""
    return Field(
        name=record.name,
        kind=record.kind,  # type: ignore[arg-type]
        type=record.kind,
        options=tuple(Option(value, value, True) for value in record.options),
        visible=record.visible,
        disabled=False,
        multiple=False,
        scale=None,
        initial=record.untouched,
    )


def _compare_task_set(catalog: Catalog, record: RunRecord, evidence: _EpisodeEvidence) -> None:
    try:
        found = catalog.set_fingerprint(sorted(evidence.tasks))
    except (KeyError, CatalogError) as error:
        raise DoesNotFit(f"the tasks of the run are not all in {catalog.tasks_dir}: {error}") from error
    if found != record.task_set:
        raise DoesNotFit(
            f"task_set: the files, splits or overlay facts in {catalog.tasks_dir} are not those that the run was made "
            "with; give the right ones with --tasks-dir or --dataset, and --overlay"
        )
