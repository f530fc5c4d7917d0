"""Parameters that some models refuse: left out for them, as soon as the provider has said so.

Which models take a temperature, a seed or stop texts is nowhere listed by machine, differs between servers of one
protocol, and changes with each model. The provider's own refusal decides: the request is sent again without the
parameter that it names (a refused request costs nothing), and the client remembers this for the model. The reply's
note tells what was left out.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterable, Sequence

from harness.models.client import RequestRefused
from harness.models.messages import Message, Reply, Request, Text

_REFUSAL = re.compile(
    r"unsupported|not support|not permitted|not allowed|deprecated|unrecogni[sz]ed|unknown|unexpected|"
    r"cannot find field|no longer",
    re.IGNORECASE,
)


SYSTEM = "system role"
"""As a parameter: the role of the message that sets the rules."""
REASONING = "reasoning_content"
"""As a parameter: thoughts that go back with tool calls."""
_ROLES = re.compile(
    r"system (?:role|message|prompt)s?\b.{0,40}(?:not supported|unsupported|not allowed)|roles? must alternate"
    r"|only user and assistant roles",
    re.IGNORECASE,
)
"""How servers say that a model's template knows no system: vLLM, llama.cpp and the templates of Gemma and Mistral."""
_EXTRA = re.compile(r"\breasoning(?:_content|_details)?\b", re.IGNORECASE)
_NEEDED = re.compile(r"must be passed|required|missing|must (?:contain|include)", re.IGNORECASE)

SAID_BY_USER = "the rules were sent in the first message of the user, since the model takes no system role"


class Unsupported(RequestRefused):
    """A model does not take a parameter.

    Attributes:
        parameter: The name that was sent.
    """

    def __init__(self, message: str, parameter: str) -> None:
        super().__init__(message)
        self.parameter = parameter

    def __reduce__(self) -> tuple[type[Unsupported], tuple[str, str]]:
        return type(self), (str(self), self.parameter)


def named(message: str, parameter: str, sent: Iterable[str]) -> str | None:
    """The optional parameter that a refusal is about.

    Args:
        message: The provider's explanation.
        parameter: The parameter that the provider names beside it; may be empty.
        sent: The optional parameters of the request.

    Returns:
        The one that the model does not take; None if the refusal is about something else, such as a wrong value.
    """
    sent = list(sent)
    if SYSTEM in sent and _ROLES.search(message):
        return SYSTEM
    if REASONING in sent and _EXTRA.search(f"{message} {parameter}") and not _NEEDED.search(message):
        return REASONING
    if not _REFUSAL.search(message):
        return None
    if parameter:
        return parameter if parameter in sent else None
    words = re.findall(r"\w+", message.lower())
    return next((name for name in sent if name.lower() in words), None)


class Omissions:
    """What each model does not take, as far as it is known."""

    def __init__(self) -> None:
        self._known: dict[str, frozenset[str]] = {}

    def ask(self, request: Request, timeout: float, send: Callable[[frozenset[str], float], Reply]) -> Reply:
        """Ask, and where a parameter is refused ask again without it.

        Args:
            request: What to ask.
            timeout: Seconds for all of it.
            send: Asks without the parameters and within the seconds that it is given; raises ``Unsupported`` for
                another parameter.

        Returns:
            The reply.

        Raises:
            RequestRefused: If the request has a grammar, which no provider takes and which must not be left out.
            ModelError: As ``send`` raises it.
        """
        if request.grammar is not None:
            raise RequestRefused("grammars are for models in the process (--solver local)")
        end = time.monotonic() + timeout
        without = self._known.get(request.model, frozenset())
        while True:
            try:
                reply = send(without, max(0.001, end - time.monotonic()))
            except Unsupported as error:
                if error.parameter in without:
                    raise
                without |= {error.parameter}
            else:
                self._known[request.model] = without
                return reply


def without_system(messages: Sequence[Message]) -> tuple[Message, ...]:
    """A conversation in which the first message of the user begins with the rules."""
    rules = "\n\n".join(message.text for message in messages if message.role == "system")
    spoken = [message for message in messages if message.role != "system"]
    place = next((place for place, message in enumerate(spoken) if message.role == "user"), None)
    if not rules or place is None:
        return tuple(spoken)
    spoken[place] = Message("user", (Text(f"{rules}\n\n"), *spoken[place].parts))
    return tuple(spoken)


def is_first(messages: Sequence[Message]) -> bool:
    """Whether nobody has answered yet in a conversation."""
    return all(message.role in ("system", "user") for message in messages)


def note(left_out: Iterable[str]) -> str:
    """What to say about parameters that were asked for and left out; empty if there are none."""
    names = " and ".join(sorted(left_out))
    return f"sent without {names}, which the model does not take" if names else ""
