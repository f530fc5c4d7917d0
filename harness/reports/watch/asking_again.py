"""Asking a model once more what it was asked in an episode, with another prompt: nothing of it is written anywhere."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from ipaddress import ip_address
from urllib.parse import urlsplit

from harness.kit.cut_texts import cut_text
from harness.kit.errors import UserError
from harness.models.client import ModelError
from harness.models.keys import redact
from harness.models.messages import Message, Request, Text, Usage
from harness.models.presets import Preset, presets, resolve
from harness.models.providers.provider_table import make_client, vendor_of
from harness.models.readiness import check_ready
from harness.models.saved_request import request_of
from harness.records.run_record import RunRecord
from harness.records.turn import Turn
from harness.reports.watch.episode_files import EpisodeFiles

PATIENCE_SECONDS = 120.0
"""How long an answer may take."""
OWN = "own"
"""The name of the run's own model among those that can be asked."""

Place = tuple[int, int]
"""Of a text: of its message, and of the part in that."""


class NotAnswered(UserError):
    """A model gave no answer; the message says why, without any key."""


@dataclass(frozen=True)
class AskableModel:
    """A model that can be asked.

    Attributes:
        name: By which it is chosen: of its preset, or ``OWN``.
        preset: The model.
        provider: Of the requests that the run sent, as far as this is known; empty if not.
    """

    name: str
    preset: Preset
    provider: str = ""

    @property
    def words(self) -> str:
        """What it is called."""
        where = f" at {self.preset.base_url}" if self.preset.base_url else ""
        return f"{self.preset.model}{where} ({'the model of the run' if self.name == OWN else self.name})"


def askable_models(record: RunRecord | None) -> tuple[AskableModel, ...]:
    """The model of a run, if it can be asked from here, and the presets whose key is there.

    A run directory may be a stranger's, so it decides neither which key is sent nor which machine hears of it: its
    model is asked at its provider's own address, or at one of this machine.

    Args:
        record: Of the run; None if it cannot be read.
    """
    own = _own(record)
    provider = own.provider if own else ""
    known = {OWN: own} if own else {}
    # A model that is gone gives way to the one after it, so that two presets can come to the same.
    known |= {name: resolve(name, {}) for name in presets()}
    found: dict[tuple[str, str, str | None], AskableModel] = {}
    for name, preset in known.items():
        if _can_be_asked(preset):
            found.setdefault((preset.provider, preset.model, preset.base_url), AskableModel(name, preset, provider))
    return tuple(found.values())


def saved_request(files: EpisodeFiles, turn: Turn) -> Request:
    """What was sent in a turn.

    Raises:
        UserError: it was not kept, or cannot be read.
    """
    if not turn.sent:
        raise UserError("what was sent in this turn was not kept")
    return request_of(files.whole_text(turn.sent), lambda name: files.step_picture(f"{name}.png"))


def texts_of(request: Request) -> Mapping[Place, str]:
    """The texts of a request, by their places: what can be changed of it."""
    return {
        (place, number): part.text
        for place, message in enumerate(request.messages)
        for number, part in enumerate(message.parts)
        if isinstance(part, Text)
    }


def with_texts(request: Request, texts: Mapping[Place, str]) -> Request:
    """A request with other texts in some places; what a provider had put into its own words is said anew there."""

    def changed(place: int, message: Message) -> Message:
        parts = tuple(
            Text(texts.get((place, number), part.text)) if isinstance(part, Text) else part
            for number, part in enumerate(message.parts)
        )
        return message if parts == message.parts else Message(message.role, parts)

    return replace(request, messages=tuple(changed(*each) for each in enumerate(request.messages)))


def ask_once(model: AskableModel, request: Request) -> Turn:
    """Send one request.

    Args:
        model: Who is asked, instead of the request's own model. Its provider is told nothing in the words of another.
        request: What is asked.

    Returns:
        The answer as a turn that led to nothing, its cost None where it is not known.

    Raises:
        NotAnswered: there is no answer.
    """
    preset = model.preset
    asked = replace(request, model=preset.model)
    if vendor_of(preset.provider) != vendor_of(model.provider):
        messages = tuple(replace(message, native=()) for message in asked.messages)
        asked = replace(asked, messages=messages, more={}, grammar=None)
    start = time.perf_counter()
    try:
        client = make_client(preset.provider, base_url=preset.base_url, api_key_env=preset.api_key_env)
        reply = client.complete(asked, timeout=PATIENCE_SECONDS)
    except (ModelError, UserError) as error:
        raise NotAnswered(redact(str(error))) from None
    usage = None if reply.usage == Usage() else reply.usage
    cost = reply.cost
    if cost is None and usage and preset.price:
        cost = float(preset.price.cost(usage))
    return Turn(
        reply=cut_text(reply.text),
        thought=cut_text(reply.thought),
        tool_calls=reply.tool_calls,
        usage=usage,
        cost=cost,
        finish=reply.finish,
        model=reply.model,
        ms=(time.perf_counter() - start) * 1000,
        note=reply.note,
    )


def _own(record: RunRecord | None) -> Preset | None:
    """The model of a run, as far as the run may say who is asked."""
    if record is None or record.config.solver not in presets():
        return None
    options = record.config.options
    wanted = {name: options[name] for name in ("model", "base_url") if options.get(name)}
    try:
        preset = resolve(record.config.solver, wanted)
    except UserError:
        return None
    is_known = preset.base_url == presets()[record.config.solver].base_url
    return preset if is_known or _is_here(preset.base_url) else None


def _is_here(address: str | None) -> bool:
    host = urlsplit(address or "").hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def _can_be_asked(preset: Preset) -> bool:
    """Whether key and package are there, and a server of this machine. A model in a process of ours is not asked."""
    if preset.provider == "local":
        return False
    try:
        check_ready(preset, connect=_is_here(preset.base_url))
    except (ModelError, UserError):
        return False
    return True
