"""Pages as environments of Gymnasium. ``.ci/extras gymnasium`` runs this where Gymnasium is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.checkout import PROJECT
from tests.integrations.adapters.plain import leaving_nothing
from tests.needs import extra

pytest.importorskip("gymnasium", reason=extra("gymnasium"))

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env

from harness.integrations.adapters.gym.page_env import NO_CHOICE
from harness.kit.files.installation import BUNDLED_TASKS
from tests.integrations.adapters.gymnasium_way import theirs
from tests.integrations.adapters.parity import Scripted
from tests.run.processes import needs_proc
from tests.runs import stage
from tests.site_tasks import ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task

FORM = """<p>${text}</p><form><input name=a><label><input type=radio name=b value=1>one</label>
<label><input type=radio name=b value=2>two</label><label><input type=checkbox name=c value=on>see</label></form>"""


@pytest.fixture
def tasks(tmp_path) -> Iterator[str]:
    """A task of two instances; in the end no process and no temporary file is left of what played them."""
    columns = ["text", "Answer.a", "Answer.b", "Answer.c"]
    table = csv_text(columns, ["x", "violet", "1", "on"], ["y", "green", "2", ""])
    make_task(tmp_path / "tasks", "Plain", template=FORM, table=table)
    with leaving_nothing(tmp_path):
        yield str(tmp_path / "tasks")


def test_the_checker_of_gymnasium_finds_nothing_wrong(tasks):
    shown = ("text", "picture", "choices")
    options = {"tasks_dir": tasks, "observation": shown, "actions": "choices", "reward": "field"}
    with gymnasium.make("turkbench/Form-v0", render_mode="rgb_array", **options) as env:
        check_env(env.unwrapped, skip_close_check=True)


def test_rewards_by_field_add_up_to_the_score(tasks):
    options = {"observation": ("choices",), "actions": "choices", "reward": "field"}
    with gymnasium.make("turkbench/Form-v0", tasks_dir=tasks, max_fields=4, max_options=2, **options) as env:
        seen, told = env.reset(options={"row": 0})
        assert seen["choices"]["offered"].tolist() == [[0, 0], [1, 1], [1, 0], [0, 0]]
        assert "violet" not in str(told)
        rewards = []
        for action in ([1, 0], [2, 0], [1, 1], [3, 0]):
            seen, reward, terminated, truncated, told = env.step(np.array(action))
            rewards.append(round(reward, 3))
            assert (terminated, truncated) == (False, False)
        assert rewards == [0.333, 0.333, -0.333, 0.0]
        assert (told["ok"], told["message"]) == (False, NO_CHOICE)
        assert seen["choices"]["held"].tolist() == [[0, 0], [0, 1], [1, 0], [0, 0]]
        _, reward, terminated, truncated, told = env.step(np.array([4, 0]))
        assert (terminated, truncated, told["outcome"]) == (True, False, "scored")
        assert told["score"] == pytest.approx(sum(rewards) + reward, abs=1e-3)


def test_steps_that_are_used_up_truncate_and_what_the_form_holds_is_scored(tasks):
    with gymnasium.make("turkbench/Form-v0", tasks_dir=tasks, max_steps=2) as env:
        env.reset(options={"row": 0})
        assert env.step("modify_radio('b', '1')")[1:4] == (0.0, False, False)
        _, reward, terminated, truncated, told = env.step("nothing that is an action")
        assert (terminated, truncated, told["ok"]) == (False, True, False)
        assert reward == told["score"] == pytest.approx(1 / 3)
        first, told = env.reset(seed=5)
        again, told_again = env.reset(seed=5)
        assert (first, told["row"]) == (again, told_again["row"])


def test_several_environments_step_together(tasks):
    vector = gymnasium.make_vec("turkbench/Form-v0", num_envs=2, vectorization_mode="async", tasks_dir=tasks)
    try:
        seen, _ = vector.reset(seed=[1, 2])
        assert len(seen["text"]) == 2
        _, rewards, terminated, _, _ = vector.step(["modify_text('a', 'violet')", "finish()"])
        assert terminated.tolist() == [False, True]
        assert rewards.shape == (2,)
    finally:
        vector.close()


@pytest.mark.usefixtures("tasks")
def test_a_website_has_one_score_at_its_end(tmp_path):
    make_site_task(tmp_path / "sites", "Account")
    with gymnasium.make("turkbench/Site-v0", tasks_dir=str(tmp_path / "sites")) as env:
        _, told = env.reset()
        assert told["goal"] == "Open your account."
        env.step(f"goto('{ACCOUNT}')")
        _, reward, terminated, _, _ = env.step("finish()")
        assert (reward, terminated) == (1.0, True)
    with pytest.raises(ValueError, match="are of forms"):
        gymnasium.make("turkbench/Site-v0", reward="field")


def test_every_bundled_task_has_an_id():
    form = gymnasium.spec("turkbench/Sentiment_of_reviews-v0")
    assert form.kwargs == {"kind": "form", "task": "Sentiment of reviews"}
    assert gymnasium.spec("turkbench/Travel_.2d_A_room_in_Valencia-v0").kwargs["kind"] == "site"


@needs_proc
def test_the_same_answers_have_the_same_score_as_in_a_run_of_ours():
    with stage(BUNDLED_TASKS) as ours:
        for task in ("Emergency messages", "Sentiment of reviews"):
            assert theirs(task, 1) == ours.score(task, Scripted(), 1).score


@pytest.mark.slow
def test_the_bandit_of_the_examples_learns_to_beat_the_most_frequent_answers():
    program = PROJECT / "examples" / "gymnasium_bandit.py"
    given = {**os.environ, "PYTHONPATH": str(PROJECT)}
    done = subprocess.run([sys.executable, program], env=given, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
