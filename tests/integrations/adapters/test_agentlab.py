"""AgentLab's generic agent on our tasks. ``.ci/extras agentlab`` runs this where AgentLab is installed."""

from __future__ import annotations

import logging
import os
import re
import warnings
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from pathlib import Path

import pytest

from tests.needs import extra

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # litellm, which it imports, would fetch prices
pytest.importorskip("agentlab", reason=extra("agentlab"))

with warnings.catch_warnings(action="ignore"):  # of its packages' own code
    import bgym
    from agentlab.agents.generic_agent.agent_configs import FLAGS_GPT_4o
    from agentlab.agents.generic_agent.generic_agent import GenericAgentArgs
    from agentlab.experiments.loop import EnvArgs, ExpArgs, ExpResult
    from agentlab.llm.chat_api import OpenAIModelArgs

from harness.episode.assignment import Page
from harness.episode.library import Actions
from harness.integrations.adapters.browsergym.registration import register
from tests.integrations.adapters.browsergym_way import FORM, nothing_stays
from tests.models.servers import Answer, Asked, Server, openai_reply
from tests.run.processes import needs_proc
from tests.runs import stage
from tests.site_tasks import ACCOUNT, make_site_task
from tests.task_folders import csv_text, make_task

pytestmark = [needs_proc, pytest.mark.filterwarnings("default")]  # AgentLab's packages warn of their own code
TABLE = csv_text(["text", "Answer.a", "Answer.b"], ["x", "violet", "1"], ["y", "green", "1"], ["z", "green", "2"])

Step = tuple[str, str]
"""An action with a place for the number of a control, and how a line of the page's tree goes on after that number."""

FILLED_IN: Sequence[Step] = (
    ("fill('{}', 'violet')", "textbox"),
    ("click('{}')", "radio 'one'"),
    ("click('{}')", "button 'Submit'"),
)
TO_THE_ACCOUNT: Sequence[Step] = ((f"goto('{ACCOUNT}')", ""), ("send_msg_to_user('There it is.')", ""))


class FilledIn:
    """Does in an episode of ours what the agent's model says."""

    def solve(self, page: Page, act: Actions) -> None:  # noqa: ARG002 - the same on each page
        act.modify_text("a", "violet")
        act.modify_radio("b", "1")


class Model:
    """Says steps in order, each of the control that the agent shows it, and then the last again."""

    def __init__(self, steps: Sequence[Step]) -> None:
        self._left = chain(steps, repeat(steps[-1]))

    def __call__(self, asked: Asked) -> Answer:
        action, control = next(self._left)
        shown = "".join(part["text"] for part in asked.json["messages"][-1]["content"])
        found = re.search(rf"\[(\w+)\] {control}", shown)
        return openai_reply(f"<think>\nAs planned.\n</think>\n<action>\n{action.format(found and found[1])}\n</action>")


@pytest.fixture(autouse=True)
def _nothing_stays(tmp_path) -> Iterator[None]:
    """Neither of the episodes nor of AgentLab's logging, whose handlers write where this test's output goes."""
    root = logging.getLogger()
    before, level = root.handlers[:], root.level
    yield from nothing_stays(tmp_path)
    root.handlers[:], root.level = before, level


@pytest.fixture
def reward(tmp_path, monkeypatch):
    """Has the generic agent do a task with a model that says these steps; gives the reward that its experiment has."""
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    monkeypatch.setenv("no_proxy", "127.0.0.1")

    def of(task: str, steps: Sequence[Step]) -> float:
        flags = FLAGS_GPT_4o.copy()
        flags.action.action_set = bgym.HighLevelActionSetArgs(subsets=["bid", "nav", "chat"])
        with Server(Model(steps)) as server:
            monkeypatch.setenv("OPENAI_BASE_URL", f"{server.url}/v1")
            agent = GenericAgentArgs(chat_model_args=OpenAIModelArgs("gpt-4o", max_new_tokens=500), flags=flags)
            experiment = ExpArgs(agent, EnvArgs(task, max_steps=10))
            experiment.prepare(tmp_path / "results")
            experiment.run()
            experiment.logging_file_handler.close()
            made = ExpResult(experiment.exp_dir).summary_info
            assert (made["err_msg"], made["terminated"], made["n_steps"]) == (None, True, len(steps))
            assert len(server.requests) == len(steps)
        return made["cum_reward"]

    return of


def test_its_agent_fills_in_our_forms_with_our_scores_as_rewards(reward, tmp_path):
    make_task(tmp_path / "tasks", "Plain", template=FORM, table=TABLE)
    theirs = [reward(task, FILLED_IN) for task in register("form", tasks_dir=tmp_path / "tasks")]
    assert theirs == ours(tmp_path / "tasks") == [1.0, 0.5, 0.0]


def ours(tasks: Path) -> list[float | None]:
    """The scores of the same answers in episodes of ours."""
    with stage(tasks) as made:
        return [made.score("Plain", FilledIn(), row).score for row in range(3)]


def test_its_agent_does_our_tasks_on_websites(reward, tmp_path):
    make_site_task(tmp_path / "sites", "Account")
    (task,) = register("site", tasks_dir=tmp_path / "sites")
    assert reward(task, TO_THE_ACCOUNT) == 1.0
