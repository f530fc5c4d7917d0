"""What is told of how a run was asked for, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.integrations.tracking.run_metrics import begun_parameters, ended_parameters, model_name, solver_name
from harness.records.config import RunConfig
from harness.records.directory import RunDirectory
from tests.integrations.tracking.logged import KEY, make_run
from tests.samples import run_record


def test_parameters_are_those_by_which_runs_differ(tmp_path):
    record = RunDirectory(make_run(tmp_path)).read()
    told = begun_parameters(record)
    wanted = {"solver": "gpt4-text", "model": "gpt-4", "provider": "openai", "recipe.encoding": "full", "seed": 7}
    wanted |= {"max_instances": 3, "max_cost": 5.0, "version.turkbench": "0.1.0", "revision": "abc", "max_steps": 1000}
    assert {name: told[name] for name in wanted} == wanted
    assert "split" not in told
    assert ended_parameters(record) == {
        "status": "complete",
        "comparability_id": "0123456789",
        "version.browser": "Chrome/150",
    }


def test_what_can_hold_a_key_a_command_an_address_or_a_path_is_told_to_nobody(tmp_path):
    record = RunDirectory(make_run(tmp_path)).read()
    assert KEY not in repr(begun_parameters(record)) + repr(ended_parameters(record))


@pytest.mark.parametrize(
    ("solver", "options", "told"),
    [
        ("/home/me/mine.py:Mine", {}, ("mine.py:Mine", "")),
        ("my.module:Mine", {"model": "org/model"}, ("my.module:Mine", "org/model")),
        ("local", {"model": "/home/me/small.gguf"}, ("local", "small.gguf")),
    ],
)
def test_files_are_named_without_their_folders(solver, options, told):
    record = run_record(config=RunConfig(solver, Path("tasks"), options=options))
    assert (solver_name(record), model_name(record)) == told
