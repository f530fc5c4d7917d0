"""What a worker on another machine may ask of its run: a fixed list of questions, answered in the run's process."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.models.accounts import DiskAccounts
from harness.models.ledger import Ledger
from harness.records.directory import RunDirectory
from harness.records.film import Film
from harness.records.lost_attempts import KeptAttempts
from harness.run.label_process import RemoteLabelStore

_BY_CONTENT = re.compile(r"[0-9a-f]{64}(\.\w+)?")
"""The names of files that are named by their content."""


class RunService:
    """Answers one worker."""

    def __init__(self, folder: Path, cache: Path | None, store: RemoteLabelStore, ledger: Ledger) -> None:
        """Prepare.

        Args:
            folder: The run directory.
            cache: Where replies of models are kept; None for the run directory.
            store: Of all workers of other machines: a pipe for each would soon be more than a process may have.
            ledger: Of all of them: every ledger reads each line that others have written.
        """
        self._directory = RunDirectory(folder)
        self._accounts = DiskAccounts(folder, cache)
        self._place: int | None = None
        replies = self._accounts.replies
        self._answers: dict[str, Callable[..., Any]] = {
            "labels.work_item": store.work_item,
            "labels.learn": store.learn,
            "labels.keep": store.keep,
            "files.keep": self._keep_files,
            "files.write_film": self._write_film,
            "lost.write": KeptAttempts(folder).write,
            "ledger.claim": ledger.claim,
            "ledger.pay": ledger.pay,
            "ledger.free": ledger.free,
            "ledger.note_cached": ledger.note_cached,
            "ledger.totals": ledger.totals,
            "replies.get": lambda asked, request: replies(asked).get(request),
            "replies.put": lambda asked, request, reply: replies(asked).put(request, reply),
            "places.take": self._take_place,
            "places.leave": self._leave_place,
        }

    def answer(self, name: str, *arguments: Any, **more: Any) -> Any:
        """Answer one question.

        Raises:
            LookupError: there is no such question.
            harness.records.fatal.CannotWrite: the run directory cannot be written.
            Exception: what store and files raise.
        """
        if name not in self._answers:
            raise LookupError(f"nobody answers {name!r}")
        return self._answers[name](*arguments, **more)

    def close(self) -> None:
        """The worker is gone."""
        self._leave_place()

    def _keep_files(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        _check((*images, *texts))
        self._directory.keep(images, texts)

    def _write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        _check(pictures)
        self._directory.write_film(task, index, film, pictures)

    def _take_place(self, count: int) -> bool:
        if self._place is None:
            self._place = self._accounts.places(count).take_if_free()
        return self._place is not None

    def _leave_place(self) -> None:
        place, self._place = self._place, None
        if place is not None:
            os.close(place)


def _check(names: Iterable[str]) -> None:
    """Let a worker name no file but by its content; raises ``ValueError``."""
    if strange := next((name for name in names if not _BY_CONTENT.fullmatch(name)), None):
        raise ValueError(f"{strange!r} is no name of a file by its content")
