"""A model that answers by a script: in the process for protocols, and behind the real service for whole runs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from harness.browser.form.fields import Field
from harness.episode.assignment import Page
from harness.episode.library import ACTIONS
from harness.models.client import Exchange
from harness.models.messages import Image, Message, Part, Reply, Request, Text, ToolCall, ToolResult, Usage
from harness.models.service import CallingEpisode
from harness.solvers.models.asking import Asker
from harness.solvers.models.demos import Demonstrations
from harness.solvers.models.field_protocol import FieldProtocol
from harness.solvers.models.form_protocol import FormProtocol
from harness.solvers.models.prompt_sets import prompter_for
from harness.solvers.models.recipe import Recipe
from harness.solvers.models.view import Observer

Script = Iterable[str | Reply] | Callable[[Request], str | Reply]


class Words:
    """Counts words, and a hundred for each picture."""

    def text(self, text: str) -> int:
        return len(text.split())

    def message(self, message: Message) -> int:
        return sum(100 if isinstance(part, Image) else len(_text(part).split()) for part in message.parts)

    def request(self, request: Request) -> int:
        return sum(map(self.message, request.messages)) + self.text(str(request.tools))


class ScriptedService:
    """Answers each request with the next reply of a script, or with what a function makes of it.

    Attributes:
        requests: What was asked.
    """

    def __init__(self, script: Script) -> None:
        self.requests: list[Request] = []
        if callable(script):
            self._answer = script
        else:
            answers = iter(script)
            self._answer = lambda _: next(answers)

    def complete(self, request: Request, waiter: CallingEpisode, *, where: str = "") -> Exchange:  # noqa: ARG002
        with waiter.waiting():
            self.requests.append(request)
            answer = self._answer(request)
        reply = answer if isinstance(answer, Reply) else Reply(answer, usage=Usage(10, 2))
        return exchange(reply)

    def said(self, place: int = -1) -> str:
        """All text of a request, message after message."""
        return text_of(self.requests[place])


def exchange(reply: Reply) -> Exchange:
    return Exchange(reply=reply, usage=reply.usage, cost=0.0)


def text_of(request: Request) -> str:
    return "\n".join(f"[{message.role}] {_text(part)}" for message in request.messages for part in message.parts)


def _text(part: Part) -> str:
    match part:
        case Text() | ToolResult():
            return part.text
        case ToolCall():
            return f"{part.name} {part.arguments}"
    return "(picture)"


def tool_reply(*calls: tuple[str, dict], text: str = "") -> Reply:
    made = tuple(ToolCall(f"c{number}", name, arguments) for number, (name, arguments) in enumerate(calls))
    return Reply(text, made, Usage(10, 2), "tool_calls")


def page_of(shown, names: Sequence[str] | None = None) -> Page:
    """What a solver is told of an open page."""
    fields: list[Field] = shown.actions.fields()
    told = tuple(field.name for field in fields) if names is None else tuple(names)
    return Page(shown.url, told, tuple(field for field in fields if field.name in told), 1)


def protocol(
    service: ScriptedService, shown_first: Demonstrations | None = None, **recipe
) -> FieldProtocol | FormProtocol:
    """The protocol of a recipe, asking a scripted model; tokens are words."""
    made = Recipe("scripted", **{"encoding": "text", "max_input_tokens": 4_000, **recipe})
    prompter = prompter_for(made, ACTIONS)
    kind = FieldProtocol if made.protocol == "field" else FormProtocol
    return kind(prompter, Asker(prompter, service), Observer(prompter, Words()), shown_first or Demonstrations())


def solve(shown, script: Script, *, names: Sequence[str] | None = None, **recipe) -> ScriptedService:
    """Let a scripted model fill in an open page; gives the service with what it was asked."""
    service = ScriptedService(script)
    protocol(service, **recipe).solve(page_of(shown, names), shown.actions)
    return service


def field_asked(request: Request) -> str:
    """The name of the field that a request of protocol ``field`` asks about."""
    last = next(message for message in reversed(request.messages) if "The name of the field: " in message.text)
    return last.text.rpartition("The name of the field: ")[2].strip()[1:-1]
