"""The tasks' ids: one for each instance."""

from __future__ import annotations

from typing import Any

import gymnasium
from gymnasium.envs.registration import WrapperSpec

from harness.catalog.kinds import KindName
from harness.catalog.tasks_folder import instance_id
from harness.integrations.adapters.stage.stage import Stage
from harness.integrations.adapters.stage.stage_config import stage_config
from harness.records.config import RunConfig

MODULE = "harness.integrations.adapters.browsergym.page_env"
FRAMEWORK = "browsergym"
SECONDS = 3_600.0
"""How long a page may be worked on, unless somebody says otherwise: BrowserGym counts steps, and waits in each."""


def register(kind: KindName, **settings: Any) -> list[str]:
    """Register each instance as a task; returns their ids. One that is registered already is registered anew.

    Args:
        kind: Of the tasks.
        settings: Further arguments of ``harness.integrations.adapters.stage.stage_config.stage_config``, such as
            ``tasks_dir``.

    Raises:
        NotStaged, StageGone: there are no such tasks.
    """
    config = stage_config(FRAMEWORK, kind, **{"max_seconds": SECONDS, **settings})
    with Stage(config) as stage:
        instances = stage.instances()
    return [
        _registered(config, instance_id(kind, task, row), task, row) for task, rows in instances.items() for row in rows
    ]


def _registered(config: RunConfig, name: str, task: str, row: int) -> str:
    id_ = f"{FRAMEWORK}/{name}"
    gymnasium.registry.pop(id_, None)
    instance = {"config": config, "task": task, "row": row}
    gymnasium.register(
        id_,
        f"{MODULE}:PageEnv",
        nondeterministic=True,
        kwargs={"task_kwargs": instance},
        additional_wrappers=(WrapperSpec("ScoredAtLimit", f"{MODULE}:ScoredAtLimit", {}),),
    )
    return name
