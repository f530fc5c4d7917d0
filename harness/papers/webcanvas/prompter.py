"""The set of prompts ``webcanvas``: the baseline agent of WebCanvas (Appendix F and M), in words of our own.

As there, a turn shows goal, steps so far and page, and the reply is one JSON object: a thought, an action, an element's
number, an input and a description. Its names of actions are the paper's where it has them.
``docs/reference/prompts.md`` lists what differs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote_plus

from harness.actions.call import ActionCall, ActionError
from harness.actions.signature import ActionSpec, did_you_mean
from harness.kit.words import Words
from harness.models.messages import LENGTH, Message, Reply, Text
from harness.papers.wording.original_words import OriginalWords
from harness.solvers.models.grammars import ELEMENT, MOST_NUMBERS
from harness.solvers.models.prompting import SITE_WORDS, WORDS, say
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.replies import ReplyItem, json_object
from harness.solvers.models.site_prompter import PROMPTS as OF_SITES
from harness.solvers.models.site_prompter import SitePrompter
from harness.solvers.models.site_step import ReadReply

NAME = "webcanvas"
_WORDS = Words("harness.papers.webcanvas")
_ORIGINAL = OriginalWords(NAME, _WORDS)
PAPER_NAMES = {"click_element": "click", "hover_element": "hover", "fill": "fill_form"}
"""What the paper calls an action that has another name here."""
_SEARCH = "https://www.google.com/search?q="
_NUMBERS = (ELEMENT, "number")
# Short enough for the reply to be whole within the tokens that a small model is given.
_TEXTS = (
    r'text ::= [^"\\\x00-\x1F\x7F]{0,60}',
    r'words ::= [A-Za-z0-9] [^"\\\x00-\x1F\x7F]{0,60}',
)


class WebCanvasPrompter(SitePrompter):
    """Writes the messages of one recipe as WebCanvas's agent is asked; for text.

    Attributes:
        words: In which words.
        names: What the model calls an action that has another name here.
    """

    words: Words = _WORDS
    names: Mapping[str, str] = PAPER_NAMES

    def system(self, demonstrations: int = 0) -> Message:  # noqa: ARG002 - as its base
        """The instructions and the form of the reply."""
        actions = "\n".join(f"- {self._told(spec)}" for spec in self.specs.values())
        rules = self.words.say("webcanvas_rules", actions=actions)
        reply = self.words.say("webcanvas_thought" if self.thinks else "webcanvas_no_thought")
        return Message("system", (Text("\n\n".join(filter(None, (rules, reply)))),))

    def read(self, reply: Reply) -> ReadReply:
        """The action that the reply's JSON object names."""
        try:
            found = json_object(reply.text, self._keys)
            item, thought = ReplyItem(self._bound(found)), self._thought(found)
        except ValueError as error:
            return ReadReply((ReplyItem(ActionError(reply.text, str(error))),))
        return ReadReply((item,), thought)

    def complaints(self, reply: Reply, items: Sequence[ReplyItem]) -> str:
        """Why a reply was not acted on: what is wrong with its JSON object."""
        lines = [f"{item.what.reason}." for item in items if isinstance(item.what, ActionError)]
        if reply.finish == LENGTH:
            lines.append(say("cut_off", tokens=self.recipe.max_output_tokens))
        return "\n".join(lines)

    def grammar(self, refs: Sequence[int]) -> str | None:
        """JSON objects with the right keys, the names of the actions, and the numbers that the page shows."""
        if not self.recipe.grammar:
            return None
        values = {"action": "action", "element_id": "element", "action_input": "text"}
        pairs = [rf'"\"{key}\": \"" {values.get(key, "words")} "\""' for key in self._keys]
        numbers = ["", *map(str, refs[:MOST_NUMBERS])]
        body = r' ", " '.join(pairs)
        return "\n".join(
            [
                rf'root ::= "{{" {body} "}}"',
                f"action ::= {' | '.join(json.dumps(self._name(spec)) for spec in self.specs.values())}",
                f"element ::= {' | '.join(map(json.dumps, numbers))}",
                *_TEXTS,
                "",
            ]
        )

    @property
    def _keys(self) -> tuple[str, ...]:
        keys = ("action", "element_id", "action_input", "description")
        return ("thought", *keys) if self.thinks else keys

    def _thought(self, found: dict[str, Any]) -> str:
        """The thought, and what the action is said to do.

        Raises:
            ValueError: they are no texts, or the latter is empty.
        """
        texts = [found[key] for key in ("thought", "description") if key in found]
        if not all(isinstance(text, str) for text in texts):
            raise ValueError("'thought' and 'description' are texts")
        if not texts[-1].strip():
            raise ValueError("'description' is empty")
        return " ".join(filter(None, (text.strip() for text in texts)))

    def _bound(self, found: dict[str, Any]) -> ActionCall:
        """The action with its arguments.

        Raises:
            ValueError: there is no such action, or they do not fit it.
        """
        known = {self._name(spec): spec for spec in self.specs.values()}
        name = found["action"]
        if not isinstance(name, str) or name not in known:
            guess = did_you_mean(str(name)[:60], known)
            raise ValueError(f"{str(name)[:60]!r} is not an action{guess}; they are: {', '.join(known)}")
        spec, arguments = known[name], dict[str, Any]()
        number, entered = _parameters(spec)
        # What an action has no use for is not read, as there: models write something into every key.
        if number and found["element_id"] not in ("", None):
            arguments[number] = found["element_id"]
        if len(entered) == 1 and (found["action_input"] not in ("", None) or entered[0] == "text"):
            arguments[entered[0]] = found["action_input"]
        elif len(entered) > 1:
            parts = str(found["action_input"]).split(",", len(entered) - 1)
            arguments |= {name: part.strip() for name, part in zip(entered, parts, strict=False) if part.strip()}
        try:
            return spec.bind((), arguments)
        except ValueError as error:
            takes = f"element_id is {number or 'unused'}, action_input {', '.join(entered) or 'unused'}"
            raise ValueError(f"{name}: {error} ({takes})") from None

    def _name(self, spec: ActionSpec) -> str:
        return self.names.get(spec.name, spec.name)

    def _told(self, spec: ActionSpec) -> str:
        """An action in a line: its name, what it does, and what it takes."""
        number, entered = _parameters(spec)
        keys = ["element_id"] if number else []
        keys += [f"action_input: {', '.join(entered)}" if len(entered) > 1 else "action_input"] if entered else []
        takes = f" ({', '.join(keys)})" if keys else ""
        return f"{self._name(spec)}{takes}: {spec.doc.partition(chr(10))[0]}"


class OriginalWebCanvasPrompter(WebCanvasPrompter):
    """The same in the paper's words, which a user took from its repository: its system message tells its own tools."""

    words = _ORIGINAL
    names: Mapping[str, str] = {**PAPER_NAMES, "finish": "get_final_answer"}

    def _bound(self, found: dict[str, Any]) -> ActionCall:
        """As its base; of the tools that no action here is, a search is an address, and what is noted is a step."""
        match found["action"]:
            case "google_search":
                address = _SEARCH + quote_plus(str(found["action_input"]))
                found = {**found, "action": "goto", "action_input": address}
            case "cache_data":
                found = {**found, "action": "wait_till_loaded"}
        return super()._bound(found)


def _parameters(spec: ActionSpec) -> tuple[str, list[str]]:
    """What of an action ``element_id`` is, empty if nothing, and what ``action_input`` is, separated by commas."""
    number = next((each.name for each in spec.parameters if each.name in _NUMBERS), "")
    return number, [each.name for each in spec.parameters if each.name != number]


PROMPTS = replace(
    OF_SITES,
    prompter=WebCanvasPrompter,
    words=(_WORDS, SITE_WORDS, WORDS),
    retries=2,
    actions=("webcanvas", "all"),
    outputs=("text",),
)


def _needs_of_original(recipe: Recipe) -> Sequence[str]:
    """As its base, and a thought, since there is no request without."""
    thoughtless = recipe.site and recipe.site.planning == "none"
    return (*PROMPTS.needs(recipe), *(("--planning thought",) if thoughtless else ()))


ORIGINAL = replace(
    PROMPTS, prompter=OriginalWebCanvasPrompter, words=(_ORIGINAL, *PROMPTS.words), needs=_needs_of_original
)
"""The same in the words of the paper's repository."""
