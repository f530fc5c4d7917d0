"""Tasks by ids of letters, digits and few signs."""

from __future__ import annotations

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from harness.catalog import Catalog
from harness.catalog.tasks_folder import id_of, task_of
from harness.kit.files.installation import BUNDLED_TASKS, SITE_TASKS

GYMNASIUM = re.compile(r"^(?:(?P<namespace>[\w:-]+)\/)?(?:(?P<name>[\w:.-]+?))(?:-v(?P<version>\d+))?$")
"""What Gymnasium takes for an id."""


@settings(deadline=None)  # the machine may be busy
@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
def test_a_task_has_an_id_that_leads_back_to_it(name):
    assert task_of(id_of(name)) == name
    found = GYMNASIUM.fullmatch(f"turkbench/{id_of(name)}-v0")
    assert found
    assert (found["name"], found["version"]) == (id_of(name), "0")


def test_ids_of_bundled_tasks_can_be_read():
    assert id_of("Sentiment of reviews") == "Sentiment_of_reviews"
    assert id_of("Travel - A room in Valencia") == "Travel_.2d_A_room_in_Valencia"
    names = [name for folder in (BUNDLED_TASKS, SITE_TASKS) for name in Catalog(folder).names()]
    assert len({id_of(name) for name in names}) == len(names)
