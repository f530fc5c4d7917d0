"""Prompts, composed of the texts in ``prompts/``: what a model is told, in the project's own words.

``Prompter`` writes those of the set ``harness``; ``harness.solvers.models.prompt_sets`` has the other sets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from harness.actions.call import ActionCall
from harness.actions.signature import ActionSpec
from harness.actions.spec import from_method, to_json_schema, to_prompt
from harness.kit.text import shorten
from harness.kit.words import Words
from harness.models.messages import Image, Message, Text, ToolCall, ToolResult
from harness.observe import numbered
from harness.solvers.models.recipe import Recipe

OURS = "harness"
"""The set of prompts that is used unless another is asked for, and the only one for programs from outside."""
WORDS = Words("harness.solvers.models", "prompts/harness")
"""Its words."""
SITE_WORDS = Words("harness.solvers.models", "prompts/site")
"""Those of the set ``site``, for websites."""
say, say_of_site = WORDS.say, SITE_WORDS.say

READ_CHARACTERS = 4_000
"""Characters of a model's own reply that are shown to it again."""

_WRITING = ("modify_text", "modify_radio", "modify_checkbox", "modify_select", "modify_range")
_POINTING = ("click", "double_click", "drag", "hover")
_UNTOLD = ("select_text", "play_clip", "wait_until_enabled")
"""Actions that prompts do not list: they came later, and prompts stay as they were, so that old runs compare."""
_PICTURES_WITH_POINTS = ("viewport", "element", "marks")


def finish() -> None:
    """End the work on this page: its form is complete.

    Examples:
        >>> finish()
    """


FINISH = from_method(finish)
"""Ends protocol ``form``; it is no action on a page."""


def offered(recipe: Recipe, known: Mapping[str, ActionSpec]) -> dict[str, ActionSpec]:
    """The actions that a model is told of and that are read from its replies.

    In protocol ``field`` it answers once and looks no further: the actions that write, and those that press what it
    sees. Points are offered where it sees a picture of the screen. A model that is held to a grammar only writes.

    Args:
        recipe: How the model is asked.
        known: The action library; of a website, the action set of the run.
    """
    known = {name: spec for name, spec in known.items() if name not in _UNTOLD}
    if recipe.protocol == "site":
        return _offered_on_site(recipe, known)
    if recipe.grammar:
        # Its grammar admits no others (``harness.solvers.models.grammars``), and each that is told takes a small
        # model's time.
        ends = {FINISH.name: FINISH} if recipe.protocol == "form" else {}
        return {**{name: known[name] for name in _WRITING}, **ends}
    points = _POINTING if recipe.screenshot in _PICTURES_WITH_POINTS else ()
    pressing = ("click_element",) if recipe.encoding in numbered() or recipe.screenshot.startswith("marks") else ()
    if recipe.protocol == "field":
        names = (*_WRITING, *pressing, *points, *(("type", "press") if points else ()))
        return {name: known[name] for name in names if name in known}
    without = {*_POINTING, *(("capture_screen",) if recipe.screenshot == "none" else ())} - set(points)
    if not pressing:
        without.add("click_element")
    return {**{name: spec for name, spec in known.items() if name not in without}, FINISH.name: FINISH}


def _offered_on_site(recipe: Recipe, known: Mapping[str, ActionSpec]) -> dict[str, ActionSpec]:
    """Of the action set, what can be done by what is shown; the end of the work is one of its actions."""
    # Of some action sets those of these names act on elements, not on points.
    points = {name for name in _POINTING if name in known and known[name].parameters[0].name in ("x", "x1")}
    without = set() if recipe.screenshot in _PICTURES_WITH_POINTS else points
    if recipe.screenshot == "none":
        without.add("capture_screen")
    if recipe.grammar:  # It is held to what it can do by the numbers of a page.
        without |= {name for name, spec in known.items() if any(each.name == "name" for each in spec.parameters)}
    return {name: spec for name, spec in known.items() if name not in without}


class Prompter:
    """Writes the messages of one recipe, in the words of the set ``harness``.

    Attributes:
        recipe: How the model is asked.
        specs: The actions that are offered, by name.
        tools: The same as tools; empty if the model writes text.
    """

    def __init__(self, recipe: Recipe, known: Mapping[str, ActionSpec]) -> None:
        self.recipe = recipe
        self.specs = offered(recipe, known)
        self.tools = tuple(map(to_json_schema, self.specs.values())) if recipe.output == "tools" else ()

    def framed(self, text: str) -> str:
        """A page's text as it stands in a message."""
        return say("page_text", text=text)

    def picture_alone(self) -> str:
        """What stands in place of a page's text where it is shown as a picture only."""
        return say("page_picture_only")

    def legend(self, width: int, height: int, marks: Mapping[int, str | None]) -> str:
        """What a picture shows; empty if nothing is said of it.

        Args:
            width: Of the picture, in pixels.
            height: Of the picture, in pixels.
            marks: The numbers on it, each with the name of its field.
        """
        told = "\n".join(f"{number}: {'no field' if name is None else repr(name)}" for number, name in marks.items())
        return say(f"picture_{self.recipe.screenshot}", width=width, height=height, marks=told)

    def system(self, demonstrations: int) -> Message:
        """The rules: who is asked, for what, and with which actions.

        Args:
            demonstrations: How many follow.
        """
        rules = [say(f"{self.recipe.protocol}_rules"), say("trust")]
        if self.recipe.output == "tools":
            parts = [say("role_with_tools"), *rules, say("tool_output")]
        else:
            parts = [say("role"), *rules, to_prompt(self.specs), say("text_output")]
        if demonstrations:
            parts.append(say("demonstrations", count=demonstrations))
        return Message("system", (Text("\n\n".join(parts)),))

    def field_request(self, page: Sequence[Text | Image], field: str) -> Message:
        """The page, and the field to fill in."""
        return Message("user", _around("field_request", page, field=repr(field)))

    def form_request(self, page: Sequence[Text | Image], names: Sequence[str]) -> Message:
        """The page, and what is told of its fields."""
        fields = say("form_no_fields")
        if self.recipe.field_names:
            fields = say("form_fields", names="\n".join(map(repr, names)) or "none")
        return Message("user", _around("form_request", page, fields=fields))

    def form_demonstration(self, page: Sequence[Text | Image]) -> Message:
        """The page of an example, whose reply holds all actions at once."""
        return Message("user", _around("form_request", page, fields=say("form_demonstration")))

    def form_next(self, page: Sequence[Text | Image]) -> Message:
        """The page after actions."""
        return Message("user", _around("form_next", page))

    def example_reply(self, calls: Sequence[ActionCall], number: int) -> list[Message]:
        """The reply of a demonstration, as this model is to write it.

        Args:
            calls: What was right.
            number: The demonstration's, which makes the calls' ids.
        """
        if self.recipe.output == "text":
            return [Message("assistant", (Text("\n".join(map(str, calls))),))]
        tool_calls = tuple(
            ToolCall(f"example{number}x{place}", call.name, call.args) for place, call in enumerate(calls, start=1)
        )
        return [
            Message("assistant", tool_calls),
            Message("tool", tuple(ToolResult(call.id, "done") for call in tool_calls)),
        ]


def _around(name: str, page: Sequence[Text | Image], **values: object) -> tuple[Text | Image, ...]:
    """A part whose ``${page}`` is a text with pictures before it."""
    text = "\n\n".join(each.text for each in page if isinstance(each, Text))
    pictures = tuple(each for each in page if isinstance(each, Image))
    return (*pictures, Text(say(name, page=text, **values)))


def reminded(text: str) -> str:
    """A model's own text as it is shown to it again: no provider takes an empty message, no budget an endless one."""
    return shorten(text.strip(), READ_CHARACTERS) or "(nothing)"
