"""The field inventory: what a reference pass found on each instance's page, kept in a cache of the user's.

The pass opens a page, looks for its fields and submits it untouched. What it finds fixes the denominator of every
score before any solver starts, and what the untouched form sends is the floor of doing nothing.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from harness.browser.browser import Browser
from harness.browser.form.fields import Field, find_fields
from harness.browser.form.submission import Submission, submit
from harness.catalog.task import Task
from harness.kit.files import codec
from harness.kit.files.installation import hash_of_code
from harness.kit.files.writing import cache_folder, path_name

# What the pass sees depends on this code, too: the page's wrapping and the scripts that look at it.
_SOURCES = (
    ("catalog/template", "*.py"),
    ("catalog/mirror", "references.py"),
    ("catalog/mirror", "rewriting.py"),
    ("browser/scripts", "*.js"),
)


@dataclass(frozen=True)
class PageFacts:
    """What the reference pass found on one page.

    Attributes:
        fields: The fields when the page has loaded, in page order; then what its script adds to them when it is
            submitted.
        untouched: What the untouched form sends.
        script_errors: Errors that the page's scripts raised.
    """

    fields: tuple[Field, ...]
    untouched: Submission
    script_errors: tuple[str, ...]


def inspect_page(browser: Browser, url: str) -> PageFacts:
    """The reference pass over one page."""
    browser.open(url)
    fields = find_fields(browser)
    buttons = browser.run("form.buttonNames")
    untouched = submit(browser)
    known = {field.name for field in fields} | set(buttons)
    added = [_added(name, values) for name, values in untouched.values.items() if name not in known]
    return PageFacts((*fields, *added), untouched, tuple(browser.script_errors))


def _added(name: str, values: tuple[str, ...]) -> Field:
    """A field that the page's script adds when the form is submitted."""
    return Field(name, "hidden", "hidden", (), False, False, False, None, values)


class TaskInventory:
    """The page facts of one task's instances, in one file of the cache: a line a page, appended when it was seen.

    Several processes may append at a time. A line that a kill or a full disk cut short is as good as not there, and so
    is one that is damaged, since it can be made again.

    Attributes:
        file: Where they are kept; its name holds the task's name and a hash of all that they depend on.
    """

    def __init__(self, file: Path) -> None:
        """Look through a file that may or may not exist; its pages are read when they are asked for."""
        self.file = file
        self._places: dict[str, tuple[int, int]] = {}
        with contextlib.suppress(OSError), file.open("rb") as lines:
            start = 0
            for line in lines:
                id_, tab, _ = line.partition(b"\t")
                if tab:
                    self._places[id_.decode("ascii", "replace")] = (start + len(id_) + 1, len(line) - len(id_) - 1)
                start += len(line)

    @classmethod
    def load(cls, task: Task, *, live_clock: bool, outside: str = "", folder: Path | None = None) -> TaskInventory:
        """What is known of a task.

        Args:
            task: The task.
            live_clock: Whether chance and time of its pages are left alone.
            outside: A text that differs whenever the pages get other files from outside.
            folder: The cache; None for the user's.
        """
        key = hashlib.sha256("\n".join([code_hash(), str(live_clock), outside, task.template]).encode()).hexdigest()[
            :16
        ]
        name = path_name(task.name)[:120]
        return cls((folder or cache_folder()) / "inventory" / f"{name}-{key}.jsonl")

    def get(self, id_: str) -> PageFacts | None:
        """The facts of an instance's page; None if the reference pass has not seen it."""
        place = self._places.get(id_)
        if place is None:
            return None
        try:
            with self.file.open("rb") as stream:
                stream.seek(place[0])
                return codec.decode(stream.read(place[1]), PageFacts)
        except (OSError, codec.Malformed):
            return None

    def add(self, id_: str, page: PageFacts) -> None:
        """Keep the facts of an instance's page.

        Raises:
            OSError: the cache cannot be written, which costs the next run its time, and this one nothing.
        """
        self.file.parent.mkdir(parents=True, exist_ok=True)
        # The line end comes first, so that what was cut short before spoils no more than itself; all in one write, so
        # that what others append meanwhile comes before or behind.
        text = json.dumps(codec.plain(page), ensure_ascii=False, separators=(",", ":"))
        line = f"\n{id_}\t{text}".encode("utf-8", "backslashreplace")
        with self.file.open("ab", buffering=0) as stream:
            stream.write(line)
            self._places[id_] = (stream.tell() - len(line) + len(id_) + 2, len(line) - len(id_) - 2)


def page_digest(page: PageFacts) -> str:
    """A hash of a page's fields: which of them a run can score, and how."""
    plain = [(each.name, each.kind, each.values, *["open"] * each.open) for each in page.fields]
    return hashlib.sha256(json.dumps(plain, ensure_ascii=False).encode("utf-8", "backslashreplace")).hexdigest()[:16]


def fingerprint(pages: Iterable[tuple[str, str, str]]) -> str:
    """A hash over the fields of many pages, given as task, instance id and ``page_digest``, in any order."""
    digest = hashlib.sha256()
    for page in sorted(pages):
        digest.update(json.dumps(page, ensure_ascii=False).encode("utf-8", "backslashreplace"))
    return digest.hexdigest()


@lru_cache(maxsize=1)
def code_hash() -> str:
    """A hash of the code that decides what the reference pass sees."""
    return hash_of_code(_SOURCES)
