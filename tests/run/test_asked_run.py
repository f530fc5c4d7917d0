from __future__ import annotations

from pathlib import Path

import pytest

from harness.episode.solver import WrongOptions
from harness.kit.errors import UserError
from harness.kit.files.installation import BUNDLED_TASKS, cores
from harness.records.config import Limits, RunConfig
from harness.run.asked_run import WAITING_WORKERS, asked_run


def test_what_is_left_open_is_as_usual_for_the_solver():
    assert asked_run("oracle", {}) == RunConfig("oracle", BUNDLED_TASKS, workers=cores())
    model = asked_run("gpt-4o", {"max_cost": None})
    assert (model.workers, model.film, model.options) == (cores() * WAITING_WORKERS, "steps", {})


def test_options_of_run_limits_and_solver_go_where_they_belong_by_either_name():
    asked = {"task": "One", "tasks_dir": "t", "split": "all", "max_time": 5, "max_steps": 3, "demos": 2, "headed": True}
    found = asked_run("gpt-4o", asked)
    assert (found.tasks, found.tasks_dir, found.split) == (("One",), Path("t"), None)
    assert found.limits == Limits(3, 5.0)
    assert found.options == {"demos": 2}
    assert found.workers == 1
    assert asked_run("gpt-4o", {**asked, "task": None, "tasks": ["One"]}) == found


@pytest.mark.parametrize(
    ("solver", "asked", "said"),
    [
        ("oracle", {"max_instnces": 3}, "--max-instnces: there is no such option. Did you mean 'max_instances'?"),
        ("oracle", {"demos": 3}, "--demos: there is no such option"),
        ("oracle", {"max_instances": "three"}, "--max-instances 'three': expected int"),
        ("oracle", {"network": "all"}, "--network all: there are mirror, live, none"),
        ("oracle", {"max_steps": "x"}, "--max-steps 'x'"),
        ("oracle", {"input": "desktop", "workers": 2}, "it takes --workers 1"),
    ],
)
def test_what_cannot_be_is_told_in_a_line(solver, asked, said):
    with pytest.raises(UserError) as raised:
        asked_run(solver, asked)
    assert said in str(raised.value)
    assert not isinstance(raised.value, WrongOptions)
