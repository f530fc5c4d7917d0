"""The process of a run on a node of a cluster: the node's browsers and their task server, one episode after another."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Literal, cast

from harness.browser.reaper import BrowserReaper
from harness.browser.sandbox import Sandbox
from harness.kit.files.writing import write_bytes
from harness.models.accounts import NAP, SharedLedger, SharedReplies
from harness.records.config import RunConfig
from harness.records.film import Film
from harness.records.lost_attempts import LostAttempts
from harness.run.browsers import browser_settings, sessions
from harness.run.engine import Played, patience_of
from harness.run.forked import portable
from harness.run.interrupts import Interrupts, ignore_in_worker
from harness.run.label_process import RemoteLabelStore
from harness.run.memory import give_back_early
from harness.run.page_job import PageJob
from harness.run.pause import NotNow
from harness.run.player import Player, WorkerFiles, warm_up
from harness.run.pool import TICK_SECONDS, Pool, PoolListener
from harness.run.rpc import Ask, Remote, RpcClient, RpcSocket
from harness.run.server import own_server


@dataclass(frozen=True)
class RemoteAccounts:
    """See ``harness.models.accounts.Accounts``; ``harness.run.run_service`` answers.

    Attributes:
        ask: Asks.
        sleep: Waits so many seconds.
    """

    ask: Ask
    sleep: Callable[[float], None] = time.sleep

    def ledger(self) -> SharedLedger:
        """See ``Accounts``."""
        return cast(SharedLedger, Remote(self.ask, "ledger"))

    def replies(self, asked: str) -> SharedReplies:
        """See ``Accounts``."""
        return cast(SharedReplies, Remote(self.ask, "replies", asked))

    def places(self, count: int) -> RemotePlaces:
        """See ``Accounts``."""
        return RemotePlaces(self.ask, count, self.sleep)


@dataclass(frozen=True)
class RemotePlaces:
    """The places for calls of a run, of which a worker has one at most."""

    ask: Ask
    count: int
    sleep: Callable[[float], None]

    @contextlib.contextmanager
    def hold(self) -> Iterator[None]:
        """See ``harness.models.accounts.Slots``."""
        while not self.ask("places.take", self.count):
            self.sleep(NAP)
        try:
            yield
        finally:
            self.ask("places.leave")


@dataclass(frozen=True)
class RemoteFiles:
    """The files of a run on another machine."""

    client: RpcClient

    def keep(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        """See ``EpisodeFiles``."""
        if images or texts:
            self.client.ask("files.keep", images, texts)

    def write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        """See ``EpisodeFiles``."""
        self.client.ask("files.write_film", task, index, film, pictures)


@dataclass(frozen=True)
class RemoteAttempts:
    """The lost attempts of a run on another machine."""

    run: RpcSocket

    def write(self, task: str, index: int, lost: LostAttempts) -> None:
        """See ``LostAttemptFiles``."""
        RpcClient(self.run.connect).ask("lost.write", task, index, lost)


def remote_place(run: RpcSocket) -> WorkerFiles:
    """The place of a worker on another machine, which asks for everything.

    Its solver has a client of its own: it may be broken off in the midst of a question.
    """
    client = RpcClient(run.connect)
    files, accounts = RemoteFiles(client), RemoteAccounts(RpcClient(run.connect).ask)
    return WorkerFiles(RemoteLabelStore(client), files, RemoteAttempts(run), accounts)


@dataclass(frozen=True)
class NodeOrder:
    """What a node needs of a run; no label is in it.

    Attributes:
        config: What was asked for, with folders as they are on the node.
        prepared: Name and content of what the solver has prepared in the run directory.
        cache: Where the mirror is, as of ``own_server``; None for the node's own.
    """

    config: RunConfig
    prepared: Mapping[str, bytes]
    cache: Path | None = None


@dataclass(frozen=True)
class NodeReport:
    """What became of an episode on a node.

    Attributes:
        kind: ``done``; ``failed`` as often as it may be tried; ``later``, it cannot be done at present; ``fatal``, and
            nothing else can be done here either.
        task: Of the episode.
        index: Of the episode.
        what: What came of it, the reason, or the error.
        said: What the user should know.
        sandboxes: What is seen of the sandbox of each browser that was started meanwhile.
    """

    kind: Literal["done", "failed", "later", "fatal"]
    task: str = ""
    index: int = -1
    what: Any = None
    said: tuple[str, ...] = ()
    sandboxes: tuple[Sandbox, ...] = ()


@dataclass
class _Teller:
    """Sends what the pool says."""

    pipe: Connection
    said: list[str] = field(default_factory=list)
    sandboxes: list[Sandbox] = field(default_factory=list)

    def listener(self) -> PoolListener[PageJob, Played]:
        return PoolListener(
            on_done=lambda job, played: self._report("done", job, played),
            on_failed=lambda job, reason: self._report("failed", job, reason),
            on_say=self.said.append,
            on_browser=self.sandboxes.append,
            on_later=lambda job, why: self._report("later", job, why),
        )

    def fatal(self, error: Exception) -> None:
        self.pipe.send(NodeReport("fatal", what=portable(error)))

    def _report(self, kind: Literal["done", "failed", "later"], job: PageJob, what: Played | str | NotNow) -> None:
        self.pipe.send(NodeReport(kind, job.task, job.index, what, tuple(self.said), tuple(self.sandboxes)))
        self.said.clear()
        self.sandboxes.clear()


def main(descriptor: int, run: int) -> None:
    """The first and last function of the process.

    Args:
        descriptor: Of the pipe to the actor: a ``NodeOrder`` comes first, then jobs with their groups, and None at the
            end. It ends with the pipe, too.
        run: Of the socket at which the actor takes what workers ask the run.
    """
    ignore_in_worker()
    give_back_early()
    pipe = Connection(descriptor)
    teller = _Teller(pipe)
    try:
        _work(pipe, RpcSocket(run), teller)
    except (EOFError, BrokenPipeError):
        return
    except Exception as error:  # noqa: BLE001 - it is raised in the process of the run
        teller.fatal(error)


def _work(pipe: Connection, run: RpcSocket, teller: _Teller) -> None:
    order: NodeOrder = pipe.recv()
    config = order.config
    # Ray kills this process where the run has been killed: what it has written goes all the same.
    with BrowserReaper() as reaper:
        folder = reaper.folder / "run"
        folder.mkdir(0o700)
        for name, data in order.prepared.items():
            write_bytes(folder / name, data)
        warm_up(config, folder)
        with (
            sessions(config.input, config.pages_per_browser) as (make_session, adapt),
            Pool(
                lambda: Player(config, folder, lambda: remote_place(run)),
                teller.listener(),
                workers=config.workers,
                patience=patience_of(config),
                interrupts=Interrupts(),
                make_session=make_session,
            ) as pool,
            own_server(config.tasks_dir, None, network=config.network, media=config.media, cache=order.cache) as origin,
        ):
            pool.open(adapt(browser_settings(config, origin)))
            pipe.send(os.getpid())
            while True:
                pool.step(TICK_SECONDS, pipe)
                while pipe.poll():
                    wanted: tuple[str, PageJob] | None = pipe.recv()
                    if wanted is None:
                        return
                    group, job = wanted
                    pool.put(group, [job])


def on_this_node(config: RunConfig, tasks_dir: Path, media: Path | None) -> RunConfig:
    """A run's configuration with folders as they are here."""
    return replace(config, tasks_dir=tasks_dir, overlay=None, media=media)
