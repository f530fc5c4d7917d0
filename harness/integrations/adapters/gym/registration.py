"""The environments' ids."""

from __future__ import annotations

import gymnasium

from harness.catalog.tasks_folder import NAMESPACE, id_of, may_be_task
from harness.kit.files.installation import BUNDLED_TASKS, SITE_TASKS

ENVIRONMENT = "harness.integrations.adapters.gym.page_env:PageEnv"
KINDS = {"Form": "form", "Site": "site"}
"""Ids of any task of a kind, and what the environment calls the kind."""


def register() -> None:
    """Register ``turkbench/Form-v0``, ``turkbench/Site-v0``, and an id for each bundled task."""
    for name, kind in KINDS.items():
        _register(name, {"kind": kind})
    for folder, kind in ((BUNDLED_TASKS, "form"), (SITE_TASKS, "site")):
        for each in sorted(folder.iterdir()):
            if each.is_dir() and may_be_task(each.name):
                _register(id_of(each.name), {"kind": kind, "task": each.name})


def _register(name: str, options: dict[str, str]) -> None:
    # The environment counts its steps itself: what is cut short is submitted, and scored.
    gymnasium.register(f"{NAMESPACE}/{name}-v0", ENVIRONMENT, kwargs=options)
