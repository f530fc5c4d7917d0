"""What a worker has of its run where it is; on another machine see ``harness.run.remote_worker``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from harness.records.directory import RunDirectory
from harness.records.lost_attempts import KeptAttempts, LostAttemptFiles
from harness.records.under_way import UnderWayFile
from harness.run.label_store import LabelStore
from harness.run.page_job import EpisodeFiles

if TYPE_CHECKING:
    from harness.models.accounts import Accounts


@dataclass(frozen=True)
class WorkerFiles:
    """What a worker has.

    Attributes:
        store: Tells it of pages.
        files: Takes what an episode is going to name.
        lost: Takes what came to nothing; can be sent to another process of the machine.
        accounts: What calls of models share; None if that is in the run directory.
        under_way: Keeps what people who look on are told; None where the run directory is on another machine.
    """

    store: LabelStore
    files: EpisodeFiles
    lost: LostAttemptFiles
    accounts: Accounts | None = None
    under_way: UnderWayFile | None = None


def place_beside(folder: Path, store: LabelStore) -> WorkerFiles:
    """The place of a worker on the machine of the run directory, which it writes itself."""
    return WorkerFiles(store, RunDirectory(folder), KeptAttempts(folder), under_way=UnderWayFile(folder))
