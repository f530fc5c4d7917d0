"""The process of a run that knows the labels, so that those in which solvers run need not.

What a process has once read can be found in its memory, and in that of all processes that are forked from it, even when
it was freed long ago. So no table of labels, and no episode, is read in the process that forks the workers. The label
process is forked first; it chooses the instances, tells workers what is needed for a page, and scores and writes the
result. Workers never learn a score. For those on other machines the run's own process asks
(``harness.run.run_service``).
"""

from __future__ import annotations

import os
import selectors
import socket
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from types import TracebackType
from typing import Any, cast

from harness.episode.assignment import KeyedWorkItem, WorkItem
from harness.episode.play import PlayedPage
from harness.episode.registry import find_solver
from harness.records.config import RunConfig
from harness.records.run_record import is_asked
from harness.run.forked import PROCESSES, live_with
from harness.run.label_store import LocalLabelStore, PlayedEpisode
from harness.run.memory import give_back
from harness.run.page_job import PageJob
from harness.run.plan import Plan
from harness.run.rpc import Question, RpcClient, RpcSocket, accepted
from harness.run.stop_reasons import FailingPages

_STOP_SECONDS = 20.0


class LabelProcess:
    """A context: the label process of a run, seen from the process that forks the workers."""

    def __init__(
        self,
        make_store: Callable[[], LocalLabelStore],
        plan: Callable[[], Plan],
        *,
        keyed: bool = False,
        streak: FailingPages | None = None,
    ) -> None:
        """Prepare.

        Args:
            make_store: Gives what scores and writes; called in the label process.
            plan: Chooses the instances, see ``harness.run.plan.planned_tasks``; called in the label process.
            keyed: Whether workers may be told labels: their solver is handed them.
            streak: Tells whether the run is hopeless; None where nobody asks.
        """
        self._make_store = make_store
        self._plan = plan
        self._keyed = keyed
        self._streak = streak

    def __enter__(self) -> LabelProcess:
        ours, theirs = PROCESSES.Pipe()
        door, self._door = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
        parent = os.getpid()

        def keep() -> None:
            ours.close()
            self._door.close()
            live_with(parent)
            _LabelServer(theirs, door, self._make_store, self._plan, keyed=self._keyed, streak=self._streak).run()

        self._process = PROCESSES.Process(target=keep)
        self._process.start()
        theirs.close()
        door.close()
        self._client = RpcClient(lambda: ours)
        self._own_pipe = ours
        return self

    def plan(self) -> Plan:
        """The chosen instances, as the plan gives them.

        Raises:
            LabelProcessGone: its process has ended.
            Exception: as the plan.
        """
        more = True
        while more:
            planned, summary = self._client.ask("next_task")
            more = planned is not None
            yield planned, summary

    def result(self, job: PageJob) -> PlayedEpisode:
        """What came of an episode that a worker has handed in; it is told once."""
        played: PlayedEpisode = self._client.ask("result", job)
        return played

    def open_store(self) -> RemoteLabelStore:
        """The label store of a worker, in its process."""
        self._own_pipe.close()  # the end of it that came along with the fork
        return self.store()

    def store(self) -> RemoteLabelStore:
        """A label store for one worker, or for all of other machines."""
        return RemoteLabelStore(RpcClient(RpcSocket(self._door.fileno()).connect))

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._own_pipe.close()
        self._door.close()
        self._process.join(_STOP_SECONDS)
        self._process.kill()
        self._process.join()


class OpenLabels:
    """In place of a label process, for a run in which every process may know the labels."""

    def __init__(self, make_store: Callable[[], LocalLabelStore], plan: Callable[[], Plan]) -> None:
        """As ``LabelProcess``; all is called in this process and in those of the workers."""
        self.open_store = make_store
        self._plan = plan

    def __enter__(self) -> OpenLabels:
        return self

    def plan(self) -> Plan:
        """See ``LabelProcess``."""
        yield from self._plan()
        give_back()  # what the tables took, of which this process needs none any more

    def result(self, job: PageJob) -> PlayedEpisode:
        """See ``LabelProcess``; never asked, since workers know it."""
        raise LookupError(f"nothing was handed in of {job.task}, {job.index}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Nothing is to be ended."""


class RemoteLabelStore:
    """A label store that asks the label process; it has labels only where that tells them (see ``LabelStore``)."""

    def __init__(self, client: RpcClient) -> None:
        self._client = client

    def work_item(self, job: PageJob, origin: str) -> WorkItem | None:
        """See ``LabelStore``."""
        work_item: WorkItem | None = self._client.ask("labels.work_item", job, origin)
        return work_item

    def learn(self, job: PageJob, origin: str, reference: Any) -> tuple[WorkItem, str]:
        """See ``LabelStore``."""
        learned: tuple[WorkItem, str] = self._client.ask("labels.learn", job, origin, reference)
        return learned

    def keep(self, job: PageJob, played: PlayedPage) -> None:
        """See ``LabelStore``; what it is worth is told to the parent alone."""
        self._client.ask("labels.keep", job, played)

    def close(self) -> None:
        """Nobody asks here any more."""
        self._client.close()


class _LabelServer:
    """The label process's side."""

    def __init__(
        self,
        parent: Connection,
        door: socket.socket,
        make_store: Callable[[], LocalLabelStore],
        plan: Callable[[], Plan],
        *,
        keyed: bool,
        streak: FailingPages | None,
    ) -> None:
        self._parent = parent
        self._door = door
        self._make_store = make_store
        self._planned = plan()
        self._keyed = keyed
        self._streak = streak
        self._store: LocalLabelStore | None = None
        self._present: dict[tuple[str, int], KeyedWorkItem | None] = {}
        """For each page that is worked on, what is to be done there."""
        self._results: dict[tuple[str, int], PlayedEpisode] = {}

    def run(self) -> None:
        """Answer until the parent is gone."""
        with selectors.DefaultSelector() as asked:
            asked.register(self._parent, selectors.EVENT_READ)
            asked.register(self._door, selectors.EVENT_READ)
            while True:
                for pipe in [cast(Any, key.fileobj) for key, _ in asked.select()]:
                    if pipe is self._door:
                        for each in accepted(self._door):
                            asked.register(each, selectors.EVENT_READ)
                    elif not self._answer(pipe):
                        asked.unregister(pipe)
                        pipe.close()
                        if pipe is self._parent:
                            return

    def _answer(self, pipe: Any) -> bool:
        """Answer a question; False if who asked is gone."""
        try:
            question: Question = pipe.recv()
            pipe.send(question.answered(self._of_parent if pipe is self._parent else self._of_worker))
        except (EOFError, OSError):
            return False
        return True

    def _of_parent(self, name: str, *jobs: PageJob) -> Any:
        if name == "result":
            (job,) = jobs
            return self._results.pop((job.task, job.index))
        planned = next(self._planned)
        if planned[0] is None:
            give_back()  # what the tables took
        return planned

    def _of_worker(self, name: str, job: PageJob, *arguments: Any) -> Any:
        self._store = store = self._store or self._make_store()
        page = job.task, job.index
        if name == "labels.work_item":
            self._present[page] = present = store.work_item(job, *arguments)
            if self._streak:
                self._streak.begin(job)
            return present and self._told(present)
        if name == "labels.learn":
            learned, words = store.learn(job, *arguments)
            self._present[page] = learned
            return self._told(learned), words
        if name != "labels.keep":
            raise LookupError(f"nobody answers {name!r}")
        (played,) = arguments
        told = store.write(job, self._present.pop(page), played)
        stop = self._streak.end(job, played, told) if self._streak else None
        self._results[page] = replace(told, stop=stop)
        return None

    def _told(self, present: KeyedWorkItem) -> Any:
        return present if self._keyed else present.work_item


NODES = 8
"""For so many nodes of a cluster the label process has the tables in memory that their workers are at."""


def label_access_for(
    config: RunConfig,
    folder: Path,
    plan: Callable[[], Plan],
    control_key: str,
    *,
    begins: bool,
) -> LabelProcess | OpenLabels:
    """The label process of a run.

    Args:
        config: Of the run.
        folder: The run directory.
        plan: Chooses the instances.
        control_key: Of the run's task server.
        begins: Whether nothing was played before: the run is given up if its solver cannot do the work at all.
    """
    found, is_local = find_solver(config.solver), config.engine == "local"
    keyed = found.needs_labels
    store = partial(LocalLabelStore, config, folder, control_key=control_key)
    if keyed and is_local:
        return OpenLabels(store, plan)
    tables = config.workers if is_local else NODES * config.workers
    streak = FailingPages(config.options) if begins and is_asked(config.solver, keyed=found.keyed) else None
    return LabelProcess(partial(store, tables=tables), plan, keyed=keyed, streak=streak)
