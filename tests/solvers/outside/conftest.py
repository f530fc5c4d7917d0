"""A stage with one plain page."""

from __future__ import annotations

import pytest

from tests.runs import stage
from tests.task_folders import csv_text, make_task


@pytest.fixture(scope="module")
def at(tmp_path_factory):
    """It can be played on: a field ``a``, whose label is yes, and a button."""
    folder = tmp_path_factory.mktemp("tasks")
    table = csv_text(["text", "Answer.a"], ["x", "yes"])
    make_task(
        folder, "Plain", template="<p>Words of ${text}</p><input name=a><button type=button>B</button>", table=table
    )
    with stage(folder) as made:
        yield made
