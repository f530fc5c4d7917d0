"""What workers on other machines ask of a run's files, answered beside them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from harness.models.accounts import DiskAccounts
from harness.models.asked_accounts import AccountsClerk
from harness.runlog.directory import RunDirectory
from harness.runlog.film import Film
from harness.runlog.lost_attempts import KeptAttempts

_BY_CONTENT = re.compile(r"[0-9a-f]{64}(\.\w+)?")
"""The names of files that are named by their content."""


class RunClerk:
    """Answers one worker."""

    def __init__(self, folder: Path, cache: Path | None) -> None:
        """Prepare.

        Args:
            folder: The run directory.
            cache: Where replies of models are kept; None for the run directory.
        """
        self._directory = RunDirectory(folder)
        self._accounts = AccountsClerk(DiskAccounts(folder, cache))
        self._answers: dict[str, Callable[..., Any]] = {
            "hello": lambda: None,
            "keep_files": self._keep_files,
            "write_film": self._write_film,
            "write_lost": KeptAttempts(folder).write,
        }

    def answer(self, what: str, *arguments: Any) -> Any:
        """Answer one question.

        Raises:
            LookupError: there is no such question.
            harness.runlog.fatal.CannotWrite: the run directory cannot be written.
            Exception: what the files raise.
        """
        if what in self._answers:
            return self._answers[what](*arguments)
        return self._accounts.answer(what, *arguments)

    def close(self) -> None:
        """The worker is gone."""
        self._accounts.close()

    def _keep_files(self, images: Mapping[str, bytes], texts: Mapping[str, str]) -> None:
        _check((*images, *texts))
        self._directory.keep(images, texts)

    def _write_film(self, task: str, index: int, film: Film | None, pictures: Mapping[str, bytes]) -> None:
        _check(pictures)
        self._directory.write_film(task, index, film, pictures)


def _check(names: Iterable[str]) -> None:
    """Let a worker name no file but by its content; raises ``ValueError``."""
    if strange := next((name for name in names if not _BY_CONTENT.fullmatch(name)), None):
        raise ValueError(f"{strange!r} is no name of a file by its content")
