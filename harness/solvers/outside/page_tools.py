"""The action library and the observations of a page as tools, for whoever calls tools by name and JSON arguments."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Protocol

from harness.actions.call import ActionCall, ActionError
from harness.actions.signature import ActionSpec, did_you_mean
from harness.actions.spec import from_method, to_json_schema
from harness.catalog.template.wrapping import listed
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS, Actions
from harness.episode.site_actions import SiteActions
from harness.episode.trajectory import LimitReached, Trajectory
from harness.kit.text import shorten
from harness.models.messages import Image, ToolCall
from harness.observe import ENCODINGS, Snapshot, encode
from harness.observe.screenshots import MODES
from harness.records.texts import packed
from harness.records.turn import ERROR, Turn
from harness.solvers.models.prompting import say, say_of_site


@dataclass(frozen=True)
class ToolEffects:
    """What a call of a tool may do. None reaches beyond the task's page or website: the world is never an open one.

    Attributes:
        read_only: It changes nothing, save that a picture of one field scrolls to it.
        destructive: It may undo what was entered, or send the form.
        idempotent: A second call with the same arguments changes nothing more.
    """

    read_only: bool = False
    destructive: bool = False
    idempotent: bool = False


_LOOKS = ToolEffects(read_only=True, idempotent=True)
_MOVES = ToolEffects(idempotent=True)
_SETS = ToolEffects(destructive=True, idempotent=True)  # what a field held before is replaced
_PRESSES = ToolEffects(destructive=True)  # anything can be pressed, the page's Submit and its Reset, too

EFFECTS: Mapping[str, ToolEffects] = {
    "observe": _LOOKS,
    "get_html": _LOOKS,
    "capture_screen": _LOOKS,
    "wait_till_loaded": _LOOKS,
    "hover": _MOVES,
    "scroll": ToolEffects(),  # each call goes on from where the one before had led
    "scroll_to": _MOVES,
    "maximize": _MOVES,
    "modify_text": _SETS,
    "modify_radio": _SETS,
    "modify_checkbox": _SETS,
    "modify_select": _SETS,
    "modify_range": _SETS,
    "select_text": _PRESSES,  # pages write down what is selected
    "play_clip": _MOVES,
    "wait_until_enabled": _LOOKS,
    "click": _PRESSES,
    "click_element": _PRESSES,
    "double_click": _PRESSES,
    "drag": _PRESSES,
    "type": _PRESSES,
    "press": _PRESSES,
    "goto": _MOVES,
    "go_back": ToolEffects(),
    "go_forward": ToolEffects(),
    "reload": _SETS,  # what was entered and not sent is gone
    "hover_element": _MOVES,
    "fill": _SETS,
    "fill_search": _PRESSES,
    "select_option": _SETS,
    "new_tab": ToolEffects(),
    "switch_tab": _MOVES,
    "close_tab": _PRESSES,
    "ask_user": _LOOKS,
    # AutoWebGLM's names.
    "select": _SETS,
    "type_string": _PRESSES,
    "scroll_page": ToolEffects(),
    "go": ToolEffects(),
    "jump_to": ToolEffects(),
    "user_input": _LOOKS,
    "finish": _SETS,
}
"""By the tool's name."""


MOST_CHARACTERS = 60_000
"""Characters of one answer; assistants cut off or refuse what is much longer."""
LONGEST_ARGUMENT = 1_000
OVER = "The work on this page is over; nothing can be done on it any more."


def observe(encoding: str = "simplified", picture: str = "none", field: str | None = None) -> None:
    """Look at the page as it is now: as text, as a picture, or both.

    Args:
        encoding: How to write the page: simplified (what can be operated has a number, for click_element), full,
            relevant (the part around a field), axtree (the accessibility tree), text (what a person reads) or none.
        picture: What to show: none, viewport, full (the whole page), element (the field, framed), marks (numbers on
            what can be operated) or marks-full (the same of the whole page).
        field: The name of the field that is to be in it; needed for the picture element.

    Examples:
        >>> observe()
        >>> observe('none', 'marks')
    """


def finish() -> None:
    """Send the form as it stands. The work on this page is over then.

    Examples:
        >>> finish()
    """


OFFERED = ("none", *(name for name, encoding in ENCODINGS.items() if encoding.for_programs))
"""Encodings to look at a page by."""

OBSERVE = from_method(observe, {"encoding": OFFERED, "picture": MODES})
FINISH = from_method(finish)
FORM_TOOLS: Mapping[str, ActionSpec] = {OBSERVE.name: OBSERVE, **ACTIONS, FINISH.name: FINISH}
"""The tools of a form by name. On a website they are those of the task's set of actions, ``finish`` among them."""
"""The set of prompts of websites."""


@dataclass(frozen=True)
class ToolAnswer:
    """What a call of a tool gives.

    Attributes:
        text: Result or error, for a model to read.
        images: Pictures that belong to it.
        ok: Whether what was asked for was done.
        page: Digest of the state in which the page was seen; empty if it was not looked at.
    """

    text: str
    images: tuple[Image, ...] = ()
    ok: bool = True
    page: str = ""


class ToolBox(Protocol):
    """Tools of one page.

    Attributes:
        instructions: What a model has to know before it begins.
    """

    instructions: str

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """What can be called: name, description, JSON Schema of the parameters, and ``ToolEffects`` as effects."""

    def resources(self) -> Mapping[str, str]:
        """What can be read: address -> JSON text."""

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """Call a tool; whatever is wrong is an answer, never an exception."""

    @property
    def is_over(self) -> bool:
        """Whether nothing can be done any more."""

    def settle(self) -> None:
        """Raise what ended the work, unless that was ``finish``.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode.
            Exception: the browser died.
        """


class PageTools:
    """The tools of one page.

    Attributes:
        instructions: See ``ToolBox``.
        specs: The tools' specifications by name.
    """

    def __init__(self, page: Page, act: Actions, *, tell_fields: bool) -> None:
        """Offer the actions on a page.

        Args:
            page: The page.
            act: The actions on it.
            tell_fields: Whether it is told which fields there are.
        """
        if isinstance(act, SiteActions):
            self.instructions = _of_site(page, act)
        else:
            self.instructions = _of_form(page, tell_fields=tell_fields)
        self.specs = {OBSERVE.name: OBSERVE, **act.specs} if isinstance(act, SiteActions) else FORM_TOOLS
        self._act = act
        self._page = page
        self._tell_fields = tell_fields
        self._is_finished = False
        self._ended_by: Exception | None = None

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """See ``ToolBox``."""
        return [{**to_json_schema(spec), "effects": EFFECTS[name]} for name, spec in self.specs.items()]

    def resources(self) -> Mapping[str, str]:
        """See ``ToolBox``: the fields as they were when the page had loaded, unless they are not told; or the goal."""
        if isinstance(self._act, SiteActions):
            told = {"goal": self._page.goal, "start": self._page.url, "origins": self._page.origins}
            return {"page://goal": json.dumps(told, ensure_ascii=False)}
        if not self._tell_fields:
            return {}
        fields = {"names": self._page.names, "fields": [asdict(field) for field in self._page.fields]}
        return {"page://fields": json.dumps(fields, ensure_ascii=False)}

    @property
    def is_over(self) -> bool:
        """See ``ToolBox``."""
        return self._is_finished or self._act.submitted or self._ended_by is not None

    def settle(self) -> None:
        """See ``ToolBox``."""
        if self._ended_by is not None:
            raise self._ended_by

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """See ``ToolBox``."""
        if self.is_over:
            return ToolAnswer(OVER, ok=False)
        call = read_call(name, arguments, self.specs)
        if isinstance(call, ActionError):
            return ToolAnswer(str(call), ok=False)
        if self.specs[name] is FINISH:
            self._is_finished = True
            return ToolAnswer("The form is sent as it stands. The work on this page is over.")
        try:
            if name == OBSERVE.name:
                return self._observe(**call.args)
            result = self._act.call(call)
        except LimitReached as limit:
            self._ended_by = limit
            return ToolAnswer(f"{limit}. {OVER}", ok=False)
        except Exception as error:  # noqa: BLE001 - the browser is gone: `settle` tells the harness
            self._ended_by = error
            return ToolAnswer(f"The browser is gone. {OVER}", ok=False)
        words = f"{result.message}\n{shorten(result.text, MOST_CHARACTERS)}" if result.text else result.message
        return ToolAnswer(words, (Image(result.image),) if result.image else (), result.ok)

    def _observe(self, encoding: Any, picture: Any, field: Any) -> ToolAnswer:
        self._act.trajectory.check_limits()
        snapshot = self._act.observation.snapshot(None if encoding == "none" else encoding)
        if field is not None and field not in snapshot.controls:
            known = listed(snapshot.controls)
            return ToolAnswer(f"There is no field {field!r} on the page now; there are {known}.", ok=False)
        try:
            shown = self._act.observation.picture(picture, field)
        except ValueError as error:  # a picture of a field without its name
            return ToolAnswer(str(error), ok=False)
        texts = [_tabs(self._act)] if isinstance(self._act, SiteActions) else []
        texts += [] if encoding == "none" else [_written(encoding, snapshot, field)]
        if shown is None:
            return ToolAnswer("\n\n".join(texts), page=snapshot.digest())
        marks = [f"{number}: {'no field' if name is None else repr(name)}" for number, name in shown.marks.items()]
        text = "\n\n".join(filter(None, (*texts, "\n".join(marks))))
        return ToolAnswer(text, (Image(shown.png),), page=snapshot.digest())


def read_call(name: str, arguments: Mapping[str, Any], specs: Mapping[str, ActionSpec]) -> ActionCall | ActionError:
    """What a call of a tool means.

    Args:
        name: Of the tool.
        arguments: By name.
        specs: The tools that there are, by name.
    """
    shown = f"{name}({json.dumps(dict(arguments), ensure_ascii=False)})"
    spec = specs.get(name)
    if spec is None:
        guess = did_you_mean(name, specs)
        return ActionError(shown, f"there is no tool {shorten(name, 60)!r}{guess}; there are {', '.join(specs)}")
    try:
        return spec.bind((), arguments)
    except ValueError as error:
        return ActionError(shown, f"{error}. The tool is {spec.signature}")


def _of_form(page: Page, *, tell_fields: bool) -> str:
    """What a model has to know before it fills in a form."""
    fields = say("form_fields", names="\n".join(map(repr, page.names)) or "none")
    rules = map(say, ("role_with_tools", "assistant_rules", "trust"))
    return "\n\n".join([*rules, fields if tell_fields else say("form_no_fields")])


def _of_site(page: Page, act: SiteActions) -> str:
    """What a model has to know before it walks through a website."""
    rules = [say_of_site(name) for name in ("site_role_with_tools", "assistant_rules", "site_trust")]
    return "\n\n".join([*rules, say_of_site("goal", goal=page.goal), _tabs(act)])


def _tabs(act: SiteActions) -> str:
    """The open tabs, for a model that knows of none but those that it is told of."""
    return say_of_site("open_tabs", tabs="\n".join(map(str, act.tabs())))


def _written(encoding: str, snapshot: Snapshot, field: str | None) -> str:
    # What unit the budget has is the caller's choice; here it is characters.
    encoded = encode(encoding, snapshot, field=field, budget=MOST_CHARACTERS, count=len)
    return encoded.text + (f"\n\n[{'; '.join(encoded.shrunk)}]" if encoded.shrunk else "")


class RecordedTools:
    """Tools whose every call is recorded as a turn: for agents whose own words are not heard.

    What was sent is what the caller was shown since its last call; what it replied is the call.
    """

    def __init__(self, tools: PageTools, trajectory: Trajectory) -> None:
        """Record the calls of ``tools`` in ``trajectory``."""
        self.instructions = tools.instructions
        self._tools = tools
        self._trajectory = trajectory
        self._shown = ToolAnswer(tools.instructions)

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """See ``ToolBox``."""
        return self._tools.tools()

    def resources(self) -> Mapping[str, str]:
        """See ``ToolBox``."""
        return self._tools.resources()

    @property
    def is_over(self) -> bool:
        """See ``ToolBox``."""
        return self._tools.is_over

    def settle(self) -> None:
        """See ``ToolBox``."""
        self._tools.settle()

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolAnswer:
        """See ``ToolBox``."""
        if self._tools.is_over:
            return self._tools.call(name, arguments)
        shown = self._shown
        sent, texts = packed({"shown": shown.text, "images": [image.to_json() for image in shown.images]})
        first = len(self._trajectory.steps)
        answer = self._tools.call(name, arguments)
        made = read_call(name, arguments, self._tools.specs)
        turn = Turn(
            sent=sent,
            images=tuple(image.sha256 for image in shown.images),
            tool_calls=(ToolCall(str(len(self._trajectory.turns)), shorten(name, 200), _short(arguments)),),
            calls=(str(made) if isinstance(made, ActionCall) else f"{ERROR}{made}",),
            steps=(first, len(self._trajectory.steps)),
            page=shown.page,
            finish="tool_calls",
        )
        self._trajectory.record_turn(turn, texts, {image.sha256: image.png for image in shown.images})
        self._shown = answer
        return answer


def _short(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Arguments as the record keeps them: what is long is cut, and what JSON has no words for is text."""
    kept = {}
    for name, value in arguments.items():
        try:
            is_short = len(json.dumps(value, allow_nan=False)) <= LONGEST_ARGUMENT
        except ValueError:
            is_short = False
        kept[shorten(name, 200)] = value if is_short else shorten(str(value), LONGEST_ARGUMENT)
    return kept
