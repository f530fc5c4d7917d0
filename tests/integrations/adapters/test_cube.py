"""Forms and websites as a benchmark of CUBE. ``.ci/extras cube`` runs this where Python is 3.12 or newer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.integrations.adapters.plain import leaving_nothing, make_plain
from tests.needs import extra

pytest.importorskip("cube.benchmark", reason=extra("cube"))

from cube.core import Action, ImageContent, TextContent
from cube.testing import check_benchmark_metadata, check_reset_reproducibility, run_debug_suite

from harness.integrations.adapters.cube import debug
from harness.integrations.adapters.cube.benchmark import PageBenchmarkConfig, PageTask
from harness.integrations.adapters.cube.page_tool import NOT_DONE, PageToolConfig
from harness.integrations.adapters.stage.stage import NotStaged
from tests.integrations.adapters.cube_way import theirs
from tests.integrations.adapters.parity import ours
from tests.run.processes import needs_proc
from tests.site_tasks import ACCOUNT, make_site_task

pytestmark = needs_proc


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Iterator[Path]:
    """Of a form of two instances and a website; in the end nothing is left of what played them."""
    folder = tmp_path_factory.mktemp("cube")
    with leaving_nothing(folder):
        make_plain(folder / "tasks", facts={"split": "train"})
        make_site_task(folder / "tasks", "Account")
        yield folder


def benchmark(folder: Path, **settings: object) -> PageBenchmarkConfig:
    return PageBenchmarkConfig(tool_config=PageToolConfig(tasks_dir=folder / "tasks", **settings))


def task(folder: Path, id_: str, **settings: object) -> PageTask:
    """A task as a worker makes it: of its configuration, which has been a text on its way there."""
    (config,) = benchmark(folder, **settings).subset_from_list([id_]).get_task_configs()
    return type(config).model_validate_json(config.model_dump_json()).make()


def test_the_tests_of_cube_find_nothing_wrong():
    assert check_benchmark_metadata(debug) == (True, "")
    assert check_reset_reproducibility(debug) == (True, "", "")


@pytest.mark.usefixtures("folder")
def test_agents_that_know_what_to_do_get_the_whole_reward_of_forms_and_websites():
    reports = run_debug_suite("turkbench", debug, workers=1, print_json=False)
    assert [report["task_id"] for report in reports] == [*debug.SCRIPTS]
    for report in reports:
        told = {name: report[name] for name in ("done", "reward", "error", "tools_list_ok", "close_idempotent_ok")}
        assert told == {"done": True, "reward": 1.0, "error": None, "tools_list_ok": True, "close_idempotent_ok": True}


def test_each_labelled_instance_of_both_kinds_is_a_task_with_its_split(folder):
    config = benchmark(folder)
    assert [*config.tasks()] == [f"turkbench.{name}" for name in ("form.Plain.0", "form.Plain.1", "site.Account.0")]
    assert all(id_ == each.id for id_, each in config.tasks().items())
    (plain, site) = (config.named_subset(name).tasks() for name in ("forms", "sites"))
    assert [(each.split, each.part, each.row) for each in plain.values()] == [
        ("train", "train", 0),
        ("train", "train", 1),
    ]
    assert [(each.task, each.recommended_max_steps) for each in site.values()] == [("Account", 100)]
    assert type(config).model_validate_json(config.model_dump_json()) == config


def test_the_bundled_tasks_are_as_many_as_the_benchmark_says():
    config = PageBenchmarkConfig()
    assert config.num_tasks == config.benchmark_metadata.num_tasks


def test_an_episode_tells_the_page_after_each_action_and_is_scored_at_its_end(folder):
    with closing(task(folder, "turkbench.form.Plain.0")) as page:
        assert {"observe", "modify_text", "finish", "final_step"} <= {each.name for each in page.action_set}
        assert all(each.validate_param_descriptions() == (True, "") for each in page.action_set)
        seen, told = page.reset()
        assert (told["task"], told["row"]) == ("Plain", 0)
        assert "x" in seen.contents[1].data
        made = page.step(Action(id="7", name="modify_text", arguments={"name": "a", "value": "violet"}))
        assert made.obs.contents[0].to_llm_message()["tool_call_id"] == "7"
        assert 'value="violet"' in made.obs.contents[1].data
        made = page.step(Action(name="finish"))
        assert (made.done, made.reward, made.info["outcome"]) == (True, 0.5, "scored")
        assert made.info["fields"] == {"a": 1.0, "b": 0.0}
        assert page.evaluate()[0] == 0.5
        page.reset()
        assert not page.finished()


def test_what_cannot_be_done_is_an_error_of_the_observation_and_the_episode_goes_on(folder):
    with closing(task(folder, "turkbench.form.Plain.0")) as page:
        with pytest.raises(NotStaged, match="no page is open"):
            page.evaluate()
        page.reset()
        made = page.step(Action(name="modify_text", arguments={"name": "c", "value": "x"}))
        assert made.error
        assert (made.error.error_type, made.done) == (NOT_DONE, False)
        assert "no field of this name" in made.obs.contents[0].data
        shown = page.step(Action(name="observe", arguments={"encoding": "none", "picture": "viewport"})).obs
        assert [type(each) for each in shown.contents] == [TextContent, ImageContent]


def test_a_limit_ends_the_episode_and_what_the_form_holds_is_scored(folder):
    with closing(task(folder, "turkbench.form.Plain.0", max_steps=1)) as page:
        page.reset()
        made = page.step(Action(name="modify_radio", arguments={"name": "b", "value": "1"}))
        assert (made.done, made.reward, made.info["limit"]) == (True, 0.5, "steps")


def test_a_website_has_a_goal_and_a_score_at_its_end(folder):
    with closing(task(folder, "turkbench.site.Account.0")) as page:
        seen, told = page.reset()
        assert told["goal"] == "Open your account."
        assert told["goal"] in seen.contents[0].data
        assert not page.step(Action(name="goto", arguments={"url": ACCOUNT})).error
        made = page.step(Action(name="final_step"))
        assert (made.done, made.reward) == (True, 1.0)


@pytest.mark.usefixtures("folder")
def test_the_same_answers_to_ten_instances_have_the_same_scores_as_in_a_run_of_ours(tmp_path):
    scores = ours(tmp_path / "run")
    assert len(scores) == 10
    assert {(task, row): theirs(task, row) for task, row in scores} == scores
