"""docs/reference/schema/ is what the code makes of itself, and describes what runs leave."""

from __future__ import annotations

import json
import os
import sys

import jsonschema
import pytest

from harness.actions.result import ErrorCode, Step
from harness.analysis.run_results import RunScores
from harness.cli.commands.schemas import FILES, LEFT_OUT, document, schema_text
from harness.kit.files.codec import json_schema, plain
from harness.models.messages import ToolCall, Usage
from harness.records.provenance import WorkingCopy, provenance
from harness.records.turn import Turn
from harness.scoring.metrics import PROFILES
from harness.scoring.scores import score_episode
from tests.checkout import PROJECT
from tests.forked_python import printed_by
from tests.samples import episode, missed_outside, record, run_record, submission

STEP = Step("click(1, 2)", False, "no", 1.5, "f" * 64, True, True, ErrorCode.DISABLED)
TURN = Turn("s", ("i",), "reply", "w", (ToolCall("1", "n", {"a": [1]}, "{", "sig"),), usage=Usage(1, 2, 3, 4))
PLAYED = episode(record(sent=("yes",)), submission=submission(a=("yes",)), steps=(STEP,), turns=(TURN,))
UNFINISHED = episode(outcome="harness_error", submission=None)
RESULTS = RunScores.of([score_episode(PLAYED, PROFILES["standard"])]).results()
RUN = run_record(
    results=RESULTS,
    provenance=provenance("Chrome/1", WorkingCopy("a" * 40, ("x.py",))),
    outside=missed_outside(tasks_without_their_media={"T": (0,)}, media_of_templates={"T": ("http://x",)}),
)


def as_written(value):
    return json.loads(json.dumps(plain(value)))


def checker(name):
    schema = json.loads(schema_text(name))
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


@pytest.mark.parametrize("name", FILES)
def test_the_published_schema_is_up_to_date(name):
    published = (PROJECT / "docs" / "reference" / "schema" / f"{name}.json").read_text(encoding="utf-8")
    assert published == schema_text(name), "write it anew: make docs"


def test_the_page_of_keys_is_up_to_date():
    page = PROJECT / "docs" / "reference" / "records.md"
    assert page.read_text(encoding="utf-8") == document(), "write it anew: make docs"


@pytest.mark.parametrize("name", FILES)
def test_the_module_prints_the_schema(name):
    command = [sys.executable, "-m", "harness", "document", f"schema/{name}"]
    assert printed_by(command, os.environ) == schema_text(name)


@pytest.mark.parametrize(
    ("name", "value"),
    [("episode", PLAYED), ("episode", UNFINISHED), ("run", RUN), ("run", run_record(status="running"))],
)
def test_what_is_written_fits_the_schema(name, value):
    checker(name).validate(as_written(value))


@pytest.mark.parametrize(("name", "value"), [("episode", PLAYED), ("run", RUN)])
def test_what_lacks_a_key_or_is_of_another_version_does_not_fit(name, value):
    whole, fits = as_written(value), checker(name)
    for key in whole:
        if key in LEFT_OUT.get(name, ()):
            continue
        assert not fits.is_valid({each: whole[each] for each in whole if each != key}), key
    assert not fits.is_valid({**whole, "schema": 3})
    assert fits.is_valid({**whole, "of a later version": 1})


@pytest.mark.parametrize("name", FILES)
def test_every_record_and_every_attribute_is_described(name):
    for record_ in json_schema(FILES[name])["$defs"].values():
        assert record_["description"].endswith(".")
        for key, attribute in record_.get("properties", {}).items():
            told = attribute.get("description", "")
            missing = f"{key!r} is missing under Attributes of: {record_['description']}"
            assert key == "type" or told.endswith("."), missing
