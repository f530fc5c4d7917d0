"""A model that says how well an answer follows a rule in words."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any

from harness.kit.text import shorten
from harness.kit.words import Words
from harness.models.client import ModelError
from harness.models.messages import Message, Reply, Request, Text
from harness.models.no_episode import NoEpisode
from harness.models.presets import resolve
from harness.models.service import ModelService, open_service
from harness.scoring.evaluators.text_match import Judgement

_WORDS = Words("harness.scoring.evaluators")
TRIES = 3
"""How often a judge is asked about an answer until its reply can be read."""
_LONGEST_REPLY = 200
_SCORE = re.compile(r"```\s*(0(?:\.[0-9]{1,2})?|1(?:\.0{1,2})?)\s*```")
_FENCE = "```"


class ModelJudge:
    """A model as a judge.

    Args:
        ask: Sends a request and gives the reply; raises ``ModelError`` if there is none.
        model: The provider's name of the model.
    """

    def __init__(self, ask: Callable[[Request], Reply], model: str) -> None:
        self._ask = ask
        self._model = model

    def judge(self, rule: str, answer: str) -> Judgement:
        """As ``MeaningJudge``. A reply that cannot be read is told so, and asked for again; then it is unknown."""
        messages = [
            Message("system", (Text(_WORDS.say("role")),)),
            Message("user", (Text(_WORDS.say("request", rule=rule, answer=answer)),)),
        ]
        for _ in range(TRIES):
            try:
                reply = self._ask(Request(self._model, tuple(messages), max_tokens=_LONGEST_REPLY))
            except ModelError as error:
                return Judgement(None, f"the judge did not answer: {shorten(str(error), 200)}")
            score = read_score(reply.text)
            if score is not None:
                return Judgement(score, shorten(reply.text.strip(), 400))
            # The same request again would be answered from the cache, or the same way.
            said = [reply.message()] if reply.text else []
            messages += [*said, Message("user", (Text(_WORDS.say("malformed")),))]
        return Judgement(None, f"no reply of the judge could be read, {TRIES} times; the last: {reply.text[:200]!r}")


def judge_of(service: ModelService, model: str) -> ModelJudge:
    """A judge whose calls are cached, counted and limited as those of a service.

    Args:
        service: Of the judge's model.
        model: The provider's name of the model.
    """
    return ModelJudge(lambda request: service.complete(request, NoEpisode(), where="judge").reply, model)


def open_judge(
    preset: str, folder: Path, replies: Path, limits: Mapping[str, Any] = MappingProxyType({})
) -> ModelJudge:
    """A model as a judge, by the name of its preset.

    Args:
        preset: Its name.
        folder: Where the account of its calls is kept.
        replies: Where its replies are kept, so that none is paid for twice.
        limits: What it may spend: ``max_cost`` and ``max_tokens`` of ``harness.models.service.open_service``.

    Raises:
        harness.models.presets.UnknownPreset: there is none of that name.
        harness.models.service.NoPrice: its cost is limited, and its price is not known.
    """
    found = resolve(preset, {})
    return judge_of(open_service(found, {**limits, "cache": str(replies)}, folder), found.model)


def read_score(reply: str) -> float | None:
    """The number that a judge's reply gives.

    Args:
        reply: What it wrote: one number from 0 to 1 with at most two decimals between fences of three backticks, with
            whatever words before and after, but no further fence.

    Returns:
        The number; None if the reply is anything else. Nothing in it is evaluated, and no number is clamped.
    """
    found = _SCORE.findall(reply)
    return float(found[0]) if len(found) == 1 and reply.count(_FENCE) == 2 else None
