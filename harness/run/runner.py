"""A run: choose instances, let workers play them, and keep everything on disk; or go on where one was cut short."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from harness.browser.box import isolation
from harness.browser.box.program_options import BoxOptions
from harness.browser.sandbox import Sandbox, of_all
from harness.catalog.mirror.outside import Outside
from harness.catalog.problems import Problem
from harness.episode.registry import LeaveOut, find_solver
from harness.kit.files.codec import JsonObject
from harness.kit.options import view
from harness.models.call_options import ModelChoice
from harness.models.cost import Spending
from harness.models.ledger import LEDGER, Ledger, Totals
from harness.models.providers.surroundings import told_of_way
from harness.records.agent_name import asked_model, other_models
from harness.records.config import EngineName, RunConfig
from harness.records.directory import RunDirectory
from harness.records.episode import now
from harness.records.fatal import CannotResume, CannotWrite, FatalError, HopelessRun, NothingToDo, Stop
from harness.records.folder_lock import FolderInUse, FolderLock
from harness.records.lost_attempts import KeptAttempts
from harness.records.planned import PlannedSample
from harness.records.provenance import WorkingCopy, provenance, working_copy
from harness.records.run_record import RunFingerprint, RunRecord, RunStatus, is_asked
from harness.run.asked_run import config_toml
from harness.run.engine import EngineOrder
from harness.run.engines import check_engine, engine_for
from harness.run.episode_totals import EpisodeTotals, WallClock
from harness.run.forked import in_child
from harness.run.interactive_user import check_interactive
from harness.run.interrupts import Interrupts
from harness.run.label_process import LabelProcess, OpenLabels, label_access_for
from harness.run.label_store import PlayedEpisode
from harness.run.memory import give_back_early
from harness.run.page_job import PageJob
from harness.run.pause import OnProviderFailure, Pause, ProviderGivenUp
from harness.run.plan import Plan, PlannedTask, PlanSummary, planned_tasks
from harness.run.pool import PoolListener
from harness.run.preflight import told_beforehand
from harness.run.progress import Progress
from harness.run.reported_spending import ReportedSpending
from harness.run.resuming import budgets_before, raised, refuse_others, run_fingerprint_of
from harness.run.run_result import NOBODY, RunResult, RunWatcher, concluded, results_of
from harness.run.run_tasks import RunTasks, fit_for
from harness.run.selection import setup_of, why_nothing
from harness.run.site_control import new_key
from harness.run.stop_reasons import stop_of
from harness.run.task_kind import task_kind
from harness.scoring.metrics.rouge import load

__all__ = ["CannotResume", "NothingToDo", "Run", "RunResult"]


class Run:
    """One run from configuration to results."""

    def __init__(
        self,
        config: RunConfig,
        folder: Path,
        progress: Progress,
        leave_out: LeaveOut | None = None,
        on_provider_failure: OnProviderFailure = "stop",
        *,
        engine_address: str | None = None,
        before: RunRecord | None = None,
    ) -> None:
        """Prepare a new run, and tell its user what is to be known before it begins.

        Args:
            config: What to do.
            folder: The run directory, which is made.
            progress: Told how it gets on.
            leave_out: Leaves out further instances.
            on_provider_failure: What to do when the solver's model answers nobody any more.
            engine_address: Of the cluster on which it is placed, see ``harness.run.engines.engine_for``.
            before: What ``run.json`` holds, of a run that is gone on with; see ``resume``.

        Raises:
            harness.run.engine.NoEngine: its engine is not installed.
            harness.run.interactive_user.NoInteractiveUser: it is to be attended, and there is no terminal.
            UserError: what it asks cannot be asked, see ``harness.run.preflight.told_beforehand``.
            harness.catalog.problems.CatalogError: tasks folder, overlay, split or task names are wrong.
            harness.episode.registry.UnknownSolver: there is no such solver.
            harness.episode.solver.WrongOptions: it does not take its options.
        """
        self._tasks = RunTasks.of(config)
        self.config = config = fit_for(config, self._tasks.kind)
        check_engine(config)
        check_interactive(config)
        waits = on_provider_failure == "wait"
        for said in told_beforehand(config, again=before is not None, waits=waits):
            progress.note(said)
        self._engine_address = engine_address
        self.directory = RunDirectory(folder)
        self._key = new_key() if task_kind(config.kind).sets_sites else ""
        self._progress = progress
        self._leave_out = leave_out
        self._on_provider_failure = on_provider_failure
        self._ledger = Ledger(folder / LEDGER)
        self._outside = Outside(config.network, config.media)
        self._plan_summary = PlanSummary({}, ())
        self._absent: dict[str, Problem] = {}
        self._sample: list[tuple[str, int, str]] = []
        self._elsewhere: list[tuple[str, int, str]] = []
        self._lock: FolderLock | None = None
        self._fixed_media: dict[str, tuple[str, ...]] = {}
        self._finished: frozenset[tuple[str, int]] = frozenset()
        self._before = before
        self._browser = ""
        self._sandboxes: set[Sandbox] = set()
        self._strangers: set[str] = set()
        self._reported = ReportedSpending()
        self._solver: JsonObject = {}
        self._keyed: bool | None = None
        self._totals = EpisodeTotals(folder)
        self._started = now("seconds")
        self._clock = WallClock()

    @classmethod
    def resume(
        cls,
        folder: Path,
        progress: Progress,
        *,
        workers: int | None = None,
        headed: bool = False,
        require_sandbox: bool = False,
        leave_out: LeaveOut | None = None,
        budgets: Mapping[str, Any] | None = None,
        on_provider_failure: OnProviderFailure = "stop",
        allow: Callable[[RunConfig], None] | None = None,
        engine: EngineName | None = None,
        engine_address: str | None = None,
    ) -> Run:
        """Prepare to go on with a run that was cut short, or that has instances without a score.

        One whose solver never did anything is played anew, all of it.

        Args:
            folder: Its run directory.
            progress: Told how it gets on.
            workers: Browsers at a time; None for as many as before.
            headed: Show the browsers' windows.
            require_sandbox: Start no browser without its sandbox, even if the run before did.
            leave_out: As in the run before.
            budgets: Attributes of ``harness.records.budgets.Budgets`` that are to be others than before. Instances that
                ended at one that is raised are played again.
            on_provider_failure: As for a new run.
            allow: Called with the configuration before anything in it is used: raises what is to be raised if the run
                is not to be gone on with. By default a run that would start a program or load code of somebody's own,
                or reach beyond the mirror, is refused.
            engine: What places its episodes from now on; None for what did before.
            engine_address: As for a new run.

        Raises:
            harness.records.folder_lock.FolderInUse: another process writes the run.
            harness.run.consent.NotAllowed: by default, see ``allow``.
            harness.records.directory.NotARun: there is none that this version reads.
            CannotResume: something that numbers depend on has changed since, or a budget is spent already.
            harness.models.ledger.DamagedLedger: it is not known what the run has spent.
            harness.catalog.problems.CatalogError: the task set is gone or has other splits.
            harness.episode.registry.UnknownSolver: there is no such solver any more.
        """
        from harness.run.consent import refuse_what_acts  # noqa: PLC0415 - new runs do without

        allow = allow or refuse_what_acts
        directory = RunDirectory.open(folder)
        lock = FolderLock(folder)  # before anything is read that another process could change
        try:
            before = directory.read()
            # What the user has chosen now is not the run's choice.
            chosen = replace(before.config, engine=RunConfig.engine) if engine else before.config
            allow(replace(chosen, workers=RunConfig.workers) if workers else chosen)
            config = raised(before, budgets or {}, Ledger(folder / LEDGER).totals())
            require_sandbox = require_sandbox or config.require_sandbox
            config = replace(config, workers=workers or config.workers, headed=headed, require_sandbox=require_sandbox)
            config = replace(config, engine=engine or config.engine)
            run = cls(
                config, folder, progress, leave_out, on_provider_failure, engine_address=engine_address, before=before
            )
            refuse_others(folder, before.foundations, run._foundations())
            finished, last_page = in_child(lambda: directory.finished(run.config))
            run._finished = frozenset() if before.begins_anew else finished
            run._clock = WallClock.after(before, last_page)
            run._sandboxes |= {before.sandbox} if run._finished else set()
            directory.sweep()
        except BaseException:
            lock.release()
            raise
        run._lock = lock
        return run

    @cached_property
    def _code(self) -> WorkingCopy | None:
        return working_copy()

    def _foundations(self) -> RunFingerprint:
        return run_fingerprint_of(self._tasks, self._outside)

    @property
    def problems(self) -> tuple[Problem, ...]:
        """Everything found wrong with the tasks so far."""
        return (*(self._plan_summary.problems or self._tasks.problems), *self._absent.values())

    def execute(self, watcher: RunWatcher = NOBODY) -> RunResult:
        """Do it. Ctrl-C or SIGTERM ends it after the episodes under way, with a valid run directory.

        The run directory is locked until the end (``harness.records.folder_lock``). A watcher is told what is there.

        Raises:
            harness.records.folder_lock.FolderInUse: another process writes the run directory, or has written one.
            NothingToDo: no chosen task has labelled instances.
            harness.run.server.ServerRefused: the task server cannot be started or used.
            harness.run.site_control.SiteControlRefused: bundled websites cannot be asked for.
            harness.browser.launch.NoBrowser: no browser can be started.
            harness.episode.registry.UnknownSolver: the solver cannot be made.
            harness.records.directory.CannotWrite: the run directory cannot be written (any more); it can be resumed.
            harness.records.fatal.FatalError: nothing further can be played; why stands in ``run.json``, if anything
                was.
        """
        self._watcher = watcher
        with self._lock or FolderLock(self.directory.folder):
            if not self._before and (reason := self.directory.refusal()):
                raise FolderInUse(f"{reason}; give another --out")
            return self._execute()

    def _execute(self) -> RunResult:
        status: RunStatus = "complete"
        stopped: Stop | None = None
        give_back_early()  # and in the workers, which are forked from here
        load()
        try:
            with self._clock, Interrupts() as interrupts:
                self._play(interrupts)
            if self.config.judge:
                from harness.run.judging import judge_run, left_over  # noqa: PLC0415 - runs that nobody judges do without

                left = left_over(self.config, self._ledger.totals())
                judge_run(self.directory, self.config.judge, left, self._progress.note)
        except KeyboardInterrupt:
            status, stopped = "interrupted", stop_of(KeyboardInterrupt())
            self.directory.sweep()
        except BaseException as error:
            with contextlib.suppress(CannotWrite, OSError):
                self.directory.sweep()
                # Where nothing was done or paid there is no run, and its folder can be used again.
                lasting = isinstance(error, FatalError) and error.lasting
                may_go_on = isinstance(error, ProviderGivenUp) and not lasting
                if may_go_on or self._before or self.directory.has_episodes() or self._ledger.totals().calls:
                    self._write("failed" if lasting else "interrupted", stop_of(error), ended=True)
                else:
                    self.directory.discard()
            raise
        record = self._write(status, stopped, ended=True)
        told = self._totals
        return RunResult(self.directory, record, told.endings, told.found(), told.unjudged)

    # ---- from instances to episodes -------------------------------------------------------------------------

    def _play(self, interrupts: Interrupts) -> None:
        config = self.config
        found, setup = find_solver(config.solver), setup_of(config, self.directory.folder, self._tasks.names)
        # Its demonstrations have labels that this process, from which workers are forked, is not to have seen.
        self._solver = in_child(lambda: found.prepare(setup)) if found.prepares else {}
        self._keyed = found.keyed
        way = told_of_way(view(ModelChoice, config.options).base_url, self._solver.get("proxy"))
        for said in (*way, *self._solver.get("told", ())):
            self._progress.note(said)
        labels = label_access_for(config, setup.folder, self._planned, self._key, begins=not self._finished)
        with labels, engine_for(self._order(labels, interrupts), self._engine_address) as engine:
            self._absent = engine.absent()
            engine.open()
            if self._before and self._before.begins_anew:
                self.directory.forget_episodes()
            self._write("running")
            self.directory.write_config(config_toml(config, found.options))
            if said := isolation.warning(view(BoxOptions, config.options).isolate):
                self._progress.note(said)
            self._progress.start(config.solver, None, len(self._finished), self._spending)
            try:
                for task, jobs in self._chosen(labels.plan()):
                    engine.put(task, jobs)
                if not self._sample:
                    why = why_nothing(self._plan_summary.left_out, config, len(self._elsewhere))
                    raise NothingToDo(why, self.problems)
                self._progress.expect(len(self._sample))
                self._check_sample()
                self.directory.write_sample(PlannedSample.of(self._sample, self._elsewhere))
                self._write("running")
                self._watcher.planned(self._finished)
                engine.finish()
            finally:
                self._progress.finish()

    def _order(self, labels: LabelProcess | OpenLabels, interrupts: Interrupts) -> EngineOrder:
        return EngineOrder(
            config=self.config,
            folder=self.directory.folder,
            tasks=self._tasks,
            labels=labels,
            listener=PoolListener(
                partial(self._done, labels),
                self._failed,
                self._progress.note,
                self._progress.interrupted,
                self._sandboxes.add,
            ),
            interrupts=interrupts,
            pause=Pause(self._on_provider_failure),
            control_key=self._key,
        )

    def _planned(self) -> Plan:
        return planned_tasks(self.config, self.directory.folder, self._tasks.names, self._leave_out)

    def _chosen(self, plan: Plan) -> Iterator[tuple[PlannedTask, list[PageJob]]]:
        """Take down what is planned; gives the instances that are still to be played."""
        advised, told, dropped = False, set[str](), 0
        for task, summary in plan:
            dropped += task is not None and task.name in self._absent
            self._plan_summary = summary.without(dropped, tuple(self._absent.values()))
            if task and task.name not in self._absent:
                self._sample += [(job.task, job.index, job.id) for job in task.jobs]
                self._elsewhere += [(job.task, job.index, job.id) for job in task.elsewhere]
                if task.advice and not advised:
                    advised = True
                    self._progress.note(task.advice)
                if task.reach and task.reach not in told:
                    told.add(task.reach)
                    self._progress.note(task.reach)
                self._fixed_media |= {task.name: task.fixed_media} if task.fixed_media else {}
                yield task, [self._as_left(job) for job in task.jobs if (job.task, job.index) not in self._finished]

    def _as_left(self, job: PageJob) -> PageJob:
        """A job as the run before left it: an attempt that was lost then counts."""
        return replace(job, lost=KeptAttempts(self.directory.folder).read(job.task, job.index)) if self._before else job

    def _check_sample(self) -> None:
        before = self._before
        if before and before.planned_episodes is not None and before.sample != self._sample_hash():
            raise CannotResume(f"{self.directory.folder} cannot be resumed: other instances are chosen now than before")

    def _done(self, labels: LabelProcess | OpenLabels, job: PageJob, done: tuple[PlayedEpisode | None, str]) -> None:
        told, self._browser = done
        played = told or labels.result(job)
        self._reported.add(played.report)
        self._watcher.ended(job.task, job.index)
        earned = played.replied or not is_asked(self.config.solver, keyed=bool(self._keyed))
        self._progress.advance(played.outcome, played.score, earned=earned)
        asked = asked_model(self.config.options)
        for name in (name for name in other_models(asked, played.served) if name not in self._strangers):
            self._strangers.add(name)
            self._progress.note(f"{asked} was asked for, and {name} answers")
        if played.stop:
            raise HopelessRun(played.stop)

    def _failed(self, job: PageJob, reason: str) -> None:
        self.directory.add(job.failed(reason), {})
        self._watcher.ended(job.task, job.index)
        self._progress.advance("harness_error", None)

    # ---- run.json -------------------------------------------------------------------------------------------

    def _write(self, status: RunStatus, stopped: Stop | None = None, *, ended: bool = False) -> RunRecord:
        """Write ``run.json``; at the end with the results, for which all episodes are read again."""
        self._totals = totals = EpisodeTotals(self.directory.folder)
        results, digest = None, ""
        if ended and self.directory.has_episodes():
            results = results_of(self.directory, self.config.metrics, totals)
            digest = self.directory.check_records().digest
        names = sorted({task for task, _, _ in (*self._sample, *self._elsewhere)})
        before = self._before
        record = RunRecord(
            status=status,
            started=before.started if before else self._started,
            resumed=(*before.resumed, self._started) if before else (),
            ended=now("seconds") if ended else None,
            stopped=stopped,
            config=self.config,
            provenance=provenance(self._browser or (before.provenance.browser if before else ""), self._code),
            sandbox=of_all(self._sandboxes),
            solver=self._solver or (before.solver if before else {}),
            isolation=view(BoxOptions, self.config.options).isolate,
            keyed=before.keyed if before and self._keyed is None else self._keyed,
            foundations=self._foundations(),
            task_set=self._tasks.task_set(names),
            protocol=task_kind(self._tasks.kind).protocol + (", attended" if self.config.attended else ""),
            sample=self._sample_hash(),
            planned_episodes=len(self._sample) or None,
            left_out=dict(sorted(self._plan_summary.left_out.items())),
            problems=tuple(str(problem) for problem in self._plan_summary.unusable),
            identical_tasks=tuple(group for group in self._tasks.identical if set(group) & set(names)),
            results=results,
            spent=self._spent(),
            judge_spent=self._judge_spent(),
            budgets_before=budgets_before(before, self.config, self._started) if before else (),
            episodes_digest=digest,
            **totals.in_record(self.config.network, self._fixed_media, self._clock.seconds),
        )
        record = concluded(record, totals)
        self.directory.write(record)
        return record

    def _judge_spent(self) -> Totals | None:
        if not self.config.judge:
            return None
        from harness.analysis.judged_run import judge_spent  # noqa: PLC0415 - runs that nobody judges do without

        return judge_spent(self.directory.folder)

    def _spent(self) -> Totals | None:
        return totals if (totals := self._ledger.totals()) != Totals() else None

    def _spending(self) -> Spending | ReportedSpending | None:
        if totals := self._spent():
            return Spending.of(totals, self.config.options)
        return self._reported if self._reported.totals.episodes else None

    def _sample_hash(self) -> str:
        return PlannedSample.of(self._sample).fingerprint()
