"""Runs in trackio, in a local folder. ``.ci/extras trackio`` runs this where trackio is installed."""

from __future__ import annotations

import json
import sqlite3

import pytest

from tests.needs import extra

pytest.importorskip("trackio", reason=extra("trackio"))

from tests.integrations.tracking.logged import follow, make_run, secrets_in

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """The folder into which a run was logged as if it went on."""
    folder = tmp_path_factory.mktemp("trackio")
    said = follow("trackio", make_run(folder), TRACKIO_DIR=str(folder / "theirs"))
    assert said == "trackio: run run of the project turkbench: trackio show --project turkbench\n"
    return folder / "theirs"


def rows(theirs, table: str) -> list[dict]:
    with sqlite3.connect(theirs / "turkbench.db") as database:
        found = database.execute(f"SELECT * FROM {table}")  # noqa: S608 - a name of ours
        names = [column[0] for column in found.description]
        return [dict(zip(names, row, strict=True)) for row in found]


def test_a_run_is_there_with_its_parameters_its_progress_and_its_numbers(theirs):
    (config,) = rows(theirs, "configs")
    assert json.loads(config["config"])["model"] == "gpt-4"
    *progress, last = rows(theirs, "metrics")
    told = [(each["step"], json.loads(each["metrics"])["progress/mean_score"]) for each in progress]
    assert told == [(1, 0.0), (2, 0.0), (3, 0.0), (4, 0.25)]
    numbers = json.loads(last["metrics"])
    assert (numbers["score"], numbers["comparability_id"], last["step"]) == (0.5, "0123456789", 4)


def test_no_label_no_text_of_a_page_and_no_key_is_there(theirs):
    assert secrets_in(theirs) == set()
