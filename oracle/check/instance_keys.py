"""When does an instance have to be checked again? When anything that its verdict depends on has changed."""

from __future__ import annotations

import hashlib
from functools import lru_cache

from harness.catalog import Catalog
from harness.catalog.mirror import Mirror
from harness.kit.files.installation import IMPORT_ROOT
from harness.records.config import RunConfig
from harness.records.provenance import fingerprint_of

_CODE = ("harness", "oracle", "turkle_app")
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
    for folder in _CODE:
        for file in sorted((IMPORT_ROOT / folder).rglob("*")):
            if file.suffix in _SUFFIXES and file.is_file():
                digest.update(str(file.relative_to(IMPORT_ROOT)).encode())
                digest.update(file.read_bytes())
    return digest.hexdigest()
