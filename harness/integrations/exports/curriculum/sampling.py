"""Answers of a model to lessons, several to each, and what a model can learn from its own mistakes (AutoWebGLM, 2.4.2).

A lesson tells which action is right. An answer is right if the actions in it begin with the lesson's own; what else it
says does not count, and nothing of it is executed. A step of which some answers are right and some wrong gives pairs:
the lesson's own answer, and each wrong one. A step that is always right teaches nothing; one that never is may be
beyond the model, or wrong itself.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.episode.library import ACTIONS
from harness.episode.site_actions import SITE_ACTIONS
from harness.kit.errors import UserError
from harness.kit.files.codec import Malformed, decode
from harness.models.messages import Message, Reply, Request, Text
from harness.models.no_episode import NoEpisode
from harness.models.presets import Preset
from harness.models.thoughts import part
from harness.solvers.models.asking import ModelCaller

_SPECS = {**ACTIONS, **SITE_ACTIONS}
_MARK = "Action:"


class NoLessons(UserError):
    """A file holds no lessons; the message says which, and what is wrong."""


@dataclass(frozen=True)
class AskedMessage:
    """A message of a lesson as it stands in a file."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class AskedLesson:
    """A lesson as it stands in a file; what else is there is not used.

    Attributes:
        messages: The last is the right answer.
        action: The action in it.
        stage: How hard it is.
        task: Its task.
        index: Of the instance.
        split: The task's own.
        held_out: Whether that is another than ``train``.
    """

    messages: tuple[AskedMessage, ...]
    action: str
    stage: str
    task: str
    index: int
    split: str
    held_out: bool


@dataclass(frozen=True)
class SampledLesson:
    """A lesson with a model's answers.

    Attributes:
        lesson: The lesson.
        answers: Each with whether it is right.
    """

    lesson: AskedLesson
    answers: tuple[tuple[str, bool], ...]

    @property
    def right(self) -> int:
        """How many of the answers are right."""
        return sum(right for _, right in self.answers)

    def why_not(self, least: int) -> str:
        """Why no pair is made of it; empty if some are.

        Args:
            least: As of ``pairs``.
        """
        if self.right == len(self.answers):
            return "always right: nothing to set against it"
        if self.right < least:
            return f"right {self.right} times, and {least} are asked for: the step itself may be wrong"
        return ""

    def entry(self, least: int) -> dict[str, Any]:
        """A line of the ledger: what was asked, how often it was right, how many pairs came of it, or why none.

        Args:
            least: As of ``pairs``.
        """
        why, wrong = self.why_not(least), [text for text, right in self.answers if not right]
        made = 0 if why else len(set(wrong))
        own = {name: getattr(self.lesson, name) for name in ("stage", "task", "index", "split", "held_out", "action")}
        counts = {"samples": len(self.answers), "right": self.right, "pairs": made}
        return {**own, **counts, "repeated": len(wrong) - len(set(wrong)), "kept": not why, "why": why}

    def pairs(self, least: int) -> Iterator[dict[str, Any]]:
        """Pairs of the lesson's answer and each wrong one, as training libraries take them.

        Args:
            least: How many answers have to be right: 1 in the paper.
        """
        if self.why_not(least):
            return
        lesson = self.lesson
        prompt = [{"role": each.role, "content": each.content} for each in lesson.messages[:-1]]
        where = {name: getattr(lesson, name) for name in ("stage", "task", "index", "split", "held_out")}
        for wrong in dict.fromkeys(text for text, right in self.answers if not right):
            yield {
                "prompt": prompt,
                "chosen": [{"role": "assistant", "content": lesson.messages[-1].content}],
                "rejected": [{"role": "assistant", "content": wrong}],
                "right": self.right,
                "samples": len(self.answers),
                **where,
            }


def read_lessons(file: Path) -> list[AskedLesson]:
    """The lessons of a file of a curriculum that ask for an action.

    Args:
        file: ``jsonl``.

    Raises:
        NoLessons: it cannot be read, or there are none.
    """
    found = []
    try:
        for number, line in enumerate(file.read_bytes().splitlines(), start=1):
            lesson = decode(line, AskedLesson)
            if len(lesson.messages) < 2:
                raise NoLessons(f"{file}, line {number}: a lesson is a question and an answer at least")
            if lesson.action:
                found.append(lesson)
    except OSError as error:
        raise NoLessons(f"{file} cannot be read: {error.strerror}") from error
    except Malformed as error:
        raise NoLessons(f"{file}, line {number}: no lesson: {error}") from error
    if not found:
        raise NoLessons(f"{file}: no lesson in it asks for an action; give those of simple or complex steps")
    return found


def actions_in(text: str) -> list[ActionCall]:
    """The actions that an answer asks for: those behind ``Action:``, where it has thoughts, else all."""
    acts = part(text).answer.rpartition(_MARK)[2]
    return [each for each in parse(acts, _SPECS) if isinstance(each, ActionCall)]


def is_right(answer: str, action: str) -> bool:
    """Whether an answer does what a lesson does.

    Args:
        answer: Anything at all.
        action: Of the lesson, one action a line.
    """
    wanted = actions_in(action)
    return bool(wanted) and actions_in(answer)[: len(wanted)] == wanted


class Sampler:
    """Asks one model about lessons."""

    def __init__(self, service: ModelCaller, preset: Preset, samples: int, seed: int = 0) -> None:
        """Prepare.

        Args:
            service: Asks the model.
            preset: The model, with its temperature and its longest reply.
            samples: Answers to each lesson.
            seed: Of the first answer; those of the others follow.
        """
        self._service = service
        self._preset = preset
        self._seeds = range(seed, seed + samples)

    def ask(self, lesson: AskedLesson) -> SampledLesson:
        """The model's answers to a lesson.

        Raises:
            harness.models.client.ModelError: the model gives no answer.
        """
        replies = [self._reply(lesson.messages[:-1], seed) for seed in self._seeds]
        return SampledLesson(lesson, tuple((each.text, is_right(each.text, lesson.action)) for each in replies))

    def _reply(self, asked: Sequence[AskedMessage], seed: int) -> Reply:
        messages = tuple(Message(each.role, (Text(each.content),)) for each in asked)
        request = Request(
            model=self._preset.model,
            messages=messages,
            temperature=self._preset.temperature,
            seed=seed,
            max_tokens=self._preset.max_output_tokens,
        )
        return self._service.complete(request, NoEpisode(), where="sample").reply
