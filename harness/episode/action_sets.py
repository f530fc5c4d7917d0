"""The table in which sets of actions are found by name: what a solver is offered of the action library."""

from __future__ import annotations

from collections.abc import Mapping

from harness.actions.autowebglm import AUTOWEBGLM
from harness.actions.signature import ActionSpec
from harness.catalog.task_kinds import KindName
from harness.episode.autowebglm_actions import AutoWebGLMActions
from harness.episode.library import ACTIONS
from harness.episode.site_actions import SITE_ACTIONS, SiteActions
from harness.kit.errors.user import UserError
from harness.records.config import ActionSetName

_FINISH = "finish"
_WEBCANVAS = (
    "goto", "go_back", "go_forward", "reload", "click_element", "hover_element", "fill", "fill_search",
    "select_option", "scroll", "press", "wait_till_loaded", "new_tab", "switch_tab", "close_tab", _FINISH,
)  # fmt: skip

ACTION_SETS: Mapping[ActionSetName, Mapping[str, ActionSpec]] = {
    "turkingbench": ACTIONS,
    "webcanvas": {name: SITE_ACTIONS[name] for name in _WEBCANVAS},
    "autowebglm": AUTOWEBGLM,
    "all": SITE_ACTIONS,
}
"""Name -> specifications by name. ``turkingbench`` is TurkingBench's Table 3; ``webcanvas`` what WebCanvas offers, with
scrolling, keys and waiting; ``autowebglm`` AutoWebGLM's functions, which ``site_actions_of`` maps onto the library;
``all`` is the whole library."""
USUAL: Mapping[KindName, ActionSetName] = {"form": "turkingbench", "site": "webcanvas"}
"""The set of a kind of task, unless its user says otherwise."""


class WrongActions(UserError):
    """A set of actions is not for this kind of task."""


def actions_of(kind: KindName, name: ActionSetName | None = None) -> Mapping[str, ActionSpec]:
    """The actions that a solver is offered.

    Args:
        kind: Of the task.
        name: A name of ``ACTION_SETS``; None for the usual set of the kind.

    Returns:
        Their specifications by name. On a website ``finish`` is always among them; on a form there are no tabs and no
        addresses, so that ``all`` is the same as ``turkingbench`` there.

    Raises:
        WrongActions: its actions are for websites, and the task is a form.
    """
    name = name or USUAL[kind]
    if kind == "site":
        if name == "autowebglm":
            return AUTOWEBGLM
        return {**ACTION_SETS[name], _FINISH: SITE_ACTIONS[_FINISH]}
    if name in ("webcanvas", "autowebglm"):
        raise WrongActions(f"--actions {name}: its actions are for websites; a form has turkingbench, or leave it out")
    return ACTIONS


def site_actions_of(name: ActionSetName | None) -> type[SiteActions]:
    """What does the actions of a set on a website."""
    return AutoWebGLMActions if name == "autowebglm" else SiteActions
