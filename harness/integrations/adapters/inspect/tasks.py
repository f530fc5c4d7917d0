"""The tasks: forms, and websites."""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageSystem, ChatMessageUser
from inspect_ai.solver import Generate, Solver, TaskState, solver

from harness.catalog.kinds import KindName
from harness.integrations.adapters.inspect.open_page import Pages
from harness.integrations.adapters.inspect.page_agent import PageTools, content_of, page_agent
from harness.integrations.adapters.inspect.page_score import page_score
from harness.integrations.adapters.inspect.registry_names import name_of, named_as_given
from harness.integrations.adapters.stage.messages import Instances
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.integrations.exports.inspect_sample import sample_id
from harness.kit.errors import UserError
from harness.kit.files.installation import installed_version

FRAMEWORK = "inspect"
SECONDS = 3_600.0
"""How long a page may be worked on, unless somebody says otherwise: Inspect counts turns, tokens and time itself."""


@task(name=name_of("forms"))
@named_as_given
def forms(encoding: str = "simplified", pages: int = 2, max_turns: int = 30, **settings: Any) -> Task:
    """The pages of crowdsourcing tasks.

    Args:
        encoding: How the page's text is written (docs/encodings.md).
        pages: So many pages at most are open at the same time, each in a browser of its own.
        max_turns: Replies of a model; what the form holds after the last one is scored.
        settings: Arguments of ``harness.integrations.adapters.stage.stage_config.stage_config``, such as ``task``,
            ``split`` and ``max_seconds``.

    Raises:
        UserError: there are no such instances.
    """
    return _task("form", encoding, pages, max_turns, **settings)


@task(name=name_of("sites"))
@named_as_given
def sites(encoding: str = "simplified", pages: int = 2, max_turns: int = 30, **settings: Any) -> Task:
    """Goals on websites; arguments and errors as of ``forms``."""
    return _task("site", encoding, pages, max_turns, **settings)


def _task(kind: KindName, encoding: str, at_once: int, max_turns: int, **settings: Any) -> Task:
    config = stage_config(FRAMEWORK, kind, **{"max_seconds": SECONDS, **settings})
    with Stage(config) as stage:
        samples = samples_of(stage.instances())
    if not samples:
        raise UserError(f"no instance is chosen in {config.tasks_dir}: see task, split and tasks_dir")
    pages = Pages(config, at_once)
    return Task(
        MemoryDataset(samples, name=config.tasks_dir.name),
        setup=open_page(pages, encoding),
        solver=page_agent(max_turns),
        cleanup=pages.leave,
        scorer=page_score(),
        turn_limit=max_turns,
        version=installed_version() or "unknown",
        metadata={"metrics": config.metrics},
    )


def samples_of(instances: Instances) -> list[Sample]:
    """A sample for each instance. It names the instance, and has no target: labels stay in the process of the stage."""
    return [
        Sample(f"{task}, row {row}", id=sample_id(task, row), metadata={"task": task, "row": row})
        for task, rows in instances.items()
        for row in rows
    ]


@solver(name=name_of("open_page"))
@named_as_given
def open_page(pages: Pages, encoding: str) -> Solver:
    """Opens the page of a sample: messages become what a model is told of it, and tools are those of the page.

    Args:
        pages: Where it is opened.
        encoding: How the page's text is written.
    """

    async def solve(state: TaskState, generate: Generate) -> TaskState:  # noqa: ARG001 - Inspect's interface
        page = await pages.open(state)
        seen = await page.call("observe", {"encoding": encoding})
        state.messages = [
            ChatMessageSystem(content=page.told.instructions),
            ChatMessageUser(content=content_of(seen)),
        ]
        state.tools = await PageTools().tools()
        return state

    return solve
