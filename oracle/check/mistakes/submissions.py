"""What became of the workers' answers when pages were submitted: refused by the page, or sent elsewhere by its script.

Pure: what was found on instances in, mistakes out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from harness.catalog.task import ANSWER
from harness.kit.text import counted
from oracle.check.mistakes.mistake import Mistake, explanation


@dataclass(frozen=True)
class RefusedField:
    """A field that HTML validation refused when the workers' answers had been entered.

    Attributes:
        name: The field's name; empty for a control without one.
        words: Why, in the browser's words.
        sent: What it held; of a scored field that is the workers' answer.
        is_answer: Whether a column of labels belongs to it.
        visible: Whether it can be seen.
    """

    name: str
    words: str
    sent: tuple[str, ...]
    is_answer: bool
    visible: bool

    @property
    def counts(self) -> bool:
        """Whether nobody can do right by it: a worker fills in what can be seen and has no labels."""
        return self.is_answer or not self.visible


@dataclass(frozen=True)
class Blocked:
    """What came of submitting the workers' answers on a page that refused them.

    Attributes:
        why: By what they were held up.
        said: What the page said last; empty if nothing.
        fields: What HTML validation refused, without fields that could not be filled in anyway.
        is_whole: Whether all answers had been entered.
    """

    why: str
    said: str = ""
    fields: tuple[RefusedField, ...] = ()
    is_whole: bool = True

    @property
    def is_by_script(self) -> bool:
        """Whether it was the page's script that held them up, with nothing missing that a label fills in."""
        return self.is_whole and not self.fields

    def __str__(self) -> str:
        return self.why + (f", and the page says {self.said!r}" if self.said else "")


def refusal_mistakes(
    task: str, pages: Iterable[tuple[tuple[int, ...], Blocked | None]], explanations: Mapping[str, str]
) -> Iterator[Mistake]:
    """What the pages of a task refused, and that they refused everything.

    Args:
        task: Its name.
        pages: The data rows of each instance, and what held its answers up; None if the page took them.
        explanations: Field, or a glob of fields -> why the workers' answer cannot be entered.
    """
    seen = list(pages)
    blocked = [(rows, each) for rows, each in seen if each is not None]
    is_all = len(blocked) == len(seen)
    if blocked and is_all:
        yield _never(task, [each for _, each in blocked])
    for rows, each in blocked:
        if each.is_by_script and each.said and not is_all:
            yield _held_up(task, rows, each)
        for field in each.fields:
            yield _refused(task, rows, field, explanations)


def sent_by_themselves(found: Iterable[tuple[str, tuple[int, ...], str]]) -> Iterator[Mistake]:
    """A note for each page whose script sends the answers somewhere by itself, in place of the form.

    Args:
        found: Of each such page the task, the rows that it was made from, and where it sent something, or went, when it
            was submitted with the workers' answers.
    """
    for task, rows, where in found:
        yield Mistake(
            task=task,
            kind="sent by itself",
            what="when it is submitted, a script of the page sends something to this address, and not the form. A run "
            "reads the fields all the same; serve --annotate keeps only what workers hand in when it tells them",
            remedy="Let the form be submitted, too: without preventDefault or return false, or by its submit() when "
            "the request is over",
            rows=rows,
            wanted=where,
            is_note=True,
        )


def _never(task: str, blocked: list[Blocked]) -> Mistake:
    is_known = any(field.counts for each in blocked for field in each.fields)
    by_script = all(each.is_by_script for each in blocked)
    return Mistake(
        task=task,
        kind="never accepted",
        what=f"its page took none of the submissions of {counted(len(blocked), 'instance')} with the workers' answers: "
        f"{blocked[0]}",
        remedy="Work the page by hand with the answers of a row, and mend what keeps them",
        is_note=not (is_known or by_script),
    )


def _held_up(task: str, rows: tuple[int, ...], blocked: Blocked) -> Mistake:
    return Mistake(
        task=task,
        kind="refused",
        what=f"the page does not let these answers through: {blocked}",
        remedy="Correct the labels, or what the page's script asks for",
        rows=rows,
    )


def _refused(task: str, rows: tuple[int, ...], field: RefusedField, explanations: Mapping[str, str]) -> Mistake:
    name = field.name or "(a control without a name)"
    if field.is_answer and any(field.sent):
        what = f"the page's own validation refuses the label: {field.words}"
        remedy = f"Correct the label in {ANSWER}{name}, or what the control asks for"
    elif field.is_answer:
        what = f"the page asks for it, and no worker has answered it here: {field.words}"
        remedy = f"Correct the label in {ANSWER}{name}, or what the control asks for"
    elif field.visible:
        what = f"the page asks for it, and no column labels it: {field.words}"
        remedy = f"Add a column {ANSWER}{name}, or leave it if it is no answer"
    else:
        what = f"the page asks for it, and nobody can fill in what cannot be seen: {field.words}"
        remedy = "Take `required` and the like away from the control, or show it"
    return Mistake(
        task=task,
        kind="refused",
        what=what,
        remedy=remedy,
        field=name,
        rows=rows,
        wanted=" | ".join(field.sent),
        is_note=not field.counts,
        explained=explanation(field.name, explanations),
    )
