"""CUBE's harness on our benchmark. ``.ci/extras cube-harness`` runs this where Python is 3.12 or newer."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.integrations.adapters.plain import leaving_nothing, make_plain
from tests.needs import extra

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # litellm, which it imports, would fetch prices
pytest.importorskip("cube_harness", reason=extra("cube-harness"))

import ray
from cube_harness.agents.react import ReactAgentConfig
from cube_harness.exp_runner import run_sequentially, run_with_ray
from cube_harness.experiment import Experiment, ExpResult
from cube_harness.llm import LLMConfig

from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.integrations.adapters.cube.benchmark import PageBenchmarkConfig
from harness.integrations.adapters.cube.page_tool import PageToolConfig
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.run.processes import needs_proc
from tests.runs import stage

pytestmark = [needs_proc, pytest.mark.filterwarnings("default")]  # litellm warns of its own code


@pytest.fixture
def tasks(tmp_path) -> Iterator[Path]:
    """Of a form of two instances; in the end nothing is left of what played them."""
    make_plain(tmp_path / "tasks")
    with leaving_nothing(tmp_path):
        yield tmp_path / "tasks"


class Violet:
    """Does as the scripted model."""

    def solve(self, page: Page, act: Actions) -> None:  # noqa: ARG002 - the same on each page
        act.modify_text("a", "violet")


def reply(asked: Asked) -> Answer:
    """What the model says: it fills in a field, and then it has done."""
    has_acted = any(message["role"] == "assistant" for message in asked.json["messages"])
    return openai_reply(tool_calls=[("finish", {}) if has_acted else ("modify_text", {"name": "a", "value": "violet"})])


@pytest.fixture
def experiment(tasks, tmp_path, monkeypatch) -> Iterator[Experiment]:
    """An agent of the harness, whose model is a scripted server, on both instances."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with Server(reply) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")  # the configuration's own is for training alone
        model = LLMConfig(model_name="openai/scripted", num_retries=1)
        yield Experiment(
            name="ours",
            output_dir=tmp_path / "results",
            agent_config=ReactAgentConfig(llm_config=model),
            benchmark_config=PageBenchmarkConfig(tool_config=PageToolConfig(tasks_dir=tasks)),
            max_steps=10,
            max_retries=0,
        )


def test_its_agent_fills_in_our_forms_with_our_scores_as_rewards(experiment, tasks):
    assert rewards(run_sequentially(experiment)) == ours(tasks) == {0: 0.5, 1: 0.0}


def test_its_agents_fill_them_in_over_ray(experiment, tasks, monkeypatch):
    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    for name in ("raylet_start_wait_time_s", "worker_register_timeout_seconds"):
        monkeypatch.setenv(f"RAY_{name}", "140")  # which a busy machine takes
    monkeypatch.setenv("RAY_agent_register_timeout_ms", "140000")
    with tempfile.TemporaryDirectory(prefix="ray", ignore_cleanup_errors=True) as place:  # which it leaves full
        ray.init(num_cpus=2, include_dashboard=False, object_store_memory=100 * 2**20, _temp_dir=place)
        assert rewards(run_with_ray(experiment, n_cpus=2)) == ours(tasks) == {0: 0.5, 1: 0.0}


def rewards(made: ExpResult) -> dict[int, float]:
    """Of each instance."""
    assert made.failures == {}
    return {each.metadata["row"]: each.reward_info["reward"] for each in made.trajectories.values()}


def ours(tasks: Path) -> dict[int, float | None]:
    """The scores of the same answers in episodes of ours."""
    with stage(tasks) as made:
        return {row: made.score("Plain", Violet(), row).score for row in (0, 1)}
