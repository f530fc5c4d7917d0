"""Tests of web agents by crowdsourcing forms and websites, from Python.

    import turkbench

    run = turkbench.evaluate("oracle", split="test", max_instances=2)
    print(run.score, run.scores.groupby("task").score.mean())

``turkbench`` offers what is named here, in a checkout as in an installed copy, which has nothing called ``harness`` at
its top. These names are public and keep their meaning between minor versions (semantic versioning); all other modules
may change with any version. Each name is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from harness.actions.call import ActionCall, ActionError
    from harness.actions.parser import parse as parse_actions
    from harness.actions.result import ActionResult, Step
    from harness.actions.spec import to_prompt as describe_actions
    from harness.api.evaluation import evaluate
    from harness.api.model import Model, ModelReply
    from harness.api.run import Run, load_run
    from harness.api.tasks import load_tasks
    from harness.browser.form.fields import Field, Option
    from harness.catalog.task import Instance, Task
    from harness.episode.assignment import Page
    from harness.episode.library import Actions
    from harness.episode.site_actions import SiteActions
    from harness.episode.solver import Setup, Solver, WrongOptions
    from harness.episode.trajectory import LimitReached
    from harness.kit.errors import UserError
    from harness.kit.options import option
    from harness.models.call_options import ModelChoice
    from harness.observe import Encoding, Snapshot, encode
    from harness.records.episode import Episode
    from harness.scoring.metrics import PROFILES, FieldScore, Profile
    from harness.solvers.outside.action_library import ActionLibrary
    from harness.solvers.outside.opened_page import open_page

_PLACES = {
    "ActionCall": "harness.actions.call",
    "ActionError": "harness.actions.call",
    "ActionLibrary": "harness.solvers.outside.action_library",
    "ActionResult": "harness.actions.result",
    "Actions": "harness.episode.library",
    "Encoding": "harness.observe",
    "Episode": "harness.records.episode",
    "FieldScore": "harness.scoring.metrics",
    "Field": "harness.browser.form.fields",
    "Instance": "harness.catalog.task",
    "LimitReached": "harness.episode.trajectory",
    "Model": "harness.api.model",
    "ModelChoice": "harness.models.call_options",
    "ModelReply": "harness.api.model",
    "PROFILES": "harness.scoring.metrics",
    "Option": "harness.browser.form.fields",
    "Page": "harness.episode.assignment",
    "Profile": "harness.scoring.metrics",
    "Run": "harness.api.run",
    "Setup": "harness.episode.solver",
    "Snapshot": "harness.observe",
    "SiteActions": "harness.episode.site_actions",
    "Solver": "harness.episode.solver",
    "Step": "harness.actions.result",
    "Task": "harness.catalog.task",
    "UserError": "harness.kit.errors",
    "WrongOptions": "harness.episode.solver",
    "describe_actions": "harness.actions.spec:to_prompt",
    "encode": "harness.observe",
    "evaluate": "harness.api.evaluation",
    "load_run": "harness.api.run",
    "load_tasks": "harness.api.tasks",
    "option": "harness.kit.options",
    "open_page": "harness.solvers.outside.opened_page",
    "parse_actions": "harness.actions.parser:parse",
}
"""Public name -> the module that it stands in, with its name there where that is another."""

__all__ = [
    "PROFILES",
    "ActionCall",
    "ActionError",
    "ActionLibrary",
    "ActionResult",
    "Actions",
    "Encoding",
    "Episode",
    "Field",
    "FieldScore",
    "Instance",
    "LimitReached",
    "Model",
    "ModelChoice",
    "ModelReply",
    "Option",
    "Page",
    "Profile",
    "Run",
    "Setup",
    "SiteActions",
    "Snapshot",
    "Solver",
    "Step",
    "Task",
    "UserError",
    "WrongOptions",
    "describe_actions",
    "encode",
    "evaluate",
    "load_run",
    "load_tasks",
    "open_page",
    "option",
    "parse_actions",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, _, other = _PLACES[name].partition(":")
    found = globals()[name] = getattr(import_module(module), other or name)
    return found


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
