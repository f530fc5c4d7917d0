"""The task that ``docs/tutorials/website-task.md`` shows is one, and its trace reaches what it is judged by."""

from __future__ import annotations

import re

import pytest

from harness.catalog import Catalog
from tests.checkout import PROJECT
from tests.sites.served import replay_task, site_browser, untouched

NAME = "A glass kettle"


@pytest.fixture
def task(tmp_path):
    page = PROJECT / "docs" / "tutorials" / "website-task.md"
    shown = re.findall(r"^```json\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)
    (tmp_path / NAME).mkdir()
    for name, text in zip(("task.json", "trace.json"), shown, strict=True):
        (tmp_path / NAME / name).write_text(text, encoding="utf-8")
    catalog = Catalog(tmp_path)
    assert catalog.check() == []
    return catalog.task(NAME)


@pytest.mark.slow
def test_the_documented_task_is_solved_by_its_trace_and_not_by_doing_nothing(task):
    with site_browser("shop") as session:
        replay = replay_task(session, task, seed=0)
    assert (replay.error, {name: each.score for name, each in replay.evaluations.items()}) == (
        "",
        {"final_state": 1, "key_nodes": 1},
    )
    assert {each.score for each in untouched(task.site_of(task.pages[0])).values()} == {0}
