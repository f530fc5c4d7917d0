"""The run directory: JSON and pictures only, readable without the code that wrote it (docs/run-directory.md).

run.json                       configuration, provenance, results
episodes/<task>/<index>.json   one file an episode; its existence says that the instance is done
images/<sha256>.png            pictures by content, shared between steps
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from harness.episode import SCHEMA, Episode
from harness.files import write_bytes, write_json
from harness.names import path_name

RUN_FILE = "run.json"
NEEDED = (
    "status",
    "config",
    "comparability_id",
    "task_set",
    "inventory",
    "protocol",
    "sample",
    "planned_episodes",
    "left_out",
    "identical_tasks",
)
"""What a reader of ``run.json`` may rely on, beside ``schema`` and ``results``."""


class NotARun(Exception):
    """A folder is no run directory, or one of another schema version."""


class RunDirectory:
    """One run on disk.

    Attributes:
        folder: Where it is.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @classmethod
    def open(cls, folder: Path) -> RunDirectory:
        """An existing run.

        Raises:
            NotARun: the folder holds none that this version reads.
        """
        run = cls(folder)
        record = run.read()
        if record.get("schema") != SCHEMA:
            raise NotARun(
                f"{folder} has schema version {record.get('schema')}; this version of the harness reads {SCHEMA}"
            )
        if missing := [key for key in NEEDED if key not in record]:
            raise NotARun(f"{folder / RUN_FILE} lacks {', '.join(missing)}")
        return run

    def read(self) -> dict[str, Any]:
        """The content of ``run.json``.

        Raises:
            NotARun: it is missing or unreadable.
        """
        try:
            record = json.loads((self.folder / RUN_FILE).read_text(encoding="utf-8"))
        except FileNotFoundError as error:
            raise NotARun(f"{self.folder} is no run directory: it has no {RUN_FILE}") from error
        except (OSError, ValueError) as error:
            raise NotARun(f"{self.folder / RUN_FILE} cannot be read: {error}") from error
        if not isinstance(record, dict):
            raise NotARun(f"{self.folder / RUN_FILE} holds no object")
        return record

    def write(self, record: Mapping[str, Any]) -> None:
        """Replace ``run.json``, whole."""
        write_json(self.folder / RUN_FILE, {"schema": SCHEMA, **record})

    def discard(self) -> None:
        """Take back ``run.json`` of a run that came to nothing, and the folder if it is empty then."""
        (self.folder / RUN_FILE).unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            self.folder.rmdir()

    def refusal(self) -> str | None:
        """Why no new run can be written here; None if one can."""
        if (self.folder / RUN_FILE).exists():
            return f"{self.folder} already holds a run"
        if self.folder.exists() and not self.folder.is_dir():
            return f"{self.folder} is not a folder"
        if self.folder.is_dir() and any(self.folder.iterdir()):
            return f"{self.folder} is not empty"
        return None

    def add(self, episode: Episode, images: Mapping[str, bytes]) -> None:
        """Write an episode and its pictures; the pictures first, so that the episode names none that is missing."""
        for name, data in images.items():
            file = self.folder / "images" / f"{name}.png"
            if not file.exists():
                write_bytes(file, data)
        write_json(self.episode_file(episode.task, episode.index), episode.to_json())

    def episode_file(self, task: str, index: int) -> Path:
        """Where the episode of an instance stands."""
        return self.folder / "episodes" / path_name(task) / f"{index}.json"

    def episodes(self) -> Iterator[Episode]:
        """All episodes, by task folder and index.

        Raises:
            NotARun: one of them cannot be read; names the file.
        """
        files = list((self.folder / "episodes").glob("*/*.json"))
        if stray := [file for file in files if not file.stem.isdecimal()]:
            raise NotARun(f"{stray[0]} is no episode: it is not named by a number")
        for file in sorted(files, key=lambda file: (file.parent.name, int(file.stem))):
            try:
                yield Episode.from_json(json.loads(file.read_text(encoding="utf-8")))
            except KeyError as error:
                raise NotARun(f"{file} cannot be read: it lacks {error}") from error
            except (OSError, ValueError, TypeError, AttributeError) as error:
                raise NotARun(f"{file} cannot be read: {error}") from error
