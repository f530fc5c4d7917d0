"""Recorded outputs compared with what this project's browser made of them: one verdict a record.

Each record is compared by itself: what our form sends under the field's name, and the value that the record says was
read. Every disagreement gets the first class that explains it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from harness.actions.call import ActionCall
from harness.actions.parser import parse
from harness.actions.result import Step
from harness.catalog.labels import clean, number
from harness.episode.library import ACTIONS
from harness.kit.text import shorten
from harness.models.thoughts import part
from harness.records.turn import Turn
from harness.solvers.recorded.predictions import Prediction

EQUAL = "equal"
SPELLED = "equal but for spelling"
EMPTY = "empty on both sides"
REJECTED = "their code rejected the reply, ours runs it"
UNREAD = "their code ran the reply, ours finds no action in it"
REFUSED = "their action did something, ours refuses it"
OTHER_REPLY = "another reply of the page wrote the field"
DIFFERENT = "both acted, with different effect"
NOT_SENT = "the form does not send the field"
PAGE = "nobody acted, the page differs"
CUT = "the episode ended before the reply was done"
NOT_RECORDED = "no value was recorded"
UNLABELLED = "nobody labelled the page, runs leave it out"
NO_INSTANCE = "no such instance"
NO_EPISODE = "the run has no such page"
CLASSES = {
    EQUAL: "the same values",
    SPELLED: "the same after line ends, outer white space, numbers and the order of boxes are made alike",
    EMPTY: "no value, or empty ones",
    REJECTED: "the code that recorded could not execute the reply (prose, broken quotes); our parser finds its actions",
    UNREAD: "the reverse: the reply was executed as code, and our parser reads no call in it",
    REFUSED: "an action that does not fit the field: ours says so, theirs typed or clicked all the same",
    OTHER_REPLY: "ours keeps the last word: a reply about another field named this one",
    DIFFERENT: "both ran the same action, and the page made different values of it",
    NOT_SENT: "it was read from the page, but a submitted form leaves it out: hidden parts, disabled, or no form",
    PAGE: "no reply touched the field: initial values or scripts of the page differ offline",
    CUT: "a limit or an error ended the episode; without it there would be another class",
    NOT_RECORDED: "the recorded run broke off, or did not read the field: nothing to compare",
    UNLABELLED: "all labels of the instance are blank, so that nothing on it can be scored",
    NO_INSTANCE: "no instance of the task set has this number and bears the recorded labels",
    NO_EPISODE: "it was not among those that were run, or ended in a harness error",
}
"""Class -> what it means."""
AGREEMENTS = (EQUAL, SPELLED, EMPTY)
NOT_COMPARED = (NOT_RECORDED, UNLABELLED, NO_INSTANCE, NO_EPISODE)
UNFINISHED = (CUT, NO_INSTANCE, NO_EPISODE)
"""What could not be run, or not to its end."""


@dataclass(frozen=True)
class ComparedRecord:
    """One record, compared.

    Attributes:
        line: Its line in the file of predictions.
        task: The task's name.
        index: Place of its instance in the task's table; None if it has none.
        field: The field's name.
        verdict: One of ``CLASSES``.
        recorded: The values that were read when it was recorded; None if none were.
        ours: The values that our form sends; None without an episode.
        detail: What explains the verdict: an error, a message of an action, another line.
    """

    line: int
    task: str
    index: int | None
    field: str
    verdict: str
    recorded: tuple[str, ...] | None
    ours: tuple[str, ...] | None
    detail: str = ""

    def __str__(self) -> str:
        detail = f" ({shorten(self.detail, 200)})" if self.detail else ""
        return (
            f"line {self.line}: {self.task}, instance {self.index}, field {self.field!r}: recorded "
            f"{_shown(self.recorded)}, ours {_shown(self.ours)}: {self.verdict}{detail}"
        )


@dataclass(frozen=True)
class Ending:
    """What became of a page on which recorded outputs were executed.

    Attributes:
        values: What its form sent, by name.
        steps: What was done.
        turns: One for each output, in the order of the file.
    """

    values: Mapping[str, tuple[str, ...]]
    steps: tuple[Step, ...]
    turns: tuple[Turn, ...]


@dataclass(frozen=True)
class _Act:
    """A step of an episode on the field in question, with the prediction that it comes from."""

    prediction: Prediction
    step: Step


def not_compared(prediction: Prediction, index: int | None, verdict: str, reason: str = "") -> ComparedRecord:
    """The finding about a record whose page was not played."""
    recorded = _recorded(prediction)
    return ComparedRecord(prediction.line, prediction.task, index, prediction.field, verdict, recorded, None, reason)


def _recorded(prediction: Prediction) -> tuple[str, ...] | None:
    """The value that was read; their code writes null for a text field without a value."""
    values = prediction.record.get("value_read")
    if not isinstance(values, list):
        return None
    return tuple(str(value) for value in values if value is not None)


def compared(prediction: Prediction, of_page: Sequence[Prediction], index: int, ending: Ending) -> ComparedRecord:
    """The verdict on a record.

    Args:
        prediction: The record, with the value that was read as ``value_read``.
        of_page: All records of its page, in the order of the file.
        index: Place of the instance in the task's table.
        ending: What became of the page.
    """
    field = prediction.field
    recorded, ours = _recorded(prediction), ending.values.get(field, ())
    verdict, detail = _verdict(prediction, recorded, ours, list(_acts(of_page, ending, field)))
    if verdict == PAGE and field not in ending.values:
        verdict = NOT_SENT
    return ComparedRecord(prediction.line, prediction.task, index, field, verdict, recorded, ours, detail)


def _verdict(
    prediction: Prediction, recorded: tuple[str, ...] | None, ours: tuple[str, ...], acts: Sequence[_Act]
) -> tuple[str, str]:
    """The class of a record, and what explains it."""
    if recorded is None:
        return NOT_RECORDED, str(prediction.record.get("status") or "")
    if _alike(recorded) == _alike(ours):
        return (EMPTY if not _alike(ours) else EQUAL if recorded == ours else SPELLED), ""
    error = str(prediction.record.get("action_error") or "")
    done = [each for each in acts if each.step.ok]
    if done:
        last = done[-1].prediction
        rejected = str(last.record.get("action_error") or "")
        if rejected:
            own = "" if last is prediction else f"the reply in line {last.line}: "
            return REJECTED, f"{own}{rejected}"
        if last is not prediction:
            return OTHER_REPLY, f"line {last.line}"
        return DIFFERENT, f"{done[-1].step.action}: {done[-1].step.message}"
    if refused := [each for each in acts if each.prediction is prediction]:
        return REFUSED, f"{refused[-1].step.action}: {refused[-1].step.message}"
    if prediction.output is None or error:
        return PAGE, error
    found = parse(part(prediction.output).answer, ACTIONS)
    calls = [each for each in found if isinstance(each, ActionCall)]
    if len(calls) < len(found) or not calls:
        return UNREAD, shorten(prediction.output, 100)
    return (CUT, "") if any(_is_about(call, prediction, prediction.field) for call in calls) else (PAGE, "")


def _acts(of_page: Sequence[Prediction], ending: Ending, field: str) -> Iterator[_Act]:
    """The steps that name a field, in order."""
    spoken = [each for each in of_page if each.output is not None]
    for prediction, turn in zip(spoken, ending.turns, strict=False):
        for step in ending.steps[slice(*turn.steps)]:
            match parse(step.action, ACTIONS):
                case [ActionCall() as call] if _is_about(call, prediction, field):
                    yield _Act(prediction, step)


def _is_about(call: ActionCall, prediction: Prediction, field: str) -> bool:
    """Whether a call names a field; one that names none is taken to be about the field that was asked for."""
    named = call.args.get("name")
    return named == field if named is not None else prediction.field == field


def _alike(values: Sequence[str]) -> list[str]:
    """Values as they are compared in the second place."""
    texts = (clean(value).strip() for value in values)
    return sorted(text if number(text) is None else str(number(text)) for text in texts if text)


def _shown(values: Sequence[str] | None) -> str:
    return "nothing" if values is None else shorten(repr(list(values)), 120)
