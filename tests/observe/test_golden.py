from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from harness.observe import ENCODINGS, encode
from harness.observe.html import write
from harness.observe.relevant import RELEVANT_SENT
from harness.papers.autowebglm.encoding import AUTOWEBGLM
from tests.needs import real_data, require
from tests.observe.pages import (
    BUNDLED,
    DATA,
    GOLDEN,
    PAGES,
    REAL,
    REAL_PAGES,
    Pages,
    evaluable,
    golden_texts,
    has_field,
    real_facts,
    sample,
    served,
)

REAL_SAMPLE = 20
TIGHT = 1500
"""A budget in characters that most pages do not fit into."""


@pytest.fixture(scope="module")
def bundled() -> Iterator[Pages]:
    with served(BUNDLED) as pages:
        yield pages


@pytest.fixture(scope="module")
def real() -> Iterator[Pages]:
    require(real_data("tasks"))
    with served(DATA) as pages:
        yield pages


@pytest.mark.slow
def test_bundled_pages_are_encoded_as_in_their_golden_files(bundled: Pages) -> None:
    made = dict(golden_texts(bundled))
    assert sorted(made) == sorted(file.name for file in GOLDEN.glob("*.txt"))
    for name, text in made.items():
        # Compared line by line: the first that differs says more than two long texts.
        assert text.split("\n") == (GOLDEN / name).read_text(encoding="utf-8").split("\n"), name


def test_golden_files_cover_eight_pages_in_every_encoding() -> None:
    whole = [file for file in GOLDEN.glob("*.txt") if ".small." not in file.name]
    assert len(PAGES) == 8
    assert len(whole) == 8 * len(ENCODINGS)


@pytest.mark.slow
def test_real_pages_have_the_recorded_hashes_and_lengths(real: Pages) -> None:
    recorded = json.loads(REAL.read_text(encoding="utf-8"))
    assert len(recorded) == REAL_PAGES
    names = evaluable(real.catalog)[:REAL_PAGES]
    assert real_facts(real, names) == recorded


def _check(pages: Pages, task: str) -> None:
    snapshot = pages.look(task)
    visible = [field["name"] for field in pages.browser.run("fields.list") if field["visible"]]
    assert list(snapshot.visible_fields) == visible
    assert write(snapshot).html == pages.browser.run("page.html")
    # As it was sent, be the field in it or not; and with attributes by a white list, which names no fields.
    for name in set(ENCODINGS) - {RELEVANT_SENT.name, AUTOWEBGLM.name}:
        whole = encode(name, snapshot, count=len)
        missing = [field for field in visible if not has_field(whole.text, field)]
        assert not missing, (name, missing)
        assert set(whole.refs.values()) - {None} <= set(visible)
        for field in visible[len(visible) // 2 :][:1]:
            shrunk = encode(name, snapshot, field=field, budget=TIGHT, count=len)
            assert has_field(shrunk.text, field), (name, field)


@pytest.mark.slow
def test_every_visible_field_is_in_every_encoding_of_the_bundled_pages(bundled: Pages) -> None:
    for task in evaluable(bundled.catalog):
        _check(bundled, task)


@pytest.mark.slow
def test_every_visible_field_is_in_every_encoding_of_a_sample_of_real_pages(real: Pages) -> None:
    for task in sample(real.catalog, REAL_SAMPLE):
        _check(real, task)
