"""Reasons of steps that a model writes, a whole task at a time (AutoWebGLM, section 2.3.2)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from harness.integrations.exports.curriculum.lesson import Lesson
from harness.integrations.exports.curriculum.wording import said
from harness.kit.errors import UserError
from harness.kit.text import counted
from harness.models.client import ModelError
from harness.models.messages import Message, Request, Text
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset
from harness.models.thoughts import part
from harness.solvers.models.asking import ModelCaller

NOT_READ = "the reasons of a task by the model, of which some are missing: rules' stand there"
_LINE = re.compile(r"^\s*(\d{1,4})[.):]\s+(\S.*?)\s*$", re.MULTILINE)


@dataclass(frozen=True)
class ReasonedStep:
    """A step of a task, with the reason that a rule gives.

    Attributes:
        call: What was done.
        element: What it was done to, in words; empty for nothing.
        reason: The rule's.
    """

    call: str
    element: str
    reason: str


class IntentWriter:
    """Asks a model what each step of a task was meant for."""

    def __init__(self, service: ModelCaller, preset: Preset) -> None:
        """Ask the preset's model."""
        self._service = service
        self._preset = preset

    @property
    def name(self) -> str:
        """The model's."""
        return self._preset.model

    def reasons(self, goal: str, steps: Sequence[ReasonedStep]) -> list[str] | None:
        """What the model says of each step; None if it does not say something of each.

        Raises:
            UserError: there is no answer.
        """
        shown = [
            f"{number}. {step.call}" + (f"  ({step.element})" if step.element else "")
            for number, step in enumerate(steps, start=1)
        ]
        asked = said("ask_intents", goal=goal, count=counted(len(steps), "step"), steps="\n".join(shown))
        request = Request(
            model=self._preset.model,
            messages=(Message("user", (Text(asked),)),),
            temperature=self._preset.temperature,
            max_tokens=self._preset.max_output_tokens,
        )
        try:
            reply = self._service.complete(request, NoEpisode(), where="intents").reply
        except ModelError as error:
            raise UserError(f"the model of --intents-by gives no answer: {error}") from error
        answer = part(reply.text).answer
        found = {int(number): text for number, text in _LINE.findall(answer)}
        return [found[number] for number in sorted(found)] if found.keys() == set(range(1, len(steps) + 1)) else None


def with_reasons(lessons: Sequence[Lesson], reasons: Mapping[str, str]) -> list[Lesson]:
    """Lessons with other reasons, in answers and where later steps are told of earlier thoughts.

    Args:
        lessons: Of one task.
        reasons: The rule's reason -> the one in its place.
    """
    whole = re.compile(rf"(?<=: )({'|'.join(map(re.escape, reasons))})$", re.MULTILINE)

    def changed(text: str) -> str:
        return whole.sub(lambda found: reasons[found[1]], text)

    return [
        replace(each, prompt=tuple((role, changed(text)) for role, text in each.prompt), answer=changed(each.answer))
        if each.stage == "complex"
        else each
        for each in lessons
    ]
