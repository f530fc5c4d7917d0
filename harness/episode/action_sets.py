"""The table in which sets of actions are found by name: what a solver is offered of the action library."""

from __future__ import annotations

from collections.abc import Mapping

from harness.actions.autowebglm import AUTOWEBGLM, ELEMENT
from harness.actions.call import ActionCall
from harness.actions.result import ActionResult
from harness.actions.signature import ActionSpec
from harness.catalog.kinds import KindName
from harness.episode.library import ACTIONS
from harness.episode.observation import element_number
from harness.episode.site_actions import SITE_ACTIONS, SiteActions
from harness.observe.encoding import letters
from harness.records.config import ActionSetName


class NoFunction(ValueError):
    """An action of the library for which AutoWebGLM has no function."""


class AutoWebGLMActions(SiteActions):
    """Takes calls of the ten functions. Letters and numbers of elements are the same to it: G is 7."""

    def call(self, call: ActionCall) -> ActionResult:
        """Perform a call of a function.

        Raises:
            LimitReached: a limit of the episode is used up.
        """
        return super().call(library_call(call, self._back_end.size[1]))

    def spoken(self, call: ActionCall) -> ActionCall:
        """A call of the library as a call of a function."""
        return function_call(call)


def library_call(call: ActionCall, screen: int) -> ActionCall:
    """What a function does, as an action of the library.

    Args:
        call: Of a function, bound to its specification.
        screen: Height of what is seen of a page, in pixels: ``scroll_page`` scrolls by that.
    """
    args = call.args
    match call.name:
        case "click" | "hover":
            return ActionCall(f"{call.name}_element", {"ref": args[ELEMENT]})
        case "select":
            return ActionCall("select_option", {"ref": args[ELEMENT], "text": args["option"]})
        case "type_string":
            name = "fill_search" if args["press_enter"] else "fill"
            return ActionCall(name, {"ref": args[ELEMENT], "text": args["content"]})
        case "scroll_page":
            return ActionCall("scroll", {"dx": 0, "dy": screen if args["direction"] == "down" else -screen})
        case "go":
            return ActionCall("go_back" if args["direction"] == "backward" else "go_forward", {})
        case "jump_to":
            return ActionCall("new_tab" if args["new_tab"] else "goto", {"url": args["url"]})
        case "switch_tab":
            # The observation counts tabs from 1, the library from 0.
            number = args["tab_index"]
            return ActionCall("switch_tab", {"number": number - 1 if isinstance(number, int) else number})
        case "user_input":
            return ActionCall("ask_user", {"message": args["message"]})
    return call


def function_call(call: ActionCall) -> ActionCall:
    """An action of the library as a call of a function: what ``library_call`` turns back.

    Args:
        call: Of the library, with an element by its number.

    Raises:
        NoFunction: none does that.
    """
    args = call.args
    element = letters(element_number(args.get("ref", "")) or 0)
    match call.name:
        case "click_element" | "hover_element":
            return ActionCall(call.name.removesuffix("_element"), {ELEMENT: element})
        case "select_option":
            return ActionCall("select", {ELEMENT: element, "option": args["text"]})
        case "fill" | "fill_search":
            enter = call.name == "fill_search"
            return ActionCall("type_string", {ELEMENT: element, "content": args["text"], "press_enter": enter})
        case "go_back" | "go_forward":
            return ActionCall("go", {"direction": "backward" if call.name == "go_back" else "forward"})
        case "goto" | "new_tab" if args.get("url"):
            return ActionCall("jump_to", {"url": args["url"], "new_tab": call.name == "new_tab"})
        case "switch_tab" if isinstance(number := args["number"], int):
            return ActionCall("switch_tab", {"tab_index": number + 1})
        case "ask_user":
            return ActionCall("user_input", {"message": args["message"]})
        case "finish":
            return call
    raise NoFunction(f"AutoWebGLM has no function that does {call}")


_FINISH, _CALL_TOOL = "finish", "call_tool"
_WEBCANVAS = (
    "goto", "go_back", "go_forward", "reload", "click_element", "hover_element", "fill", "fill_search",
    "select_option", "scroll", "press", "wait_till_loaded", "new_tab", "switch_tab", "close_tab", _FINISH,
)  # fmt: skip

ACTION_SETS: Mapping[ActionSetName, Mapping[str, ActionSpec]] = {
    "turkingbench": ACTIONS,
    "webcanvas": {name: SITE_ACTIONS[name] for name in _WEBCANVAS},
    "autowebglm": AUTOWEBGLM,
    "page-tools": {name: SITE_ACTIONS[name] for name in (_CALL_TOOL, "goto", "go_back", _FINISH)},
    "all": {name: spec for name, spec in SITE_ACTIONS.items() if name != _CALL_TOOL},
}
"""Name -> specifications by name. ``turkingbench`` is TurkingBench's Table 3; ``webcanvas`` what WebCanvas offers, with
scrolling, keys and waiting; ``autowebglm`` AutoWebGLM's functions, which ``site_actions_of`` maps onto the library;
``page-tools`` what the page itself offers; ``all`` is the rest of the library, too."""
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
