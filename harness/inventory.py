"""The field inventory: what a reference pass found on each instance's page, kept in a cache of the user's.

The pass opens a page, looks for its fields and submits it untouched. What it finds fixes the denominator of every
score before any solver starts, and what the untouched form sends is the floor of doing nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from harness.browser.browser import Browser
from harness.catalog.task import Instance, Task
from harness.fields import Field, find_fields
from harness.files import write_json
from harness.names import path_name
from harness.submission import Submission, submit

CACHE_NAME = "turking-harness"
# What the pass sees depends on this code, too: the page's wrapping and the scripts that look at it.
_SOURCES = (("template", "*.py"), ("browser/scripts", "*.js"))


@dataclass(frozen=True)
class PageFacts:
    """What the reference pass found on one page.

    Attributes:
        fields: The fields when the page has loaded, in page order.
        untouched: What the untouched form sends.
        script_errors: Errors that the page's scripts raised.
    """

    fields: tuple[Field, ...]
    untouched: Submission
    script_errors: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        """A JSON object that ``from_json`` reads back."""
        return {
            "fields": [each.to_json() for each in self.fields],
            "untouched": self.untouched.to_json(),
            "script_errors": list(self.script_errors),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> PageFacts:
        """From ``to_json``."""
        return cls(
            tuple(map(Field.from_json, record["fields"])),
            Submission.from_json(record["untouched"]),
            tuple(record["script_errors"]),
        )


def inspect_page(browser: Browser, url: str) -> PageFacts:
    """The reference pass over one page."""
    browser.open(url)
    fields = tuple(find_fields(browser))
    untouched = submit(browser)
    return PageFacts(fields, untouched, tuple(browser.script_errors))


def cache_folder() -> Path:
    """``$XDG_CACHE_HOME/turking-harness``, by default under ``~/.cache``."""
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / CACHE_NAME


@dataclass
class TaskInventory:
    """The page facts of one task's instances, in one file of the cache.

    Attributes:
        task: The task.
        file: Where they are kept; its name holds the task's name and a hash of all that they depend on.
        pages: Instance id -> page facts.
    """

    task: Task
    file: Path
    pages: dict[str, PageFacts] = field(default_factory=dict)

    @classmethod
    def load(cls, task: Task, *, live_clock: bool, folder: Path | None = None) -> TaskInventory:
        """Read what is known of a task; what is damaged is as good as not there, since it can be made again."""
        key = hashlib.sha256(f"{_code_hash()}\n{live_clock}\n{task.template}".encode()).hexdigest()[:16]
        name = path_name(task.name)[:120]
        file = (folder or cache_folder()) / "inventory" / f"{name}-{key}.json"
        return cls(task, file, _known_pages(file))

    def missing(self, instances: Sequence[Instance]) -> list[Instance]:
        """The instances whose pages the reference pass has not seen."""
        return [instance for instance in instances if instance.id not in self.pages]

    def save(self) -> None:
        """Write the file, whole or not at all; what another run added meanwhile is kept.

        A cache that cannot be written costs the next run its time, and this one nothing.
        """
        pages = {**_known_pages(self.file), **self.pages}
        with contextlib.suppress(OSError):
            write_json(self.file, {id_: page.to_json() for id_, page in pages.items()})


def _known_pages(file: Path) -> dict[str, PageFacts]:
    try:
        records = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    pages = {}
    for id_, record in records.items() if isinstance(records, dict) else ():
        with contextlib.suppress(AttributeError, KeyError, TypeError, ValueError):
            pages[id_] = PageFacts.from_json(record)
    return pages


def fingerprint(pages: Mapping[tuple[str, str], PageFacts]) -> str:
    """A hash of fields by (task, instance id): which fields a run can score, and how."""
    digest = hashlib.sha256()
    for (task, id_), page in sorted(pages.items(), key=lambda item: item[0]):
        plain = [(each.name, each.kind, each.values) for each in page.fields]
        digest.update(json.dumps([task, id_, plain], ensure_ascii=False).encode())
    return digest.hexdigest()


@lru_cache(maxsize=1)
def _code_hash() -> str:
    root = Path(__file__).parent
    digest = hashlib.sha256()
    for folder, pattern in _SOURCES:
        for file in sorted((root / folder).glob(pattern)):
            digest.update(file.read_bytes())
    return digest.hexdigest()
