"""The table in which sets of actions are found by name: what a solver is offered of the action library."""

from __future__ import annotations

from collections.abc import Mapping

from harness.actions.autowebglm import AUTOWEBGLM
from harness.actions.signature import ActionSpec
from harness.catalog.kinds import KindName
from harness.episode.autowebglm_actions import AutoWebGLMActions
from harness.episode.library import ACTIONS
from harness.episode.site_actions import SITE_ACTIONS, SiteActions
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


def actions_of(name: ActionSetName | None = None) -> Mapping[str, ActionSpec]:
    """The actions that a solver is offered on a website; on a form see ``harness.forms.kind``.

    Args:
        name: A name of ``ACTION_SETS``; None for the usual set.

    Returns:
        Their specifications by name; ``finish`` is always among them.
    """
    name = name or USUAL["site"]
    if name == "autowebglm":
        return AUTOWEBGLM
    return {**ACTION_SETS[name], _FINISH: SITE_ACTIONS[_FINISH]}


def site_actions_of(name: ActionSetName | None) -> type[SiteActions]:
    """What does the actions of a set on a website."""
    return AutoWebGLMActions if name == "autowebglm" else SiteActions
