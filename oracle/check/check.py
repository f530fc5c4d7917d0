"""One check: an oracle run over the instances that need one, judged and put together with what is known already.

A check's folder holds the run in ``run/``, the report, and in ``before/`` the report that it builds upon, if any.
"""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from harness.catalog import Catalog
from harness.catalog.mirror import Mirror
from harness.catalog.problems import MalformedTask, Problem
from harness.catalog.task import Instance, Task
from harness.kit.errors import UserError
from harness.kit.files.installation import OURS, PACKAGES, code_in, to_type
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from harness.records.fatal import NothingToDo
from harness.records.folder_lock import FolderLock
from harness.records.provenance import fingerprint_of
from harness.run.consent import refuse_what_acts
from harness.run.progress import Progress
from harness.run.run_result import RunResult
from harness.run.runner import Run
from oracle.check import validity_page
from oracle.check.finding import Verdict, judge
from oracle.check.mistakes.mistake import Mistake, merged
from oracle.check.mistakes.submissions import refusal_mistakes, sent_by_themselves
from oracle.check.mistakes.survey import survey
from oracle.check.validity_report import REPORT_FILE, About, TaskReport, ValidityReport

# Overlays count as facts of their tasks, and listed assets by the files that the mirror serves.
_SUFFIXES = frozenset({".py", ".js"})


class InstanceKeys:
    """Makes the keys of instances under one configuration."""

    def __init__(self, catalog: Catalog, config: RunConfig) -> None:
        self._catalog = catalog
        media = str(config.media.resolve()) if config.media else None
        given = [config.metrics, config.network, media, config.live_clock, config.limits.max_steps]
        self._common = [*given, Mirror.load().fingerprint(), code_hash()]
        self._tasks: dict[str, str] = {}

    def of(self, task: str, index: int, id_: str) -> str:
        """A hash of the task's files and facts, the instance, the configuration, the mirror and the code.

        Args:
            task: The task's name.
            index: The instance's place in its file.
            id_: The instance's id.
        """
        if task not in self._tasks:
            self._tasks[task] = self._catalog.fingerprint(task)
        return fingerprint_of([self._common, self._tasks[task], index, id_])[:16]


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A hash of all code that a verdict depends on."""
    digest = hashlib.sha256()
    for folder in OURS:
        for file in sorted((PACKAGES / folder).rglob("*")):
            if file.suffix in _SUFFIXES and file.is_file():
                digest.update(str(file.relative_to(PACKAGES)).encode())
                digest.update(code_in(file))
    return digest.hexdigest()


RUN, BEFORE = "run", "before"
SOLVER = "oracle"

COVERED = "instances that another report covers"


class CheckRefused(UserError):
    """A check cannot be done as asked; the message says why and what to do."""


class Check:
    """One check of a task set.

    Attributes:
        folder: Where everything of it is kept.
        problems: What is wrong with tasks.
    """

    def __init__(self, config: RunConfig, folder: Path, changed: Path | None = None) -> None:
        """Prepare a new check.

        Args:
            config: Which tasks and instances; its solver is the oracle.
            folder: Where to keep it; must be new or empty.
            changed: The folder of a finished check, whose verdicts are taken for instances that have not changed.

        Raises:
            CheckRefused: the folder is in use.
            oracle.check.validity_report.NoReport: ``changed`` holds no report.
            harness.catalog.problems.CatalogError: tasks folder, overlay, split or task names are wrong.
        """
        if refusal := RunDirectory(folder).refusal():
            raise CheckRefused(f"{refusal}; give another --out, or --resume it")
        before = ValidityReport.read(changed) if changed else None
        self.folder = folder
        self._set(config, before, resumes=False)
        self._changed = changed
        self._allow: Callable[[RunConfig], None] = refuse_what_acts

    @classmethod
    def resume(
        cls,
        folder: Path,
        allow: Callable[[RunConfig], None] = refuse_what_acts,
        *,
        require_sandbox: bool = False,
    ) -> Check:
        """Prepare to go on with a check that was cut short.

        Args:
            folder: Of the check.
            allow: As for ``harness.run.runner.Run.resume``.
            require_sandbox: Start no browser without its sandbox, even if the check before did.

        Raises:
            CheckRefused: its run did not begin, or is not the oracle's.
            harness.run.consent.NotAllowed: by default, see ``allow``.
            harness.records.directory.NotARun: there is none that this version reads.
            oracle.check.validity_report.NoReport: the report that it builds upon cannot be read.
        """
        if not (folder / RUN).is_dir():
            raise CheckRefused(f"{folder} holds no check that was begun: give the folder of a check")
        check = cls.__new__(cls)
        check.folder = folder
        config = RunDirectory(folder / RUN).read().config
        config = replace(config, require_sandbox=require_sandbox or config.require_sandbox)
        if config.solver != SOLVER:
            raise CheckRefused(f"{folder / RUN} is a run of {config.solver!r}, and a check is one of {SOLVER!r}")
        allow(config)
        before = ValidityReport.read(folder / BEFORE) if (folder / BEFORE).is_dir() else None
        check._set(config, before, resumes=True)
        check._changed = None
        check._allow = allow
        return check

    def _set(self, config: RunConfig, before: ValidityReport | None, *, resumes: bool) -> None:
        self.problems: Sequence[Problem] = ()
        self._config = config
        self._before = before
        self._resumes = resumes
        self._known: dict[tuple[str, int], Verdict] = {}
        self._rows: dict[tuple[str, int], tuple[int, ...]] = {}
        self._keys = InstanceKeys(Catalog(config.tasks_dir, config.overlay), config)

    def execute(self, progress: Progress) -> tuple[ValidityReport, str]:
        """Run the oracle where it has to be, and write the report.

        Returns:
            The report, and the status of the run as its ``run.json`` has it; ``complete`` if none was needed.

        Raises:
            CheckRefused: there is nothing to check.
            harness.run.server.ServerRefused: the task server cannot be started or used.
            harness.browser.launch.NoBrowser: no browser can be started.
            harness.records.fatal.CannotResume: the task set has changed since the check began.
            harness.records.folder_lock.FolderInUse: another process writes the folder.
            harness.records.fatal.CannotWrite: the folder cannot be written.
        """
        with FolderLock(self.folder):
            if not self._resumes and (refusal := RunDirectory(self.folder).refusal()):
                raise CheckRefused(f"{refusal}; give another --out")
            return self._execute(progress)

    def _execute(self, progress: Progress) -> tuple[ValidityReport, str]:
        if self._changed:
            (self.folder / BEFORE).mkdir(parents=True, exist_ok=True)
            shutil.copyfile(self._changed / REPORT_FILE, self.folder / BEFORE / REPORT_FILE)
        run = self._run(progress)
        result: RunResult | None = None
        with contextlib.suppress(NothingToDo):
            result = run.execute()
        self.problems = run.problems
        if result is None and not self._known:
            problems = "".join(f"\nproblem: {problem}" for problem in self.problems)
            why = " because of these problems" if problems else ""
            raise CheckRefused(
                f"nothing to check: no chosen task has labelled instances{why}{problems}{_played(run.config)}"
            )
        report = self._report(run, result)
        report.write(self.folder)
        validity_page.write(report, self.folder)
        return report, result.status if result else "complete"

    def _run(self, progress: Progress) -> Run:
        if self._resumes:
            return Run.resume(
                self.folder / RUN,
                progress,
                require_sandbox=self._config.require_sandbox,
                leave_out=self._left_out,
                allow=self._allow,
            )
        return Run(self._config, self.folder / RUN, progress, self._left_out)

    def _left_out(self, _task: Task, instance: Instance) -> str:
        """Why an instance need not be looked at: its verdict is known. Notes what is needed of it later."""
        place = (instance.task, instance.index)
        self._rows[place] = instance.rows
        known = self._before.verdict(*place) if self._before else None
        if known is None or known.key != self._keys.of(*place, instance.id):
            return ""
        self._known[place] = known
        return COVERED

    def _report(self, run: Run, result: RunResult | None) -> ValidityReport:
        catalog = Catalog(run.config.tasks_dir, run.config.overlay)
        tasks: dict[str, TaskReport] = {}

        def add(task: str, index: int, verdict: Verdict) -> None:
            facts = catalog.facts(task)
            if task not in tasks:
                tasks[task] = TaskReport(catalog.split_of(task), facts.content_warning, facts.known_issues)
            tasks[task].instances[index] = verdict.explained_by(facts.unreachable)

        for (task, index), verdict in self._known.items():
            add(task, index, verdict)
        for score in result.scores() if result else ():
            episode = score.episode
            verdict = judge(
                score,
                rows=self._rows[episode.task, episode.index],
                key=self._keys.of(episode.task, episode.index, episode.id),
                media=episode.missing_media,
            )
            add(episode.task, episode.index, verdict)
        looked_at = {name: list(task.instances) for name, task in tasks.items()}
        mistakes = [*_refusals(catalog, tasks), *survey(catalog, run.config, looked_at)]
        sent = [(name, each.rows, each.sent_to) for name, task in tasks.items() for each in task.instances.values()]
        mistakes += merged(sent_by_themselves(each for each in sent if each[2]))
        return ValidityReport(self._about(run, catalog, result), tasks, tuple(mistakes))

    def _about(self, run: Run, catalog: Catalog, result: RunResult | None) -> About:
        chosen = catalog.select(run.config.split, run.config.tasks)
        problems = tuple(str(problem) for problem in self.problems if problem.task in chosen)
        if result is None:
            assert self._before  # noqa: S101 - where there was nothing to do, everything was known
            return replace(self._before.about, taken_over=len(self._known), problems=problems)
        record = result.record
        return About(
            config=record.config,
            provenance=record.provenance,
            started=record.started,
            ended=record.ended,
            status=record.status,
            task_set=record.task_set,
            comparability_id=record.comparability_id,
            problems=problems,
            outside=record.outside,
            left_out={what: number for what, number in record.left_out.items() if what != COVERED},
            taken_over=len(self._known),
        )


def _refusals(catalog: Catalog, tasks: Mapping[str, TaskReport]) -> list[Mistake]:
    """What pages refused of the workers' answers."""
    found = []
    for name, task in sorted(tasks.items()):
        pages = [(verdict.rows, verdict.blocked) for _, verdict in sorted(task.instances.items()) if verdict.fields]
        found += merged(refusal_mistakes(name, pages, catalog.facts(name).unreachable))
    return found


def _played(config: RunConfig) -> str:
    """How the chosen tasks are played without labels, as a line; empty if none of them can be read."""
    catalog = Catalog(config.tasks_dir, config.overlay)
    for name in catalog.select(config.split, config.tasks):
        with contextlib.suppress(MalformedTask):
            catalog.task(name)
            command = to_type("evaluate", "--tasks-dir", config.tasks_dir, "--solver", "do-nothing", "--unlabelled")
            return f"\nPages without labels are played without a score: {command}"
    return ""
