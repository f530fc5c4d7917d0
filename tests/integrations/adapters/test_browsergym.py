"""Pages as tasks of BrowserGym. ``.ci/extras browsergym`` runs this where BrowserGym is installed."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.needs import extra

pytest.importorskip("browsergym.core", reason=extra("browsergym"))

import gymnasium

from harness.catalog.tasks_folder import instance_id
from harness.integrations.adapters.browsergym.page_env import PageTask
from harness.integrations.adapters.browsergym.registration import register
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.kit.files.installation import BUNDLED_TASKS
from tests.integrations.adapters.browsergym_way import FORM, attributes, bid, nothing_stays, theirs
from tests.integrations.adapters.parity import Scripted
from tests.runs import stage
from tests.site_tasks import ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task


@pytest.fixture(autouse=True)
def _nothing_stays(tmp_path) -> Iterator[None]:
    yield from nothing_stays(tmp_path)


@pytest.fixture
def tasks(tmp_path) -> list[str]:
    table = csv_text(["text", "Answer.a", "Answer.b"], ["x", "violet", "1"], ["y", "green", "2"])
    make_task(tmp_path / "tasks", "Plain", template=FORM, table=table)
    return register("form", tasks_dir=tmp_path / "tasks")


def environment(name: str, **options: object) -> gymnasium.Env:
    return gymnasium.make(f"browsergym/{name}", disable_env_checker=True, **options)


def test_an_agent_fills_in_the_form_and_presses_its_submit(tasks):
    assert tasks == ["turkbench.form.Plain.0", "turkbench.form.Plain.1"]
    with environment(tasks[0]) as env:
        seen, told = env.reset(seed=1)
        assert "Fill in the form" in seen["goal"]
        assert told["task_info"] == {"task": "Plain", "row": 0, "names": ["a", "b"]}
        shown = [each for each in attributes(seen["dom_object"]) if "bid" in each]
        controls = {(each.get("name"), each.get("value")): each["bid"] for each in shown}
        seen, reward, terminated, _, told = env.step(f"click('{controls['b', '1']}')")
        assert (reward, terminated, seen["last_action_error"]) == (0, False, "")
        assert "violet" not in str(seen) + str(told)
        seen, _, _, _, _ = env.step("click('none')")
        assert "none" in seen["last_action_error"]
        _, reward, terminated, _, told = env.step(f"click('{controls['send', 'Submit']}')")
        assert (reward, terminated) == (0.5, True)
        assert told["task_info"]["outcome"] == "scored"
        assert told["task_info"]["fields"] == {"a": 0.0, "b": 1.0}
        _, told = env.reset(seed=1)
        assert told["task_info"]["row"] == 0


def test_the_last_step_that_is_allowed_sends_the_form_as_it_stands(tasks):
    with environment(tasks[1], max_episode_steps=2) as env:
        seen, _ = env.reset()
        field = bid([each for each in attributes(seen["dom_object"]) if each.get("name") == "a"])
        env.step(f"fill({field}, 'green')")
        _, reward, _, truncated, told = env.step("noop()")
        assert (reward, truncated, told["task_info"]["outcome"]) == (0.5, True, "scored")


@pytest.mark.usefixtures("tasks")
def test_the_time_of_a_page_ends_its_episode(tmp_path):
    config = stage_config("test", "form", tasks_dir=tmp_path / "tasks", max_seconds=0.0)
    task = PageTask(0, config, "Plain", 0)
    task.open()
    reward, done, _, told = task.validate(None, [])
    task.teardown()
    assert (reward, done, told["limit"]) == (0.0, True, "time")


def test_a_website_ends_with_what_the_agent_says(tmp_path):
    make_site_task(tmp_path / "sites", "Account")
    (name,) = register("site", tasks_dir=tmp_path / "sites")
    with environment(name) as env:
        seen, _ = env.reset()
        assert seen["goal"] == "Open your account."
        seen, *_ = env.step("new_tab()")
        assert len(seen["open_pages_urls"]) == 2
        seen, *_ = env.step("tab_focus(0)")
        assert seen["active_page_index"].tolist() == [0]
        seen, *_ = env.step(f"goto('{ACCOUNT}')")
        assert seen["url"] == ACCOUNT
        _, reward, terminated, _, _ = env.step("send_msg_to_user('There it is.')")
        assert (reward, terminated) == (1.0, True)


def test_each_bundled_instance_is_a_task():
    register("form")
    register("site")
    forms = [id_ for id_ in gymnasium.registry if id_.startswith("browsergym/turkbench.form.")]
    assert f"browsergym/{instance_id('form', 'Sentiment of reviews', 25)}" in forms
    assert "browsergym/turkbench.site.Travel_.2d_A_room_in_Valencia.0" in gymnasium.registry


def test_the_same_answers_have_the_same_score_as_in_a_run_of_ours():
    with stage(BUNDLED_TASKS) as ours:
        assert theirs("Emergency messages", 1) == ours.score("Emergency messages", Scripted(), 1).score
