"""What a worker has of its run where it is: beside the run directory, or on another machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from harness.models.accounts import Accounts
from harness.records.directory import RunDirectory
from harness.records.film import Film
from harness.records.lost_attempts import KeptAttempts, LostAttemptFiles, LostAttempts
from harness.run.episode_sink import EpisodeFiles
from harness.run.label_process import RemoteLabelStore
from harness.run.label_store import LabelStore
from harness.run.remote_accounts import RemoteAccounts
from harness.run.rpc import RpcClient, RpcSocket


@dataclass(frozen=True)
class WorkerFiles:
    """What a worker has.

    Attributes:
        store: Tells it of pages.
        files: Takes what an episode is going to name.
        lost: Takes what came to nothing; can be sent to another process of the machine.
        accounts: What calls of models share; None if that is in the run directory.
    """

    store: LabelStore
    files: EpisodeFiles
    lost: LostAttemptFiles
    accounts: Accounts | None = None


def place_beside(folder: Path, store: LabelStore) -> WorkerFiles:
    """The place of a worker on the machine of the run directory, which it writes itself."""
    return WorkerFiles(store, RunDirectory(folder), KeptAttempts(folder))


def remote_place(run: RpcSocket) -> WorkerFiles:
    """The place of a worker on another machine, which asks for everything.

    Its solver has a client of its own: it may be broken off in the midst of a question.
    """
    client = RpcClient(run.connect)
    files, accounts = RemoteFiles(client), RemoteAccounts(RpcClient(run.connect).ask)
    return WorkerFiles(RemoteLabelStore(client), files, RemoteAttempts(run), accounts)


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
