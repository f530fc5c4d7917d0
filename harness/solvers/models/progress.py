"""A model's own judgement of how far its work on a website is: WebCanvas's reward module, which scores nothing."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, cast, get_args

from harness.actions.call import ActionError
from harness.actions.signature import ActionSpec
from harness.episode.assignment import Page
from harness.episode.site_actions import SiteActions
from harness.models.messages import Image, Message, Request, Text
from harness.records.turn import turn_of
from harness.solvers.models.prompting import reminded, say_of_site
from harness.solvers.models.replies import json_object
from harness.solvers.models.reward_model import RewardModel
from harness.solvers.models.site_asking import place_of
from harness.solvers.models.site_prompter import SitePrompter, as_message
from harness.solvers.models.site_step import SiteMemory
from harness.solvers.models.view import Observer

Status = Literal["doing", "finished", "loop"]
STATUSES: tuple[Status, ...] = get_args(Status)
SCORES = (1, 3, 7, 9, 10)
KEYS = ("status", "score", "reason", "description")
PICTURE = "viewport"
"""What a judgement by a picture is made of."""
NOTE = "progress"
"""Begins the note of a turn in which a model judges its progress."""

GRAMMAR = "\n".join(
    [
        r'root ::= "{\"status\": \"" status "\", \"score\": " score ", \"reason\": \"" words "\", \"description\": \"" '
        r'words "\"}"',
        f"status ::= {' | '.join(json.dumps(each) for each in STATUSES)}",
        f"score ::= {' | '.join(json.dumps(str(each)) for each in SCORES)}",
        r'words ::= [A-Za-z0-9] [^"\\\x00-\x1F\x7F]{0,80}',
        "",
    ]
)
"""What a judgement is held to, of a model that is held to a grammar."""


@dataclass(frozen=True)
class JudgedProgress:
    """How far the work has come, as a model judges it.

    Attributes:
        status: ``doing``, ``finished`` or ``loop``.
        score: One of ``SCORES``.
        reason: Why that score.
        description: How far it is, for the next step.
    """

    status: Status
    score: int
    reason: str
    description: str


def read_progress(text: str) -> JudgedProgress:
    """A judgement as a model wrote it.

    Args:
        text: One JSON object with the keys ``KEYS``, alone or in a fenced block; the score as a number or as its text.

    Raises:
        ValueError: it is none; the message says why.
    """
    found = json_object(text, KEYS)
    status, score = found["status"], found["score"]
    if status not in STATUSES:
        raise ValueError(f"the status {str(status)[:60]!r} is none of {', '.join(STATUSES)}")
    scores: dict[int | str, int] = {spelt: each for each in SCORES for spelt in (each, str(each))}
    if isinstance(score, bool) or not isinstance(score, int | str) or score not in scores:
        raise ValueError(f"the score {str(score)[:60]!r} is none of {', '.join(map(str, SCORES))}")
    for key in ("reason", "description"):
        if not isinstance(found[key], str) or not found[key].strip():
            raise ValueError(f"{key!r} is no text, or an empty one")
    return JudgedProgress(cast("Status", status), scores[score], found["reason"].strip(), found["description"].strip())


class ProgressJudge:
    """Asks a model how far the work is."""

    def __init__(self, model: RewardModel, specs: Mapping[str, ActionSpec]) -> None:
        """Prepare.

        Args:
            model: The model that is asked.
            specs: The action set of the run.
        """
        recipe = model.recipe
        shown = recipe.site.reward if recipe.site else "none"
        self._recipe = replace(
            recipe,
            encoding=recipe.encoding if shown in ("text", "both") else "none",
            screenshot=PICTURE if shown in ("picture", "both") else "none",
        )
        self._service = model.service
        self._prompter = SitePrompter(self._recipe, specs)
        self._observer = Observer(self._prompter, model.tokens)

    def judge(self, page: Page, act: SiteActions, memory: SiteMemory) -> JudgedProgress | None:
        """How far the work is; None if no reply could be read.

        Args:
            page: The task.
            act: The website as it is.
            memory: What was done.

        Raises:
            harness.episode.trajectory.LimitReached: a limit of the episode or of the run.
            harness.models.client.ModelError: the model gives no answer.
        """
        sight = self._observer.look(act.observation, None)
        parts = [self._prompter.past(page.goal, act.tabs(), memory.last())]
        if page.guide:
            parts.append(say_of_site("progress_guide", guide=page.guide))
        bare = [_rules(), as_message(parts, ())]
        view = self._observer.show(sight, None, self._observer.room(bare, ()))
        trouble: list[str] = []
        for _ in range(1 + self._recipe.retries):
            request = self._request([*parts, *trouble], view.page)
            exchange = self._service.complete(request, act.trajectory, where=place_of(page.url))
            with turn_of(act.trajectory, request, exchange, page=sight.digest, note=NOTE) as turn:
                try:
                    progress = read_progress(exchange.reply.text)
                except ValueError as error:
                    turn.read(ActionError(exchange.reply.text, str(error)))
                    reply = reminded(exchange.reply.text)
                    trouble = [say_of_site("progress_not_read", reply=reply, error=error)]
                    continue
                turn.note = f"{turn.note}: {progress.status}, {progress.score}"
            return progress
        return None

    def _request(self, parts: Sequence[str], page: Sequence[Text | Image]) -> Request:
        return Request(
            model=self._recipe.model,
            messages=(_rules(), as_message(parts, page)),
            temperature=self._recipe.temperature,
            seed=self._recipe.seed,
            max_tokens=self._recipe.max_output_tokens,
            grammar=GRAMMAR if self._recipe.grammar else None,
        )


def _rules() -> Message:
    return Message("system", (Text(say_of_site("progress_rules")),))
