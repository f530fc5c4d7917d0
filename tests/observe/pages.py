"""Pages for tests of the encodings: bundled ones with their golden files, and real ones by a rule that names none.

Renew the golden files after a change that is meant to change them, and read the difference before it is committed:

    python -m tests.observe.pages
"""

from __future__ import annotations

import hashlib
import json
import os
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from pathlib import Path

from harness.browser.browser import Browser
from harness.browser.launch import BrowserSettings
from harness.catalog import Catalog
from harness.observe import ENCODINGS, encode
from harness.observe.outline import with_outline
from harness.observe.snapshot import Snapshot, take
from harness.run.server import own_server, page_url
from tests.checkout import PROJECT, TURKINGBENCH

BUNDLED = PROJECT / "tasks"
DATA = TURKINGBENCH / "tasks"
GOLDEN = Path(__file__).parent / "golden"
REAL = GOLDEN / "real.json"
PAGES = (
    "Bounding box",
    'Catalogue check [A+B] "new" (50%)',
    "Household survey",
    "Named entities",
    "Reading a table",
    "Receipt transcription",
    "Sentiment of reviews",
    "Word alignment",
)

SMALL = ("Household survey", "tenure", 120)
"""The page that has golden files within a budget, too; the field that it is asked about, and the budget."""
REAL_PAGES = 12


_WORD = re.compile(r"\w+|[^\w\s]")


def count(text: str) -> int:
    """Words and signs: every machine has the same."""
    return len(_WORD.findall(text))


def has_field(text: str, name: str) -> bool:
    """Whether a field's name stands in an encoding, whichever way the encoding quotes it."""
    return any(each in text for each in (name, escape(name), escape(name, quote=False).replace('"', "&quot;"))) or (
        json.dumps(name, ensure_ascii=False) in text
    )


class Pages:
    """A task folder that is served, and a browser."""

    def __init__(self, tasks_dir: Path, origin: str, browser: Browser) -> None:
        self.catalog = Catalog(tasks_dir)
        self.browser = browser
        self._origin = origin

    def open(self, task: str) -> None:
        self.browser.open(page_url(self._origin, self.catalog.task(task).instances[0]))
        self.browser.run("page.quiet")

    def look(self, task: str) -> Snapshot:
        self.open(task)
        return with_outline(self.browser, take(self.browser))


@contextmanager
def served(tasks_dir: Path) -> Iterator[Pages]:
    """Pages without anything from outside, so that they are the same wherever no mirror was built."""
    with (
        own_server(tasks_dir, None, network="none") as origin,
        Browser(BrowserSettings(origin=origin)) as browser,
    ):
        yield Pages(tasks_dir, origin, browser)


def golden_texts(pages: Pages) -> Iterator[tuple[str, str]]:
    """Name and content of each golden file, made anew."""
    for task in PAGES:
        snapshot = pages.look(task)
        stem = re.sub(r"[^a-z]+", "-", task.lower()).strip("-")
        for name in ENCODINGS:
            yield f"{stem}.{name}.txt", encode(name, snapshot, count=count).text
        if task == SMALL[0]:
            for name in ENCODINGS:
                encoded = encode(name, snapshot, field=SMALL[1], budget=SMALL[2], count=count)
                yield f"{stem}.{name}.small.txt", "\n".join([*encoded.shrunk, "", encoded.text])


def evaluable(catalog: Catalog) -> list[str]:
    """Tasks with an instance, in the order of a hash of their names."""
    names = [name for name in catalog.names() if catalog.task(name).instances]
    return sorted(names, key=key)


def key(name: str) -> str:
    """What stands for a real task in the repository."""
    return hashlib.sha256(name.encode()).hexdigest()[:16]


def sample(catalog: Catalog, size: int) -> list[str]:
    names = evaluable(catalog)
    return random.Random(20).sample(names, min(size, len(names)))  # noqa: S311 - a sample that is the same each time


def real_facts(pages: Pages, names: list[str]) -> dict[str, dict[str, list[object]]]:
    """Hash and length of each encoding of real pages."""
    found: dict[str, dict[str, list[object]]] = {}
    for task in names:
        snapshot = pages.look(task)
        texts = {name: encode(name, snapshot, count=count) for name in ENCODINGS}
        found[key(task)] = {
            name: [hashlib.sha256(each.text.encode()).hexdigest(), each.tokens] for name, each in texts.items()
        }
    return found


def renew() -> None:
    """Write all golden files anew; those of real pages if the data is here."""
    for old in GOLDEN.glob("*.txt"):
        old.unlink()
    with served(BUNDLED) as pages:
        for name, text in golden_texts(pages):
            (GOLDEN / name).write_text(text, encoding="utf-8")
    if DATA.is_dir():
        with served(DATA) as pages:
            facts = real_facts(pages, evaluable(pages.catalog)[:REAL_PAGES])
        REAL.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "turkle_app.settings"
    renew()
